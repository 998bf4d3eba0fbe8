"""Searching for settings, and asking honestly how good the search is.

    search        every setting is tried on the same inner folds of some rows
    nested        each outer fold is answered by what a search among the other rows
                  chose, so no row has a say in the settings that answer for it
    at last       a search among all rows gives the settings to use

Fits are shared among threads. Each has its place in the state, whoever does it, so
the result is the same for any number of threads and for any number of interruptions.

References
----------
Varma, S. and Simon, R. (2006). Bias in error estimation when using cross-validation for
model selection. BMC Bioinformatics 7:91.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from treewright.data.columns import Columns
from treewright.data.machine import thread_count
from treewright.errors import DataError
from treewright.evaluation.cross_validation import Mean, weights_of
from treewright.evaluation.division import Divided
from treewright.evaluation.errors.held_out_answers import (
    Learned,
    Outcomes,
    Split,
    Tell,
    answers_of,
    asking,
    losses,
)
from treewright.evaluation.sharing import shared_out
from treewright.evaluation.table_part import part_of
from treewright.evaluation.tuning.spaces import Settings
from treewright.evaluation.tuning.tuning_state import Places, TuningState
from treewright.learners.shared_growth import SharedGrowth
from treewright.rules.rule_model import RuleModel
from treewright.tree.model import Model

MINIMUM, ONE_SE = "minimum", "one_se"
ALIKE = 1.05  # of sizes: not worth an error
RULES = (ONE_SE, MINIMUM)


@dataclass(frozen=True, eq=False)
class Contender:
    """Settings, and what learns with them from a part of the table and some threads.

    `shared` says how to grow once what others prune in other ways, if that goes.
    """

    settings: Settings
    learn: Callable[[Columns, int | None], Any]
    shared: SharedGrowth | None = None


@dataclass(frozen=True, eq=False)
class TuningPlan:
    """All that is to be done."""

    columns: Columns  # the table, encoded once for all fits
    outer: Divided  # the outer folds
    # the inner folds of the training rows of each outer fold, and at the end those of
    # all rows; in row numbers of the table
    searches: tuple[tuple[Split, ...], ...]
    contenders: tuple[Contender, ...]  # what is tried
    usual: Contender  # the learner as it is, without tuning
    rule: str = ONE_SE  # {"one_se", "minimum"}: how settings are chosen
    unit: str = "leaves"  # {"leaves", "rules"}: what the size of a model is counted in

    def places(self) -> Places:
        """Return what a state of this plan can hold."""
        target = self.columns.schema.target
        is_classes = target.kind == "classes"
        return Places(
            tuple(map(len, self.searches)),
            tuple(len(split.test) for split in self.outer.splits),
            len(self.contenders),
            len(target.classes[0]) if is_classes else None,
        )

    @property
    def n_fits(self) -> int:
        """How many models are learned, at most."""
        inner = sum(map(len, self.searches)) * len(self.contenders)
        return inner + 2 * len(self.outer.splits)


@dataclass(frozen=True)
class Trial:
    """How settings did on the inner folds of some rows."""

    settings: Settings  # what was tried
    # the share of wrong rows, or the mean squared error, and its standard error
    loss: Mean
    # the mean number of leaves, of all trees; of a rule set the number of rules
    size: float


def chosen_trial(trials: Sequence[Trial], rule: str) -> int:
    """Return which settings are taken.

    "minimum": the least error. "one_se": of those whose error is at most one standard
    error above the least, the ones with the fewest leaves (Breiman et al. 1984); of
    those with hardly more leaves, a twentieth, the least error.
    """
    best = min(range(len(trials)), key=lambda n: (*_by_error(trials[n]), n))
    if rule == MINIMUM:
        return best
    limit = trials[best].loss.value + trials[best].loss.standard_error
    near = [n for n, one in enumerate(trials) if one.loss.value <= limit]
    fewest = min(trials[n].size for n in near)
    simple = [n for n in near if trials[n].size <= ALIKE * fewest]
    return min(simple, key=lambda n: (*_by_error(trials[n]), n))


def _by_error(trial: Trial) -> tuple[float, float]:
    return trial.loss.value, trial.size


class Tuner:
    """Does the work of a plan, as far as the state does not have it already."""

    def __init__(
        self, plan: TuningPlan, state: TuningState, *, n_jobs: int | None, tell: Tell
    ) -> None:
        self.plan = plan
        self.state = state
        self._n_jobs = n_jobs
        self._tell = tell
        self._stops = threading.Event()
        self._order = _neighbours(plan.contenders)

    def run(self) -> None:
        """Do all of it; what is done by then is kept whatever happens."""
        self._say()
        try:
            pieces = [
                (search, number)
                for search, splits in enumerate(self.plan.searches)
                for number in range(len(splits))
            ]
            self._share([partial(self._try_split, *piece) for piece in pieces])
            self._share(
                [
                    partial(self._answer, fold, contender)
                    for fold in range(len(self.plan.outer.splits))
                    for contender in (self.choice(fold), -1)
                ]
            )
        finally:
            self._stops.set()
            self.state.save()

    def trials(self, search: int) -> list[Trial]:
        """Return how all settings did in a search."""
        splits = range(len(self.plan.searches[search]))
        return [
            _trial(
                contender.settings,
                [self.state.tried[f"{search}/{split}/{number}"] for split in splits],
            )
            for number, contender in enumerate(self.plan.contenders)
        ]

    def choice(self, search: int) -> int:
        """Return which settings a search chose."""
        return chosen_trial(self.trials(search), self.plan.rule)

    def outcomes(self, *, tuned: bool) -> Outcomes:
        """Return what was answered for the outer folds, with tuning or without."""
        folds = range(len(self.plan.outer.splits))
        answers = tuple(
            self.state.answer(f"{fold}/{self.choice(fold) if tuned else -1}")
            for fold in folds
        )
        return Outcomes(self.plan.columns, self.plan.outer.splits, answers)

    def _share(self, pieces: list[Callable[[int | None], None]]) -> None:
        n_threads = min(thread_count(self._n_jobs), len(pieces))
        # threads within a model are for who has one piece of work only
        within = self._n_jobs if n_threads == 1 else 1
        shared_out(
            [partial(piece, within) for piece in pieces],
            n_threads=n_threads,
            tell=lambda done, of: self._say(),
        )

    def _say(self) -> None:
        self._tell(self.state.n_done, self.plan.n_fits)

    def _try_split(self, search: int, number: int, n_jobs: int | None) -> None:
        """Try all settings on one inner fold; its rows are taken once for all."""
        split, columns = self.plan.searches[search][number], self.plan.columns
        part = held = None
        grown: dict[Hashable, Model] = {}
        for k in self._order:
            contender = self.plan.contenders[k]
            key = f"{search}/{number}/{k}"
            if key in self.state.tried:
                continue
            if self._stops.is_set():
                return
            if part is None or held is None:
                part, held = part_of(columns, split.train), columns.take(split.test)
            model = _learned(contender, part, n_jobs, grown)
            self.state.add_tried(key, _figures(model, held))
            self._say()

    def _answer(self, fold: int, number: int, n_jobs: int | None) -> None:
        """Answer for the rows of an outer fold."""
        key = f"{fold}/{number}"
        if key in self.state.answers or self._stops.is_set():
            return
        contender = self.plan.contenders[number] if number >= 0 else self.plan.usual
        ask = asking(self.plan.columns, lambda part: contender.learn(part, n_jobs))
        self.state.add_answer(key, ask(self.plan.outer.splits[fold]))
        self._say()


def _neighbours(contenders: Sequence[Contender]) -> list[int]:
    """Return an order in which those that share a grown tree follow each other."""
    keys: list[Hashable] = [
        number if one.shared is None else one.shared.key
        for number, one in enumerate(contenders)
    ]
    first: dict[Hashable, int] = {}
    for number, key in enumerate(keys):
        first.setdefault(key, number)
    return sorted(range(len(keys)), key=lambda number: (first[keys[number]], number))


def _learned(
    contender: Contender,
    part: Columns,
    n_jobs: int | None,
    grown: dict[Hashable, Model],
) -> Learned:
    """Return what is learned; a tree that stands in `grown` is only pruned."""
    shared = contender.shared
    if shared is None:
        learned: Learned = contender.learn(part, n_jobs)
        return learned
    if shared.key not in grown:
        grown.clear()  # who shares a tree follows next, so one is kept at a time
        grown[shared.key] = shared.grow(part, n_jobs)
    return shared.prune(grown[shared.key])


def _figures(model: Learned, held: Columns) -> list[float]:
    """Return weight, loss, spread of the loss around its mean, and leaves."""
    target = held.schema.target
    predicted, _ = answers_of(model, held, target, shares=False)
    loss = losses(target, held.target[:, 0], predicted)
    weights = weights_of(held)
    weight, total = float(weights.sum()), float(loss @ weights)
    spread = float(weights @ (loss - total / weight) ** 2)
    if not math.isfinite(spread):
        raise DataError(
            f"the squared errors of {target.names[0]!r} are too large for a float; "
            "divide the target by a large number"
        )
    return [weight, total, spread, float(size_of(model))]


def size_of(model: Learned) -> int:
    """Return the leaves of all trees, or the rules of a rule set."""
    if isinstance(model, RuleModel):
        return len(model.rates)
    return sum(tree.n_leaves for tree in model.trees)


def _trial(settings: Settings, figures: list[list[float]]) -> Trial:
    """Add up the figures of the inner folds: every held-out row counts once."""
    weight = sum(one[0] for one in figures)
    mean = sum(one[1] for one in figures) / weight
    spread = sum(
        within + part * (total / part - mean) ** 2 for part, total, within, _ in figures
    )
    leaves = sum(one[3] for one in figures) / len(figures)
    return Trial(settings, Mean(mean, math.sqrt(spread) / weight), leaves)
