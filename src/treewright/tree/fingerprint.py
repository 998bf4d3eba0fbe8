"""The fingerprint: a hash over what the trees ask and answer, in names and values.

Two fits that mean the same must hash the same, however their nodes are numbered, their
columns ordered and their categories coded. So the trees are told in preorder, features
by name, categories and classes by value, and the branches of a nominal question in the
order of their values rather than of their codes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.intervals import OUTSIDE, Intervals
from treewright.data.schema import Feature, Schema, Target
from treewright.tree.predict.vote import Smoothing
from treewright.tree.predict.voting import Voting
from treewright.tree.structure.branch_words import cut_value, has_own_missing_branch
from treewright.tree.structure.combination import terms_at
from treewright.tree.structure.tree import NO_CLASS, NodeKind, Tree
from treewright.tree.values import canonical_label


@dataclass(frozen=True)
class _Question:
    """A node's question in values, with its branches in an order free of codes."""

    words: list[str]
    branches: list[int]


def fingerprint(
    schema: Schema,
    trees: Sequence[Tree],
    smoothing: Smoothing | None = None,
    voting: Voting | None = None,
) -> str:
    """Return the sha256 (hex) of the canonical content of a model."""
    digest = hashlib.sha256()
    for line in schema_lines(schema):
        digest.update(line)
    for line in _answer_lines(schema.target, smoothing or Smoothing()):
        digest.update(line)
    if voting is not None and voting != Voting():
        weights = [voting.weight(tree).hex() for tree in range(len(trees))]
        digest.update(line_of(["voting", voting.kind, *weights]))
    for tree in trees:
        digest.update(b"tree\n")
        for line in _node_lines(schema, tree):
            digest.update(line)
    return digest.hexdigest()


def schema_lines(schema: Schema) -> Iterator[bytes]:
    """The target with its classes, and the features by name."""
    target = schema.target
    yield line_of(["target", target.kind, *target.names])
    for labels in target.classes:
        yield line_of(["classes", *sorted(map(canonical_label, labels))])
    for feature in sorted(schema.features, key=lambda each: each.name):
        yield line_of(["feature", feature.name, feature.kind])
        if feature.intervals is not None:
            yield line_of(_interval_words(feature, feature.intervals))
        if feature.not_applicable is not None:
            yield line_of(["not applicable", feature.not_applicable])


def _answer_lines(target: Target, smoothing: Smoothing) -> Iterator[bytes]:
    """What is not plain about the answers; nothing where they are."""
    if smoothing != Smoothing():
        yield line_of(["probabilities", smoothing.kind, smoothing.prior_weight.hex()])
    if target.costs is not None:
        texts = [canonical_label(label) for label in target.classes[0]]
        order = sorted(range(len(texts)), key=texts.__getitem__)
        costs = [float(target.costs[row][column]) for row in order for column in order]
        yield line_of(["costs", *((cost + 0.0).hex() for cost in costs)])


def _interval_words(feature: Feature, intervals: Intervals) -> Iterator[str]:
    """The borders by value, and the category of each piece between them."""
    yield from ("intervals", intervals.storage)
    for border in intervals.borders:
        yield border.hex() if isinstance(border, float) else str(border)
    for code in intervals.codes:
        yield "" if code == OUTSIDE else canonical_label(feature.categories[code])


def _node_lines(schema: Schema, tree: Tree) -> Iterator[bytes]:
    """The nodes in preorder: what each answers, then what it asks."""
    answers = _answers(schema.target, tree)
    categories = [_sorted_categories(feature) for feature in schema.features]
    inner = (tree.kind != NodeKind.LEAF).tolist()
    missing_branch = tree.missing_branch.tolist()
    first_child = tree.first_child.tolist()
    stack = [0]
    while stack:
        node = stack.pop()
        yield answers[node].tobytes()
        if not inner[node]:
            yield b"leaf\n"
            continue
        texts = categories[tree.feature[node]]
        question = _question(schema, tree, node, texts)
        missing = missing_branch[node]
        place = question.branches.index(missing) if missing >= 0 else missing
        yield line_of([*question.words, str(place)])
        for surrogate in tree.surrogates.of(node):
            yield line_of(_surrogate_words(schema, tree, surrogate, question.branches))
        first = first_child[node]
        stack.extend(first + branch for branch in reversed(question.branches))


def _answers(target: Target, tree: Tree) -> npt.NDArray[np.float64]:
    """A row of numbers per node that says all of its answer, classes in value order."""
    parts: list[npt.NDArray[Any]] = []
    if target.kind == "numbers":
        parts += [tree.value, tree.weight[:, None]]
    else:
        for output, slot in enumerate(target.slots):
            texts = [canonical_label(label) for label in target.classes[output]]
            order = np.argsort(np.asarray(texts, object), kind="stable")
            place = np.argsort(order)
            parts += [tree.value[:, slot][:, order]]
            label = tree.label[:, output]
            parts += [np.where(label == NO_CLASS, label, place[label])[:, None]]
    # + 0.0 turns -0.0 into 0.0
    return np.ascontiguousarray(np.hstack(parts) + 0.0, "<f8")


def _sorted_categories(feature: Feature) -> list[tuple[str, int]]:
    """Categories of a feature as (canonical text, code), sorted by the text."""
    return sorted(
        (canonical_label(label), code) for code, label in enumerate(feature.categories)
    )


def _question(
    schema: Schema, tree: Tree, node: int, texts: list[tuple[str, int]]
) -> _Question:
    """The node's question with its branches in canonical order."""
    feature = schema.features[tree.feature[node]]
    kind = tree.kind_of(node)
    words = [kind.name.lower(), feature.name]
    branches = list(range(int(tree.n_children[node])))
    if kind == NodeKind.CUT:
        words.append(cut_words(feature, float(tree.threshold[node])))
    elif kind == NodeKind.COMBINATION:
        words.append((float(tree.threshold[node]) + 0.0).hex())
        for number, weight in terms_at(tree, node):
            words += [schema.features[number].name, weight.hex()]
    elif kind == NodeKind.ORDER:
        words.append(canonical_label(feature.categories[int(tree.threshold[node])]))
    elif kind == NodeKind.MULTIWAY:
        branches[: len(texts)] = [code for _, code in texts]
        words += [text for text, _ in texts]
    elif kind == NodeKind.SUBSET:
        inside = set(tree.subset(node).tolist())
        sides = [
            [text for text, code in texts if (code in inside) == side]
            for side in (True, False)
        ]
        # which side is branch 0 depends on codes; the side that sorts first leads
        if sides[1] < sides[0]:
            sides.reverse()
            branches[:2] = [1, 0]
        words += [str(len(sides[0])), *sides[0], *sides[1]]
    elif kind == NodeKind.GROUPS:
        branch_of = tree.subset(node).tolist()
        groups = sorted(
            ([text for text, code in texts if branch_of[code] == branch], branch)
            for branch in set(branch_of)
        )
        branches[: len(groups)] = [branch for _, branch in groups]
        for group, _ in groups:
            words += [str(len(group)), *group]
    words.append(str(has_own_missing_branch(schema, tree, node)))
    return _Question(words, branches)


def _surrogate_words(
    schema: Schema, tree: Tree, surrogate: int, branches: list[int]
) -> Iterator[str]:
    """What a surrogate asks, and the places of the branches that its answers take."""
    own = tree.surrogates
    feature = schema.features[own.feature[surrogate]]
    kind = NodeKind(int(own.kind[surrogate]))
    threshold = float(own.threshold[surrogate])
    yield from ("surrogate", kind.name.lower(), feature.name)
    if kind == NodeKind.SUBSET:
        for branch in branches:
            labels = [feature.categories[c] for c in own.codes(surrogate, branch)]
            yield str(len(labels))
            yield from sorted(map(canonical_label, labels))
        return
    if kind == NodeKind.CUT:
        yield cut_words(feature, threshold)
    else:
        yield canonical_label(feature.categories[int(threshold)])
    yield str(branches.index(int(own.branch[surrogate])))


def cut_words(feature: Feature, threshold: float) -> str:
    """A cut by value: exact, and with its unit for dates and spans."""
    value = cut_value(feature, threshold)
    if isinstance(value, np.generic):
        return f"{value.dtype} {value.astype(np.int64)}"
    return (value + 0.0).hex() if isinstance(value, float) else str(value)


def line_of(words: Iterable[str]) -> bytes:
    """Words in one line, each with its length, so that no two lists read the same."""
    text = " ".join([f"{len(word)}:{word}" for word in words])
    return text.encode("utf-8", "surrogatepass") + b"\n"
