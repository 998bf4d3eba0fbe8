"""A record replayed on plain nodes, and the rows that stand there at each judgement.

Nothing of `treewright.prune` decides anything here: nodes are those of the slow twin.
"""

from __future__ import annotations

from collections.abc import Iterator

from slow_error_based import Row, SlowNode, from_arrays

from treewright.prune.pruning_record import Judgement, PruningRecord
from treewright.tree.structure.tree import Tree


class Replay:
    """A grown tree that is pruned by the decisions of a record."""

    def __init__(self, record: PruningRecord) -> None:
        assert record.grown is not None
        self.record = record
        self.root = from_arrays(record.grown)
        self.nodes = dict(_numbered(record.grown, self.root))

    def judgements(self) -> Iterator[tuple[str, Judgement]]:
        """Each rule and judgement; the tree is as it was when the node was judged."""
        for stage in self.record.stages:
            for judgement in stage.judgements:
                yield stage.rule, judgement
                self._obey(judgement)

    def finished(self) -> object:
        """The shape in the end, as nested tuples."""
        for _ in self.judgements():
            pass
        return self.root.words()

    def _obey(self, judgement: Judgement) -> None:
        node = self.nodes[judgement.node]
        if judgement.decision == "leaf":
            node.branches = []
        if judgement.decision == "raised":
            branch = self.nodes[judgement.branch]
            assert any(branch is one for one in node.branches)
            for name in ("feature", "kind", "threshold", "codes", "branches"):
                setattr(node, name, getattr(branch, name))

    def rows_at(self, rows: list[Row]) -> dict[int, list[Row]]:
        """The rows of each node, by its number as grown."""
        return rows_under(self.nodes, self.root, rows)


def rows_under(
    nodes: dict[int, SlowNode], top: SlowNode, rows: list[Row]
) -> dict[int, list[Row]]:
    """The rows of each node under `top` if that gets some rows."""
    number = {id(node): number for number, node in nodes.items()}
    found = {}
    stack = [(top, rows)]
    while stack:
        node, here = stack.pop()
        found[number[id(node)]] = here
        if node.branches:
            stack += zip(node.branches, node.divide(here), strict=True)
    return found


def _numbered(tree: Tree, root: SlowNode) -> Iterator[tuple[int, SlowNode]]:
    stack = [(0, root)]
    while stack:
        number, node = stack.pop()
        yield number, node
        stack += zip(tree.children(number), node.branches, strict=True)
