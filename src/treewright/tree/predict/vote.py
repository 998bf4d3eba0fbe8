"""From nodes to answers: what the trees say about the rows that ended there.

`ends` says where each row ended in each tree (`place.py`). The trees' probabilities (or
numbers) are averaged; the mean over one tree is exact. A row that was divided among
branches gets the mean over its parts. Where wrong classes have costs, the class with
the least expected cost is the answer. `voting.py` has other ways: trees may count more
or less, and may vote for one class each; then the costs speak in each tree alone.

A leaf may give no class (`NO_CLASS`). A row that ends there has no answer and no
shares; of a divided row only the other parts count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Label, Target
from treewright.tree.predict.place import MOST_PARTS, DividedRows, Ends
from treewright.tree.predict.voting import Voting
from treewright.tree.predict.walk import Nodes
from treewright.tree.structure.tree import NO_CLASS, Tree

Floats = npt.NDArray[np.float64]

Smooth = Callable[[Floats, Floats], Floats]

SMOOTHINGS = ("raw", "laplace", "m_estimate")
_EQUAL = Voting()


@dataclass(frozen=True)
class Smoothing:
    """How the class weights n_c of a leaf, n in all, become probabilities."""

    # {"raw", "laplace", "m_estimate"}: n_c / n; (n_c + 1) / (n + classes); (n_c + m
    # p_c) / (n + m) with the root's shares p_c
    kind: str = "raw"
    prior_weight: float = 2.0  # the m of the m-estimate

    def of(self, weights: Floats, root: Floats) -> Floats:
        """Return the probabilities for rows of class weights; 0 where all are 0."""
        if self.kind == "raw":
            return normal(weights)
        gives_class = weights.any(axis=1, keepdims=True)
        if self.kind == "laplace":
            return normal(weights + gives_class)
        prior = self.prior_weight * normal(root[None, :])
        return normal(weights + gives_class * prior)


def class_array(labels: Sequence[Label]) -> npt.NDArray[Any]:
    """Return labels as an array of the plainest dtype that keeps every one as it is.

    Text stays as objects: NumPy's own strings would drop trailing NUL characters.
    """
    types = {type(label) for label in labels}
    if types <= {np.datetime64, np.timedelta64} and len(types) == 1:
        return np.asarray(labels)
    if types in ({bool}, {float}, {int}):
        array = np.asarray(labels)
        if array.dtype.kind == types.pop().__name__[0]:  # "b", "f" or "i"
            return array
    return _objects(labels)


def _objects(labels: Sequence[Label]) -> npt.NDArray[Any]:
    """Return labels as an array of objects, whatever they are."""
    array = np.empty(len(labels), object)
    for position, label in enumerate(labels):
        array[position] = label
    return array


def predicted_codes(
    target: Target, trees: Sequence[Tree], ends: Ends, voting: Voting = _EQUAL
) -> npt.NDArray[np.integer[Any]]:
    """Return the code of the class of each row, or NO_CLASS, a column per output."""
    if len(trees) == 1:
        # the node's own label: it obeys the tie rule of growing, an argmax would not
        codes = trees[0].labels_at(ends.nodes[:, 0])
        divided = ends.divided[0]
        if divided is not None:
            rows = divided.rows
            for output, mean in enumerate(probabilities(target, trees, ends)):
                codes[rows, output] = _best(mean[rows], target)
        return codes
    shares = probabilities(target, trees, ends, voting=voting)
    return codes_of(target, shares, voting)


def codes_of(
    target: Target, shares: Sequence[Floats], voting: Voting = _EQUAL
) -> npt.NDArray[np.integer[Any]]:
    """Return the class that the shares speak for, or NO_CLASS, a column per output."""
    if voting.is_by_class:  # each tree has thought of the costs
        target = replace(target, costs=None)
    return np.column_stack([_best(each, target) for each in shares])


def _best(shares: Floats, target: Target) -> npt.NDArray[np.intp]:
    """The class with the largest share, or with the least expected cost."""
    if target.costs is None:
        return np.where(shares.any(axis=1), shares.argmax(axis=1), NO_CLASS)
    expected = shares @ np.asarray(target.costs)
    least = expected.min(axis=1, keepdims=True)
    # sums of rounded products: what is equal but for that is equal
    slack = 1e-12 * expected.max(axis=1, keepdims=True)
    best = np.argmax(expected <= least + slack, axis=1)
    return np.where(shares.any(axis=1), best, NO_CLASS)


def labels_of(target: Target, codes: npt.NDArray[np.integer[Any]]) -> npt.NDArray[Any]:
    """Return the labels of class codes; a column per output if there are several.

    Rows without a class have NaN among numbers, NaT among dates, None among all others.
    """
    classes = [class_array(labels) for labels in target.classes]
    if len({labels.dtype for labels in classes}) > 1:
        classes = [_objects(labels) for labels in target.classes]
    answers: list[npt.NDArray[Any]] = [
        _with_gaps(labels[code], code == NO_CLASS)
        for labels, code in zip(classes, codes.T, strict=True)
    ]
    if len(answers) == 1:
        return answers[0]
    columns: npt.NDArray[Any] = np.stack(answers, axis=1)
    return columns


def _with_gaps(
    answers: npt.NDArray[Any], gaps: npt.NDArray[np.bool_]
) -> npt.NDArray[Any]:
    """Answers with nothing at the gaps, in a type that can say so."""
    if not gaps.any():
        return answers
    # whole numbers stay exact as floats up to 2^53
    is_exact = answers.dtype.kind == "i" and np.abs(answers).max() < 2**53
    if answers.dtype.kind not in "fmM":
        answers = answers.astype(float if is_exact else object)
    nothing = {"f": np.nan, "O": None}
    kind = answers.dtype.kind
    answers[gaps] = nothing[kind] if kind in nothing else np.array("NaT", answers.dtype)
    return answers


def predicted_numbers(
    trees: Sequence[Tree], ends: Ends, voting: Voting = _EQUAL
) -> Floats:
    """Return the number for each row; a column per output if there are several."""
    each = []
    for k, tree in enumerate(trees):
        numbers, divided = tree.answers_at(ends.nodes[:, k]), ends.divided[k]
        if divided is not None:
            numbers = _mean_of_parts(numbers, tree.answers_at(_all(tree)), divided)
        each.append(numbers)
    mean = _mean(each, voting)
    return mean[:, 0] if mean.shape[1] == 1 else mean


def probabilities(
    target: Target,
    trees: Sequence[Tree],
    ends: Ends,
    *,
    smoothing: Smoothing | None = None,
    voting: Voting = _EQUAL,
    in_shares: bool = True,
) -> list[Floats]:
    """Return, per output, the share of each class for each row; or of the votes.

    `in_shares` matters for confidences: whether they become shares in the end.
    """
    smooth = (smoothing or Smoothing()).of
    by_tree = []
    if voting.is_by_class:
        by_tree = [_own_codes(target, trees, ends, k) for k in range(len(trees))]
    answers = []
    for output, slot in enumerate(target.slots):
        each = [votes(codes[:, output], slot.stop - slot.start) for codes in by_tree]
        if voting.kind == "confidence":
            each = [
                of_class * _at_ends(node_confidence(tree, slot), ends, k)
                for k, (tree, of_class) in enumerate(zip(trees, each, strict=True))
            ]
        for k, tree in enumerate(trees if not by_tree else ()):
            shares = _shares_at(tree, slot, output, smooth, ends.nodes[:, k])
            divided = ends.divided[k]
            if divided is not None:
                of_node = node_shares(tree, slot, output, smoothing)
                shares = _mean_of_parts(shares, of_node, divided)
            each.append(shares)
        mean = _mean(each, voting)
        is_mean = len(trees) > 1 or ends.divided[0] is not None
        if is_mean and any(tree.gives_no_class().any() for tree in trees):
            mean = normal(mean)  # of what gives a class
        elif in_shares and voting.kind == "confidence":
            mean = normal(mean)
        answers.append(mean)
    return answers


def _shares_at(
    tree: Tree, slot: slice, output: int, smooth: Smooth, nodes: Nodes
) -> Floats:
    """The share of each class of an output at nodes."""
    if tree.knows_shares:
        return tree.answers_at(nodes)[:, slot]
    if len(nodes) > tree.node_count:  # each node is asked once
        of_node = _shares_at(tree, slot, output, smooth, _all(tree))
        return of_node.take(nodes, axis=0)
    root = _class_weights(tree, slot, output, np.zeros(1, np.int32))[0]
    return smooth(_class_weights(tree, slot, output, nodes), root)


def _mean(each: Sequence[Floats], voting: Voting) -> Floats:
    """The mean of the trees' answers, added up in their order.

    NumPy's own mean takes another order for one row than for many.
    """
    if len(each) == 1:
        return each[0]
    total = each[0] * voting.weight(0)
    for tree, answer in enumerate(each[1:], 1):
        total += answer * voting.weight(tree)
    return np.asarray(total / voting.total(len(each)))


def _own_codes(
    target: Target, trees: Sequence[Tree], ends: Ends, number: int
) -> npt.NDArray[np.integer[Any]]:
    """The classes that one of the trees gives."""
    own = Ends(ends.nodes[:, number : number + 1], (ends.divided[number],))
    return predicted_codes(target, trees[number : number + 1], own)


def _at_ends(of_node: Floats, ends: Ends, number: int) -> Floats:
    """What the nodes of a tree say about the rows that ended there."""
    said, divided = of_node[ends.nodes[:, number]], ends.divided[number]
    return said if divided is None else _mean_of_parts(said, of_node, divided)


def node_confidence(tree: Tree, slot: slice) -> Floats:
    """Return for every node and class how sure a vote for the class is there."""
    weights = tree.value[:, slot]
    return np.asarray((weights + 1.0) / (weights.sum(axis=1, keepdims=True) + 2.0))


def votes(codes: npt.NDArray[np.integer[Any]], n_classes: int) -> Floats:
    """Return a row for each code, 1 for its class and 0 elsewhere; NO_CLASS has 0."""
    rows = np.zeros((len(codes), n_classes))
    some = np.flatnonzero(codes != NO_CLASS)
    rows[some, codes[some]] = 1.0
    return rows


def node_shares(
    tree: Tree, slot: slice, output: int, smoothing: Smoothing | None = None
) -> Floats:
    """Return the share of each class of an output at every node of a tree."""
    smooth = (smoothing or Smoothing()).of
    return _shares_at(tree, slot, output, smooth, _all(tree))


def all_shares(
    target: Target, tree: Tree, smoothing: Smoothing | None = None
) -> Floats:
    """Return the same of all outputs, side by side."""
    each = [
        node_shares(tree, slot, output, smoothing)
        for output, slot in enumerate(target.slots)
    ]
    return np.hstack(each)


def _all(tree: Tree) -> Nodes:
    return np.arange(tree.node_count, dtype=np.int32)


def _mean_of_parts(answers: Floats, of_node: Floats, divided: DividedRows) -> Floats:
    """Answers, with those of divided rows replaced by the mean over their parts."""
    answers[divided.rows] = 0.0
    step = max(1, MOST_PARTS // answers.shape[1])
    for parts in divided.blocks():
        for start in range(0, len(parts.row), step):
            some = slice(start, start + step)
            weighted = of_node[parts.node[some]] * parts.weight[some, None]
            # one after the other: the sum does not depend on the blocks
            np.add.at(answers, parts.row[some], weighted)
    return answers


def _class_weights(tree: Tree, slot: slice, output: int, nodes: Nodes) -> Floats:
    """Class weights at nodes; where there are none, those of the nearest ancestor.

    A leaf that gives no class has none.
    """
    weights: Floats = tree.value[nodes, slot]
    speaks = tree.label[nodes, output] != NO_CLASS
    empty = np.flatnonzero(~weights.any(axis=1) & speaks)
    parent = tree.parents() if len(empty) else np.zeros(0, np.int32)
    above = nodes[empty]
    while len(empty):
        is_root = above == 0
        weights[empty[is_root], tree.label[0, output]] = 1.0
        empty, above = empty[~is_root], parent[above[~is_root]]
        weights[empty] = tree.value[above, slot]
        still = ~weights[empty].any(axis=1)
        empty, above = empty[still], above[still]
    return weights


def normal(weights: Floats) -> Floats:
    """Return weights divided by their sum, row by row: shares, where there are any."""
    with np.errstate(over="ignore"):
        total = weights.sum(axis=1, keepdims=True)
    huge = ~np.isfinite(total[:, 0])
    if huge.any():
        # dividing all of them beforehand would cost the others their exact ratios
        weights[huge] /= weights.shape[1]
        total = weights.sum(axis=1, keepdims=True)
    shares: Floats = weights / np.where(total > 0, total, 1.0)
    return shares
