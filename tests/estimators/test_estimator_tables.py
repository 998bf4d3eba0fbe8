"""Tables of every sort through the estimators: odd values, odd dtypes, weights."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from refusals import refused
from treewright import CARTClassifier, CARTRegressor, ID3Classifier, TreeClassifier
from treewright.errors import DataError, DataTypeError, TreewrightError

BIG = 2**53


def draw(n_rows: int = 60, n_columns: int = 4, seed: int = 0):
    """Return small whole numbers, which every dtype below holds, and two classes."""
    random = np.random.default_rng(seed)
    X = random.integers(0, 12, (n_rows, n_columns)).astype(float)
    noise = random.normal(0, 3, n_rows)
    return X, (X[:, 0] + X[:, 1] + noise > 11).astype(int)


def fingerprint(X, y, **weights) -> str:
    return CARTClassifier().fit(X, y, **weights).fingerprint()


REFUSED = {
    "no rows": ((np.empty((0, 3)), []), DataError, ["0 rows"]),
    "no columns": (
        (np.empty((3, 0)), [0, 1, 1]),
        DataError,
        ["0 feature(s)", "(shape=(3, 0))", "CARTClassifier"],
    ),
    "no target": (([[1], [2]], None), DataError, ["CARTClassifier", "y", None]),
    "one dimension": (
        (np.arange(3.0), [0, 1, 1]),
        DataError,
        ["2D", "1D", "X.reshape(-1, 1)", "X.reshape(1, -1)"],
    ),
    "complex numbers": (
        (np.array([[1j], [2j]]), [0, 1]),
        DataTypeError,
        ["complex128"],
    ),
    "another length": (([[1], [2]], [0, 1, 1]), DataError, ["2 rows", "target", 3]),
    "missing target": (
        ([[1], [2]], [0, None]),
        DataError,
        ["'target'", "row 1", "drop_missing_target=True"],
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_table_is_refused(case):
    (X, y), error, names = REFUSED[case]
    with refused(error, *names):
        CARTClassifier().fit(X, y)


def test_complex_numbers_are_also_a_value_error():
    with refused(ValueError, "complex128"):
        CARTRegressor().fit(np.array([[1j], [2j]]), [0.0, 1.0])


def test_other_number_of_columns_is_refused_at_prediction():
    tree = CARTClassifier().fit([[1, 2, 3, 4], [2, 3, 4, 5]], [0, 1])
    with refused(DataError, "CARTClassifier", "3 features", "4 features"):
        tree.predict(np.zeros((2, 3)))


def test_column_that_is_not_there_is_named_at_prediction():
    tree = CARTClassifier().fit({"a": [1, 2], "b": [3, 4]}, [0, 1])
    with refused(DataError, "1 column", "'b'"):
        tree.predict({"a": [1, 2]})


def test_unfitted_estimator_says_so():
    with refused(NotFittedError, "CARTClassifier", "'fit'"):
        CARTClassifier().predict([[1.0]])


@pytest.mark.parametrize(
    ("X", "y", "reason"),
    [
        ([[1, 2]], [1], "pure"),
        ([[1], [2]], ["a", "a"], "pure"),
        ([[1], [1]], ["a", "b"], "no feature separates the rows"),
    ],
)
def test_nothing_to_split_is_a_single_leaf(X, y, reason):
    tree = CARTClassifier().fit(X, y)
    assert tree.tree_.node_count == 1
    assert tree.get_depth() == 0
    assert reason in tree.to_text(width=None)
    assert tree.notes_ == (f"the tree is a single leaf: {reason}",)
    assert tree.predict(X).tolist() == [y[0]] * len(X)


@pytest.mark.parametrize(("missing", "answer"), [("majority", 1), ("own_branch", 0)])
def test_missing_values_are_used_by_the_rule(missing, answer):
    """The heavier branch is that of class 1; the missing row alone is of class 0."""
    X = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [np.nan]])
    tree = TreeClassifier(missing=missing, max_depth=1).fit(X, [0, 0, 1, 1, 1, 0])
    assert tree.predict(X).tolist() == [0, 0, 1, 1, 1, answer]


def test_missing_values_can_be_refused():
    with refused(DataError, "'x0'", "row 1", "missing='error'"):
        CARTClassifier(missing="error").fit([[1.0], [np.nan]], [0, 1])


def test_missing_values_are_refused_by_their_row_in_the_table():
    tree = CARTClassifier(missing="error", drop_missing_target=True)
    with refused(DataError, "'a'", "row 2", "missing='error'", "missing='own_branch'"):
        tree.fit({"a": [np.nan, 1.0, np.nan, 2.0]}, [None, 0, 1, 1])
    tree.fit({"a": [np.nan, 1.0, 2.0]}, [None, 0, 1])
    assert tree.tree_.n_rows[0] == 2


def test_column_without_values_changes_nothing():
    X, y = draw()
    empty = np.column_stack([X, np.full(len(X), np.nan)])
    tree, with_empty = CARTClassifier().fit(X, y), CARTClassifier().fit(empty, y)
    np.testing.assert_array_equal(tree.tree_.threshold, with_empty.tree_.threshold)
    assert any("all values are missing" in note for note in with_empty.notes_)


def test_infinite_values_are_extremes():
    X = np.array([[-np.inf], [0.0], [1.0], [np.inf]])
    tree = CARTClassifier().fit(X, [0, 1, 1, 2])
    assert tree.predict(X).tolist() == [0, 1, 1, 2]
    cuts = tree.tree_.threshold
    assert np.isfinite(cuts[tree.tree_.feature >= 0]).all()


@pytest.mark.parametrize(
    "values",
    [
        [1.0, np.nextafter(1.0, 2.0)],
        [5e-324, 1e-323],
        [-1e300, 1e300],
        [np.finfo(float).max, np.inf],
        [-0.5, 0.0],
    ],
)
def test_two_neighbouring_values_are_told_apart(values):
    X = np.array(values)[:, None]
    assert CARTClassifier().fit(X, [0, 1]).predict(X).tolist() == [0, 1]


def test_negative_zero_is_zero():
    X = np.array([[-0.0], [0.0], [1.0]])
    tree = CARTClassifier().fit(X, [0, 1, 1])
    assert tree.apply(X)[0] == tree.apply(X)[1]


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_integers_above_two_to_the_53_stay_exact(dtype):
    X = np.array([[BIG], [BIG + 1], [BIG + 2], [BIG + 3]], dtype)
    tree = CARTClassifier().fit(X, [0, 1, 0, 1])
    assert tree.predict(X).tolist() == [0, 1, 0, 1]
    assert str(BIG) in tree.to_text()


def as_memmap(X, folder):
    path = folder / "table.bin"
    X.tofile(path)
    return np.memmap(path, X.dtype, "r", shape=X.shape)


def read_only(X, _):
    copy = X.copy()
    copy.flags.writeable = False
    return copy


SAME_TABLE = {
    "uint64": lambda X, _: X.astype(np.uint64),
    "int8": lambda X, _: X.astype(np.int8),
    "float16": lambda X, _: X.astype(np.float16),
    "float32": lambda X, _: X.astype(np.float32),
    "big-endian": lambda X, _: X.astype(">f8"),
    "big-endian integers": lambda X, _: X.astype(">i4"),
    "Fortran order": lambda X, _: np.asfortranarray(X),
    "every other row": lambda X, _: np.repeat(X, 2, axis=0)[::2],
    "backwards twice": lambda X, _: X[::-1].copy()[::-1],
    "read-only": read_only,
    "memory-mapped": as_memmap,
    "objects": lambda X, _: X.astype(object),
    "list of rows": lambda X, _: X.tolist(),
    "sparse matrix": lambda X, _: sparse.csr_matrix(X),
    "sparse array": lambda X, _: sparse.coo_array(X),
}


@pytest.mark.parametrize("form", SAME_TABLE)
def test_same_values_in_any_form_give_the_same_tree(form, tmp_path):
    X, y = draw()
    other = SAME_TABLE[form](X, tmp_path)
    tree, twin = CARTClassifier().fit(X, y), CARTClassifier().fit(other, y)
    assert twin.fingerprint() == tree.fingerprint()
    np.testing.assert_array_equal(twin.predict_proba(other), tree.predict_proba(X))


def test_truth_values_split_like_zero_and_one():
    X, y = draw()
    truth = X > 5
    tree = CARTClassifier().fit(truth, y)
    twin = CARTClassifier().fit(truth.astype(float), y)
    assert tree.tree_.node_count == twin.tree_.node_count
    np.testing.assert_array_equal(
        tree.predict_proba(truth), twin.predict_proba(truth.astype(float))
    )


def test_weight_zero_is_no_row():
    X, y = draw()
    w = np.random.default_rng(1).integers(0, 3, len(X))
    kept = w > 0
    expected = CARTClassifier().fit(X[kept], y[kept], w[kept])
    assert fingerprint(X, y, sample_weight=w) == expected.fingerprint()


def test_weight_two_is_the_row_twice():
    X, y = draw()
    w = np.random.default_rng(1).integers(1, 4, len(X))
    weighted = CARTClassifier().fit(X, y, w)
    repeated = CARTClassifier().fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    assert weighted.fingerprint() == repeated.fingerprint()


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("power", [-900, -3, 2, 900])
def test_weights_times_a_power_of_two_give_the_same_tree(power, criterion):
    X, y = draw()
    w = np.random.default_rng(2).uniform(0.1, 1, len(X))
    tree = CARTClassifier(criterion=criterion).fit(X, y, w)
    scaled = CARTClassifier(criterion=criterion).fit(X, y, w * 2.0**power)
    np.testing.assert_array_equal(scaled.tree_.feature, tree.tree_.feature)
    np.testing.assert_array_equal(scaled.tree_.threshold, tree.tree_.threshold)
    np.testing.assert_array_equal(scaled.predict_proba(X), tree.predict_proba(X))


def test_weights_of_every_size_do_not_overflow():
    X, y = draw()
    w = 10.0 ** np.linspace(-300, 300, len(X))
    tree = CARTClassifier().fit(X, y, w)
    shares = tree.predict_proba(X)
    assert np.isfinite(shares).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)


@pytest.mark.parametrize(
    ("w", "names"),
    [
        ([1, -1], ["negative", "row 1"]),
        ([1, np.nan], ["missing", "row 1"]),
        ([1, np.inf], ["infinite", "row 1"]),
        ([0, 0], ["zero", "2 rows"]),
        ([[1], [1]], ["2 dimensions", "(2, 1)"]),
        ([1, 1, 1], ["3 values", "2 rows"]),
        (["a", "b"], ["numbers"]),
    ],
)
def test_wrong_weights_are_refused(w, names):
    with refused(TreewrightError, "sample_weight", *names):
        CARTClassifier().fit([[1], [2]], [0, 1], sample_weight=w)


def test_target_of_the_other_kind_is_refused_with_the_other_estimator():
    X, _ = draw()
    with refused(DataError, "'target'", 60, "CARTRegressor"):
        CARTClassifier().fit(X, np.linspace(0, 1, len(X)))
    with refused(DataError, "'target'", "'low'", "CARTClassifier"):
        CARTRegressor().fit(X, ["low", "high"] * 30)


def test_rows_without_a_target_can_be_left_out():
    tree = CARTRegressor(drop_missing_target=True)
    tree.fit([[1], [2], [3]], [1.0, np.nan, 3.0])
    assert tree.tree_.n_rows[0] == 2
    assert tree.notes_ == ("1 row without a target left out",)


def test_mixed_cells_are_text_unless_strict():
    table = {"a": ["1", 2, None, "b"]}
    tree = CARTClassifier().fit(table, [0, 1, 1, 0])
    assert "compared as text" in tree.notes_[0]
    with refused(TypeError, "'a'", "int, str", "strict=False"):
        CARTClassifier(strict=True).fit(table, [0, 1, 1, 0])


def test_unseen_categories_follow_the_rule_and_are_counted():
    table = {"sky": ["grey", "grey", "blue"]}
    tree = ID3Classifier().fit(table, ["rain", "rain", "sun"])
    new = {"sky": ["green", "blue", "blue "]}
    assert tree.predict(new).tolist() == ["rain", "sun", "rain"]
    [note] = tree.notes_on(new)
    assert note.startswith("feature 'sky': 2 rows have values not seen in training")
    assert "but for spaces around it" in note
    with refused(DataError, "'sky'", "'green'", "row 0", "unseen='missing'"):
        ID3Classifier(unseen="error").fit(table, [0, 0, 1]).predict(new)
