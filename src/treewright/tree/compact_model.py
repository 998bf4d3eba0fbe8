"""Compacting: a model with trees as `tree/structure/compact_tree.py` has them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.errors import SettingError
from treewright.tree.model import Model
from treewright.tree.predict.vote import all_shares
from treewright.tree.structure.compact_tree import CompactTree, can_end
from treewright.tree.structure.distinct import distinct_rows
from treewright.tree.structure.tree import EVERY_BRANCH, Tree

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[Any]


def is_compact(model: Model) -> bool:
    """Whether a model is without training statistics."""
    return isinstance(model.trees[0], CompactTree)


def compact_model(model: Model) -> Model:
    """Return a model with the same answers and without training statistics."""
    if is_compact(model):
        return model
    if model.voting.kind == "confidence":
        raise SettingError(
            "this model cannot be compact: its trees vote as surely as the class "
            "weights of their leaves allow, and a compact tree has none"
        )
    if model.smoothing.kind != "raw" and any(
        (tree.missing_branch == EVERY_BRANCH).any() for tree in model.trees
    ):
        raise SettingError(
            "this model cannot be compact: rows without a value are divided, and their "
            "class follows from the leaves' own weights, which smoothed probabilities "
            "hide; grow it with probabilities='raw'"
        )
    tables, labels, places = [], [], []
    for tree in model.trees:
        ends = np.flatnonzero(can_end(tree))
        answers = tree.value
        if model.schema.target.kind == "classes":
            answers = all_shares(model.schema.target, tree, model.smoothing)
        tables.append(answers[ends])
        labels.append(tree.label[ends])
        places.append(ends)
    answers = np.concatenate(tables)
    codes = np.concatenate(labels)
    both, rows = distinct_rows(np.hstack([answers, codes.astype(np.float64)]))
    n_slots = answers.shape[1]
    table = np.ascontiguousarray(rows[:, :n_slots])
    label_table = rows[:, n_slots:].astype(np.int32)
    edges = np.cumsum([0, *map(len, places)])
    trees = [
        _compact_tree(tree, ends, both[start : start + len(ends)], table, label_table)
        for tree, ends, start in zip(model.trees, places, edges[:-1], strict=True)
    ]
    return dataclasses.replace(model, trees=tuple(trees), pruning_table=None)


def _compact_tree(
    tree: Tree,
    ends: npt.NDArray[np.intp],
    places: npt.NDArray[np.int32],
    answers: Floats,
    labels: npt.NDArray[np.int32],
) -> CompactTree:
    place = np.full(tree.node_count, -1, np.int32)
    place[ends] = places
    arrays = {
        "kind": tree.kind,
        "feature": narrow(tree.feature),
        "threshold": tree.threshold,
        "first_child": narrow(tree.first_child),
        "missing_branch": narrow(tree.missing_branch),
        "place": narrow(place),
        "set_codes": narrow(tree.set_codes),
    }
    if len(tree.set_codes):
        arrays["set_size"] = narrow(np.diff(tree.set_start))
    if (tree.missing_branch == EVERY_BRANCH).any():
        arrays["weight"] = tree.weight
    return CompactTree(arrays, answers, labels, tree.surrogates)


def with_own_answers(model: Model) -> Model:
    """Return a model of some trees of another: compact ones with their answers only."""
    if not is_compact(model):
        return model
    whole = [tree for tree in model.trees if isinstance(tree, CompactTree)]
    shared = whole[0].answers
    if any(tree.answers is not shared for tree in whole):
        return model
    used = np.zeros(len(shared), bool)
    for tree in whole:
        places = tree.arrays["place"]
        used[places[places >= 0]] = True
    if used.all():
        return model
    answers, labels = shared[used], whole[0].labels[used]
    # the last is for -1, where no walk ends
    numbers = np.append(np.cumsum(used) - 1, -1).astype(np.int32)
    trees = (
        CompactTree(
            {**tree.arrays, "place": narrow(numbers[tree.arrays["place"]])},
            answers,
            labels,
            tree.surrogates,
        )
        for tree in whole
    )
    return dataclasses.replace(model, trees=tuple(trees))


def model_bytes(model: Model) -> int:
    """Return what the trees of a model take in memory."""
    total, seen = 0, set()
    for tree in model.trees:
        if isinstance(tree, CompactTree):
            total += tree.n_bytes
            shared = (tree.answers, tree.labels)
            total += sum(array.nbytes for array in shared if id(array) not in seen)
            seen |= {id(array) for array in shared}
        else:
            arrays = [*vars(tree).values(), *vars(tree.surrogates).values()]
            total += sum(getattr(array, "nbytes", 0) for array in arrays)
    return total


def narrow(numbers: Whole) -> Whole:
    """Return whole numbers in the narrowest signed type that holds them."""
    low, high = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    for dtype in (np.int8, np.int16, np.int32):
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return numbers.astype(dtype)
    return numbers
