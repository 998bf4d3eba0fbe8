"""The outline of a tree: its nodes in reading order, without recursion.

Shared by the listings. Indentation stops growing at some depth and a number takes over:
a chain of 100 000 levels would otherwise need ten billion characters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from treewright.data.schema import Target
from treewright.errors import SettingError
from treewright.render.listing.focus import top_of
from treewright.tree.structure.tree import Tree
from treewright.tree.way import class_words


@dataclass(frozen=True)
class ListingLook:
    """How a listing is to look."""

    max_depth: int | None = None  # deeper nodes are counted, not shown
    width: int | None = 80  # columns of the terminal
    ascii: bool = False  # whether to keep to ASCII
    # nodes below one with a smaller share of the training weight are counted, too
    min_share: float = 0.0
    focus: int | None = None  # the node to begin with; the root if None

    def __post_init__(self) -> None:
        if self.max_depth is not None and self.max_depth < 0:
            raise SettingError(f"max_depth must be 0 or more, not {self.max_depth}")
        if not 0 <= self.min_share <= 1:  # nan is refused, too
            raise SettingError(f"min_share must be 0 to 1, not {self.min_share}")
        if self.width is not None and self.width < 1:
            raise SettingError(f"width must be 1 or more, not {self.width}")

    @property
    def max_indent(self) -> int:
        """Levels that are shown by indentation: at most 3/8 of a line."""
        return 100 if self.width is None else max(1, self.width // 8)


@dataclass(frozen=True)
class OutlineStep:
    """One node in the outline."""

    # the node and how deep it is
    node: int
    depth: int
    # where it hangs; -1 at the root
    parent: int
    branch: int
    bars: str  # what stands in front of it for its ancestors
    is_last: bool  # whether it is the last branch of its parent
    is_folded: bool  # whether it has children that are not shown


def outline(
    tree: Tree, look: ListingLook, *, bar: str, gap: str
) -> Iterator[OutlineStep]:
    """Yield the nodes in preorder, with `bar` or `gap` for each ancestor."""
    first_child, n_children = tree.first_child.tolist(), tree.n_children.tolist()
    is_light = (tree.weight < look.min_share * tree.weight[0]).tolist()
    top = top_of(tree, look.focus)
    folded = n_children[top] > 0 and (look.max_depth == 0 or is_light[top])
    stack = [OutlineStep(top, 0, -1, -1, "", True, folded)]
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
            folded = n_children[child] > 0 and (
                depth == look.max_depth or is_light[child]
            )
            stack.append(
                OutlineStep(
                    child, depth, node, branch, bars, branch == count - 1, folded
                )
            )


def depth_mark(step: OutlineStep, look: ListingLook) -> str:
    """The depth in brackets, where the indentation no longer shows it."""
    return f"[{step.depth}] " if step.depth > look.max_indent else ""


def prediction_words(target: Target, tree: Tree, node: int) -> list[str]:
    """The predicted class of each output at a node."""
    return class_words(target, tree.label[node].tolist())
