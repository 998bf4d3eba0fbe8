"""AdaBoost: trees one after the other, each looking harder at what was wrong before.

    all rows weigh the same (or as the table says)
    for each round:
        grow a tree from the weighted rows (or from rows drawn by their weights)
        e = the weight of the rows that it gets wrong, of the weight of all
        e at chance or above, or 0: the end
        its vote is log((1 - e) / e);  SAMME adds log(classes - 1)
        wrong rows weigh exp(vote) times as much; all are scaled to the old sum
    the answer is the class with the most votes

AdaBoost.M1 and SAMME differ in that term, and in what chance is: an error of 1/2, or of
1 - 1/classes. With two classes they are the same. C5.0's way is in `c50_boosting.py`.

Where the papers are silent, or let a vote be infinite:

- A tree without errors ends boosting. It votes as if its error were 0.5 / (n + 1), n
  being the weight of all rows: half an error on one row more.
- A tree at chance or worse is thrown away and ends boosting. If it is the first, it is
  kept, so that there is a model.
- With draws both begin again from the first weights instead, with other draws, as in
  Breiman's arc-fs; a tree without errors stays. Each costs a round.

References
----------
Freund, Y. and Schapire, R. (1996). Experiments with a new boosting algorithm. ICML.
Zhu, J., Zou, H., Rosset, S. and Hastie, T. (2009). Multi-class AdaBoost. Statistics and
Its Interface 2, 349-360.
Breiman, L. (1998). Arcing classifiers. Annals of Statistics 26, 801-849.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.machine import keeping_to_n_jobs
from treewright.errors import DataError, SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.admitted import admitted
from treewright.learners.boosting.boosted_rows import BoostedRows, Round
from treewright.learners.boosting.c50_boosting import C50Boosting
from treewright.learners.forest.bags import tree_keys
from treewright.learners.forest.forest_settings import TREES
from treewright.prune.refill import training_cells
from treewright.settings.kinds import OneOf, Real, Whole
from treewright.settings.row import Clash, Need, Settings, row
from treewright.tree.join import in_one_schema
from treewright.tree.model import Model
from treewright.tree.predict.vote import codes_of
from treewright.tree.predict.voting import Voting
from treewright.tree.staged import staged_shares

Floats = npt.NDArray[np.float64]
Progress = Callable[[int, int], bool | None]
# errors this near to chance differ from it by rounding
_CLOSE = 1e-12


@dataclass(frozen=True, eq=False)
class Boosted:
    """A boosted model, and how it came about."""

    model: Model  # the trees and their votes
    # float64, shape (n_trees,): each tree's error in its round, by the weights of that
    # round
    errors: Floats
    # why there are fewer trees than rounds were asked for; empty if there are not
    ending: str


@keeping_to_n_jobs
def grow_adaboost(
    columns: Columns,
    dialect: Dialect,
    settings: AdaBoostSettings,
    *,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Boosted:
    """Boost trees from an encoded table.

    - `dialect`: the algorithm of the trees, which are pruned as it says.
    - `settings`: how many rounds, and what happens in each.
    - `n_jobs`: threads; the trees are the same for any number.
    - `progress`: is told how many rounds are done, and of how many. If it returns
      False, boosting ends with the trees that are there, at least one; it may raise,
      too.
    """
    check_target(columns)
    columns = admitted(columns, dialect)
    rows = BoostedRows(columns, dialect, n_jobs)
    boosting: Boosting | C50Boosting = Boosting(rows, settings)
    if settings.boosting == "c50":
        boosting = C50Boosting(rows, settings.n_estimators)
    rounds = []
    for number, one in enumerate(boosting.rounds(), 1):
        if one is not None:
            rounds.append(one)
        said = None if progress is None else progress(number, settings.n_estimators)
        if said is False and rounds and number < settings.n_estimators:
            boosting.ending = (
                f"boosting was stopped after {number} of {settings.n_estimators} rounds"
            )
            break
    kept = boosting.kept(rounds)
    return _boosted(columns, kept, boosting.voting(kept), boosting.ending)


def _boosted(
    columns: Columns, kept: list[Round], voting: Voting, ending: str
) -> Boosted:
    """The rounds as one model."""
    first = kept[0].model
    schema, trees = in_one_schema(
        [(one.model.schema, one.model.trees[0]) for one in kept]
    )
    notes = (*columns.notes, *((ending,) if ending else ()))
    model = replace(
        first,
        schema=schema,
        trees=trees,
        learner="adaboost",
        notes=notes,
        pruning_table=None,
        voting=voting,
    )
    return Boosted(model, np.array([one.error for one in kept]), ending)


def training_error(model: Model, columns: Columns) -> float:
    """Return the share of the weight of a table's rows that a model gets wrong."""
    cells = training_cells(columns, model.schema)
    *_, shares = staged_shares(model, cells)
    codes = codes_of(model.schema.target, shares, model.voting)
    wrong = codes[:, 0] != columns.target[:, 0]
    return float(np.average(wrong, weights=columns.weights))


class Boosting:
    """The rounds of AdaBoost.M1 and SAMME.

    `rows`: what trees are grown from. `settings`: how.
    """

    def __init__(self, rows: BoostedRows, settings: AdaBoostSettings) -> None:
        self.ending = ""
        self._rows = rows
        self._settings = settings
        self._draws = settings.by == "resampling"
        self._total = float(rows.first_weights.sum())
        n_classes = max(rows.n_occurring, 2)
        is_samme = settings.boosting == "samme"
        self._lead = math.log(n_classes - 1) if is_samme else 0.0
        self._chance = 1.0 - 1.0 / n_classes if is_samme else 0.5

    def rounds(self) -> Iterator[Round | None]:
        """Yield the tree of each round, or None if it is thrown away."""
        first = np.log(self._rows.first_weights)
        total, n_rounds = self._total, self._settings.n_estimators
        n_kept, logs = 0, first
        for number in range(n_rounds):
            weights = np.exp(logs - logs.max())
            weights *= total / weights.sum()
            model = self._tree(weights, number)
            wrong = self._rows.wrong(model, self._rows.ends(model))
            error = float(weights[wrong].sum() / total)
            is_last = number == n_rounds - 1
            at_chance = error >= self._chance - _CLOSE
            if at_chance and n_kept == 0 and (is_last or not self._draws):
                self.ending = self._no_better(error)
                yield Round(model, error, 1.0)
                return
            if not at_chance:
                n_kept += 1
            vote = 0.0 if at_chance else self._vote(error)
            yield None if at_chance else Round(model, error, vote)
            if not at_chance and error > 0:
                logs = logs + vote * wrong
            elif self._draws:
                logs = first
            else:
                if at_chance or not is_last:
                    self.ending = self._end(number, error)
                return

    def kept(self, rounds: list[Round]) -> list[Round]:
        """Return the trees that stay: all of them."""
        return rounds

    def voting(self, rounds: list[Round]) -> Voting:
        """Return how the trees vote."""
        return Voting("votes", tuple(one.vote for one in rounds))

    def _tree(self, weights: Floats, number: int) -> Model:
        if not self._draws:
            return self._rows.grown(weights)
        keys = tree_keys(self._settings.random_state, range(number, number + 1))
        return self._rows.drawn(weights, keys[0])

    def _vote(self, error: float) -> float:
        if error == 0.0:
            error = 0.5 / (max(self._total, 1.0) + 1.0)
        rate = self._settings.learning_rate
        return rate * (math.log((1.0 - error) / error) + self._lead)

    def _no_better(self, error: float) -> str:
        return f"boosting ended with one tree: it is {self._poor(error)}"

    def _end(self, number: int, error: float) -> str:
        if error == 0.0:
            return f"boosting ended: tree {number + 1} has no errors"
        count = counted(number, "tree")
        return f"boosting ended after {count}: the next is {self._poor(error)}"

    def _poor(self, error: float) -> str:
        return (
            f"wrong on {100 * error:.4g} % of the weight, and "
            f"{100 * self._chance:.4g} % is chance; {self._remedy()}"
        )

    def _remedy(self) -> str:
        if self._settings.boosting == "m1" and self._rows.n_occurring > 2:
            return "deeper trees, or boosting='samme', go on"
        return "deeper trees may go on"


# ---- What makes a boosted model, besides the dialect of its trees.


@dataclass(frozen=True)
class AdaBoostSettings(Settings):
    """How many rounds, and what happens in each."""

    n_estimators: int = row(
        TREES,
        "Most trees; boosting may end before.",
        default=50,
        takes="most trees",
    )
    boosting: str = row(
        OneOf("samme", "m1", "c50"),
        "SAMME (Zhu et al. 2009), which goes on as long as a tree is better than "
        "guessing among all classes; AdaBoost.M1 (Freund and Schapire 1996), which "
        "needs less than half of the weight wrong; the same for two classes. Or C5.0's "
        "way.",
        default="samme",
        takes="samme, m1, c50 (C5.0's way)",
        clashes=(
            Clash(
                lambda s: s.boosting == "c50" and s.by != "weights",
                "by is 'resampling', and boosting='c50' knows 'weights' alone; leave "
                "it out",
            ),
            Clash(
                lambda s: s.boosting == "c50" and s.learning_rate != 1.0,
                "learning_rate is set, and boosting='c50' knows 1.0 alone; leave it "
                "out",
            ),
        ),
    )
    by: str = row(
        OneOf("weights", "resampling"),
        "Whether a tree is grown from all rows, by their weights, or from as many rows "
        "drawn with replacement, the heavier the more often.",
        default="weights",
    )
    # beyond, votes would not be finite and above 0
    learning_rate: float = row(
        Real(1e-6, 1e6),
        "Each vote is multiplied by it, and so is the power by which rows gain weight; "
        "smaller needs more trees.",
        default=1.0,
        takes="a number above 0, by which votes are multiplied",
        tries={"adaboost": (0.3, 1)},
    )
    random_state: int = row(
        Whole(0),
        'The seed of the draws, with by="resampling"; None: another one each time, '
        "which the model keeps.",
        default=0,
        takes="as above, with by=resampling",
        doc="int, RandomState, Generator or None",
        usually="another one each time",
        needs=Need(lambda s: s.by == "resampling", "by=resampling"),
    )


def check_target(columns: Columns) -> None:
    """Refuse what cannot be boosted: numbers, several outputs, costs."""
    target = columns.schema.target
    if target.kind != "classes":
        raise DataError(
            "the target holds numbers, and AdaBoost is for classes; grow a forest, or "
            "declare the target nominal"
        )
    if target.n_outputs != 1:
        raise DataError(
            f"the target has {target.n_outputs} columns, and AdaBoost predicts one; "
            "fit one model for each"
        )
    if target.costs is not None:
        raise SettingError(
            "AdaBoost counts every mistake by the weight of its row and knows no costs "
            "of classes; leave them out, or weigh the rows"
        )
