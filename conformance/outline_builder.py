"""Putting an outline together from lines that each tell one branch.

`Draft` is the one thing here that changes: it holds nodes while lines are read.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from conformance.neutral_tree import Amount, Branch, Node, Outline


class PrintError(ValueError):
    """A printed tree that cannot be read."""


@dataclass(frozen=True)
class Condition:
    """What one line says about its branch: `feature relation operand`."""

    feature: str
    relation: str
    cut: Amount | None = None
    values: frozenset[str] | None = None

    @property
    def says(self) -> str:
        """The condition without the feature."""
        if self.cut is not None:
            return f"{self.relation} {self.cut}"
        return f"{self.relation} {','.join(sorted(self.values or ()))}"


@dataclass
class Draft:
    """Nodes of a tree that is being read."""

    nodes: list[Node] = field(default_factory=lambda: [Node()])

    def branch(self, parent: int, condition: Condition) -> int:
        """Add a branch under a node and return the number of its child."""
        child = len(self.nodes)
        self.nodes.append(Node())
        node = self.nodes[parent]
        if node.feature not in (None, condition.feature):
            raise PrintError(
                f"one node tests both {node.feature!r} and {condition.feature!r}"
            )
        values = None if condition.relation == "!=" else condition.values
        branch = Branch(condition.says, child, values)
        low_first = condition.relation in ("<=", "<")
        branches = (branch, *node.branches) if low_first else (*node.branches, branch)
        self.nodes[parent] = replace(
            node, feature=condition.feature, cut=condition.cut, branches=branches
        )
        return child

    def tell(
        self,
        node: int,
        *,
        answer: str | None = None,
        number: Amount | None = None,
        weight: Amount | None = None,
        errors: Amount | None = None,
    ) -> None:
        """Note what is printed about a node."""
        self.nodes[node] = replace(
            self.nodes[node],
            answer=answer,
            number=number,
            weight=weight,
            errors=errors,
        )

    def outline(self) -> Outline:
        """Return the finished tree; raise if a branch leads nowhere."""
        for node in self.nodes:
            if node.is_leaf and node.answer is None and node.number is None:
                raise PrintError("a branch has neither an answer nor branches")
            if len(node.branches) == 1:
                raise PrintError(f"the test of {node.feature!r} has one branch only")
        return tuple(self.nodes)
