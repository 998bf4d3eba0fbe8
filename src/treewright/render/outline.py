"""The outline of a tree: its nodes in reading order, without recursion.

Shared by the listings. Indentation stops growing at some depth and a number takes over:
a chain of 100 000 levels would otherwise need ten billion characters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from treewright.data.schema import Target
from treewright.errors import SettingError
from treewright.tree.tree import Tree
from treewright.tree.way import class_words


@dataclass(frozen=True)
class Look:
    """How a listing is to look.

    Attributes
    ----------
    max_depth : int or None
        Deeper nodes are counted, not shown.
    width : int or None
        Columns of the terminal.
    ascii : bool
        Whether to keep to ASCII.
    """

    max_depth: int | None = None
    width: int | None = 80
    ascii: bool = False

    def __post_init__(self) -> None:
        if self.max_depth is not None and self.max_depth < 0:
            raise SettingError(f"max_depth must be 0 or more, not {self.max_depth}")
        if self.width is not None and self.width < 1:
            raise SettingError(f"width must be 1 or more, not {self.width}")

    @property
    def max_indent(self) -> int:
        """Levels that are shown by indentation: at most 3/8 of a line."""
        return 100 if self.width is None else max(1, self.width // 8)


@dataclass(frozen=True)
class Step:
    """One node in the outline.

    Attributes
    ----------
    node, depth : int
        The node and how deep it is.
    parent, branch : int
        Where it hangs; -1 at the root.
    bars : str
        What stands in front of it for its ancestors.
    is_last : bool
        Whether it is the last branch of its parent.
    is_folded : bool
        Whether it has children that are not shown.
    """

    node: int
    depth: int
    parent: int
    branch: int
    bars: str
    is_last: bool
    is_folded: bool


def outline(tree: Tree, look: Look, *, bar: str, gap: str) -> Iterator[Step]:
    """Yield the nodes in preorder, with `bar` or `gap` for each ancestor."""
    first_child, n_children = tree.first_child.tolist(), tree.n_children.tolist()
    root = Step(0, 0, -1, -1, "", True, look.max_depth == 0 and n_children[0] > 0)
    stack = [root]
    while stack:
        step = stack.pop()
        yield step
        if step.is_folded:
            continue
        node, depth, count = step.node, step.depth + 1, n_children[step.node]
        bars = step.bars
        if 1 < depth <= look.max_indent:
            bars += gap if step.is_last else bar
        for branch in range(count - 1, -1, -1):
            child = first_child[node] + branch
            folded = depth == look.max_depth and n_children[child] > 0
            stack.append(
                Step(child, depth, node, branch, bars, branch == count - 1, folded)
            )


def depth_mark(step: Step, look: Look) -> str:
    """The depth in brackets, where the indentation no longer shows it."""
    return f"[{step.depth}] " if step.depth > look.max_indent else ""


def prediction_words(target: Target, tree: Tree, node: int) -> list[str]:
    """The predicted class of each output at a node."""
    return class_words(target, tree.label[node].tolist())
