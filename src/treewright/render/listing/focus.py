"""The node at the top of what is shown, if it is not the root, and the way to it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from treewright.data.schema import Schema
from treewright.errors import SettingError
from treewright.render.fitting.safe_text import clip, visible
from treewright.tree.structure.branch_words import branch_condition
from treewright.tree.structure.tree import Tree

RELATIONS = {"<=": "≤", ">=": "≥", "!=": "≠"}
_MOST_NAMED = 12
_MOST_STEPS = 8
_MOST_CATEGORIES = 3
_COLUMNS = 60  # of a step


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
    schema: Schema, tree: Tree, node: int, *, relations: dict[str, str] = RELATIONS
) -> str:
    """Return a node and the last steps of the path to it, in words."""
    path, parents = [node], tree.parents()
    while path[-1] and len(path) <= _MOST_STEPS:
        path.append(int(parents[path[-1]]))
    steps = []
    for child, parent in pairwise(path):
        branch = child - int(tree.first_child[parent])
        found = branch_condition(schema, tree, parent, branch, most=_MOST_CATEGORIES)
        relation = relations.get(found.relation, found.relation)
        text = str(replace(found, relation=relation))
        steps.append(clip(visible(text[: 8 * _COLUMNS]), _COLUMNS))
    more = "... and " if path[-1] else ""
    return f"node {node}, where {more}{' and '.join(reversed(steps))}"
