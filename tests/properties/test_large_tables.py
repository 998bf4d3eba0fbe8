"""Laws of trees on tables that need many batches and many nodes of the source."""

from __future__ import annotations

import numpy as np
import pytest

from treewright.data.encoding.encode import encode
from treewright.learners.dialects.cart import CART
from treewright.learners.recipe import grow_tree
from treewright.tree.structure.tree import NodeKind, Reason

pytestmark = pytest.mark.slow

N_ROWS = 30_000


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(11)
    letters = np.array(list("abcdefghijkl"), object)
    columns = {
        "wide": random.normal(size=N_ROWS),
        "few": random.integers(0, 9, N_ROWS).astype(float),
        "some": random.normal(size=N_ROWS).round(2),
        "letter": random.choice(letters, N_ROWS),
        "gaps": random.normal(size=N_ROWS).round(1),
    }
    columns["gaps"][random.random(N_ROWS) < 0.2] = np.nan
    columns["letter"][random.random(N_ROWS) < 0.1] = None
    return columns


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("missing", ["own_branch", "majority"])
@pytest.mark.parametrize("nominal", ["subset", "multiway"])
def test_every_leaf_holds_its_rows(table, nominal, missing, n_jobs):
    random = np.random.default_rng(12)
    y = random.integers(0, 3, N_ROWS)
    dialect = CART.change(nominal_splits=nominal, missing=missing, criterion="entropy")
    model = grow_tree(encode(table, y, task="classes"), dialect, n_jobs=n_jobs)
    tree = model.trees[0]
    ends = model.apply(table)
    leaves = np.flatnonzero(tree.kind == NodeKind.LEAF)
    assert len(leaves) > 4096
    held = np.zeros((tree.node_count, 3))
    np.add.at(held, (ends, y), 1.0)
    assert (held[leaves] == tree.class_weights()[leaves]).all()
    assert held.sum() == held[leaves].sum()
    # rows that can be told apart have been
    assert set(np.unique(tree.reason[leaves])) <= {
        Reason.PURE,
        Reason.EMPTY,
        Reason.NO_SPLIT,
    }
    if missing == "own_branch":
        assert (model.predict(table) == y).all()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_every_leaf_answers_with_its_rows(table, criterion, weighted):
    random = np.random.default_rng(13)
    # medians take their time
    n_rows = N_ROWS if criterion == "squared_error" else N_ROWS // 5
    table = {name: values[:n_rows] for name, values in table.items()}
    y = random.normal(size=n_rows) + 100.0
    weights = random.random(n_rows) + 0.1 if weighted else None
    dialect = CART.change(criterion=criterion, min_samples_leaf=7)
    columns = encode(table, y, task="numbers", sample_weight=weights)
    model = grow_tree(columns, dialect)
    tree = model.trees[0]
    ends = model.apply(table)
    reached = np.bincount(ends, minlength=tree.node_count)
    leaves = np.flatnonzero(tree.kind == NodeKind.LEAF)
    assert (reached[leaves] == tree.n_rows[leaves]).all()
    assert (reached[leaves] >= 7).all()
    sums = np.bincount(ends, weights, minlength=tree.node_count)
    np.testing.assert_allclose(sums[leaves], tree.weight[leaves])
    if criterion == "squared_error":
        products = y if weights is None else y * weights
        means = np.bincount(ends, products, minlength=tree.node_count)[leaves]
        np.testing.assert_allclose(means / sums[leaves], tree.value[leaves, 0])
    elif weights is None:
        for leaf in leaves[:200].tolist():
            wanted = np.median(y[ends == leaf])
            assert tree.value[leaf, 0] == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("n_values", [254, 255, 256, 257, 65_535, 65_536, 65_537])
def test_codes_of_every_size(n_values):
    # the codes are the smallest integers that hold one more, for missing values
    x = np.arange(n_values + 1, dtype=float)
    x[-1] = np.nan
    y = np.where(x < 100, "low", np.where(x >= n_values - 3, "high", "middle"))
    y[-1] = "none"
    dialect = CART.change(missing="own_branch")
    model = grow_tree(encode({"x": x}, y, task="classes"), dialect)
    assert model.trees[0].n_leaves == 4
    assert (model.predict({"x": x}) == y).all()
