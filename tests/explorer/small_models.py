"""The two trees that most tests of the page look at, and a large one."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.datasets import load_iris

import treewright as tw
from treewright.learners.explored import page_parts
from treewright.render.explorer import PageParts


def tennis() -> tuple[Any, PageParts]:
    """ID3's tree of the tennis table, with all that a page can have."""
    table, labels = tw.datasets.tennis()
    model = tw.ID3Classifier().fit(table, labels)
    return model.model_, page_parts(model.model_, table, labels, embedded=14)


def iris_table() -> tuple[dict[str, list[float]], list[str]]:
    data = load_iris()
    names = ["sepal length", "sepal width", "petal length", "petal width"]
    table = {name: data.data[:, k].tolist() for k, name in enumerate(names)}
    return table, [str(data.target_names[code]) for code in data.target]


def iris() -> tuple[Any, PageParts]:
    """A CART tree by gini, with its rows."""
    table, labels = iris_table()
    model = tw.CARTClassifier().fit(table, labels)
    return model, page_parts(model.model_, table, labels, embedded=150)


def noise(n_leaves: int, n_rows: int = 3000) -> Any:
    """A large tree that means nothing."""
    random = np.random.default_rng(0)
    table = random.normal(size=(n_rows, 5))
    labels = random.integers(0, 2, n_rows)
    return tw.CARTClassifier(max_leaf_nodes=n_leaves).fit(table, labels)
