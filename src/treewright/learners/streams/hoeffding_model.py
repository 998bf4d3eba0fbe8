"""An ordinary model of a Hoeffding tree that learns.

Its nodes have the class weights (or means) of the learning tree, and its leaves answer
their heaviest class. `n_rows` are the rows that a node has seen since it came to be;
class weights start with what its parent knew of the branch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.labels import sorted_order
from treewright.data.schema import Feature, Schema
from treewright.data.stream.stream_table import StreamFeature
from treewright.grow.finish import class_labels
from treewright.learners.streams.hoeffding_learner import HoeffdingLearner
from treewright.sources.class_statistics import class_impurity
from treewright.tree.model import Model
from treewright.tree.structure.tree import NodeKind, Reason, Tree

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
Arrays = dict[str, npt.NDArray[Any]]
_NONE = -1  # a branch that no row has taken


def model_of(learner: HoeffdingLearner) -> Model:
    """Return the tree as it is now, as a model."""
    dialect, table = learner.dialect, learner.table
    assert table is not None
    orders = [sorted_order(feature.codes) for feature in table.features]
    features = tuple(map(_feature, table.features, orders))
    schema = Schema(features, learner.target.target(), has_names=table.has_names)
    tree = _tree(learner, schema, orders)
    dropping = {"drop_missing_target": True} if learner.drop_missing_target else {}
    return Model(
        schema=schema,
        trees=(tree,),
        learner=dialect.name,
        settings={**dialect.settings(), **dropping},
        unseen=dialect.unseen,
        missing=dialect.missing,
        notes=tuple(_notes(learner)),
    )


def _feature(feature: StreamFeature, order: list[int]) -> Feature:
    if feature.kind != "nominal":
        return Feature(feature.name, "numeric")
    labels = list(feature.codes)
    return Feature(feature.name, "nominal", tuple(labels[code] for code in order))


def _notes(learner: HoeffdingLearner) -> Iterator[str]:
    """Yield what a reader should know."""
    dialect, table = learner.dialect, learner.table
    assert table is not None
    for feature in table.features:
        if not feature.kind:
            yield f"feature {feature.name!r}: all values are missing so far"
        if feature.is_full:
            yield (
                f"feature {feature.name!r}: {len(feature.codes):,} categories are told "
                "apart, further ones count as missing (max_categories)"
            )
    if learner.target.kind == "classes" and dialect.leaf_prediction != "majority":
        yield (
            f"while it learns, leaves answer by leaf_prediction="
            f"{dialect.leaf_prediction}; this tree answers the majority of each leaf"
        )


def _tree(learner: HoeffdingLearner, schema: Schema, orders: list[list[int]]) -> Tree:
    arrays: Arrays = learner.core.arrays()
    layout = _Layout(arrays, schema, orders)
    of_classes = schema.target.kind == "classes"
    sums = _sums(arrays, len(schema.target.classes[0]) if of_classes else 3)
    if of_classes:
        sums = sums[:, learner.target.order]
    kept = layout.of  # the learning tree's node behind each node, or its parent's
    is_new = layout.is_new
    feature = np.where(is_new, -1, arrays["feature"][kept]).astype(np.int32)
    is_leaf = feature < 0
    nominal = np.array([one.kind == "nominal" for one in schema.features] + [False])
    kind = np.where(nominal[feature], NodeKind.MULTIWAY, NodeKind.CUT)
    kind[is_leaf] = NodeKind.LEAF
    value, label, weight, impurity = _answers(
        sums[kept], layout.parent, schema, learner.dialect.criterion
    )
    n_rows = np.where(is_new, 0, arrays["n_rows"][kept])
    awake = arrays["awake"].astype(bool)[kept]
    return Tree(
        kind=kind.astype(np.uint8),
        feature=feature,
        threshold=np.where(kind == NodeKind.CUT, arrays["threshold"][kept], np.nan),
        first_child=layout.first_child,
        n_children=layout.n_children,
        missing_branch=layout.missing_branch,
        set_start=np.zeros(len(kept) + 1, np.int64),
        set_codes=np.zeros(0, np.int32),
        value=value,
        label=label,
        n_rows=n_rows,
        weight=np.where(is_new, 0.0, weight),
        impurity=impurity,
        gain=np.where(is_leaf, 0.0, arrays["gain"][kept]),
        reason=_reasons(layout, learner, is_leaf, impurity, awake),
    )


class _Layout:
    """The nodes in the order of models: children of a node next to each other.

    A nominal question has a branch for each category of its feature, in their order;
    those that no row has taken are leaves that speak for the question.
    """

    def __init__(self, arrays: Arrays, schema: Schema, orders: list[list[int]]) -> None:
        start, child = arrays["child_start"].tolist(), arrays["child"].tolist()
        asked, missing = arrays["feature"].tolist(), arrays["missing"].tolist()
        of, is_new, parent, depth = [0], [False], [-1], [0]
        first_child, n_children, branch = [-1], [0], [-1]
        node = 0
        while node < len(of):
            own = of[node]
            if not is_new[node] and asked[own] >= 0:
                children = child[start[own] : start[own + 1]]
                if schema.features[asked[own]].kind == "nominal":
                    children += [_NONE] * (len(orders[asked[own]]) - len(children))
                    children = [children[code] for code in orders[asked[own]]]
                first_child[node], n_children[node] = len(of), len(children)
                branch[node] = children.index(missing[own])
                for one in children:
                    of.append(own if one == _NONE else one)
                    is_new.append(one == _NONE)
                    parent.append(node)
                    depth.append(depth[node] + 1)
                    first_child.append(-1)
                    n_children.append(0)
                    branch.append(-1)
            node += 1
        self.of = np.array(of)
        self.is_new = np.array(is_new)
        self.parent = np.array(parent, np.int32)
        self.depth = np.array(depth, np.int32)
        self.first_child = np.array(first_child, np.int32)
        self.n_children = np.array(n_children, np.int32)
        self.missing_branch = np.array(branch, np.int32)


def _sums(arrays: Arrays, width: int) -> Floats:
    """Return the sums of each node, filled up with zeros."""
    start = arrays["value_start"]
    n_own = np.diff(start)
    out = np.zeros((len(n_own), width))
    column = np.arange(start[-1]) - np.repeat(start[:-1], n_own)
    out[np.repeat(np.arange(len(n_own)), n_own), column] = arrays["value"]
    return out


def _answers(
    sums: Floats, parent: Ints, schema: Schema, criterion: str
) -> tuple[Floats, Ints, Floats, Floats]:
    """Return value, label, weight and impurity of the nodes."""
    if schema.target.kind == "classes":
        label = class_labels(sums, parent, schema)
        impurity = class_impurity(criterion, sums, schema.target.slots)
        return sums, label, sums.sum(axis=1), impurity
    weight = sums[:, 0]
    impurity = sums[:, 2] / np.where(weight > 0, weight, 1.0)
    label = np.zeros((len(sums), 0), np.int32)
    return np.ascontiguousarray(sums[:, 1:2]), label, weight, impurity


def _reasons(
    layout: _Layout,
    learner: HoeffdingLearner,
    is_leaf: npt.NDArray[np.bool_],
    impurity: Floats,
    awake: npt.NDArray[np.bool_],
) -> npt.NDArray[np.uint8]:
    """Return why each leaf is one."""
    reason = np.full(len(is_leaf), Reason.LEARNING, np.uint8)
    reason[~awake] = Reason.ASLEEP
    limit = learner.dialect.max_depth
    if limit is not None:
        reason[layout.depth >= limit] = Reason.MAX_DEPTH
    reason[impurity == 0] = Reason.PURE
    reason[layout.is_new] = Reason.EMPTY
    reason[~is_leaf] = Reason.NONE
    return reason
