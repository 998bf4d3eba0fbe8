"""The box listing: the tree at the left, what is known of each node at the right.

Branches are drawn with box characters; the columns hold rows, class weights (or mean
and spread) and the reason why a leaf is a leaf. `listing_table.py` chooses what fits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from treewright.data.schema import Target
from treewright.render.fitting.cuts import shared_starts
from treewright.render.fitting.safe_text import (
    display_width,
    short_number,
    weight_text,
)
from treewright.render.listing.listing_table import (
    ColumnGroup,
    ListingColumn,
    ListingTable,
    table_lines,
)
from treewright.render.listing.outline import (
    ListingLook,
    OutlineStep,
    depth_mark,
    in_signs,
    outline,
    prediction_words,
)
from treewright.render.listing.phrase import Phrase
from treewright.render.listing.remarks import remarks, weight_words
from treewright.tree.model import DISTILLED_FROM, Model
from treewright.tree.structure.branch_words import (
    asked_name,
    branch_condition,
    label_text,
    surrogate_condition,
)
from treewright.tree.structure.tree import NO_ROWS, REASONS, NodeKind, Reason, Tree

# Where the words for a reason are too long.
_SHORT_REASONS: dict[Reason, str] = {
    Reason.NONE: "",
    Reason.PURE: "pure",
    Reason.NO_FEATURE_LEFT: "no feature",
    Reason.NO_SPLIT: "no split",
    Reason.MAX_DEPTH: "max depth",
    Reason.MIN_SAMPLES_SPLIT: "few rows",
    Reason.MIN_SAMPLES_LEAF: "small leaf",
    Reason.MIN_IMPURITY: "pure enough",
    Reason.MIN_GAIN: "small gain",
    Reason.MAX_LEAF_NODES: "max leaves",
    Reason.EMPTY: "no rows",
    Reason.NO_GAIN: "no gain",
    Reason.COLLAPSED: "collapsed",
    Reason.PRUNED: "pruned",
    Reason.CHI_SQUARE: "chance",
    Reason.CLOSED: "closed",
    Reason.UNDECIDED: "undecided",
    Reason.STOPPED: "stopped",
    Reason.LEARNING: "",
    Reason.ASLEEP: "asleep",
}
# More classes than this are listed in words, the heaviest first.
_MOST_COLUMNS = 6
_MOST_WORDS = 3
_MOST_CATEGORIES = 8
_NUMBER_ROOM = 0.6  # of a line, for a folded node with its number


@dataclass(frozen=True)
class _Signs:
    """The characters that a tree is drawn with."""

    branch: str
    last: str
    bar: str
    arrow: str
    more: str


_BOX = _Signs("├─ ", "└─ ", "│  ", "→", "…")
_ASCII = _Signs("|- ", "`- ", "|  ", "->", "...")


def box_lines(model: Model, tree: Tree, look: ListingLook) -> Iterator[str]:
    """Yield the lines of the listing: the tree with its columns, and a summary."""
    signs = _ASCII if look.ascii else _BOX
    steps = list(outline(tree, look, bar=signs.bar, gap=" " * len(signs.bar)))
    nodes = np.asarray([step.node for step in steps])
    table = ListingTable(
        left=_tree_texts(model, tree, steps, look),
        rows=ListingColumn(
            "rows", [str(count) for count in tree.n_rows[nodes].tolist()]
        ),
        rows_are_said=_rows_are_said(model.schema.target, tree),
        groups=_groups(model, tree, nodes, look),
        words=lambda limit: _words_column(
            model.schema.target, tree, nodes, look, limit
        ),
        reasons=_reasons(tree, nodes, _long_reasons(tree)),
        short_reasons=_reasons(tree, nodes, _SHORT_REASONS),
    )
    yield from _with_surrogates(table_lines(table, look), model, tree, steps, look)
    yield ""
    summary = summary_text(model, tree)
    if look.focus:
        summary = f"the whole tree: {summary}"
    for sentence in (summary, *remarks(model, tree)):
        yield from look.sentence(sentence)


def _with_surrogates(
    lines: Iterator[str],
    model: Model,
    tree: Tree,
    steps: list[OutlineStep],
    look: ListingLook,
) -> Iterator[str]:
    """Yield the lines of the table, with those about surrogates under their nodes."""
    if len(tree.surrogates) == 0:
        yield from lines
        return
    all_lines = list(lines)
    n_titles = len(all_lines) - len(steps)
    yield from all_lines[:n_titles]
    for step, line in zip(steps, all_lines[n_titles:], strict=True):
        yield line
        if tree.surrogates.of(step.node) and not step.is_folded:
            yield look.cut(_surrogates_text(model, tree, step, look))


def _surrogates_text(
    model: Model, tree: Tree, step: OutlineStep, look: ListingLook
) -> str:
    """What decides about rows without a value: where it holds, the first branch."""
    signs = _ASCII if look.ascii else _BOX
    front = step.bars
    if 0 < step.depth < look.max_indent:
        front += " " * len(signs.bar) if step.is_last else signs.bar
    words: list[str] = []
    for surrogate in tree.surrogates.of(step.node):
        condition = surrogate_condition(
            model.schema, tree, surrogate, most=_MOST_CATEGORIES
        )
        share = f"{tree.surrogates.agreement[surrogate]:.2f}"
        agrees = "" if words else "agrees "
        words.append(f"{in_signs(condition, look.relations)} ({agrees}{share})")
    for count in range(len(words), 0, -1):  # as many as fit
        rest = f", and {len(words) - count} more" if count < len(words) else ""
        said = look.shown(f"if missing: {', '.join(words[:count])}")
        text = f"{front}{signs.bar}{said}{rest}"
        if look.width is None or display_width(text) <= look.width:
            break
    return text


def summary_text(model: Model, tree: Tree) -> str:
    """Return one line about a tree: leaves, depth, rows, training errors."""
    n_leaves, n_rows = tree.n_leaves, int(tree.n_rows[0])
    whose = "made" if DISTILLED_FROM in model.settings else "training"
    head = (
        f"{n_leaves} {'leaf' if n_leaves == 1 else 'leaves'}, depth {tree.depth}, "
        f"{n_rows} {whose} {'row' if n_rows == 1 else 'rows'}"
    )
    target = model.schema.target
    leaf = tree.kind == NodeKind.LEAF
    if target.kind == "numbers":
        total = max(float(tree.weight[leaf].sum()), math.ulp(0.0))
        error = float((tree.weight[leaf] / total * tree.impurity[leaf]).sum())
        name = "absolute" if _is_absolute(model) else "squared"
        return f"{head}, mean {name} error {short_number(error)}"
    wrong = [
        weight_text(_wrong(tree, leaf, slot, output))
        for output, slot in enumerate(target.slots)
    ]
    unit = weight_words(model, tree)
    if unit == "by weight":
        wrong = [f"weight {weight}" for weight in wrong]
    tail = f" {unit}" if unit == "in shares of rows" else ""
    if len(wrong) == 1:
        return f"{head}, {wrong[0]} wrong{tail}"
    parts = [
        f"{label_text(name)} {count}"
        for name, count in zip(target.names, wrong, strict=True)
    ]
    return f"{head}, wrong: {', '.join(parts)}{tail}"


def _wrong(tree: Tree, leaf: np.ndarray, slot: slice, output: int) -> float:
    """Training weight in leaves of another class, for one output."""
    value = tree.class_weights()[leaf][:, slot]
    right = np.take_along_axis(value, tree.label[leaf, output][:, None], axis=1)
    none = leaf & tree.gives_no_class()  # rows that end there are wrong, too
    return float(value.sum() - right.sum() + tree.weight[none].sum())


def _tree_texts(
    model: Model, tree: Tree, steps: list[OutlineStep], look: ListingLook
) -> list[Phrase]:
    """The drawn tree, a phrase per node."""
    signs = _ASCII if look.ascii else _BOX
    sizes = tree.subtree_sizes()
    texts = []
    for step in steps:
        head = ""
        if step.parent >= 0:  # without the feature's name
            condition = branch_condition(
                model.schema, tree, step.parent, step.branch, most=_MOST_CATEGORIES
            )
            head = in_signs(condition, look.relations).answer
        tail = _node_words(model, tree, step, signs)
        drawn = (
            "" if step.parent < 0 else (signs.last if step.is_last else signs.branch)
        )
        front = step.bars + depth_mark(step, look) + drawn
        phrase = Phrase(front, look.shown(head), look.shown(tail))
        if step.is_folded:
            n_below = int(sizes[step.node]) - 1
            phrase = _folded_phrase(phrase, step.node, n_below, look, signs)
        texts.append(phrase)
    return _told_apart(texts, steps)


def _folded_phrase(
    phrase: Phrase, node: int, n_below: int, look: ListingLook, signs: _Signs
) -> Phrase:
    """A folded node with its number, to focus on; briefly where columns need room."""
    endings = (
        f" {signs.more} {n_below} nodes below (#{node})",
        f" {signs.more} {n_below} below (#{node})",
        f" {signs.more} (#{node})",
    )
    room = math.inf if look.width is None else look.width * _NUMBER_ROOM
    longer = replace(phrase, endings=endings)
    if display_width(str(longer)[:1000]) <= room:
        return longer
    return replace(phrase, endings=endings[1:])


def _told_apart(phrases: list[Phrase], steps: list[OutlineStep]) -> list[Phrase]:
    """The phrases, each with what its branch has in common with another one."""
    branches: dict[int, list[int]] = {}
    for place, step in enumerate(steps):
        branches.setdefault(step.parent, []).append(place)
    told = list(phrases)
    for places in branches.values():
        shared = shared_starts([phrases[place].head for place in places])
        for place, count in zip(places, shared, strict=True):
            told[place] = replace(phrases[place], shared=count)
    return told


def _node_words(model: Model, tree: Tree, step: OutlineStep, signs: _Signs) -> str:
    """What a node asks or answers."""
    schema, node = model.schema, step.node
    if tree.kind_of(node) != NodeKind.LEAF:
        name = asked_name(schema, tree, node)
        return name if step.parent < 0 else f": {name}"
    if schema.target.kind == "classes":
        words = ", ".join(prediction_words(schema.target, tree, node))
    else:
        words = ", ".join(short_number(number) for number in tree.value[node].tolist())
    return words if step.parent < 0 else f" {signs.arrow} {words}"


def _rows_are_said(target: Target, tree: Tree) -> bool:
    """Whether the class weights of a node add up to its rows."""
    if target.kind == "numbers" or target.n_outputs > 1:
        return False
    return bool(np.array_equal(tree.weight, tree.n_rows))


def _groups(
    model: Model, tree: Tree, nodes: np.ndarray, look: ListingLook
) -> tuple[ColumnGroup, ...] | None:
    """The columns of numbers; None if there are too many classes for columns."""
    target = model.schema.target
    if target.kind == "numbers":
        return _number_groups(model, tree, nodes, look)
    if tree.value.shape[1] > _MOST_COLUMNS:
        return None
    groups, value = [], tree.class_weights()[nodes]
    for name, labels, slot in zip(
        target.names, target.classes, target.slots, strict=True
    ):
        columns = [
            ListingColumn(
                look.shown(label_text(label)),
                [weight_text(weight) for weight in weights.tolist()],
            )
            for label, weights in zip(labels, value[:, slot].T, strict=True)
        ]
        groups.append(ColumnGroup(look.shown(label_text(name)), tuple(columns)))
    return tuple(groups)


def _number_groups(
    model: Model, tree: Tree, nodes: np.ndarray, look: ListingLook
) -> tuple[ColumnGroup, ...]:
    """Prediction per output, and the spread: one for all, as growing measured it."""
    absolute = _is_absolute(model)
    impurity = np.maximum(tree.impurity[nodes], 0.0)
    spread = impurity if absolute else np.sqrt(impurity)
    groups = [
        ColumnGroup(
            look.shown(label_text(name)),
            (
                ListingColumn(
                    "median" if absolute else "mean",
                    [short_number(number) for number in numbers.tolist()],
                ),
            ),
        )
        for name, numbers in zip(
            model.schema.target.names, tree.value[nodes].T, strict=True
        )
    ]
    texts = [short_number(number) for number in spread.tolist()]
    return (
        *groups,
        ColumnGroup("", (ListingColumn("mad" if absolute else "sd", texts),)),
    )


def _words_column(
    target: Target, tree: Tree, nodes: np.ndarray, look: ListingLook, limit: int | None
) -> ListingColumn:
    """Class weights in words, as many of the heaviest as fit; nothing for numbers."""
    if target.kind == "numbers":
        return ListingColumn("", [""] * len(nodes))
    names = [
        look.shown(label_text(label)) for labels in target.classes for label in labels
    ]
    texts = []
    for weights in tree.class_weights()[nodes]:
        order = np.argsort(-weights, kind="stable")[:_MOST_WORDS].tolist()
        words = [f"{names[slot]} {weight_text(weights[slot])}" for slot in order]
        texts.append(_some_words(words, int(np.count_nonzero(weights)), limit))
    return ListingColumn("classes", texts)


def _some_words(words: list[str], n_words: int, limit: int | None) -> str:
    """The first of the words that fit into a limit, and the number of the others."""
    shown = min(len(words), n_words)
    text = ""
    for count in range(shown, 0, -1):
        rest = f", +{n_words - count}" if n_words > count else ""
        text = ", ".join(words[:count]) + rest
        if limit is None or display_width(text) <= limit:
            break
    return text


def _long_reasons(tree: Tree) -> dict[Reason, str]:
    """The words of the reasons: the branches without rows of a tree are all alike."""
    silent = bool(tree.gives_no_class().any())
    return {**REASONS, Reason.EMPTY: NO_ROWS} if silent else REASONS


def _reasons(tree: Tree, nodes: np.ndarray, words: dict[Reason, str]) -> ListingColumn:
    """Why each leaf is a leaf."""
    by_code = [words[reason] for reason in Reason]
    return ListingColumn("", [by_code[code] for code in tree.reason[nodes].tolist()])


def _is_absolute(model: Model) -> bool:
    """Whether the spread of numbers was measured by absolute differences."""
    return model.settings.get("criterion") == "absolute_error"
