"""What a picture tells of a tree: the words and numbers of its nodes and branches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted
from treewright.render.fitting.cuts import cut_all_apart
from treewright.render.fitting.safe_text import clip, short_number, visible, weight_text
from treewright.render.listing.outline import RELATIONS, in_signs, prediction_words
from treewright.render.picture.colours import NUMBER_SLOT, answer_slot, class_slots
from treewright.render.picture.fold import DrawnNodes
from treewright.tree.model import Model
from treewright.tree.structure.branch_words import (
    BranchCondition,
    asked_name,
    branch_condition,
    label_text,
    surrogate_condition,
)
from treewright.tree.structure.tree import EVERY_BRANCH, NodeKind, Tree

_MOST_CATEGORIES = 4  # of a set, in a label
_MOST_TOLD = 40  # in what is seen by pointing
_MOST_CLASSES = 8
_LONGEST_NUMBER = 9
_LINE = 160  # columns of a line that is seen by pointing


@dataclass(frozen=True)
class PictureSubject:
    """A tree with what all its nodes need to be drawn."""

    # whose picture it is
    model: Model
    tree: Tree
    top: int  # the node at the top
    # the colour slot of each class of each output; empty for numbers
    slots: list[list[int]]
    # numbers: the least and the largest that is drawn, of each output
    ranges: list[tuple[float, float]]
    # float64, shape (n_nodes,): numbers: standard deviation, or mean absolute
    # deviation, of each node
    spread: npt.NDArray[np.float64]

    @cached_property
    def span(self) -> tuple[float, float]:
        """The least and the largest answer of the first output, if it is a number."""
        answers = self.tree.value[:, 0]
        return float(answers.min()), float(answers.max())

    @property
    def is_numbers(self) -> bool:
        """Whether the tree predicts numbers."""
        return self.model.schema.target.kind == "numbers"

    @property
    def is_absolute(self) -> bool:
        """Whether medians are predicted, and spread is measured without squares."""
        return self.model.settings.get("criterion") == "absolute_error"


def subject_of(model: Model, tree: Tree, top: int) -> PictureSubject:
    """Return a tree with what its nodes need to be drawn."""
    target = model.schema.target
    spread = np.zeros(tree.node_count)
    if target.kind == "classes":
        return PictureSubject(
            model, tree, top, class_slots(target, tree, top), [], spread
        )
    subject = PictureSubject(model, tree, top, [], [], spread)
    if target.n_outputs == 1:  # the impurity of several is that of all together
        impurity = np.maximum(tree.impurity, 0.0)
        spread = impurity if subject.is_absolute else np.sqrt(impurity)
    with np.errstate(over="ignore"):
        low = np.nan_to_num((tree.value - spread[:, None]).min(axis=0)).tolist()
        high = np.nan_to_num((tree.value + spread[:, None]).max(axis=0)).tolist()
    ranges = list(zip(low, high, strict=True))
    return replace(subject, ranges=ranges, spread=spread)


def head_text(subject: PictureSubject, item: DrawnNodes) -> str:
    """What a node asks, or answers if nothing below it is drawn."""
    tree, schema = subject.tree, subject.model.schema
    if item.is_rest:
        return f"{len(item.nodes)} branches"
    if asks(subject, item):
        return shown(asked_name(schema, tree, item.node))
    if subject.is_numbers:
        return ", ".join(
            short_number(number) for number in tree.value[item.node].tolist()
        )
    words = prediction_words(schema.target, tree, item.node)
    return visible(", ".join(words))


def asks(subject: PictureSubject, item: DrawnNodes) -> bool:
    """Whether a thing in the picture is a node whose branches are drawn."""
    is_leaf = subject.tree.kind_of(item.node) == NodeKind.LEAF
    return not (is_leaf or item.is_rest or item.n_hidden)


def small_text(subject: PictureSubject, item: DrawnNodes) -> str:
    """Rows of a node, and the mean where the head has a question."""
    rows = counted(_row_count(subject.tree, item), "row")
    if subject.is_numbers and asks(subject, item):
        values = subject.tree.value[item.node].tolist()
        name = "median" if subject.is_absolute else "mean"
        numbers = ", ".join(short_number(number) for number in values)
        return f"{name} {numbers} · {rows}"
    return rows


def _row_count(tree: Tree, item: DrawnNodes) -> int:
    """Rows of a node; a row that is divided among the branches of a rest counts once.

    A divided row stands in several branches, so that their rows add up to too many.
    """
    inside = list(item.nodes)
    if item.is_rest and tree.weight[0] == tree.n_rows[0]:
        return round(float(tree.weight[inside].sum()))
    return int(tree.n_rows[inside].sum())


def hidden_text(item: DrawnNodes) -> str:
    """How much a node stands for that is not drawn, and its number."""
    nodes = f"+{counted(item.n_hidden, 'node')}"
    return nodes if item.is_rest else f"{nodes} · #{item.node}"


def colour_of(subject: PictureSubject, node: int) -> int:
    """The colour slot of a node's answer."""
    if subject.is_numbers:
        return NUMBER_SLOT
    return answer_slot(subject.slots, subject.tree, node)


def strength_of(subject: PictureSubject, node: int) -> float | None:
    """Numbers: where the answer stands in its range, 0 to 1; None for classes."""
    if not subject.is_numbers:
        return None
    low, high = subject.span
    return place_in(float(subject.tree.value[node, 0]), low, high)


def place_in(number: float, low: float, high: float) -> float:
    """Where a number stands in a range, 0 to 1; halves, lest large ones overflow."""
    half = high / 2 - low / 2
    return (number / 2 - low / 2) / half if half > 0 else 0.5


def segments(
    subject: PictureSubject, item: DrawnNodes, output: int
) -> list[tuple[int, float]]:
    """Colour slots and weights of the classes at a node; those without colour last."""
    target = subject.model.schema.target
    inside = list(item.nodes)
    weights = subject.tree.value[inside, target.slots[output]]
    weights = np.where(subject.tree.weight[inside, None] > 0, weights, 0.0).sum(axis=0)
    out: dict[int, float] = {}
    for slot, weight in zip(subject.slots[output], weights.tolist(), strict=True):
        if weight > 0:
            out[slot] = out.get(slot, 0.0) + weight
    return sorted(out.items(), key=lambda pair: pair[0])


def condition_at(
    subject: PictureSubject, parent: int, node: int, most: int
) -> BranchCondition:
    """The branch that leads from a node to its child."""
    branch = node - int(subject.tree.first_child[parent])
    schema = subject.model.schema
    found = branch_condition(schema, subject.tree, parent, branch, most=most)
    return in_signs(found, RELATIONS)


def branch_labels(
    subject: PictureSubject, parent: DrawnNodes, below: list[DrawnNodes], width: int
) -> list[str]:
    """The labels of branches that stand beside each other, cut so that they differ."""
    texts = []
    for item in below:
        if item.is_rest:
            texts.append("others")
            continue
        found = condition_at(subject, parent.node, item.node, _MOST_CATEGORIES)
        if subject.tree.kind_of(parent.node) == NodeKind.CUT:
            found = replace(found, value=_short_cut(found.value))
        texts.append(visible(found.answer[: 8 * width]))
    return cut_all_apart(texts, width)


def _short_cut(text: str) -> str:
    """A long threshold with six digits, but never without its decimals.

    Pointing at the link tells it in full; dates and whole numbers stay as they are.
    """
    if len(text) <= _LONGEST_NUMBER or not re.fullmatch(r"-?\d+\.\d+", text):
        return text
    number = float(text)
    return f"{number:.1f}" if abs(number) >= 1e5 else f"{number:.6g}"


def shown(name: object, width: int | None = None) -> str:
    """A name as it can be printed, cut to a width."""
    text = label_text(name)
    if width is None:
        return visible(text)
    return clip(visible(text[: 8 * width]), width)


def node_title(subject: PictureSubject, item: DrawnNodes) -> str:
    """All that is known of a node, in lines, for who points at it."""
    lines = _rest_lines(item) if item.is_rest else _node_lines(subject, item)
    return "\n".join(clip(visible(line[: 8 * _LINE]), _LINE) for line in lines)


def link_title(subject: PictureSubject, parent: DrawnNodes, item: DrawnNodes) -> str:
    """A branch in full, for who points at its link."""
    tree = subject.tree
    weight = float(tree.weight[list(item.nodes)].sum())
    whole = float(tree.weight[parent.node])
    part = f"{100 * weight / whole:.3g} %" if whole > 0 else "nothing"
    share = f"{part} of {whole_words(subject, parent.node)}"
    if item.is_rest:
        return f"{len(item.nodes)} branches: {share}"
    text = str(condition_at(subject, parent.node, item.node, _MOST_TOLD))
    lines = [clip(visible(text[: 8 * _LINE]), _LINE), share]
    goes = int(tree.missing_branch[parent.node])
    branch = item.node - int(tree.first_child[parent.node])
    if goes == branch and not text.endswith(" is missing"):
        lines.append("rows without a value go here, too")
    return "\n".join(lines)


def whole_words(subject: PictureSubject, node: int) -> str:
    """The rows of a node, in words."""
    return counted(int(subject.tree.n_rows[node]), "row")


def _rest_lines(item: DrawnNodes) -> Iterator[str]:
    """What a rest stands for."""
    numbers = ", ".join(f"#{node}" for node in item.nodes[:_MOST_CLASSES])
    more = ", ..." if len(item.nodes) > _MOST_CLASSES else ""
    yield f"{len(item.nodes)} branches that are not drawn: {numbers}{more}"
    yield f"{item.n_hidden} nodes, {item.n_hidden_leaves} leaves"


def _node_lines(subject: PictureSubject, item: DrawnNodes) -> Iterator[str]:
    """What is known of a node: question, answer, rows, reason, surrogates."""
    tree, schema, node = subject.tree, subject.model.schema, item.node
    is_leaf = tree.kind_of(node) == NodeKind.LEAF
    if is_leaf:
        yield f"node {node}: leaf"
    else:
        name = asked_name(schema, tree, node)
        yield f"node {node}: asks for {name}"
    root = float(tree.weight[0])
    share = f" ({100 * float(tree.weight[node]) / root:.3g} %)" if root > 0 else ""
    yield f"{whole_words(subject, node)}{share}"
    yield from _answer_lines(subject, node)
    if not is_leaf:
        yield f"gain {short_number(float(tree.gain[node]))}"
    if int(tree.missing_branch[node]) == EVERY_BRANCH:
        yield "rows without a value go down all branches, in shares"
    for surrogate in tree.surrogates.of(node):
        stands_in = surrogate_condition(schema, tree, surrogate, most=_MOST_CATEGORIES)
        yield f"if missing: {stands_in}"
    if reason := tree.reason_words(node):
        yield f"a leaf because: {reason}"
    if item.n_hidden:
        yield f"not drawn: {item.n_hidden} nodes below, {item.n_hidden_leaves} leaves"


def _answer_lines(subject: PictureSubject, node: int) -> Iterator[str]:
    """The answer of each output, and what it stands on."""
    tree, target = subject.tree, subject.model.schema.target
    if subject.is_numbers:
        name = "median" if subject.is_absolute else "mean"
        for output, number in zip(target.names, tree.value[node].tolist(), strict=True):
            yield f"{name} of {label_text(output)}: {short_number(number)}"
        if target.n_outputs == 1:
            word = "mean absolute" if subject.is_absolute else "standard"
            yield f"{word} deviation {short_number(float(subject.spread[node]))}"
        return
    weights = tree.value[node] if tree.weight[node] > 0 else 0 * tree.value[node]
    words = prediction_words(target, tree, node)
    for name, labels, slot, word in zip(
        target.names, target.classes, target.slots, words, strict=True
    ):
        heavy = np.argsort(-weights[slot], kind="stable")[:_MOST_CLASSES].tolist()
        pairs = [
            f"{label_text(labels[code])} {weight_text(weights[slot][code])}"
            for code in heavy
            if weights[slot][code] > 0
        ]
        more = int(np.count_nonzero(weights[slot])) - len(pairs)
        tail = f" and {more} more" if more > 0 else ""
        counts = f" ({', '.join(pairs)}{tail})" if pairs else ""
        yield f"{label_text(name)}: {word}{counts}"
