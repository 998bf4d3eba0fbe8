"""A tree while rows walk through it, for CAL2 and CAL3.

    leaf        *, a class, or (CAL3) counts of classes
    question    the next feature in a fixed order, with a branch for each value

On every path the features come in the same order, so the depth of a node says which
one is asked next. Rows stay where they fell and walk on from there: a leaf can only
become a question, so nothing above it changes.
"""

from __future__ import annotations

from collections.abc import Sequence

from treewright.errors import DataError
from treewright.tree.structure.tree import NO_CLASS

MOST_NODES = 5_000_000


class WalkedTree:
    """Nodes as lists that grow.

    Attributes
    ----------
    feature, first_child, depth : list of int
        Of each node, as in `Tree`.
    label : list of int
        The class of each leaf; NO_CLASS for "*", and at questions.
    """

    def __init__(
        self,
        codes: list[list[int]],
        n_branches: list[int],
        order: list[int],
        names: Sequence[str],
    ) -> None:
        self.names = names
        self.codes = codes
        self.n_branches = n_branches
        # a question with one branch cannot tell rows apart
        self.order = [k for k in order if n_branches[k] > 1]
        self.feature = [-1]
        self.first_child = [-1]
        self.depth = [0]
        self.label = [NO_CLASS]

    def fall(self, row: int, node: int) -> int:
        """Return the leaf where a row falls that stands at a node above it."""
        feature, first_child, codes = self.feature, self.first_child, self.codes
        while feature[node] >= 0:
            node = first_child[node] + codes[feature[node]][row]
        return node

    def can_split(self, leaf: int) -> bool:
        """Whether a feature is left that the path to the leaf does not ask about."""
        return self.depth[leaf] < len(self.order)

    def split(self, leaf: int, row: int) -> int:
        """Make a leaf a question, all branches "*"; return where the row falls then."""
        feature = self.order[self.depth[leaf]]
        n_new = self.n_branches[feature]
        if len(self.feature) + n_new > MOST_NODES:
            raise DataError(
                f"the tree gets more than {MOST_NODES:,} nodes: each question about "
                f"{self.names[feature]!r} has {n_new:,} branches, one for each value; "
                "leave that feature out, or ask about it first (attribute_order)"
            )
        self.feature[leaf] = feature
        self.first_child[leaf] = len(self.feature)
        self.label[leaf] = NO_CLASS
        self.feature.extend([-1] * n_new)
        self.first_child.extend([-1] * n_new)
        self.depth.extend([self.depth[leaf] + 1] * n_new)
        self.label.extend([NO_CLASS] * n_new)
        return self.fall(row, leaf)
