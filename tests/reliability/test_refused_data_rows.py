"""Data: what is refused when a tree is fitted, and what the refusal names."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from refusals import refused
from treewright import CARTClassifier, CARTRegressor, ID3Classifier
from treewright.errors import DataError, DataTypeError, TreewrightError

X = [[1.0], [2.0], [3.0], [4.0]]
Y = ["a", "a", "b", "b"]
TWO = [0, 1]


def classify(X, y, weights=None, **parameters):
    return lambda: CARTClassifier(**parameters).fit(X, y, weights)


def column(cells):
    return classify({"c": cells}, TWO)


def endless(dtype):
    """A table of 2^31 rows that takes no memory."""
    return np.broadcast_to(dtype(0), (2**31, 1))


REFUSED = {
    "row01-array": (classify(np.empty((0, 2)), []), DataError, "0 rows", "learn"),
    "row01-dict": (classify({"a": []}, []), DataError, "0 rows", "learn"),
    "row01-frame": (
        classify(pl.DataFrame({"a": []}), []),
        DataError,
        "0 rows",
        "learn",
    ),
    "row01-list": (classify([], []), DataError, "0 rows", "learn"),
    "row02-dict": (classify({}, TWO), DataError, "0 columns", "feature"),
    "row02-rows": (classify([[], []], TWO), DataError, "0 columns", "feature"),
    "row02-array": (
        classify(np.empty((2, 0)), TWO),
        DataError,
        *("0 feature(s)", "(2, 0)", "CARTClassifier"),
    ),
    "row04-missing-refused": (
        classify([[1], [np.nan], [3], [np.nan]], Y, missing="error"),
        DataError,
        *("feature 'x0'", "2 missing values", "row 1", "missing='error'"),
        *("missing='own_branch'", "'treewright missing'"),
    ),
    "row09-with-fractions": (
        column([2**60 + 1, 0.5]),
        DataError,
        *("column 'c'", "fractions", 2**60 + 1, "row 0", "float64"),
    ),
    "row09-beyond-64-bits": (
        column([1, 2**64]),
        DataError,
        *("column 'c'", 2**64, "row 1", "64 bits"),
    ),
    "row11-complex-table": (
        classify(np.array([[1j], [2]]), TWO),
        DataTypeError,
        *("table", "complex128"),
    ),
    "row11-complex": (
        column(np.array([1j, 2])),
        DataTypeError,
        *("column 'c'", "complex128"),
    ),
    "row11-complex-objects": (
        column([1j, 2]),
        DataTypeError,
        *("column 'c'", "complex numbers"),
    ),
    "row11-nested": (
        column([[1], [2]]),
        DataTypeError,
        *("column 'c'", "nested", "list", "row 0"),
    ),
    "row11-tuples": (
        column(["a", (1, 2)]),
        DataTypeError,
        *("column 'c'", "nested", "tuple", "row 1"),
    ),
    "row11-list-dtype": (
        classify(pl.DataFrame({"c": [[1], [2]]}), TWO),
        DataTypeError,
        *("column 'c'", "List(Int64)"),
    ),
    "row11-struct": (
        classify(pa.table({"c": [{"a": 1}, {"a": 2}]}), TWO),
        DataTypeError,
        *("column 'c'", "Struct({'a': Int64})"),
    ),
    "row11-time-of-day": (
        classify(pl.DataFrame({"c": [dt.time(1), dt.time(2)]}), TWO),
        DataTypeError,
        *("column 'c'", "dtype Time"),
    ),
    "row11-object": (
        column([object(), object()]),
        DataTypeError,
        *("column 'c'", "type object", "row 0"),
    ),
    "row14-strict": (
        classify({"c": ["a", 1, None, "b"]}, Y, strict=True),
        DataTypeError,
        *("feature 'c'", "int, str", "strict=False"),
    ),
    "row22-duplicate-names": (
        classify(pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), TWO),
        DataError,
        *("2 columns", "name 'a'", "columns 0, 1"),
    ),
    "row23-none": (
        classify(X, ["a", None, "b", "b"]),
        DataError,
        *("target 'target'", "1 missing value", "row 1", "drop_missing_target=True"),
    ),
    "row23-nan": (
        lambda: CARTRegressor().fit(X, [1, np.nan, 2, 3]),
        DataError,
        *("target 'target'", "1 missing value", "row 1", "drop_missing_target=True"),
    ),
    "row23-several": (
        classify(X, ["a", None, "b", None]),
        DataError,
        *("target 'target'", "2 missing values", "row 1", "drop_missing_target=True"),
    ),
    "row23-all": (
        classify(X, [None] * 4, drop_missing_target=True),
        DataError,
        *("0 rows", "target", "weight"),
    ),
    "row24-numbers-to-a-classifier": (
        classify(np.arange(30.0)[:, None], np.arange(30) / 7),
        DataError,
        *("target 'target'", "30 different", "30 rows", "CARTRegressor"),
    ),
    "row24-text-to-a-regressor": (
        lambda: CARTRegressor().fit(X, Y),
        DataError,
        *("target 'target'", "'a'", "row 0", "CARTClassifier"),
    ),
    "row26-lengths": (
        classify(X, Y[:3]),
        DataError,
        *("table", "4 rows", "target", 3),
    ),
    "row27-negative": (
        classify(X, Y, [1, 1, -1, 1]),
        DataError,
        *("sample_weight", "1 negative", "row 2"),
    ),
    "row27-nan": (
        classify(X, Y, [1, np.nan, 1, 1]),
        DataError,
        *("sample_weight", "1 missing", "row 1"),
    ),
    "row27-inf": (
        classify(X, Y, [np.inf, 1, 1, 1]),
        DataError,
        *("sample_weight", "1 infinite", "row 0"),
    ),
    "row27-zero": (
        classify(X, Y, [0, 0, 0, 0]),
        DataError,
        *("sample_weight", "zero", "4 rows"),
    ),
    "row27-two-dimensions": (
        classify(X, Y, [[1, 1, 1, 1]]),
        DataError,
        *("sample_weight", "2 dimensions", "(1, 4)"),
    ),
    "row27-length": (
        classify(X, Y, [1, 1]),
        DataError,
        *("sample_weight", "2 values", "4 rows"),
    ),
    "row27-text": (
        classify(X, Y, ["a", "b", "c", "d"]),
        DataTypeError,
        *("sample_weight", "numbers"),
    ),
    "row28-sum-too-large": (
        classify(X, Y, [1e308] * 4),
        DataError,
        *("weights", "1.8e308"),
    ),
    "row30-rows": (
        classify(endless(np.int8), TWO),
        DataError,
        *("2,147,483,648 rows", "2,147,483,647"),
    ),
    "row30-rows-of-id3": (
        lambda: ID3Classifier().fit(endless(np.float64), TWO),
        DataError,
        *("2,147,483,648 rows", "2,147,483,647"),
    ),
    "row32-sparse": (
        classify(sparse.csr_matrix((10**5, 10**4), dtype=bool), TWO),
        DataError,
        *("100,000 x 10,000 = 1,000,000,000", "bool", "100,000,000"),
        "X.astype(float)",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    fit, error, *names = REFUSED[case]
    with refused(error, *names) as refusal:
        fit()
    assert isinstance(refusal.value, TreewrightError)
    assert isinstance(refusal.value, ValueError | TypeError)


LEFT_OUT = {
    "row02-ignored": (
        ["a.csv", "--target", "y", "--ignore", "id,c,w"],
        "'id' (--ignore), 'c' (--ignore), 'w' (--ignore)",
    ),
    "row02-weights": (
        ["a.csv", "--target", "y", "--ignore", "id,c", "--weights", "w"],
        "'id' (--ignore), 'c' (--ignore), 'w' (--weights)",
    ),
    "row02-declared": (
        ["s"],
        "'colour' (declared as ignore), 'size' (declared as label)",
    ),
}


@pytest.mark.parametrize("case", LEFT_OUT)
def test_columns_that_were_left_out_are_named(case, run, write):
    words, named = LEFT_OUT[case]
    write("a.csv", "id,w,c,y\n1,1,u,a\n2,1,v,b\n")
    write("s.names", "yes, no.\ncolour: ignore.\nsize: label.\n")
    write("s.data", "red,1,yes\nblue,2,no\n")
    result = run("fit", *words)
    assert result.exit_code == 1
    assert result.stderr == (
        "treewright: 0 columns; at least 1 is needed besides the target; left out: "
        f"{named}; keep or add a feature\n"
    )
