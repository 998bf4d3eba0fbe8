"""Small models built by hand: what they must do can be read off."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treewright.data.schema import Feature, Schema, Target
from treewright.tree import Model, NodeKind, Reason, Tree

NAN = float("nan")


@dataclass
class Node:
    """One node in words; `build` makes the arrays."""

    value: list[float]
    kind: NodeKind = NodeKind.LEAF
    feature: int = -1
    threshold: float = NAN
    children: list[Node] = field(default_factory=list)
    missing: int = -1
    codes: list[int] = field(default_factory=list)
    label: list[int] | None = None
    impurity: float = 0.0
    gain: float = 0.0
    reason: Reason | None = None
    weight: float | None = None
    n_rows: int | None = None


def build(root: Node, target: Target, *, depth_first: bool = False) -> Tree:
    """Number the nodes, children of a node next to each other."""
    nodes, first, pending = [root], {}, [0]
    while pending:
        position = pending.pop(-1 if depth_first else 0)
        children = nodes[position].children
        if children:
            first[position] = len(nodes)
            pending.extend(range(len(nodes), len(nodes) + len(children)))
            nodes.extend(children)
    classes = target.kind == "classes"
    labels = [
        node.label
        if node.label is not None
        else [
            int(np.argmax(node.value[slot]))
            for slot in (target.slots if classes else [])
        ]
        for node in nodes
    ]
    weights = [
        node.weight
        if node.weight is not None
        else (sum(node.value[target.slots[0]]) if classes else 1.0)
        for node in nodes
    ]
    reasons = [
        Reason.NONE
        if node.children
        else (Reason.PURE if node.reason is None else node.reason)
        for node in nodes
    ]
    column: dict[str, Any] = {
        "kind": np.array([node.kind for node in nodes], np.uint8),
        "feature": np.array([node.feature for node in nodes], np.int32),
        "threshold": np.array([node.threshold for node in nodes], np.float64),
        "first_child": np.array(
            [first.get(k, -1) for k in range(len(nodes))], np.int32
        ),
        "n_children": np.array([len(node.children) for node in nodes], np.int32),
        "missing_branch": np.array([node.missing for node in nodes], np.int32),
        "set_start": np.cumsum([0] + [len(node.codes) for node in nodes]).astype(
            np.int64
        ),
        "set_codes": np.array(
            [code for node in nodes for code in node.codes], np.int32
        ),
        "value": np.array([node.value for node in nodes], np.float64),
        "label": np.array(labels, np.int32).reshape(
            len(nodes), target.n_outputs if classes else 0
        ),
        "n_rows": np.array(
            [
                round(weight) if node.n_rows is None else node.n_rows
                for node, weight in zip(nodes, weights, strict=True)
            ],
            np.int64,
        ),
        "weight": np.array(weights, np.float64),
        "impurity": np.array([node.impurity for node in nodes], np.float64),
        "gain": np.array([node.gain for node in nodes], np.float64),
        "reason": np.array(reasons, np.uint8),
    }
    return Tree(**column)


def tennis() -> Model:
    """ID3 on Mitchell's table: Outlook, then Wind or Humidity."""
    features = (
        Feature("Outlook", "nominal", ("Overcast", "Rain", "Sunny")),
        Feature("Temperature", "nominal", ("Cool", "Hot", "Mild")),
        Feature("Humidity", "nominal", ("High", "Normal")),
        Feature("Wind", "nominal", ("Strong", "Weak")),
    )
    target = Target("classes", ("PlayTennis",), (("No", "Yes"),))
    ask = NodeKind.MULTIWAY
    wind = Node([2, 3], ask, 3, children=[Node([2, 0]), Node([0, 3])], impurity=0.971)
    humid = Node([3, 2], ask, 2, children=[Node([3, 0]), Node([0, 2])], impurity=0.971)
    root = Node([5, 9], ask, 0, children=[Node([0, 4]), wind, humid], impurity=0.940)
    settings = {"criterion": "entropy", "max_depth": None}
    tree = build(root, target)
    return Model(Schema(features, target), (tree,), "id3", settings, missing="error")


TENNIS_ROWS = {  # codes in the order of the features, then the answer
    (2, 1, 0, 1): "No",
    (2, 1, 1, 1): "Yes",
    (0, 1, 0, 0): "Yes",
    (1, 2, 0, 1): "Yes",
    (1, 2, 0, 0): "No",
}


def cart() -> Model:
    """Two cuts on numbers, three classes, a leaf with an error, a learned direction."""
    features = (Feature("petal length", "numeric"), Feature("petal width", "numeric"))
    classes = ("setosa", "versicolor", "virginica")
    target = Target("classes", ("species",), (classes,))
    deep = Node(
        [0, 50, 50],
        NodeKind.CUT,
        1,
        1.75,
        missing=0,
        impurity=0.5,
        gain=0.3897,
        children=[
            Node([0, 49, 5], impurity=0.168, reason=Reason.MAX_DEPTH),
            Node([0, 1, 45], impurity=0.0425, reason=Reason.MIN_SAMPLES_LEAF),
        ],
    )
    root = Node(
        [50, 50, 50],
        NodeKind.CUT,
        0,
        2.45,
        children=[Node([50, 0, 0]), deep],
        missing=1,
        impurity=0.6667,
        gain=0.3333,
    )
    settings = {"criterion": "gini", "max_depth": 2, "min_impurity": 0.0}
    return Model(Schema(features, target), (build(root, target),), "cart", settings)


def regression() -> Model:
    """One cut on horsepower; prices."""
    features = (Feature("PS", "numeric"), Feature("blau", "nominal", ("ja", "nein")))
    target = Target("numbers", ("price",), ((),))
    left = Node([9.5], impurity=2.25, weight=3, reason=Reason.MIN_SAMPLES_SPLIT)
    right = Node([120.0], weight=2, reason=Reason.PURE)
    root = Node(
        [53.7],
        NodeKind.CUT,
        0,
        195.0,
        children=[left, right],
        missing=0,
        weight=5,
        impurity=2931.81,
        gain=2930.46,
    )
    settings = {"criterion": "squared_error"}
    return Model(Schema(features, target), (build(root, target),), "cart", settings)


def subsets() -> Model:
    """A set of colours, an ordinal size, a branch of its own for a missing age."""
    features = (
        Feature("colour", "nominal", ("red", "green", "blue", "grey")),
        Feature("size", "ordinal", ("small", "medium", "large")),
        Feature("age", "numeric"),
    )
    target = Target("classes", ("fits",), ((False, True),))
    age = Node(
        [2, 3],
        NodeKind.CUT,
        2,
        0.3815,
        missing=2,
        children=[Node([2, 0]), Node([0, 2]), Node([0, 1])],
    )
    known = Node(
        [1, 2], NodeKind.KNOWN, 0, children=[Node([1, 0]), Node([0, 2])], missing=1
    )
    order = Node([3, 5], NodeKind.ORDER, 1, 1.0, children=[age, known], missing=-1)
    single = Node(
        [4, 1],
        NodeKind.SUBSET,
        0,
        codes=[1],
        children=[
            Node([4, 0]),
            Node([0, 1], reason=Reason.NO_FEATURE_LEFT),
        ],
    )
    root = Node([7, 6], NodeKind.SUBSET, 0, codes=[0, 2], children=[order, single])
    return Model(Schema(features, target), (build(root, target),), "cart")


def groups() -> Model:
    """Groups of colours: one without rows, and a branch of its own for missing ones."""
    features = (
        Feature("colour", "nominal", ("red", "green", "blue", "grey")),
        Feature("shape", "nominal", ("round", "square", "flat")),
    )
    target = Target("classes", ("fits",), ((False, True),))
    shape = Node(
        [1, 4],
        NodeKind.GROUPS,
        1,
        codes=[1, 0, 1],
        missing=2,
        children=[Node([0, 2]), Node([0, 2]), Node([1, 0])],
    )
    nothing = Node([0, 0], label=[0], reason=Reason.EMPTY)
    root = Node(
        [5, 4],
        NodeKind.GROUPS,
        0,
        codes=[0, 1, 0, 2],
        missing=-2,
        children=[shape, Node([4, 0]), nothing],
    )
    settings = {"criterion": "gain_ratio", "grouping": "c45"}
    return Model(Schema(features, target), (build(root, target),), "c45", settings)


BIG = 2**60 + 1


def wide() -> Model:
    """Cuts that float64 would round: integers above 2^53, dates, spans."""
    features = (
        Feature("id", "numeric", (), "int64", np.array([-5, BIG], np.int64)),
        Feature("seen", "numeric", (), "datetime64[us]", _micros("2026-01-31T12:30")),
        Feature("hash", "numeric", (), "uint64", np.array([2**64 - 2], np.uint64)),
        Feature("lag", "numeric", (), "timedelta64[s]", np.array([90], np.int64)),
        Feature("never", "numeric", (), "int64", None),
    )
    target = Target("classes", ("y",), (("a", "b"),))
    lag = Node([1, 1], NodeKind.CUT, 3, 0.0, children=[Node([1, 0]), Node([0, 1])])
    high = Node([1, 2], NodeKind.CUT, 2, 0.0, children=[lag, Node([0, 1])])
    seen = Node([2, 2], NodeKind.CUT, 1, 0.0, children=[Node([1, 0]), high])
    root = Node([3, 2], NodeKind.CUT, 0, 1.0, children=[seen, Node([1, 0])])
    return Model(Schema(features, target), (build(root, target),), "cart")


def several() -> Model:
    """Two outputs of classes, one of them numbers as labels."""
    features = (Feature("x", "numeric"),)
    target = Target("classes", ("colour", "grade"), (("blue", "red"), (1, 2, 3)))
    root = Node(
        [4, 2, 3, 2, 1],
        NodeKind.CUT,
        0,
        0.5,
        children=[
            Node([3, 0, 3, 0, 0]),
            Node([1, 2, 0, 2, 1], reason=Reason.MAX_DEPTH),
        ],
        missing=0,
    )
    return Model(Schema(features, target), (build(root, target),), "cart")


def several_numbers() -> Model:
    """Two outputs of numbers."""
    features = (Feature("x", "numeric"),)
    target = Target("numbers", ("height", "width"), ((), ()))
    root = Node(
        [1.5, -2.0],
        NodeKind.CUT,
        0,
        0.5,
        children=[Node([1.0, -2.5]), Node([2.0, -1.5])],
        weight=2,
        impurity=0.25,
    )
    return Model(Schema(features, target), (build(root, target),), "cart")


def leaf_only() -> Model:
    """A single leaf: one class."""
    target = Target("classes", ("y",), (("only",),))
    tree = build(Node([3]), target)
    return Model(Schema((Feature("x", "numeric"),), target), (tree,), "cart")


def empty_branch() -> Model:
    """A leaf that no training row reached."""
    features = (Feature("HP", "nominal", ("hoch", "mittel", "niedrig")),)
    target = Target("classes", ("move",), (("angreifen", "heilen"),))
    nothing = Node([0, 0], label=[0], reason=Reason.EMPTY)
    root = Node(
        [3, 1],
        NodeKind.MULTIWAY,
        0,
        children=[Node([3, 0]), nothing, Node([0, 1])],
    )
    return Model(Schema(features, target), (build(root, target),), "id3")


def unclassified() -> Model:
    """A leaf that no training row reached and that gives no class."""
    features = (Feature("HP", "nominal", ("hoch", "mittel", "niedrig")),)
    target = Target("classes", ("move",), (("angreifen", "heilen"),))
    nothing = Node([0, 0], label=[-1], reason=Reason.EMPTY)
    root = Node(
        [3, 1],
        NodeKind.MULTIWAY,
        0,
        children=[Node([3, 0]), nothing, Node([0, 1])],
    )
    return Model(Schema(features, target), (build(root, target),), "id3")


def chain(n_levels: int) -> Model:
    """A tree that is `n_levels` deep: at each level one row leaves to a leaf."""
    n_nodes = 2 * n_levels + 1
    node = np.arange(n_nodes)
    inner = (node % 2 == 0) & (node < n_nodes - 1)
    rows = np.where(node % 2 == 1, 1, n_levels + 1 - node // 2)
    value = np.zeros((n_nodes, 2))
    value[:, 1] = rows
    target = Target("classes", ("y",), (("a", "b"),))
    tree = Tree(
        kind=np.where(inner, NodeKind.CUT, NodeKind.LEAF).astype(np.uint8),
        feature=np.where(inner, 0, -1).astype(np.int32),
        threshold=np.where(inner, node / 2.0, np.nan),
        first_child=np.where(inner, node + 1, -1).astype(np.int32),
        n_children=np.where(inner, 2, 0).astype(np.int32),
        missing_branch=np.where(inner, 1, -1).astype(np.int32),
        set_start=np.zeros(n_nodes + 1, np.int64),
        set_codes=np.zeros(0, np.int32),
        value=value,
        label=np.ones((n_nodes, 1), np.int32),
        n_rows=rows.astype(np.int64),
        weight=rows.astype(np.float64),
        impurity=np.zeros(n_nodes),
        gain=np.zeros(n_nodes),
        reason=np.where(inner, Reason.NONE, Reason.PURE).astype(np.uint8),
    )
    return Model(Schema((Feature("x", "numeric"),), target), (tree,), "cart")


ALL = {
    made.__name__: made
    for made in (
        tennis,
        cart,
        regression,
        subsets,
        groups,
        wide,
        several,
        several_numbers,
        leaf_only,
        empty_branch,
        unclassified,
    )
}


def _micros(text: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.array([text], "datetime64[us]").view(np.int64)
