"""Compiled loops of treewright: rank, scan, split, partition, walk."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]
_Flags = npt.NDArray[np.uint8]
_Short = npt.NDArray[np.int32]
_Codes = npt.NDArray[np.uint32]
_Keys = npt.NDArray[np.uint64]
_Array = npt.NDArray[Any]

def rank(values: _Array, missing: _Flags) -> tuple[_Codes, _Array, bool]:
    """Rank of each row, the distinct values, whether any row is missing."""

# kind, feature, threshold, first_child, n_children, missing_branch, set_start,
# set_codes, surrogates
_Tree = tuple[
    _Flags, _Short, _Floats, _Short, _Short, _Short, _Ints, _Short, _TreeSurrogates
]
# start, feature, kind, threshold, branch, set_start, set_codes, set_branch
_TreeSurrogates = tuple[_Ints, _Short, _Flags, _Floats, _Short, _Ints, _Short, _Short]

def walk(tree: _Tree, cells: _Floats, n_threads: int) -> _Short:
    """Node at which each row ends."""

class Voter:
    """Trees that vote; see core/voter.hpp."""

    def __init__(
        self,
        trees: list[_Tree],
        places: list[_Short],
        answers: list[_Floats],
        width: int,
    ) -> None: ...
    def vote(self, cells: _Floats, n_threads: int) -> tuple[_Floats, _Flags]:
        """Sums of the trees' answers for each row; which rows a tree divides."""

def place(
    tree: _Tree,
    node_weights: _Floats,
    cells: _Floats,
    tops: _Short,
    starts: _Ints,
    rows: _Ints,
    weights: _Floats | _Ints,
    min_share: float,
    n_threads: int,
) -> tuple[_Ints, _Short, Any]:
    """Item, node and weight of each part of an item that ended somewhere."""

def subtree_sums(first_child: _Short, n_children: _Short, of_nodes: Any) -> Any:
    """Of each node the sum over its subtree, itself included; floats or integers."""

def class_impurities(
    class_weights: _Array, class_start: Sequence[int], criterion: int
) -> _Floats:
    """Impurity of each row of class weights, the mean over the outputs."""

def heaviest_classes(weights: _Floats, parent: _Short, asks_ancestors: bool) -> _Short:
    """Heaviest class of each node; of equals the one that is heavier further up."""

def order_by_level(
    first_child: _Short, n_children: _Short, n_roots: int
) -> tuple[_Ints, _Ints]:
    """Nodes tree by tree, level by level; where each tree starts, and the end."""

def rows_in_bag(counts: _Codes) -> tuple[_Codes, _Codes]:
    """Rows that were drawn, and how often each was."""

def branch_keys(keys: _Keys, n_branches: _Ints) -> _Keys:
    """Keys of the branches of nodes, node after node."""

class KnownRows:
    """A table and its answers; see core/permute.hpp."""

    def __init__(
        self,
        cells: _Floats,
        target: _Floats,
        weights: _Floats,
        first_slot: _Ints,
        n_slots: int,
    ) -> None: ...
    def permuted_losses(
        self,
        trees: list[_Tree],
        answers: list[_Floats],
        rows: list[_Ints],
        keys: _Keys,
        n_threads: int,
    ) -> _Floats:
        """What permuting each feature costs each tree, in each slot."""

def permutation(key: int, feature: int, n: int) -> _Codes:
    """Return which of n rows gives its value of a feature to each of them."""

class Proximities:
    """Rows that end together; see core/proximity.hpp."""

    def __init__(self, ends: _Short, asked: _Flags, n_threads: int) -> None: ...
    def matrix(self) -> _Floats: ...
    def nearest(self, n_nearest: int) -> tuple[_Ints, _Floats]: ...
    def squares_within(self, groups: _Short) -> _Ints: ...

def parents(first_child: _Short, n_children: _Short) -> _Short:
    """The parent of each node; -1 of a root."""

def row_sums(table: _Array) -> _Array:
    """The sum of each row, from left to right."""

def row_maxima(table: _Array) -> _Array:
    """The largest number of each row; none may be NaN."""

def added_errors(
    weight: _Floats,
    errors: _Floats,
    confidence: float,
    quantile: float,
    rest_share: float,
) -> _Floats:
    """U(N, E) of leaves; see core/estimate.hpp."""

_Sent = tuple[_Ints, _Short, _Ints, _Flags]

class LeafRows:
    """The training rows at the leaves of a tree; see core/leaf_rows.hpp."""

    def __init__(
        self,
        cells: _Floats,
        classes: _Short,
        weights: _Ints,
        min_share: float,
        n_classes: int,
        n_threads: int,
    ) -> None: ...
    def fill(self, tree: _Tree) -> None: ...
    def send(self, tree: _Tree, nodes: _Ints, branches: _Ints) -> _Sent: ...
    def send_whole(self, tree: _Tree, nodes: _Ints, branches: _Ints) -> _Sent: ...
    def raise_branches(self, tree: _Tree, nodes: _Ints, branches: _Ints) -> _Sent: ...
    def make_leaves(self, tree: _Tree, nodes: _Ints) -> None: ...
    def standing(self) -> tuple[_Ints, _Ints, _Ints, _Short]: ...

# n_surrogates, feature, low, high, branch, agreement, adjusted, n_codes, codes,
# branch_of_code
_FoundSurrogates = tuple[
    _Ints,
    _Short,
    _Ints,
    _Ints,
    _Short,
    _Floats,
    _Floats,
    _Ints,
    _Short,
    _Short,
]

_FoundBranches = tuple[
    _Ints,
    _Ints,
    _Ints,
    _Flags,
    _Ints,
    _Short,
    _Short,
    _Ints,
    _Ints,
    _Ints,
    _FoundSurrogates,
    _Floats,
]

def few_looked(n_features: int, n_looked: int) -> bool:
    """Return whether a source of trees sorts rows late, and keeps no lists."""

class SortedLists:
    """The columns of a table in code order, sorted once for several sources."""

class Sparse:
    """The sparse source; see core/sparse.hpp."""

    def __init__(
        self,
        starts: _Ints,
        rows: _Codes,
        codes: _Codes,
        n_below: _Codes,
        run_codes: _Codes,
        target: Mapping[str, object],
        rule: Mapping[str, float],
        n_rows: int,
        n_threads: int,
        roots: tuple[_Codes, _Codes, _Ints] | None = None,
    ) -> None: ...
    def stop(self) -> None: ...
    def open_roots(self) -> tuple[_Ints, _Flags]: ...
    def tolerances(self, statistics: _Ints) -> _Floats: ...
    def scan(
        self, nodes: _Ints, statistics: _Ints, tolerances: _Floats
    ) -> tuple[_Floats, _Ints, _Ints]: ...
    def scan_drawn(
        self,
        nodes: _Ints,
        statistics: _Ints,
        tolerances: _Floats,
        keys: _Keys,
        constant: _Keys,
        n_features: int,
        counts_constant: bool,
    ) -> tuple[_Floats, _Ints, _Ints, _Keys]: ...
    def split(
        self, nodes: _Ints, features: _Short, positions: _Ints
    ) -> tuple[_Ints, _Ints, _Flags, _Short, _Ints, _Ints]: ...
    def advance(self, nodes: _Ints, branch_rows: _Ints, open: _Flags) -> int: ...

class Choosing:
    """How features are compared; see core/choosing.hpp."""

    def __init__(
        self,
        by_ratio: bool,
        guard: int,
        pays_for_cuts: bool,
        pays_for_groups: bool,
        tolerance: float,
        single_precision: bool,
        accepts_no_gain: bool,
        min_split_information: float,
        rows_per_class: float,
        weight_scale: float,
        is_cut: npt.NDArray[np.bool_],
        is_few_valued: npt.NDArray[np.bool_],
        n_branches: _Ints,
    ) -> None: ...

AVERAGE_SLACK: float
ENOUGH: float

def choose(
    choosing: Choosing,
    gain: _Floats,
    position: _Ints,
    n_cuts: _Floats,
    information: _Floats,
    charge: _Floats,
    feature: _Ints,
    weight: _Floats,
    per_score: _Floats,
    tolerances: _Floats,
    allowed: _Flags,
) -> tuple[_Short, _Floats, _Ints, _Flags]:
    """The feature, gain, position and reason of each node."""

def weigh(
    choosing: Choosing,
    gain: _Floats,
    position: _Ints,
    n_cuts: _Floats,
    information: _Floats,
    charge: _Floats,
    feature: _Ints,
    weight: _Floats,
    per_score: _Floats,
) -> tuple[_Floats, _Flags, _Floats]:
    """(gain, cost, charge, net, worth), (counts, valid), least."""

class Memory:
    """The memory source; see core/memory.hpp."""

    def __init__(
        self,
        codes: list[_Array],
        n_codes: Sequence[int],
        has_missing: Sequence[int],
        candidates: Sequence[int],
        values: list[_Floats],
        target: Mapping[str, object],
        rule: Mapping[str, float],
        n_rows: int,
        n_threads: int,
        roots: tuple[_Codes, _Codes, _Ints] | None = None,
        lists: SortedLists | None = None,
        cells: _Floats | None = None,
        kinds_of_cells: Sequence[int] = (),
    ) -> None: ...
    def sorted_lists(self) -> SortedLists: ...
    def stop(self) -> None: ...
    def open_roots(self) -> tuple[_Ints, _Flags]: ...
    def scan(
        self, nodes: _Ints, statistics: _Ints, tolerances: _Floats, allowed: _Flags
    ) -> tuple[_Floats, _Ints, _Floats, _Floats, _Floats]: ...
    def scan_drawn(
        self,
        nodes: _Ints,
        statistics: _Ints,
        tolerances: _Floats,
        allowed: _Flags,
        keys: _Keys,
        constant: _Keys,
        n_features: int,
        counts_constant: bool,
    ) -> tuple[_Floats, _Ints, _Ints, _Floats, _Floats, _Floats, _Keys]: ...
    def split(
        self, nodes: _Ints, features: _Short, positions: _Ints, tolerances: _Floats
    ) -> _FoundBranches: ...
    def tolerances(self, statistics: _Ints) -> _Floats: ...
    def can_grow_out(self) -> bool: ...
    def grow_out(
        self,
        nodes: _Ints,
        statistics: _Ints,
        depths: _Short,
        keys: _Keys,
        constant: _Keys,
        allowed: _Flags,
        n_features: int,
        counts_constant: bool,
        min_rows_in_leaf: int,
        min_rows_to_split: int,
        max_depth: int,
        min_weight_to_split: float,
        slack: float,
        choosing: Choosing,
    ) -> tuple[
        _Ints, _Short, _Ints, _Floats, _FoundBranches, _Short, _Ints, _Flags
    ]: ...
    def tabulate(
        self, nodes: _Ints, features: _Short, positions: _Ints, tolerances: _Floats
    ) -> tuple[
        _Ints,
        _Ints,
        _Ints,
        _Flags,
        _Ints,
        _Short,
        _Ints,
        _Ints,
        _Ints,
        _Ints,
        _Ints,
    ]: ...
    def score_cuts(
        self, node: int, feature: int, tolerance: float
    ) -> tuple[_Ints, _Ints, _Ints, _Floats]: ...
    def advance(
        self,
        nodes: _Ints,
        features: _Short,
        n_branches: _Ints,
        branch_rows: _Ints,
        known: _Ints,
        open: _Flags,
    ) -> int: ...

class RuleRows:
    """Rows and the conditions of rules; see core/rule_rows.hpp."""

    def __init__(
        self,
        cells: _Floats,
        classes: _Short,
        n_classes: int,
        weights: _Ints,
        unit: float,
        n_threads: int,
    ) -> None: ...
    def add(
        self,
        feature: _Short,
        low: _Floats,
        high: _Floats,
        set_start: _Ints,
        set_codes: _Short,
    ) -> None: ...
    def without_each(
        self, start: _Ints, condition: _Short, classes: _Short
    ) -> tuple[_Ints, _Ints, _Ints, _Ints]:
        """Weight covered and wrong, by rule, and without each condition."""
    def count_classes(self, start: _Ints, condition: _Short) -> tuple[_Ints, _Ints]:
        """Weight of each class in the rows of each rule, and how many rows."""
    def first_two(self, start: _Ints, condition: _Short) -> tuple[_Short, _Short]:
        """First and second rule that covers each row; -1: none."""
    def subsets(
        self,
        start: _Ints,
        condition: _Short,
        of_class: int,
        rule_bits: _Floats,
        starts: _Flags,
    ) -> tuple[_Flags, _Floats, _Ints]:
        """Flags, bits and steps of the subset that each start leads to."""

class Incremental:
    """A tree that is kept up to date; see core/incremental.hpp."""

    def __init__(self, criterion: int, n_features: int) -> None: ...
    def set_candidates(self, feature: int, candidates: int) -> None: ...
    def set_ranks(self, feature: int, ranks: _Codes) -> None: ...
    def set_classes(self, n_classes: int, new_class: _Short) -> None: ...
    def add(self, keys: _Keys, classes: _Codes) -> _Codes:
        """Add rows; their slots."""
    def find(self, keys: _Keys, classes: _Codes) -> _Codes:
        """Slots of rows like these, up to the first that is not there."""
    def remove(self, slots: _Codes) -> None: ...
    def rows(self) -> tuple[_Keys, _Codes]:
        """Keys and classes of the rows that are there."""
    def column(self, feature: int) -> _Keys: ...
    def key_counts(self, feature: int) -> _Ints: ...
    def flatten(self, codes: Sequence[_Short]) -> tuple[Any, ...]:
        """The tree as arrays, in the order of `FlatTree` in the bindings."""

def values_of_codes(
    values: list[_Array | None], columns: _Short, codes: _Short
) -> _Floats:
    """The value of each code of a column; NaN where its values are no floats."""

def cells_of_codes(codes: list[Any], cells: list[_Floats], n_rows: int) -> _Floats: ...
def look_up(cells: list[Any], known: Mapping[Any, float]) -> _Floats | None:
    """The numbers that cells stand for; None if one of them is not known."""

def read_rows(
    rows: list[Any], columns: tuple[tuple[str, Mapping[Any, float] | None], ...]
) -> tuple[_Floats, list[int]] | None:
    """Rows that are dicts as cells, and which columns need a closer look."""

class _Hoeffding:
    """A tree that learns from one row after the other; see core/hoeffding.hpp."""

    def __init__(self, settings: Mapping[str, Any]) -> None: ...
    def learn(
        self,
        cells: _Floats,
        target: _Array,
        weights: _Floats,
        n_codes: _Ints,
        class_rank: _Short,
    ) -> _Array:
        """What was answered for each row before it was learned."""
    def answer(
        self, cells: _Floats, class_rank: _Short, wants_shares: bool
    ) -> tuple[_Array, _Floats]:
        """The answer for each row, and the shares of the classes if wanted."""
    def place(self, cells: _Floats) -> _Short:
        """The node where each row ends."""
    def set_kinds(self, is_nominal: Sequence[int]) -> None: ...
    def arrays(self) -> dict[str, _Array]:
        """Everything it knows, as lists."""
    def fill(
        self, arrays: Mapping[str, Any], n_classes: int, n_codes: Sequence[int]
    ) -> None:
        """Take what `arrays` gave, if it is that of a tree."""
    def copy(self) -> _Hoeffding: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def n_awake(self) -> int: ...

class HoeffdingClasses(_Hoeffding): ...
class HoeffdingNumbers(_Hoeffding): ...
