"""A sparse matrix grows the same trees, to the last bit, as the dense one."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright import (
    AdaBoostClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treewright.data.sparse import sparse_cells, sparse_table
from treewright.sources import sparse as sparse_source

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _nothing_is_small(monkeypatch):
    monkeypatch.setattr(sparse_table, "SMALL_CELLS", 0)
    monkeypatch.setattr(sparse_cells, "FEW_CELLS", 0)
    monkeypatch.setattr(sparse_cells, "BLOCK_CELLS", 40)  # several blocks of rows


@st.composite
def tables(draw, task):
    n_rows = draw(st.integers(2, 40))
    n_columns = draw(st.integers(1, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lowest = draw(st.sampled_from([0, -2]))
    X = rng.integers(lowest, 4, (n_rows, n_columns)).astype(float)
    X *= rng.random(X.shape) < draw(st.sampled_from([0.1, 0.4, 1.0]))
    if draw(st.booleans()):
        X *= rng.random(X.shape)  # hardly two cells are equal
    y = rng.integers(0, draw(st.integers(2, 4)), n_rows)
    if task == "numbers" and draw(st.booleans()):
        y = rng.normal(size=n_rows)
    weight = draw(st.sampled_from([None, "whole", "broken"]))
    if weight == "whole":
        weight = rng.integers(1, 4, n_rows)
    elif weight == "broken":
        weight = rng.random(n_rows) + 0.01
    return X, y, weight


def same(estimator, X, y, weight=None):
    dense = estimator.fit(X, y, sample_weight=weight)
    prints, answers = dense.model_.fingerprint(), dense.predict(X)
    gains = [tree.gain.tolist() for tree in dense.model_.trees]
    for make in (sp.csr_matrix, sp.csc_array):
        sparse = estimator.fit(make(X), y, sample_weight=weight)
        assert sparse.model_.fingerprint() == prints
        assert [tree.gain.tolist() for tree in sparse.model_.trees] == gains
        assert (sparse.predict(make(X)) == answers).all()
        assert (sparse.predict(X) == answers).all()


SWITCHES = st.fixed_dictionaries(
    {},
    optional={
        "min_samples_leaf": st.integers(1, 4),
        "max_depth": st.integers(1, 3),
        "max_leaf_nodes": st.integers(2, 5),
        "ccp_alpha": st.sampled_from([0.0, 0.05]),
        "missing": st.sampled_from(["error", "own_branch", "majority", "learned"]),
    },
)


@settings(max_examples=150, deadline=None)
@given(tables("classes"), st.sampled_from(["gini", "entropy"]), SWITCHES)
def test_classes(table, criterion, switches):
    same(CARTClassifier(criterion=criterion, **switches), *table)


@settings(max_examples=100, deadline=None)
@given(tables("numbers"), SWITCHES)
def test_numbers(table, switches):
    same(CARTRegressor(**switches), *table)


@settings(max_examples=40, deadline=None)
@given(tables("classes"), tables("classes"))
def test_several_outputs(table, other):
    X, y, weight = table
    n_rows = min(len(X), len(other[0]))
    y = np.column_stack([y[:n_rows], other[1][:n_rows]])
    weight = None if weight is None else weight[:n_rows]
    same(CARTClassifier(), X[:n_rows], y, weight)
    same(CARTRegressor(), X[:n_rows], y, weight)


@settings(max_examples=40, deadline=None)
@given(tables("classes"), st.sampled_from([1, 0.5, None]))
def test_forests(table, max_features):
    X, y, weight = table
    forest = {"n_estimators": 5, "max_features": max_features, "random_state": 3}
    same(RandomForestClassifier(**forest), X, y, weight)
    same(RandomForestRegressor(**forest), X, y, weight)


@pytest.mark.parametrize(
    "estimator",
    [
        C45Classifier(),
        AdaBoostClassifier(n_estimators=3),
        CARTClassifier(pruning="reduced_error", validation_share=0.3),
        CARTClassifier(missing="surrogates"),
        CARTRegressor(criterion="absolute_error"),
    ],
    ids=str,
)
def test_what_needs_a_dense_table_gets_one(estimator):
    rng = np.random.default_rng(5)
    X = rng.integers(0, 3, (60, 6)) * (rng.random((60, 6)) < 0.4)
    same(estimator, X.astype(float), rng.integers(0, 3, 60))


def test_the_sparse_source_is_what_grows(monkeypatch):
    monkeypatch.setattr(sparse_source, "refuse_large", None)  # the other way
    CARTClassifier().fit(sp.csr_matrix(np.eye(4)), [0, 1, 0, 1])


def test_short_floats_and_integers_are_read_as_in_a_dense_table():
    rng = np.random.default_rng(2)
    X = rng.integers(0, 5, (50, 5)) * (rng.random((50, 5)) < 0.5)
    y = rng.integers(0, 2, 50)
    for dtype in (np.float32, np.int64, np.uint8):
        one = X.astype(dtype) / np.float32(7) if dtype is np.float32 else X
        same(CARTClassifier(), one.astype(dtype), y)
