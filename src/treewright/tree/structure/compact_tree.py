"""Compact trees: what answers, and nothing that only tells how the tree came about.

A compact tree asks the same questions as the tree that it was made from. Instead of the
class weights of every node it has the answers of the nodes where a walk can end, each
different one once for the whole forest, and no counts, impurities and gains. Integers
are as narrow as their values allow. That is at most 32 bytes a node, besides the
sets of nominal questions (up to 4 bytes for each value named), surrogates, and the
different answers (8 bytes for each class or output).
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from treewright.errors import SettingError
from treewright.tree.structure.surrogates import NO_SURROGATES, Surrogates
from treewright.tree.structure.tree import NO_CLASS, NodeKind, Tree

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[Any]

# the arrays of a compact tree with an entry per node; `weight` only where rows are
# divided, `set_size` only where nodes have sets
PER_NODE = (
    "kind",
    "feature",
    "threshold",
    "first_child",
    "missing_branch",
    "place",
    "set_size",
    "weight",
)


class CompactTree(Tree):
    """A tree without training statistics.

    - `arrays`: the arrays of `PER_NODE`, narrow, and `set_codes`; `place` is the row of
      `answers` and `labels` that a node gives, -1 where no walk ends.
    - `answers` (float64, shape (n_answers, n_slots)): shares of the classes, or
      numbers; shared by the trees of a forest.
    - `labels` (int32, shape (n_answers, n_outputs) or (n_answers, 0)): the class codes.
    - `surrogates`: as in `Tree`.
    """

    def __init__(
        self,
        arrays: dict[str, Whole],
        answers: Floats,
        labels: npt.NDArray[np.int32],
        surrogates: Surrogates = NO_SURROGATES,
    ) -> None:
        own = {"arrays": arrays, "answers": answers, "labels": labels}
        for name, value in {**own, "surrogates": surrogates}.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return f"CompactTree({len(self.kind):,} nodes, {self.n_bytes:,} bytes)"

    knows_shares = True
    arrays: dict[str, Whole]
    answers: Floats
    labels: npt.NDArray[np.int32]

    @property
    def n_children(self) -> npt.NDArray[np.int32]:
        """As in `Tree`; the branches of a node end where those of the next begin."""
        first = self.first_child
        inner = np.flatnonzero(self.kind != NodeKind.LEAF)
        order = inner[np.argsort(first[inner], kind="stable")]
        ends = np.append(first[order][1:], len(first))
        counts = np.zeros(len(first), np.int32)
        counts[order] = ends - first[order]
        return counts

    @property
    def set_start(self) -> npt.NDArray[np.int64]:
        """As in `Tree`."""
        starts = np.zeros(len(self.kind) + 1, np.int64)
        if "set_size" in self.arrays:
            np.cumsum(self.arrays["set_size"], out=starts[1:], dtype=np.int64)
        return starts

    @property
    def weight(self) -> Floats:
        """As in `Tree`, if rows are divided in proportion to it."""
        if "weight" not in self.arrays:
            _refuse("weight")
        return self.arrays["weight"]

    @property
    def n_bytes(self) -> int:
        """What the nodes take; the table of answers is shared."""
        own = vars(self.surrogates) if len(self.surrogates) else {}
        return sum(array.nbytes for array in [*self.arrays.values(), *own.values()])

    def gives_no_class(self) -> npt.NDArray[np.bool_]:
        """Whether each node leaves the rows that end there unclassified."""
        none = (self.labels == NO_CLASS).any(axis=1)
        place = self.arrays["place"]
        return np.asarray(none[np.maximum(place, 0)] & (place >= 0))

    def asking(self, surrogates: Surrogates) -> CompactTree:
        """Return the tree with these surrogates."""
        return CompactTree(self.arrays, self.answers, self.labels, surrogates)

    def labels_at(self, nodes: Whole) -> npt.NDArray[np.int32]:
        """Return the class codes that nodes answer with."""
        return self.labels[self.arrays["place"][nodes]]

    def answers_at(self, nodes: Whole) -> Floats:
        """Return the shares, or numbers, that nodes answer with."""
        return self.answers[self.arrays["place"][nodes]]


def _refuse(name: str) -> NoReturn:
    raise SettingError(
        f"this model is compact and has no training statistics ({name}); use the model "
        "that it was made from"
    )


def _refused(name: str) -> Any:
    return property(lambda self: _refuse(name), doc="Not in a compact tree.")


def _widened(name: str, dtype: str) -> Any:
    return property(
        lambda self: self.arrays[name].astype(dtype, copy=False), doc="As in `Tree`."
    )


for _name in ("value", "label", "n_rows", "impurity", "gain", "reason"):
    setattr(CompactTree, _name, _refused(_name))
for _name in ("feature", "first_child", "missing_branch", "set_codes"):
    setattr(CompactTree, _name, _widened(_name, "int32"))
CompactTree.kind = _widened("kind", "uint8")
CompactTree.threshold = _widened("threshold", "float64")


def can_end(tree: Tree) -> npt.NDArray[np.bool_]:
    """Whether a node needs an answer: a walk can end there, or it is the root.

    Walks end at leaves, and where a value is missing or was never seen. The root says
    what the answer would be without a tree.
    """
    kind = tree.kind
    always_known = (kind == NodeKind.CUT) | (kind == NodeKind.KNOWN)
    stops = (tree.missing_branch == -1) & (kind != NodeKind.KNOWN)
    needs = np.asarray(~always_known | stops)
    needs[0] = True
    return needs
