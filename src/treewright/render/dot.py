"""A tree in Graphviz' DOT language, for those who have Graphviz."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from treewright.data.schema import Schema, Target
from treewright.render.fitting.safe_text import clip, short_number, visible, weight_text
from treewright.render.listing.outline import (
    ListingLook,
    OutlineStep,
    outline,
    prediction_words,
)
from treewright.render.listing.remarks import remarks
from treewright.render.listing.tree_text import tree_at
from treewright.tree.model import Model
from treewright.tree.structure.branch_words import (
    asked_name,
    branch_condition,
    label_text,
)
from treewright.tree.structure.tree import NO_CLASS, NodeKind, Tree

_MOST_CATEGORIES = 8
_MOST_CLASSES = 8
# Light enough for black text; a class keeps its colour all over the tree.
_COLOURS = (
    "#cfe8ff",
    "#ffe0c2",
    "#d3f2d3",
    "#ffd6dc",
    "#e6dcff",
    "#fff3b8",
    "#d0f0ee",
    "#ececec",
)


def to_dot(
    model: Model,
    *,
    max_depth: int | None = None,
    tree: int = 0,
    label_width: int = 60,
    min_share: float = 0.0,
    focus: int | None = None,
) -> str:
    """Return a tree of a model as a DOT digraph.

    - `max_depth`: deeper nodes are counted, not drawn.
    - `tree`: which tree, if there are several.
    - `label_width`: longest line of a label; Graphviz cannot read endless ones.
    - `min_share`: nodes below one with a smaller share of the training weight are
      counted, too.
    - `focus`: the node at the top, by its number.
    """
    the_tree = tree_at(model, tree)
    look = ListingLook(max_depth, label_width, min_share=min_share, focus=focus)
    lines = [
        "digraph tree {",
        '  node [shape=box, style="rounded,filled", fillcolor=white, '
        'fontname="Helvetica"];',
        '  edge [fontname="Helvetica"];',
        *_caption(model, the_tree, label_width),
        *_statements(model, the_tree, look),
        "}",
    ]
    return "\n".join(lines)


def quoted(lines: list[str], width: int) -> str:
    """Return lines of text as a DOT string, each cut to a width.

    A backslash, a quote and the ampersand of an HTML entity mean themselves; what does
    not print is shown escaped.
    """
    shown = []
    for line in lines:
        text = clip(visible(line[: 8 * width]), width)
        text = text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
        shown.append(text)
    return '"' + "\\n".join(shown) + '"'


def _caption(model: Model, tree: Tree, width: int) -> Iterator[str]:
    """What holds for the whole tree, below it."""
    lines = list(remarks(model, tree))
    if lines:
        text = quoted([part for line in lines for part in wrap(line, width)], width)
        yield f'  graph [label={text}, labelloc=b, fontname="Helvetica"];'


def _statements(model: Model, tree: Tree, look: ListingLook) -> Iterator[str]:
    """Nodes and edges."""
    width = look.width or 60
    slots, sizes = model.schema.target.slots, tree.subtree_sizes()
    for step in outline(tree, look, bar="", gap=""):
        lines = _node_lines(model.schema, slots, tree, step.node)
        if step.is_folded:
            lines.append(f"… {sizes[step.node] - 1} nodes below")
        label, fill = quoted(lines, width), _fill(model, tree, step)
        yield f"  n{step.node} [label={label}{fill}];"
        if step.parent >= 0:
            condition = branch_condition(
                model.schema, tree, step.parent, step.branch, most=_MOST_CATEGORIES
            )
            label = quoted([condition.answer], width)
            yield f"  n{step.parent} -> n{step.node} [label={label}];"


def _fill(model: Model, tree: Tree, step: OutlineStep) -> str:
    """The colour of a leaf: that of its class."""
    is_leaf = tree.kind_of(step.node) == NodeKind.LEAF
    if not is_leaf or model.schema.target.kind == "numbers":
        return ""
    code = int(tree.label[step.node, 0])
    return "" if code == NO_CLASS else f', fillcolor="{_COLOURS[code % len(_COLOURS)]}"'


def _node_lines(schema: Schema, slots: list[slice], tree: Tree, node: int) -> list[str]:
    """The label of a node: question or answer, rows, classes, reason."""
    n_rows = int(tree.n_rows[node])
    rows = f"{n_rows} {'row' if n_rows == 1 else 'rows'}"
    is_leaf = tree.kind_of(node) == NodeKind.LEAF
    head = "" if is_leaf else asked_name(schema, tree, node)
    if schema.target.kind == "numbers":
        mean = ", ".join(short_number(number) for number in tree.value[node].tolist())
        lines = [mean, rows] if is_leaf else [head, rows, f"mean {mean}"]
    else:
        if is_leaf:
            head = ", ".join(prediction_words(schema.target, tree, node))
        lines = [head, rows, *_class_lines(schema.target, slots, tree, node)]
    reason = tree.reason_words(node)
    return [*lines, reason] if reason else lines


def _class_lines(
    target: Target, slots: list[slice], tree: Tree, node: int
) -> list[str]:
    """A line per output with the weights of its classes."""
    lines = []
    for labels, slot in zip(target.classes, slots, strict=True):
        weights = tree.value[node, slot].tolist()
        pairs = [
            f"{label_text(label)} {weight_text(weight)}"
            for label, weight in zip(labels, weights, strict=True)
            if weight > 0 and tree.weight[node] > 0
        ]
        more = [f"+{len(pairs) - _MOST_CLASSES}"] if len(pairs) > _MOST_CLASSES else []
        lines.append(", ".join([*pairs[:_MOST_CLASSES], *more]))
    return [line for line in lines if line]
