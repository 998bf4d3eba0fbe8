"""The outline of a tree: its nodes in reading order, without recursion.

Shared by the listings, with how they look, and the way to the node at the top if it is
not the root. Indentation stops growing at some depth and a number takes over:
a chain of 100 000 levels would otherwise need ten billion characters.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from treewright.data.schema import Schema, Target
from treewright.errors import SettingError
from treewright.render.fitting.safe_text import clip, visible
from treewright.render.fitting.wrapping import wrapped
from treewright.tree.structure.branch_words import BranchCondition, branch_condition
from treewright.tree.structure.tree import Tree
from treewright.tree.way import class_words

RELATIONS = {"<=": "≤", ">=": "≥", "!=": "≠"}
_MOST_NAMED = 12  # nodes to focus on
_MOST_STEPS = 8  # of the path to the node at the top
_MOST_OF_STEP = 3  # categories
_STEP_COLUMNS = 60


def check_folding(max_depth: int | None, min_share: float) -> None:
    """Refuse limits that no node can be beyond."""
    if max_depth is not None and max_depth < 0:
        raise SettingError(f"max_depth must be 0 or more, not {max_depth}")
    if not 0 <= min_share <= 1:  # nan is refused, too
        raise SettingError(f"min_share must be 0 to 1, not {min_share}")


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
        check_folding(self.max_depth, self.min_share)
        if self.width is not None and self.width < 1:
            raise SettingError(f"width must be 1 or more, not {self.width}")

    @property
    def max_indent(self) -> int:
        """Levels that are shown by indentation: at most 3/8 of a line."""
        return 100 if self.width is None else max(1, self.width // 8)

    @property
    def relations(self) -> dict[str, str]:
        """Signs for relations that ASCII has no sign for."""
        return {} if self.ascii else RELATIONS

    def shown(self, text: str) -> str:
        """Return a text with what does not print, or not in ASCII, escaped."""
        return visible(text, ascii=self.ascii)

    def cut(self, text: str) -> str:
        """Return a line cut to the width."""
        return text if self.width is None else clip(text, self.width, ascii=self.ascii)

    def sentence(self, text: str) -> list[str]:
        """Return the lines of a sentence."""
        line = self.shown(text)
        return [line] if self.width is None else textwrap.wrap(line, self.width)

    def paragraph(self, text: str, *, indent: int = 2) -> Iterator[str]:
        """Yield the lines of a text that may have names from data."""
        line = self.shown(text)
        if self.width is None:
            yield line
        else:
            yield from wrapped(line, self.width, indent=indent)


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


def top_of(tree: Tree, focus: int | None) -> int:
    """Return the node at the top; a node that there is not is refused."""
    if focus is None:
        return 0
    if not 0 <= focus < tree.node_count:
        inner = np.flatnonzero(tree.n_children)[: _MOST_NAMED + 1].tolist()
        named = ", ".join(map(str, inner[:_MOST_NAMED]))
        more = ", ..." if len(inner) > _MOST_NAMED else ""
        ask = f"; those with branches: {named}{more}" if inner else ""
        raise SettingError(
            f"there is no node {focus} to focus on; the tree has the nodes 0 to "
            f"{tree.node_count - 1}{ask}"
        )
    return focus


def focus_words(
    schema: Schema, tree: Tree, node: int, relations: Mapping[str, str] = RELATIONS
) -> str:
    """Return a node and the last steps of the path to it, in words."""
    path, parents = [node], tree.parents()
    while path[-1] and len(path) <= _MOST_STEPS:
        path.append(int(parents[path[-1]]))
    steps = []
    for child, parent in pairwise(path):
        branch = child - int(tree.first_child[parent])
        found = branch_condition(schema, tree, parent, branch, most=_MOST_OF_STEP)
        text = str(in_signs(found, relations))
        steps.append(clip(visible(text[: 8 * _STEP_COLUMNS]), _STEP_COLUMNS))
    more = "... and " if path[-1] else ""
    return f"node {node}, where {more}{' and '.join(reversed(steps))}"


def in_signs(
    condition: BranchCondition, relations: Mapping[str, str]
) -> BranchCondition:
    """Return a condition with other signs for some relations."""
    relation = relations.get(condition.relation, condition.relation)
    return replace(condition, relation=relation)


def depth_mark(step: OutlineStep, look: ListingLook) -> str:
    """The depth in brackets, where the indentation no longer shows it."""
    return f"[{step.depth}] " if step.depth > look.max_indent else ""


def prediction_words(target: Target, tree: Tree, node: int) -> list[str]:
    """The predicted class of each output at a node."""
    return class_words(target, tree.label[node].tolist())
