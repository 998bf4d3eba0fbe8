"""Surrogates: what a row is asked that lacks the value for a node's own question.

Each node has a stretch of them, the best first. A row without a value takes the branch
that the first surrogate gives it; where none says anything, the node's
`missing_branch`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.tree.structure.node_kind import NodeKind

Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]


# per surrogate: the names of the arrays, and their dtypes
PER_SURROGATE = {
    "feature": "int32",
    "kind": "uint8",
    "threshold": "float64",
    "branch": "int32",
    "agreement": "float64",
    "adjusted": "float64",
}


@dataclass(frozen=True, eq=False)
class Surrogates:
    """The surrogates of all nodes of a tree, node after node."""

    # int64, shape (n_nodes + 1,) or (0,): node n has the surrogates `start[n]` up to
    # `start[n + 1]`; empty: none has any
    start: Ints
    feature: Codes  # int32, shape (n_surrogates,): the feature asked about
    # uint8, shape (n_surrogates,): a `NodeKind`: CUT, ORDER or SUBSET
    kind: npt.NDArray[np.uint8]
    # float64, shape (n_surrogates,): as in `Tree.threshold`; NaN for SUBSET
    threshold: npt.NDArray[np.float64]
    # int32, shape (n_surrogates,): CUT, ORDER: the branch of values up to the
    # threshold; others take the other one
    branch: Codes
    # float64, shape (n_surrogates,): the share of the training weight with a value for
    # the node's question that goes the same way by this one; and how much of what the
    # heavier branch leaves
    agreement: npt.NDArray[np.float64]
    adjusted: npt.NDArray[np.float64]
    # int64, shape (n_surrogates + 1,): SUBSET: `set_codes[set_start[s]:set_start[s +
    # 1]]` are the codes that say something, ascending
    set_start: Ints
    # these codes, and the branch of each; any other code says nothing
    set_codes: Codes
    set_branch: Codes

    def __len__(self) -> int:
        return len(self.feature)

    def of(self, node: int) -> range:
        """The numbers of a node's surrogates, the best first."""
        if len(self.start) == 0:
            return range(0)
        return range(int(self.start[node]), int(self.start[node + 1]))

    def codes(self, surrogate: int, branch: int) -> list[int]:
        """The codes that a SUBSET sends down a branch."""
        own = slice(self.set_start[surrogate], self.set_start[surrogate + 1])
        chosen: list[int] = self.set_codes[own][self.set_branch[own] == branch].tolist()
        return chosen

    def branch_of(self, surrogate: int, cell: float) -> int:
        """The branch that a cell takes; -1 if it says nothing."""
        kind = NodeKind(int(self.kind[surrogate]))
        if np.isnan(cell) or (kind != NodeKind.CUT and cell < 0):
            return -1
        if kind != NodeKind.SUBSET:
            low = int(self.branch[surrogate])
            return low if cell <= self.threshold[surrogate] else 1 - low
        for branch in (0, 1):
            if int(cell) in self.codes(surrogate, branch):
                return branch
        return -1

    def take(self, nodes: npt.NDArray[np.integer[Any]]) -> Surrogates:
        """For each new node the surrogates of an old one; of none for -1."""
        if len(self) == 0:
            return NO_SURROGATES
        has = nodes >= 0
        counts = np.where(has, np.diff(self.start)[nodes], 0)
        which = stretches(self.start[:-1][nodes], counts)
        sizes = np.diff(self.set_start)[which]
        codes = stretches(self.set_start[which], sizes)
        return Surrogates(
            **{name: getattr(self, name)[which] for name in PER_SURROGATE},
            start=starts_of(counts),
            set_start=starts_of(sizes),
            set_codes=self.set_codes[codes],
            set_branch=self.set_branch[codes],
        )


def starts_of(counts: npt.NDArray[Any]) -> Ints:
    """Where stretches of these lengths start, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def stretches(starts: Ints, counts: npt.NDArray[Any]) -> Ints:
    """The numbers from each start on, as many as counted, one stretch after another."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.asarray(np.arange(total) + np.repeat(starts - (ends - counts), counts))


def joined(parts: Sequence[Surrogates], n_nodes: Sequence[int]) -> Surrogates:
    """The surrogates of several trees, or batches of nodes, one after the other."""
    if not any(len(part) for part in parts):
        return NO_SURROGATES
    counts = [
        np.diff(part.start) if len(part) else np.zeros(n, np.int64)
        for part, n in zip(parts, n_nodes, strict=True)
    ]
    names = [*PER_SURROGATE, "set_codes", "set_branch"]
    arrays: dict[str, npt.NDArray[Any]] = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in names
    }
    return Surrogates(
        **arrays,
        start=starts_of(np.concatenate(counts)),
        set_start=starts_of(
            np.concatenate([np.diff(part.set_start) for part in parts])
        ),
    )


NO_SURROGATES = Surrogates(
    start=np.zeros(0, np.int64),
    feature=np.zeros(0, np.int32),
    kind=np.zeros(0, np.uint8),
    threshold=np.zeros(0),
    branch=np.zeros(0, np.int32),
    agreement=np.zeros(0),
    adjusted=np.zeros(0),
    set_start=np.zeros(1, np.int64),
    set_codes=np.zeros(0, np.int32),
    set_branch=np.zeros(0, np.int32),
)
