"""Sparse matrices of every format, and those that cannot be taken."""

import dataclasses

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.tree import DecisionTreeClassifier

from refusals import refused
from treewright import (
    C45Classifier,
    CAL2Classifier,
    CAL3Classifier,
    CARTClassifier,
    ExtraTreesClassifier,
    ID3Classifier,
    RandomForestClassifier,
)
from treewright.data.sparse import sparse_cells, sparse_table
from treewright.data.sparse.sparse_columns import SparseBlock
from treewright.errors import DataError


@pytest.fixture
def nothing_is_small(monkeypatch):
    monkeypatch.setattr(sparse_table, "SMALL_CELLS", 0)


@pytest.fixture
def table():
    rng = np.random.default_rng(7)
    X = rng.integers(-1, 4, (40, 6)) * (rng.random((40, 6)) < 0.4)
    return X.astype(float), rng.integers(0, 3, 40)


def grown(X, y):
    return CARTClassifier().fit(X, y).model_.fingerprint()


@pytest.mark.usefixtures("nothing_is_small")
@pytest.mark.parametrize("form", ["csr", "csc", "lil", "coo", "dok", "dia", "bsr"])
@pytest.mark.parametrize("kind", ["matrix", "array"])
def test_every_format(table, form, kind):
    X, y = table
    made = getattr(sp, f"{form}_{kind}")(X)
    assert grown(made, y) == grown(X, y)
    model = CARTClassifier().fit(X, y)
    assert (model.predict(made) == model.predict(X)).all()


@pytest.mark.usefixtures("nothing_is_small")
def test_explicit_zeros_duplicates_and_unsorted_indices(table):
    X, y = table
    row, column = np.nonzero(np.ones_like(X))
    half = X[row, column] / 2
    both = np.concatenate
    order = np.random.default_rng(1).permutation(2 * len(row))
    parts = (both([half, half])[order], (both([row, row]), both([column, column])))
    made = sp.coo_matrix(
        (parts[0], (parts[1][0][order], parts[1][1][order])), shape=X.shape
    )
    assert made.nnz == 2 * X.size
    assert grown(made, y) == grown(X, y)
    messy = sp.csr_matrix(X)
    messy.indices, messy.indptr = (
        messy.indices.astype(np.int64),
        messy.indptr.astype(np.int64),
    )
    for first, stop in zip(messy.indptr[:-1], messy.indptr[1:], strict=True):
        messy.indices[first:stop] = messy.indices[first:stop][::-1].copy()
        messy.data[first:stop] = messy.data[first:stop][::-1].copy()
    messy.has_sorted_indices = False
    before = messy.copy()
    assert grown(messy, y) == grown(X, y)
    assert (messy.indices == before.indices).all()  # the caller's matrix is left alone


@pytest.mark.usefixtures("nothing_is_small")
def test_rows_and_columns_without_any_entry(table):
    X, y = table
    X[:, 2] = 0
    X[5] = 0
    assert grown(sp.csr_matrix(X), y) == grown(X, y)
    nothing = CARTClassifier().fit(sp.csr_matrix((4, 3)), [0, 1, 1, 1])
    assert nothing.predict(sp.csr_matrix((2, 3))).tolist() == [1, 1]


@pytest.mark.usefixtures("nothing_is_small")
def test_missing_values_make_a_small_matrix_dense(table):
    X, y = table
    X[3, 1] = np.nan
    assert grown(sp.csr_matrix(X), y) == grown(X, y)


@pytest.mark.usefixtures("nothing_is_small")
def test_rows_of_weight_zero_are_as_if_they_were_not_there(table):
    X, y = table
    weight = np.arange(40) % 3 > 0
    model = CARTClassifier().fit(sp.csr_matrix(X), y, sample_weight=weight).model_
    assert model.fingerprint() == grown(X[weight], y[weight])


def large(dtype=float):
    rng = np.random.default_rng(0)
    return sp.random(3000, 40_000, 0.001, format="csr", rng=rng).astype(dtype)


@pytest.mark.slow
def test_large_tables_stay_sparse():
    X = large()
    y = np.asarray(X[:, :20_000].sum(axis=1)).ravel() > 10
    tree = CARTClassifier(max_depth=5).fit(X, y)
    assert tree.predict(X).shape == (3000,)
    forest = RandomForestClassifier(n_estimators=2, max_depth=3).fit(X, y)
    assert forest.predict_proba(X).shape == (3000, 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [
        C45Classifier(),
        ExtraTreesClassifier(n_estimators=1),
        CARTClassifier(missing="surrogates"),
    ],
    ids=str,
)
def test_what_needs_a_dense_table_says_so(estimator):
    with refused(DataError, "dense", "3,000 rows x 40,000 columns"):
        estimator.fit(large(), np.arange(3000) % 2)


def test_large_matrices_with_missing_values_or_truth_values():
    X = large()
    X.data[3] = np.nan
    with refused(DataError, "'x1655'", "row 0", "missing"):
        CARTClassifier().fit(X, np.arange(3000) % 2)
    with refused(DataError, "3,000 x 40,000", "X.astype(float)"):
        CARTClassifier().fit(large(bool), np.arange(3000) % 2)


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_whole_numbers_are_exact_or_refused(kind):
    X = sp.lil_matrix((400, 1000), dtype=kind)
    X[3, 7] = 2**53 - 1
    assert CARTClassifier().fit(X, np.arange(400) % 2).predict(X).shape == (400,)
    X[5, 9] = 2**53 + 1
    with refused(DataError, "'x9'", 2**53 + 1, "row 5", "2**53"):
        CARTClassifier().fit(X, np.arange(400) % 2)
    one = sp.coo_matrix(
        ([2**53 - 1, 1], ([0, 0], [1, 1])), shape=(400, 1000), dtype=kind
    )
    with refused(DataError, "'x1'", "row 0", "2**53"):
        CARTClassifier().fit(one, np.arange(400) % 2)


def test_more_columns_than_can_be_are_refused_before_any_work():
    X = sp.coo_matrix(([1.0], ([0], [2**31])), shape=(4, 2**31 + 10))
    with refused(DataError, "2,147,483,658 columns", "5,000,000"):
        CARTClassifier().fit(X, [0, 1, 0, 1])


@pytest.mark.usefixtures("nothing_is_small")
@pytest.mark.parametrize(
    "estimator", [CAL2Classifier(), CAL3Classifier(), ID3Classifier()]
)
def test_learners_of_categories_say_what_to_do_with_sparse_tables(table, estimator):
    with refused(DataError, type(estimator).__name__, "categories", "CARTClassifier"):
        estimator.fit(sp.csr_matrix(table[0]), table[1])


@pytest.mark.usefixtures("nothing_is_small")
def test_class_weight_of_zero_leaves_rows_out(table):
    X, y = table
    tree = CARTClassifier(class_weight={0: 1, 1: 2, 2: 0}).fit(sp.csr_matrix(X), y)
    dense = CARTClassifier(class_weight={0: 1, 1: 2, 2: 0}).fit(X, y)
    assert tree.model_.fingerprint() == dense.model_.fingerprint()


def test_a_sparse_column_has_no_parts_to_be_replaced(table):
    block = SparseBlock.of_entries(
        np.array([0]), np.array([1]), np.array([2.0]), (3, 1)
    )
    with pytest.raises(TypeError):
        dataclasses.replace(block.columns()[0], values=None)


def test_no_columns_and_another_width(table):
    X, y = table
    with refused(DataError, "0 feature(s)", "(shape=(40, 0))", "CARTClassifier"):
        CARTClassifier().fit(sp.csr_matrix((40, 0)), y)
    model = CARTClassifier().fit(X, y)
    with refused(DataError, "CARTClassifier", "5 features", "6 features"):
        model.predict(sp.csr_matrix((40, 5)))


@pytest.mark.usefixtures("nothing_is_small")
def test_cells_of_single_rows(monkeypatch, table):
    X, _ = table
    cells = sparse_table.read_sparse(sp.csr_matrix(X)).cells()
    assert (np.asarray(cells) == X).all()
    assert (np.asarray(cells[[4, 2, 4]]) == X[[4, 2, 4]]).all()
    assert (cells[[1, 2], [0, 3]] == X[[1, 2], [0, 3]]).all()
    assert (cells.only(np.array([1, 4])) == X[:, [1, 4]]).all()
    monkeypatch.setattr(sparse_cells, "BLOCK_CELLS", 14)
    assert (np.concatenate([block.copy() for block in cells.blocks()]) == X).all()


@pytest.mark.usefixtures("nothing_is_small")
@pytest.mark.parametrize("depth", [1, 3, None])
def test_trees_are_as_good_as_those_of_scikit_learn(depth):
    # which of equal splits is taken differs, so what is compared are errors
    rng = np.random.default_rng(11)
    X = sp.random(400, 60, 0.15, format="csr", rng=rng)
    score = np.asarray(X[:, :3].sum(axis=1)).ravel() - X[:, [3]].toarray().ravel()
    y = (score > 0.1).astype(int) + (score > 0.8)
    ours = CARTClassifier(max_depth=depth).fit(X, y)
    theirs = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y)
    if depth is None:
        assert ours.score(X, y) == theirs.score(X, y) == 1.0
    else:  # no two cells are equal, so ties are rare this far up
        assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=0.01)
    if depth == 1:
        assert ours.tree_.feature[0] == theirs.tree_.feature[0]
