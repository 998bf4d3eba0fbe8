"""Data: what is refused when a tree is fitted, word for word."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from treewright import CARTClassifier, CARTRegressor, ID3Classifier
from treewright.errors import DataError, DataTypeError, TreewrightError

X = [[1.0], [2.0], [3.0], [4.0]]
Y = ["a", "a", "b", "b"]
TWO = [0, 1]

NO_ROWS = "0 rows; at least 1 is needed: pass the rows to learn from"
NO_COLUMNS = "0 columns; at least 1 is needed; keep or add a feature"
UNUSABLE = (
    "column 'c' has {}, which a tree cannot use; turn it into numbers, dates or text, "
    "or leave it out"
)
MISSING_TARGET = (
    "the target 'target' has 1 missing value, first in row 1 (counted from 0); fill it "
    "in, or set drop_missing_target=True to leave this row out"
)
WRONG_WEIGHTS = (
    "sample_weight has {} value, first in row {} (counted from 0); give finite weights "
    "of 0 or more"
)
MANY_ROWS = (
    "2,147,483,648 rows; at most 2,147,483,647 can be learned from in memory: take a "
    "sample of the rows"
)


def classify(X, y, weights=None, **parameters):
    return lambda: CARTClassifier(**parameters).fit(X, y, weights)


def column(cells):
    return classify({"c": cells}, TWO)


def endless(dtype):
    """A table of 2^31 rows that takes no memory."""
    return np.broadcast_to(dtype(0), (2**31, 1))


REFUSED = {
    "row01-array": (classify(np.empty((0, 2)), []), DataError, NO_ROWS),
    "row01-dict": (classify({"a": []}, []), DataError, NO_ROWS),
    "row01-frame": (classify(pl.DataFrame({"a": []}), []), DataError, NO_ROWS),
    "row01-list": (classify([], []), DataError, NO_ROWS),
    "row02-dict": (classify({}, TWO), DataError, NO_COLUMNS),
    "row02-rows": (classify([[], []], TWO), DataError, NO_COLUMNS),
    "row02-array": (
        classify(np.empty((2, 0)), TWO),
        DataError,
        "Found array with 0 feature(s) (shape=(2, 0)) while a minimum of 1 is required "
        "by CARTClassifier: pass at least one column",
    ),
    "row04-missing-refused": (
        classify([[1], [np.nan], [3], [np.nan]], Y, missing="error"),
        DataError,
        "feature 'x0' has 2 missing values, first in row 1 (counted from 0); "
        "missing='error' refuses them: fill them in, or choose another way, for "
        "example missing='own_branch' ('treewright missing' compares them)",
    ),
    "row09-with-fractions": (
        column([2**60 + 1, 0.5]),
        DataError,
        "column 'c' mixes fractions with the integer 1152921504606846977 in row 0 "
        "(counted from 0), which float64 would round; use integers only, or turn the "
        "column into floats",
    ),
    "row09-beyond-64-bits": (
        column([1, 2**64]),
        DataError,
        "column 'c' has 18446744073709551616 in row 1 (counted from 0), which does not "
        "fit into 64 bits; divide the column, or turn it into floats or text",
    ),
    "row11-complex-table": (
        classify(np.array([[1j], [2]]), TWO),
        DataTypeError,
        "Complex data not supported: the table has dtype complex128; pass the real and "
        "imaginary parts as columns of their own",
    ),
    "row11-complex": (
        column(np.array([1j, 2])),
        DataTypeError,
        UNUSABLE.format("dtype complex128"),
    ),
    "row11-complex-objects": (
        column([1j, 2]),
        DataTypeError,
        UNUSABLE.format("complex numbers"),
    ),
    "row11-nested": (
        column([[1], [2]]),
        DataTypeError,
        UNUSABLE.format("a nested value of type list in row 0 (counted from 0)"),
    ),
    "row11-tuples": (
        column(["a", (1, 2)]),
        DataTypeError,
        UNUSABLE.format("a nested value of type tuple in row 1 (counted from 0)"),
    ),
    "row11-list-dtype": (
        classify(pl.DataFrame({"c": [[1], [2]]}), TWO),
        DataTypeError,
        UNUSABLE.format("dtype List(Int64)"),
    ),
    "row11-struct": (
        classify(pa.table({"c": [{"a": 1}, {"a": 2}]}), TWO),
        DataTypeError,
        UNUSABLE.format("dtype Struct({'a': Int64})"),
    ),
    "row11-time-of-day": (
        classify(pl.DataFrame({"c": [dt.time(1), dt.time(2)]}), TWO),
        DataTypeError,
        UNUSABLE.format("dtype Time"),
    ),
    "row11-object": (
        column([object(), object()]),
        DataTypeError,
        UNUSABLE.format("an object of type object in row 0 (counted from 0)"),
    ),
    "row14-strict": (
        classify({"c": ["a", 1, None, "b"]}, Y, strict=True),
        DataTypeError,
        "feature 'c' mixes cells of the types int, str; convert them to one type, or "
        "set strict=False to compare them as text",
    ),
    "row22-duplicate-names": (
        classify(pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), TWO),
        DataError,
        "2 columns have the name 'a': columns 0, 1 (counted from 0); rename all but "
        "one",
    ),
    "row23-none": (classify(X, ["a", None, "b", "b"]), DataError, MISSING_TARGET),
    "row23-nan": (
        lambda: CARTRegressor().fit(X, [1, np.nan, 2, 3]),
        DataError,
        MISSING_TARGET,
    ),
    "row23-several": (
        classify(X, ["a", None, "b", None]),
        DataError,
        "the target 'target' has 2 missing values, first in row 1 (counted from 0); "
        "fill them in, or set drop_missing_target=True to leave these rows out",
    ),
    "row23-all": (
        classify(X, [None] * 4, drop_missing_target=True),
        DataError,
        "0 rows; at least 1 is needed: every row was left out, because its target is "
        "missing or its weight is 0",
    ),
    "row24-numbers-to-a-classifier": (
        classify(np.arange(30.0)[:, None], np.arange(30) / 7),
        DataError,
        "the target 'target' has 30 different values with fractions in 30 rows, which "
        "is continuous and no list of classes; use a regressor, for example "
        "CARTRegressor, or turn the values into text",
    ),
    "row24-text-to-a-regressor": (
        lambda: CARTRegressor().fit(X, Y),
        DataError,
        "the target 'target' holds 'a' in row 0 (counted from 0), which is no number; "
        "use a classifier, for example CARTClassifier, or convert the target",
    ),
    "row26-lengths": (
        classify(X, Y[:3]),
        DataError,
        "the table has 4 rows and the target has 3; give each row of the table one "
        "target value",
    ),
    "row27-negative": (
        classify(X, Y, [1, 1, -1, 1]),
        DataError,
        WRONG_WEIGHTS.format("1 negative", 2),
    ),
    "row27-nan": (
        classify(X, Y, [1, np.nan, 1, 1]),
        DataError,
        WRONG_WEIGHTS.format("1 missing", 1),
    ),
    "row27-inf": (
        classify(X, Y, [np.inf, 1, 1, 1]),
        DataError,
        WRONG_WEIGHTS.format("1 infinite", 0),
    ),
    "row27-zero": (
        classify(X, Y, [0, 0, 0, 0]),
        DataError,
        "sample_weight is zero for all 4 rows; at least 1 row needs a weight above 0",
    ),
    "row27-two-dimensions": (
        classify(X, Y, [[1, 1, 1, 1]]),
        DataError,
        "sample_weight has 2 dimensions, shape (1, 4); 1 is needed: give one number "
        "per row",
    ),
    "row27-length": (
        classify(X, Y, [1, 1]),
        DataError,
        "sample_weight has 2 values and the table has 4 rows; give one weight per row",
    ),
    "row27-text": (
        classify(X, Y, ["a", "b", "c", "d"]),
        DataTypeError,
        "sample_weight holds values that are not numbers; give one number per row",
    ),
    "row28-sum-too-large": (
        classify(X, Y, [1e308] * 4),
        DataError,
        "the row weights add up to more than a float can hold (1.8e308); divide them "
        "by a constant",
    ),
    "row30-rows": (classify(endless(np.int8), TWO), DataError, MANY_ROWS),
    "row30-rows-of-id3": (
        lambda: ID3Classifier().fit(endless(np.float64), TWO),
        DataError,
        MANY_ROWS,
    ),
    "row32-sparse": (
        classify(sparse.csr_matrix((10**5, 10**4), dtype=bool), TWO),
        DataError,
        "the sparse matrix has 100,000 x 10,000 = 1,000,000,000 cells of type bool; at "
        "most 100,000,000 are made dense, and only numbers stay sparse: convert it "
        "with X.astype(float), or select columns or rows",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    fit, error, message = REFUSED[case]
    with pytest.raises(error) as refusal:
        fit()
    assert str(refusal.value) == message
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
