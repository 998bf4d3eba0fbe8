"""The same table in every form gives the same codes."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

from refusals import refused
from treewright.data import encode
from treewright.errors import DataError, DataTypeError

ROWS = [["a", 1.5], ["b", 0.5], ["a", 0.0]]
NAMES = ["name", "size"]
Y = ["p", "q", "q"]


def column_dict():
    return {name: [row[k] for row in ROWS] for k, name in enumerate(NAMES)}


def arrow():
    return pytest.importorskip("pyarrow").table(column_dict())


NAMED = {
    "pandas": lambda: pd.DataFrame(column_dict()),
    "polars": lambda: pl.DataFrame(column_dict()),
    "arrow": arrow,
    "dict": column_dict,
    "dict of series": lambda: {k: pl.Series(v) for k, v in column_dict().items()},
    "list of dicts": lambda: [dict(zip(NAMES, row, strict=True)) for row in ROWS],
    "structured": lambda: np.array(
        [tuple(row) for row in ROWS], dtype=[("name", "U1"), ("size", "f8")]
    ),
}
UNNAMED = {
    "object array": lambda: np.array(ROWS, dtype=object),
    "list of lists": lambda: ROWS,
    "tuple of tuples": lambda: tuple(map(tuple, ROWS)),
}


@pytest.mark.parametrize("form", NAMED | UNNAMED)
def test_every_form_gives_the_same_codes(form):
    columns = encode((NAMED | UNNAMED)[form](), Y, task="classes")
    names = ("name", "size") if form in NAMED else ("x0", "x1")
    assert columns.schema.names == names
    assert [feature.kind for feature in columns.schema.features] == [
        "nominal",
        "numeric",
    ]
    assert columns.schema.features[0].categories == ("a", "b")
    assert columns.features[0].codes.tolist() == [0, 1, 0]
    assert columns.features[1].values.tolist() == [0.0, 0.5, 1.5]
    assert columns.features[1].codes.tolist() == [2, 1, 0]


@pytest.mark.parametrize("form", ["csr", "csc", "dok", "lil"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_sparse_equals_dense(form, kind):
    dense = np.array([[0.0, 2.0], [1.0, 0.0], [0.0, 0.0]])
    sparse = getattr(scipy.sparse, f"{form}_{kind}")(dense)
    for one, other in zip(
        encode(sparse, Y, task="classes").features,
        encode(dense, Y, task="classes").features,
        strict=True,
    ):
        assert one.codes.tolist() == other.codes.tolist()
        assert one.values.tolist() == other.values.tolist()


def test_sparse_with_repeated_entries_is_summed_and_left_as_it_was():
    sparse = scipy.sparse.csc_array(
        (np.array([1.0, 2.0]), np.array([0, 0]), np.array([0, 2])), shape=(2, 1)
    )
    columns = encode(sparse, [0, 1], task="classes")
    assert columns.features[0].values.tolist() == [0.0, 3.0]
    assert sparse.nnz == 2


def test_integer_column_names_become_text():
    frame = pd.DataFrame([[1.0, 2.0], [3.0, 4.0]])
    assert encode(frame, [0, 1], task="classes").schema.names == ("0", "1")


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["b", "a"]).array,
        pd.Index(["b", "a"]),
        pd.Categorical(["b", "a"], ["a", "b"]),
        iter(["b", "a"]),
    ],
)
def test_columns_without_a_frame_are_read(column):
    columns = encode({"f": [1, 2]}, column, task="classes")
    assert columns.schema.target.classes == (("a", "b"),)
    assert columns.target.ravel().tolist() == [1, 0]


def test_arrow_arrays_and_batches_are_read():
    pa = pytest.importorskip("pyarrow")
    batch = pa.record_batch({"f": [1.5, 0.5]})
    columns = encode(batch, pa.array(["b", "a"]), task="classes")
    assert columns.schema.names == ("f",)
    assert columns.target.ravel().tolist() == [1, 0]


@pytest.mark.parametrize(
    "series_of", [pd.Series, partial(pd.Series, dtype=object), pl.Series]
)
def test_long_text_columns_equal_short_ones(series_of):
    cells = [f"v{k % 7}" if k % 11 else None for k in range(12_000)]
    series = series_of(cells)
    columns = encode({"f": series}, [0] * len(cells), task="classes")
    assert columns.schema.features[0].categories == tuple(f"v{k}" for k in range(7))
    expected = [k % 7 if k % 11 else 7 for k in range(12_000)]
    assert columns.features[0].codes.tolist() == expected
    empty = pl.Series([None] * 12_000, dtype=pl.String)
    columns = encode({"f": empty}, [0] * len(empty), task="classes")
    assert columns.features[0].n_codes == 0


def test_pandas_types_without_a_common_name_are_read():
    sparse = pd.Series(pd.arrays.SparseArray([0.0, 1.5]))
    columns = encode({"f": sparse}, [0, 1], task="classes")
    assert columns.features[0].values.tolist() == [0.0, 1.5]
    with refused(DataTypeError, "'f'", "complex128"):
        encode(pd.DataFrame({"f": [1j, 2j]}), [0, 1], task="classes")


def test_array_like_columns_are_read():
    class ArrayLike:
        columns = ("not", "a", "frame")

        def __array__(self, dtype=None, copy=None):
            return np.array([1.0, 2.0], dtype=dtype)

    columns = encode({"f": ArrayLike()}, [0, 1], task="classes")
    assert columns.features[0].values.tolist() == [1.0, 2.0]
    with refused(DataError, "1 dimension", "X.reshape(-1, 1)"):
        encode(ArrayLike(), [0, 1], task="classes")


def test_array_like_objects_are_read():
    class ArrayLike:
        def __array__(self, dtype=None, copy=None):
            return np.array([[1.0], [2.0]], dtype=dtype)

    columns = encode(ArrayLike(), [0, 1], task="classes")
    assert columns.features[0].values.tolist() == [1.0, 2.0]


def test_the_callers_table_is_not_changed():
    table = np.array([[3.0, np.nan], [-0.0, 1.0]])
    before = table.tobytes()
    encode(table, [0, 1], task="classes", sample_weight=[1, 0])
    assert table.tobytes() == before
