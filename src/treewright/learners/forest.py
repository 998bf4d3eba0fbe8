"""Random forests: many trees, each from its own draw of the rows, that vote.

    for each tree:
        draw rows for it (its bag)
        grow it; at each node look at a few features only, drawn at random
    the answer is the mean of the trees' shares (or numbers)

Trees are grown in crews, side by side: a batch of the growing loop has nodes of many
trees, so that Python's share of the time stays small. Threads take crews. A tree
depends on its own key alone (`grow/draws.py`, `bags.py`), so neither crews nor threads
can be seen in it.

References
----------
Breiman, L. (2001). Random forests. Machine Learning 45, 5-32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.threads import thread_count
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.grow.draws import Draws
from treewright.grow.fill import Codes
from treewright.grow.finish import WideCuts, finish, with_wide_cuts
from treewright.grow.grower import Grower
from treewright.learners.admitted import admitted
from treewright.learners.bags import Bagging, Keys, tree_keys
from treewright.learners.forest_settings import ForestSettings
from treewright.learners.grown_from import GrownFrom
from treewright.learners.out_of_bag import OutOfBag, ask_out_of_bag
from treewright.learners.recipe import (
    answering_common,
    make_grower,
    model_of,
    statistics_of,
    with_common_values,
)
from treewright.prune.labelled_rows import LabelledRows
from treewright.sources.node_statistics import Statistics
from treewright.tree.model import Model
from treewright.tree.part import trees_of_roots
from treewright.tree.tree import Tree
from treewright.tree.voting import Voting

# rows times features that a crew's trees have together: what its lists cost in memory
CREW_CELLS = 8_000_000
CREW_TREES = 32
Progress = Callable[[int, int], None]
# trees of a forest vote, and are not pruned
UNPRUNED: dict[str, Any] = {
    "pruning": None,
    "collapse": None,
    "ccp_alpha": 0.0,
    "cp": None,
    "alpha_choice": "fixed",
    "global_pruning": False,
    "validation_share": None,
}


@dataclass(frozen=True, eq=False)
class Growing:
    """What all crews of a forest share."""

    columns: Columns
    dialect: Dialect
    statistics: Statistics
    bagging: Bagging
    n_features: int  # that a node looks at
    common: Codes | None  # of each feature, where missing values were filled in
    stopped: Event = field(default_factory=Event)
    growers: list[Grower] = field(default_factory=list)  # of the crews at work

    def crew(self, keys: Keys) -> tuple[Tree, WideCuts]:
        """Grow the trees of these keys side by side, in one set of arrays."""
        grower = make_grower(
            self.columns,
            self.dialect,
            self.statistics,
            n_threads=1,
            roots=self.bagging.roots(keys, self.n_features),
            draws=Draws(keys, self.n_features),
        )
        self.growers.append(grower)
        if self.stopped.is_set():
            raise CancelledError
        builder = grower.grow()
        self.growers.remove(grower)
        return finish(builder, self.columns, self.statistics, self.dialect)

    def stop(self) -> None:
        """End all crews, wherever they are."""
        self.stopped.set()
        for grower in tuple(self.growers):
            grower.source.stop()

    def model(self, keys: Keys, n_threads: int, progress: Progress) -> Model:
        """Grow the trees of all keys."""
        n_cells = self.bagging.n_drawn * max(len(self.columns.features), 1)
        crews = _crews(keys, n_cells, n_threads)
        grown, n_done = [], 0
        with ThreadPoolExecutor(n_threads) as pool:
            try:
                for crew, arrays in zip(crews, pool.map(self.crew, crews), strict=True):
                    grown.append(arrays)
                    n_done += len(crew)
                    progress(n_done, len(keys))
            except BaseException:
                # Ctrl-C, or a progress that stops: the other crews must not go on
                self.stop()
                pool.shutdown(cancel_futures=True)
                raise
        schema, crew_trees = with_wide_cuts(self.columns.schema, grown)
        trees = [
            answering_common(tree, schema, self.columns, self.common)
            for arrays, crew in zip(crew_trees, crews, strict=True)
            for tree in trees_of_roots(arrays, len(crew))
        ]
        model = model_of(schema, tuple(trees), self.dialect)
        notes = (*self.columns.notes, *self.statistics.notes())
        return replace(model, learner="forest", notes=notes)


@dataclass(frozen=True, eq=False)
class Forest:
    """A grown forest, and what its out-of-bag rows say.

    Attributes
    ----------
    model : Model
        The trees.
    n_features : int
        How many features a node looked at.
    out_of_bag : OutOfBag or None
        None unless it was asked for.
    tried : dict
        Number of features to out-of-bag error, where that decided.
    grown_from : GrownFrom
        The table and the bags of the trees.
    """

    model: Model
    n_features: int
    out_of_bag: OutOfBag | None
    tried: dict[int, float]
    grown_from: GrownFrom

    def _error_words(self, answers: OutOfBag) -> str:
        if self.model.schema.target.kind == "classes":
            return f"out-of-bag error {100 * answers.error:.2f} %"
        return f"out-of-bag root of the mean squared error {answers.error**0.5:.6g}"

    def notes(self, *, with_error: bool = True) -> Iterator[str]:
        """Yield what a reader of the model should know of how it came about.

        The error is left out where the model's measures say it.
        """
        if self.tried:
            errors = ", ".join(
                f"{count}: {error:.4g}" for count, error in self.tried.items()
            )
            yield (
                f"a node looks at {counted(self.n_features, 'feature')}, which had the "
                f"smallest out-of-bag error ({errors})"
            )
        if with_error and self.out_of_bag is not None and self.out_of_bag.weight > 0:
            yield self._error_words(self.out_of_bag)
        if self.out_of_bag is not None and (self.out_of_bag.n_votes == 0).any():
            n_rows = int(np.count_nonzero(self.out_of_bag.n_votes == 0))
            yield (
                f"{n_rows} of {len(self.out_of_bag.n_votes)} rows are in the bag of "
                "every tree, so that no out-of-bag answer counts them; more trees help"
            )


def grow_forest(
    columns: Columns,
    dialect: Dialect,
    settings: ForestSettings,
    *,
    n_jobs: int | None = None,
    out_of_bag: bool = False,
    progress: Progress | None = None,
) -> Forest:
    """Grow a forest from an encoded table.

    Parameters
    ----------
    columns : Columns
        The table.
    dialect : Dialect
        The algorithm of the trees; they are not pruned.
    settings : ForestSettings
        How many trees, from which rows, looking at how many features.
    n_jobs : int or None
        Threads; the trees are the same for any number.
    out_of_bag : bool
        Whether the trees are asked about the rows that they have not seen.
    progress : callable, optional
        Is told how many trees are grown, and of how many; may raise, to stop.
    """
    settings.check()
    columns = admitted(columns, dialect)
    columns, common = with_common_values(columns, dialect)
    bagging = settings.bagging(columns)
    counts = settings.feature_counts(len(columns.features))
    statistics = statistics_of(columns, dialect)
    asks = out_of_bag or len(counts) > 1
    if asks and bagging.takes_all:
        raise SettingError(
            "out-of-bag answers need rows that a tree has not seen, and every tree "
            "gets all of them; set bootstrap=True, or max_samples below 1.0"
        )
    keys = tree_keys(settings.random_state, range(settings.n_estimators))
    found: list[Forest] = []
    for count in counts:
        growing = Growing(columns, dialect, statistics, bagging, count, common)
        model = growing.model(keys, thread_count(n_jobs), progress or _silent)
        model = replace(model, voting=Voting(settings.voting))
        answers = None
        if asks:
            rows = LabelledRows.of_columns(columns, model.schema)
            answers = ask_out_of_bag(model, keys, bagging, rows)
        grown = GrownFrom(columns, bagging, keys)
        found.append(Forest(model, count, answers, {}, grown))
    # of equal errors the fewer features
    best = min(found, key=lambda one: one.out_of_bag.error if one.out_of_bag else 0.0)
    tried = {
        one.n_features: one.out_of_bag.error
        for one in found
        if one.out_of_bag is not None and len(found) > 1
    }
    return replace(best, tried=tried)


def _silent(n_done: int, n_trees: int) -> None:
    """Tell nobody."""


def _crews(keys: Keys, n_cells: int, n_threads: int) -> list[npt.NDArray[np.uint64]]:
    """Divide the trees into crews of bounded size, some for each thread."""
    most = max(1, min(CREW_TREES, CREW_CELLS // max(n_cells, 1)))
    n_crews = -(-len(keys) // most)
    n_crews = min(-(-n_crews // n_threads) * n_threads, len(keys))
    return np.array_split(keys, n_crews)
