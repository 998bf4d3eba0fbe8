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
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event
from typing import Self

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.machine import keeping_to_n_jobs, thread_count
from treewright.data.schema import Schema
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.grow.draws import Draws
from treewright.grow.fill import Codes
from treewright.grow.finish import WideCuts, finish, with_wide_cuts
from treewright.grow.grower import Grower
from treewright.learners.admitted import admitted
from treewright.learners.forest.bags import Bagging, Keys, tree_keys
from treewright.learners.forest.combined import combined_cells
from treewright.learners.forest.forest_settings import (
    ForestSettings,
    refuse_values_in_node,
)
from treewright.learners.forest.grown_from import GrownFrom
from treewright.learners.forest.out_of_bag import OutOfBag, ask_out_of_bag, rows_as_new
from treewright.learners.growers import make_grower, statistics_of
from treewright.learners.recipe import (
    answering_common,
    model_of,
    with_common_values,
)
from treewright.sources.drawn_cells import DrawnCells
from treewright.sources.memory import KeptLists
from treewright.sources.node_statistics import Statistics
from treewright.sources.sparse import cells_per_row, has_sparse
from treewright.tree.model import FEATURES_PER_NODE, Model
from treewright.tree.predict.voting import Voting
from treewright.tree.structure.part import trees_of_roots
from treewright.tree.structure.tree import Tree

TELL_SECONDS = 0.1
# of the notes that do not hold any longer when trees come or go: files keep words alone
STOPPED = "growing was stopped"
OUT_OF_BAG = "out-of-bag"
IN_EVERY_BAG = "in the bag of every tree"
# is told how many trees are grown (a part of one counts as such), and of how many;
# False stops
Progress = Callable[[float, int], bool | None]
Arrays = tuple[Tree, WideCuts]


@dataclass(frozen=True, eq=False)
class Growing:
    """What all crews of a forest share."""

    columns: Columns
    dialect: Dialect
    statistics: Statistics
    bagging: Bagging
    n_features: int  # that a node looks at
    cells: DrawnCells | None  # where cuts are drawn
    common: Codes | None  # of each feature, where missing values were filled in
    stopped: Event = field(default_factory=Event)
    growers: dict[Grower, int] = field(default_factory=dict)  # and their trees

    @classmethod
    def of(cls, columns: Columns, dialect: Dialect, settings: ForestSettings) -> Self:
        """Return what is shared; how many features a node looks at comes later."""
        if settings.random_cuts:
            refuse_values_in_node(dialect)
        columns = admitted(columns, dialect)
        cells = None  # of which weighted sums of features are made
        if settings.combined_features is not None:
            cells = combined_cells(columns, dialect, int(settings.combined_features))
        columns, common = with_common_values(columns, dialect)
        return cls(
            columns,
            dialect,
            statistics_of(columns, dialect),
            settings.bagging(columns),
            len(columns.features),
            DrawnCells.of(columns) if settings.random_cuts else cells,
            common,
        )

    @property
    def draws_cuts(self) -> bool:
        """Whether these are extra trees."""
        return self.cells is not None and self.cells.n_combined == 0

    def looking_at(self, n_features: int) -> Self:
        """Return the same, with so many features for each node."""
        return replace(self, n_features=n_features, stopped=Event(), growers={})

    def crew(self, keys: Keys, lists: KeptLists | None) -> list[Arrays]:
        """Grow the trees of these keys side by side, in one set of arrays.

        They are taken apart at once, unless all trees of the forest share cuts.
        """
        grower = make_grower(
            self.columns,
            self.dialect,
            self.statistics,
            n_threads=1,
            roots=self.bagging.roots(keys, self.n_features),
            draws=Draws(keys, self.n_features, self.cells),
            lists=lists,
        )
        self.growers[grower] = len(keys)
        if self.stopped.is_set():
            raise CancelledError
        builder = grower.grow()
        tree, wide = finish(builder, self.columns, self.statistics, self.dialect)
        del self.growers[grower]
        if self._shares_cuts:
            return [(tree, wide)]
        # here, where other threads grow meanwhile
        return [(one, {}) for one in self._apart(tree, len(keys), self.columns.schema)]

    @property
    def _shares_cuts(self) -> bool:
        """Whether trees wait for each other, because all have one table of cuts."""
        return any(feature.is_wide for feature in self.columns.schema.features)

    def stop(self) -> None:
        """End all crews, wherever they are."""
        self.stopped.set()
        for grower in tuple(self.growers):
            grower.source.stop()

    def model(self, keys: Keys, n_threads: int, progress: Progress) -> Model:
        """Grow the trees of all keys; of the first ones, if `progress` stops it."""
        crews = crews_of(keys, self.columns, self.bagging, self.dialect, n_threads)
        lists = None
        if len(crews) > 1 and self.cells is None:
            lists = sorted_columns(
                self.columns, self.dialect, self.statistics, self.n_features, n_threads
            )
        grown: list[Arrays] = []
        pool = ThreadPoolExecutor(n_threads)
        try:
            futures = [pool.submit(self.crew, crew, lists) for crew in crews]
            whole = self._wait(futures, crews, progress)
        except BaseException:
            # Ctrl-C, or a progress that raises: the other crews must not go on. Nobody
            # waits for them: one that is sorting its rows is not done before that
            self.stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        if not whole:
            self.stop()
        pool.shutdown(cancel_futures=not whole)
        for future in futures:
            # those before the first that was stopped: the trees of a smaller forest
            if future.cancelled() or future.exception() is not None:
                break
            grown += future.result()
        if not grown:
            raise SettingError(
                "progress stopped the growing before the first tree was whole, and a "
                "forest needs one"
            )
        futures.clear()  # which would keep the arrays
        schema, trees = self.columns.schema, tuple(tree for tree, _ in grown)
        if self._shares_cuts:
            schema, trees = self._with_cuts(grown, crews, n_threads)
        model = model_of(schema, trees, self.dialect)
        notes = (*self.columns.notes, *self.statistics.notes())
        learner = "extra-trees" if self.draws_cuts else "forest"
        return replace(model, learner=learner, notes=notes)

    def _apart(self, tree: Tree, n_trees: int, schema: Schema) -> list[Tree]:
        """Return the trees of a crew, one by one."""
        return [
            answering_common(one, schema, self.columns, self.common)
            for one in trees_of_roots(tree, n_trees)
        ]

    def _with_cuts(
        self, grown: list[Arrays], crews: list[Crew], n_threads: int
    ) -> tuple[Schema, tuple[Tree, ...]]:
        """Return the trees of all crews; their arrays are let go one by one."""
        schema, cut = with_wide_cuts(self.columns.schema, grown)
        grown.clear()
        arrays = list(cut)
        del cut
        with ThreadPoolExecutor(n_threads) as pool:
            sizes = map(len, crews[: len(arrays)])
            parts = pool.map(partial(self._apart, schema=schema), arrays, sizes)
            arrays.clear()  # the pool has them until they are taken apart
            return schema, tuple(tree for part in parts for tree in part)

    def _wait(
        self, futures: list[Future[list[Arrays]]], crews: list[Crew], progress: Progress
    ) -> bool:
        """Wait for all crews, and tell how far they are; False if that stopped them."""
        n_trees = sum(map(len, crews))
        waiting = set(futures)
        while waiting:
            _, waiting = wait(waiting, timeout=TELL_SECONDS)
            n_done = 0.0
            for future, crew in zip(futures, crews, strict=True):
                if future.done():
                    future.result()  # raises what the crew has raised
                    n_done += len(crew)
            at_work = dict(self.growers) if waiting else {}
            part = sum(grower.share_done * n for grower, n in at_work.items())
            said = progress(min(n_done + part, n_trees), n_trees)
            if said is not None and not said and waiting:
                return False
        return True

    def ask(self, model: Model, keys: Keys) -> OutOfBag:
        """Return what the trees of these keys say about rows out of their bags."""
        rows = rows_as_new(self.columns, model)
        return ask_out_of_bag(model, keys, self.bagging, rows)

    def grown_from(self, keys: Keys) -> GrownFrom:
        """Return what trees of these keys are grown from."""
        return GrownFrom(self.columns, self.bagging, keys)


@dataclass(frozen=True, eq=False)
class Forest:
    """A grown forest, and what its out-of-bag rows say."""

    model: Model
    n_features: int  # how many features a node looked at
    out_of_bag: OutOfBag | None  # None unless it was asked for
    # number of features to out-of-bag error, where that decided
    tried: dict[int, float]
    # the table and the bags of the trees, if they are known
    grown_from: GrownFrom | None = None

    def _error_words(self, answers: OutOfBag) -> str:
        if self.model.schema.target.kind == "classes":
            return f"{OUT_OF_BAG} error {100 * answers.error:.2f} %"
        return f"{OUT_OF_BAG} root of the mean squared error {answers.error**0.5:.6g}"

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
                f"{n_rows} of {len(self.out_of_bag.n_votes)} rows are {IN_EVERY_BAG}, "
                "so that no out-of-bag answer counts them; more trees help"
            )


def lasting_notes(model: Model) -> tuple[str, ...]:
    """Return the notes that stay true when trees come or go."""
    return tuple(
        note
        for note in model.notes
        if not note.startswith((OUT_OF_BAG, STOPPED)) and IN_EVERY_BAG not in note
    )


@keeping_to_n_jobs
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

    - `dialect`: the algorithm of the trees; they are not pruned.
    - `settings`: how many trees, from which rows, looking at how many features.
    - `n_jobs`: threads; the trees are the same for any number.
    - `out_of_bag`: whether the trees are asked about the rows that they have not seen.
    - `progress`: is told, several times a second, how many trees are grown, and of how
      many; one that is growing counts as a part. If it returns False the trees that are
      whole are kept; what it raises goes through.
    """
    counts = settings.feature_counts(len(columns.features))
    asks = out_of_bag or len(counts) > 1
    growing = Growing.of(columns, dialect, settings)
    if asks:
        growing.bagging.check_leaves_rows("an out-of-bag answer")
    keys = tree_keys(settings.random_state, range(settings.n_estimators))
    found: list[Forest] = []
    for number, count in enumerate(counts):
        growing = growing.looking_at(count)
        tell = _of_several(progress or silent, number, len(counts))
        model = growing.model(keys, thread_count(n_jobs), tell)
        model = replace(model, voting=Voting(settings.voting))
        stopped = len(model.trees) < len(keys)
        if stopped and found:
            break  # a smaller forest cannot be compared with the others
        own_keys = keys[: len(model.trees)]
        answers = growing.ask(model, own_keys) if asks else None
        model = replace(model, settings={**model.settings, FEATURES_PER_NODE: count})
        if stopped:
            model = replace(model, notes=(*model.notes, stop_note(model, len(keys))))
        grown = growing.grown_from(own_keys)
        found.append(Forest(model, count, answers, {}, grown))
        if stopped:
            break
    # of equal errors the fewer features
    best = min(found, key=lambda one: one.out_of_bag.error if one.out_of_bag else 0.0)
    tried = {
        one.n_features: one.out_of_bag.error
        for one in found
        if one.out_of_bag is not None and len(found) > 1
    }
    return replace(best, tried=tried)


def stop_note(model: Model, n_wanted: int) -> str:
    """Return the note on a forest that has fewer trees than were wanted."""
    return f"{STOPPED} after {len(model.trees)} of {n_wanted} trees"


def _of_several(progress: Progress, number: int, n_forests: int) -> Progress:
    """Tell how much of several forests is grown, in the course of one of them."""
    return lambda done, of: progress(number * of + done, n_forests * of)


def silent(n_done: float, n_trees: int) -> None:
    """Tell nobody."""


# ---- Trees of a forest that grow side by side, and what all crews share.

# what a crew's trees have together, which its arrays cost in memory: rows times
# features in lists, and numbers in the statistics of as many nodes as rows
# (more of them and more trees were slower: the arrays of a crew should stay in the
# caches, and their memory be used again)
CREW_CELLS = CREW_NUMBERS = 4_000_000
CREW_TREES = 32
# a table with more cells is sorted by each crew, feature by feature, to save memory
SHARED_CELLS = 64_000_000

Crew = npt.NDArray[np.uint64]


def crews_of(
    keys: Keys, columns: Columns, bagging: Bagging, dialect: Dialect, n_threads: int
) -> list[Crew]:
    """Divide the trees into crews of bounded size, some for each thread."""
    n_drawn = max(bagging.n_drawn, 1)
    target = columns.schema.target
    width = max(sum(map(len, target.classes)), target.n_outputs)
    n_cells = n_drawn * max(cells_per_row(columns), 1)
    most = min(CREW_TREES, CREW_CELLS // n_cells, CREW_NUMBERS // (n_drawn * width))
    if dialect.max_leaf_nodes is not None:
        most = 1  # the limit is one tree's
    n_crews = -(-len(keys) // max(most, 1))
    n_crews = min(-(-n_crews // n_threads) * n_threads, len(keys))
    return np.array_split(keys, n_crews)


def sorted_columns(
    columns: Columns,
    dialect: Dialect,
    statistics: Statistics,
    n_looked: int,
    n_threads: int,
) -> KeptLists | None:
    """Return the table's columns in order, for all crews; None if each sorts."""
    n_features = len(columns.features)
    if (
        has_sparse(columns)
        or _core.few_looked(n_features, n_looked)
        or columns.n_rows * n_features > SHARED_CELLS
    ):
        return None
    lists = KeptLists()
    make_grower(columns, dialect, statistics, n_threads=n_threads, lists=lists)
    return lists
