"""The source: where the rows live, and what growing needs to know of them.

A batch of open nodes (the frontier) goes through three steps, wherever the rows are:

    candidates(frontier)        for each open node and feature: the best split, its gain
    split(chosen)               for the chosen ones: the branches and their statistics
    advance(chosen, branches)   branches that stay open become open nodes

The choice among the features is made between the first two steps, in `grow/choose.py`.
For small nodes there is a shorter way, where the core makes this choice, too:

    grow_out(nodes)             all that is below them, as the three steps would grow it

Two more questions are asked only by those who show how a choice was made:

    tabulate(chosen)            the tables behind splits that need not be made
    score_cuts(node, feature)   every cut of a feature, with its gain

Glossary
--------
handle      a source's number for an open node
statistic   the integers that describe a set of rows: class weights, or weight, sum and
            spread (`node_statistics.py` reads them)
score       weight times purity, in the units of the statistic; a gain in these units
            is `gain * node weight * units`
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from treewright import _core

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Keys = npt.NDArray[np.uint64]

ONE_VALUE = -np.inf  # a feature with a single value at the node
TOO_FEW_ROWS = -float(np.finfo(np.float64).max)  # every split leaves a branch too small


@dataclass(frozen=True, eq=False)
class Roots:
    """The rows that each of several trees grows from, tree after tree."""

    # uint32, shape (n_drawn,): rows of the table; each once per tree
    rows: npt.NDArray[np.uint32]
    # uint32, shape (n_drawn,) or (0,): how often each was drawn; empty: once
    counts: npt.NDArray[np.uint32]
    starts: Ints  # int64, shape (n_trees + 1,): where the rows of each tree start
    # features that a node looks at; 0: all. What the source prepares depends on it, not
    # what it answers.
    n_looked: int = 0


@dataclass(frozen=True, eq=False)
class Frontier:
    """A batch of open nodes."""

    handles: Ints  # int64, shape (n_nodes,): the source's numbers
    statistics: Ints  # int64, shape (n_nodes, width): what is known of each node's rows
    # float64, shape (n_nodes,): scores that differ by no more are ties
    tolerances: Floats
    # uint8, shape (n_nodes, n_features) or (0,): which features may be looked at; empty
    # means all
    allowed: npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Drawing:
    """What each open node draws to look at."""

    keys: Keys  # uint64, shape (n_nodes,): what a node's draws depend on
    # uint64, shape (n_nodes, words): bits of the features that are known to have a
    # single value at the node
    constant: Keys
    n_features: int  # how many features are drawn
    # whether features with a single value count. If so, more are drawn only until one
    # has two values; else until `n_features` have.
    counts_constant: bool


@dataclass(frozen=True, eq=False)
class Candidates:
    """For each open node and feature, the best split; all of shape (nodes, features).

    `gain` is in score units, or ONE_VALUE or TOO_FEW_ROWS. `position`: known rows to
    the left of a cut (all of them: the question is whether the value is known); or
    -1 - the code of the value that is set against the rest. `n_cuts`: how many cuts
    were admissible, or what `SplitRule` counts instead. `split_information`: entropy in
    bits of the branches' weights, the rows without a value being one more branch; only
    where the dialect needs it.
    `charge`: bits that name groups of values, where the dialect takes them off.
    Where nodes draw features, the columns are what each has drawn, in the order of the
    draw (in column order if they look at all), and `feature` says which these are (-1:
    fewer); else it is empty. Where cuts are drawn,
    `position` is -1 - the draw.
    """

    gain: Floats
    position: Ints
    n_cuts: Floats
    split_information: Floats
    charge: Floats
    feature: Ints = field(default_factory=lambda: np.zeros((0, 0), np.int64))


@dataclass(frozen=True, eq=False)
class Chosen:
    """The splits to make, one per node."""

    handles: Ints
    feature: npt.NDArray[np.int32]
    position: Ints
    tolerances: Floats


@dataclass(frozen=True, eq=False)
class FoundSurrogates:
    """The surrogates of the chosen splits, node after node, the best first.

    Per node: `n_surrogates`. Per surrogate: `feature`; `low` and `high`, the codes on
    both sides of a cut, and `branch`, where the low ones go; `agreement` and
    `adjusted`, as in `Surrogates`; and `n_codes`, how many of `codes` and their
    `branch_of_code` are its own.
    """

    n_surrogates: Ints
    feature: npt.NDArray[np.int32]
    low: Ints
    high: Ints
    branch: npt.NDArray[np.int32]
    agreement: Floats
    adjusted: Floats
    n_codes: Ints
    codes: npt.NDArray[np.int32]
    branch_of_code: npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Branches:
    """The branches of the chosen splits, node after node.

    Per branch: `n_rows`, `statistics`, `pure`, and under fractional rows `known`, the
    weight of the rows that have a value. Per node: `n_branches`,
    `missing_branch`, `low` and `high` (the codes on both sides of a cut), and `n_set`,
    how many of `set_codes` are the node's, as `Tree` has them: where it is split by a
    set of values, those of branch 0; by groups of values, the branch of each code.
    `surrogates`: what rows without a value follow. `threshold`: where cuts are drawn,
    NaN for other splits; else empty.
    """

    n_branches: Ints
    n_rows: Ints
    statistics: Ints
    pure: npt.NDArray[np.bool_]
    n_set: Ints
    set_codes: npt.NDArray[np.int32]
    missing_branch: npt.NDArray[np.int32]
    low: Ints
    high: Ints
    known: Ints
    surrogates: FoundSurrogates
    threshold: Floats


@dataclass(frozen=True)
class LeafLimits:
    """When a node is a leaf without being looked at, besides being pure."""

    min_rows_in_leaf: int
    min_rows_to_split: int
    max_depth: int | None
    # of classes: a node that weighs less, and one whose rows agree but for so much
    min_weight_to_split: float = 0.0
    slack: float = 0.0


@dataclass(frozen=True, eq=False)
class GrownOut:
    """All that grows below some open nodes.

    Its branches are numbered 0, 1, ... in order; a node is such a number, or -1 - k for
    the k-th of the open nodes. Per split, a node after its parent: `node`, `feature`,
    `position`, `gain` in score units, and `branches`. Per branch: `depth`.
    `unsplit`: the nodes that were looked at and have no split, and `why`, as
    `grow/choose.py` reads it.
    """

    node: Ints
    feature: npt.NDArray[np.int32]
    position: Ints
    gain: Floats
    branches: Branches
    depth: npt.NDArray[np.int32]
    unsplit: Ints
    why: npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Tabulated:
    """The tables behind splits, one after the other.

    As `Branches` has them: `n_branches`, `n_rows`, `statistics`, `pure`, `n_set`,
    `set_codes`, `low`, `high`; rows without a value are in them only if the gain counts
    them. Per split: `known`, the statistic of all these rows together; `missing` and
    `n_missing`, that of the others.
    """

    n_branches: Ints
    n_rows: Ints
    statistics: Ints
    pure: npt.NDArray[np.bool_]
    n_set: Ints
    set_codes: npt.NDArray[np.int32]
    low: Ints
    high: Ints
    known: Ints
    missing: Ints
    n_missing: Ints


@dataclass(frozen=True, eq=False)
class ScoredCuts:
    """The cuts of a feature at a node, from low to high, in score units.

    `position` as in `Candidates`; `low` and `high` are the codes on both sides.
    """

    position: Ints
    low: Ints
    high: Ints
    gain: Floats


class Source(Protocol):
    """What the grower asks of the rows, wherever they are."""

    n_features: int
    cells_per_row: int  # that a look at all features goes through

    def tolerances(self, statistics: Ints) -> Floats:
        """Difference of scores, per node, below which two splits are a tie."""

    def stop(self) -> None:
        """End the call that another thread is in, and refuse all later ones."""

    def open_roots(self) -> tuple[Ints, npt.NDArray[np.bool_], Ints]:
        """Open the roots as handles 0, 1, ...; one tree has one.

        Of each its statistic, whether its rows agree, and how many there are.
        """

    def candidates(self, frontier: Frontier) -> Candidates:
        """Find the best split of every feature at every open node of the batch."""

    def drawn_candidates(
        self, frontier: Frontier, drawing: Drawing
    ) -> tuple[Candidates, Keys]:
        """Find the best split of the features that each node draws.

        Also `drawing.constant` with the features that were found to have one value.
        """

    def split(self, chosen: Chosen) -> Branches:
        """Make the chosen splits; the branches are not open yet."""

    def advance(
        self, chosen: Chosen, branches: Branches, is_open: npt.NDArray[np.bool_]
    ) -> Ints:
        """Open the branches marked in `is_open`; their handles in order."""

    def dense(self) -> DenseSource | None:
        """Itself, if it also does what dense tables are needed for."""


class DenseSource(Source, Protocol):
    """A source that also grows small nodes out, and counts tables for chalk."""

    small_rows: int  # nodes with no more rows can be grown out; 0: none can

    def grow_out(
        self,
        handles: Ints,
        statistics: Ints,
        depth: npt.NDArray[np.int32],
        allowed: npt.NDArray[np.uint8],
        drawing: Drawing | None,
        limits: LeafLimits,
        choosing: _core.Choosing,
    ) -> GrownOut:
        """Grow all that is below open nodes, of at most `small_rows` rows each."""

    def tabulate(self, chosen: Chosen) -> Tabulated:
        """Count the branches of splits; a node may stand there more than once."""

    def score_cuts(self, handle: int, feature: int, tolerance: float) -> ScoredCuts:
        """Score every admissible cut of a feature at an open node."""
