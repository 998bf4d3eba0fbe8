"""The tree of a page while the rules that it prints are applied to it, one by one."""

from __future__ import annotations

from check_rows import wrong
from check_tree import Node
from intervals import Interval, exact


class PrunedTree:
    """Branches by node, in the numbers of the tree as grown."""

    def __init__(self, nodes: dict[int, Node]) -> None:
        self.nodes = nodes
        self.branches = {
            number: [one.node for one in node.branches]
            for number, node in nodes.items()
        }
        self.has_raised = False  # then rows stand elsewhere than the steps say

    def inner(self) -> list[int]:
        """The inner nodes, by number."""
        return sorted(one for one in self.below(0, itself=True) if self.branches[one])

    def below(self, node: int, *, itself: bool = False) -> list[int]:
        found = [node]
        for one in found:  # grows while it is read
            found += self.branches[one]
        return found if itself else found[1:]

    def inner_below(self, node: int) -> list[int]:
        return [one for one in self.below(node) if self.branches[one]]

    def leaves(self, node: int) -> list[int]:
        return [one for one in self.below(node, itself=True) if not self.branches[one]]

    def is_below(self, node: int, tops: set[int]) -> bool:
        return any(node in self.below(top) for top in tops)

    def wrong(self, node: int) -> Interval:
        """Training errors of a node as a leaf."""
        one = self.nodes[node]
        return wrong(one.rows) if one.n_rows else exact(0.0)

    def cut(self, nodes: list[int]) -> None:
        for node in nodes:
            self.branches[node] = []

    def raise_branch(self, node: int, branch: int) -> None:
        assert branch in self.branches[node]
        self.branches[node] = self.branches[branch]
        self.has_raised = True
