"""A model as JSON for people and programs: names and values, never codes.

The nodes are a flat list, so that a deep tree needs no deep nesting, and each stands on
a line of its own. The text is strict JSON: there is no NaN and no Infinity in it. It is
an output only; to keep a model, save it.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Feature, Target
from treewright.tree.file.header import measures_data
from treewright.tree.model import Model
from treewright.tree.predict.voting import Voting
from treewright.tree.structure.branch_words import (
    branch_text,
    cut_text,
    cut_value,
    has_own_missing_branch,
    label_text,
)
from treewright.tree.structure.combination import terms_at
from treewright.tree.structure.tree import EVERY_BRANCH, NO_CLASS, NodeKind, Tree

VERSION = "1.0"


def to_json(model: Model) -> str:
    """Return a model as JSON text.

    Every node has its number `id`, its `parent` and the `branch` that leads to it in
    words; inner nodes have a `question` and their `children` in branch order; leaves
    have the `reason` why they are leaves. The `values` of groups are a list for each
    branch. `missing` is the child that a missing value
    goes to, null if it stops at the node, and "every" if it goes to all of them, in
    proportion to their `weight`. `surrogates` are asked before that, the best first:
    their `children` are those of values up to the threshold and above it, or of the
    two lists of `values`. A forest that was measured has its `measures`, in the order
    of the features.
    """
    trees = [
        '{"nodes": [\n' + ",\n".join(_node_lines(model, tree)) + "\n]}"
        for tree in model.trees
    ]
    head = dumps(_head(model), indent=2)
    return head.removesuffix("\n}") + ',\n  "trees": [' + ",\n".join(trees) + "]\n}"


def plain(value: Any) -> Any:
    """Return a label or setting as what JSON has: the rest as text."""
    if isinstance(value, np.datetime64 | np.timedelta64):
        return label_text(value)
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return label_text(value)


def packed(array: npt.NDArray[Any], dtype: str) -> dict[str, str]:
    """Return an array as its type and the base64 of its little-endian bytes."""
    raw = np.ascontiguousarray(array, np.dtype(dtype).newbyteorder("<")).tobytes()
    return {"type": dtype, "data": base64.b64encode(raw).decode("ascii")}


def _head(model: Model) -> dict[str, Any]:
    """Everything but the trees; what is as everywhere is left out."""
    target, smoothing, voting = model.schema.target, model.smoothing, model.voting
    outputs: list[dict[str, Any]] = [{"name": name} for name in target.names]
    if target.kind == "classes":
        for output, labels in zip(outputs, target.classes, strict=True):
            output["classes"] = [*map(plain, labels)]
    data: dict[str, Any] = {
        "format": "treewright-json",
        "version": VERSION,
        "learner": model.learner,
        "settings": {name: plain(value) for name, value in model.settings.items()},
        "unseen": model.unseen,
        "missing": model.missing,
        "notes": list(model.notes),
    }
    if model.measures:
        data["measures"] = measures_data(model.measures)
    data["target"] = {"kind": target.kind, "outputs": outputs}
    if target.costs is not None:  # a row for each actual class, in class order
        data["target"]["costs"] = [*map(list, target.costs)]
    if smoothing.kind != "raw":
        data["probabilities"] = smoothing.kind
    if smoothing.kind == "m_estimate":
        data["prior_weight"] = smoothing.prior_weight
    if voting != Voting():
        weights = None if voting.weights is None else list(voting.weights)
        data["voting"] = {"kind": voting.kind, "weights": weights}
    return data | {"features": [_feature(feature) for feature in model.schema.features]}


def _feature(feature: Feature) -> dict[str, Any]:
    """A feature in words."""
    data: dict[str, Any] = {"name": feature.name, "kind": feature.kind}
    if feature.kind == "numeric":
        data["storage"] = feature.storage
    else:
        data["categories"] = [*map(plain, feature.categories)]
    if feature.not_applicable is not None:
        data["not_applicable"] = feature.not_applicable
    if feature.intervals is not None:
        own = feature.intervals
        data["intervals"] = {
            "borders": list(own.borders),
            "codes": list(own.codes),
            "storage": own.storage,
        }
    return data


def _node_lines(model: Model, tree: Tree) -> Iterator[str]:
    """The nodes of a tree, one JSON object each."""
    parents = tree.parents().tolist()
    target, slots = model.schema.target, model.schema.target.slots
    for node, parent in enumerate(parents):
        data: dict[str, Any] = {"id": node, "parent": None, "branch": None}
        if parent >= 0:
            branch = node - int(tree.first_child[parent])
            data["parent"] = parent
            data["branch"] = branch_text(model.schema, tree, parent, branch)
        if tree.kind_of(node) != NodeKind.LEAF:
            data |= _inner(model, tree, node)
        else:
            data["reason"] = tree.reason_words(node)
        data |= _answer(target, slots, tree, node)
        yield "  " + dumps(data)


def _inner(model: Model, tree: Tree, node: int) -> dict[str, Any]:
    """What an inner node asks and where its answers lead."""
    children = tree.children(node)
    goes = int(tree.missing_branch[node])  # a row without a value
    missing = "every" if goes == EVERY_BRANCH else None if goes < 0 else children[goes]
    surrogates = [
        _surrogate(model, tree, surrogate, children)
        for surrogate in tree.surrogates.of(node)
    ]
    return {
        "question": _question(model, tree, node),
        "children": list(children),
        "missing": missing,
        **({"surrogates": surrogates} if surrogates else {}),
        "gain": float(tree.gain[node]),
    }


def _surrogate(
    model: Model, tree: Tree, surrogate: int, children: range
) -> dict[str, Any]:
    """What a row is asked without the node's value, and where its answers lead."""
    own = tree.surrogates
    feature = model.schema.features[own.feature[surrogate]]
    kind = NodeKind(int(own.kind[surrogate]))
    data: dict[str, Any] = {"kind": kind.name.lower(), "feature": feature.name}
    if kind == NodeKind.SUBSET:
        data["values"] = [
            [plain(feature.categories[code]) for code in own.codes(surrogate, branch)]
            for branch in (0, 1)
        ]
        data["children"] = list(children)
    else:
        data["threshold"] = compared_with(feature, float(own.threshold[surrogate]))
        low = int(own.branch[surrogate])
        data["children"] = [children[low], children[1 - low]]
    data["agreement"] = float(own.agreement[surrogate])
    data["adjusted"] = float(own.adjusted[surrogate])
    return data


def compared_with(feature: Feature, threshold: float) -> Any:
    """Return what values are compared with: a number, text of a date, a category."""
    if feature.categories:
        return plain(feature.categories[int(threshold)])
    value = cut_value(feature, threshold)
    is_number = isinstance(value, float | int)
    return value if is_number else cut_text(feature, threshold)


def _question(model: Model, tree: Tree, node: int) -> dict[str, Any]:
    """The kind of question, the feature, and what it is compared with."""
    feature = model.schema.features[tree.feature[node]]
    kind = tree.kind_of(node)
    if kind == NodeKind.COMBINATION:
        terms = [
            {"feature": model.schema.features[number].name, "weight": weight}
            for number, weight in terms_at(tree, node)
        ]
        threshold = float(tree.threshold[node])
        return {"kind": "combination", "terms": terms, "threshold": threshold}
    data: dict[str, Any] = {"kind": kind.name.lower(), "feature": feature.name}
    if kind in (NodeKind.CUT, NodeKind.ORDER):
        data["threshold"] = compared_with(feature, float(tree.threshold[node]))
    elif kind == NodeKind.SUBSET:
        codes = tree.subset(node).tolist()
        data["values"] = [plain(feature.categories[code]) for code in codes]
    elif kind == NodeKind.GROUPS:
        data["values"] = [
            [plain(feature.categories[code]) for code in codes]
            for codes in tree.groups(node)
        ]
    if kind != NodeKind.KNOWN and has_own_missing_branch(model.schema, tree, node):
        data["missing_has_own_branch"] = True
    return data


def _answer(
    target: Target, slots: list[slice], tree: Tree, node: int
) -> dict[str, Any]:
    """Rows, impurity and prediction; classes with their weights, those above 0."""
    data: dict[str, Any] = {
        "rows": int(tree.n_rows[node]),
        "weight": float(tree.weight[node]),
        "impurity": float(tree.impurity[node]),
    }
    if target.kind == "numbers":
        return {**data, "prediction": tree.value[node].tolist()}
    codes = tree.label[node].tolist()
    data["prediction"] = [
        None if code == NO_CLASS else plain(labels[code])
        for labels, code in zip(target.classes, codes, strict=True)
    ]
    data["class_weights"] = [
        [
            [plain(label), weight]
            for label, weight in zip(
                labels, tree.value[node, slot].tolist(), strict=True
            )
            if weight > 0 and data["weight"] > 0
        ]
        for labels, slot in zip(target.classes, slots, strict=True)
    ]
    return data


def dumps(data: dict[str, Any], *, indent: int | None = None) -> str:
    """Strict JSON, readable where the text can be written as UTF-8."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, in some name
        return json.dumps(data, ensure_ascii=True, allow_nan=False, indent=indent)
    return text
