"""Bad tables are refused with one line: what, where, what to do."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

from treewright.data import encode
from treewright.data.encoding.kinds import smallest_codes
from treewright.errors import DataError, DataTypeError, SettingError, TreewrightError

TWO = {"f": [1.0, 2.0]}
TREE_CANNOT = (
    "which a tree cannot use; turn it into numbers, dates or text, or leave it out"
)


def duplicate_pandas() -> pd.DataFrame:
    return pd.DataFrame([[1, 2, 3]] * 2, columns=["a", "b", "a"])


CASES = {
    # the table's shape
    "0 rows": (
        (pl.DataFrame({"f": []}), []),
        {},
        DataError,
        "0 rows; at least 1 is needed: pass the rows to learn from",
    ),
    "0 columns": (
        (np.empty((2, 0)), [0, 1]),
        {},
        DataError,
        "0 columns; at least 1 is needed; keep or add a feature",
    ),
    "all columns left out": (
        ({"id": [1, 2], "no": [3, 4]}, [0, 1]),
        {"ignore": ["id", "no"]},
        DataError,
        "0 columns; at least 1 is needed; left out by ignore: 'id', 'no'; "
        "keep or add a feature",
    ),
    "different lengths": (
        (TWO, [0, 1, 0]),
        {},
        DataError,
        "the table has 2 rows and the target has 3; "
        "give each row of the table one target value",
    ),
    "columns of different lengths": (
        ({"a": [1], "b": [1, 2]}, [0]),
        {},
        DataError,
        "the columns have different lengths: 'a' 1, 'b' 2; give each the same rows",
    ),
    "duplicate names": (
        (duplicate_pandas(), [0, 1]),
        {},
        DataError,
        "2 columns have the name 'a': columns 0, 2 (counted from 0); "
        "rename all but one",
    ),
    "one dimension": (
        (np.zeros(2), [0, 1]),
        {},
        DataError,
        "the table has 1 dimension; 2 are needed: reshape your data with "
        "X.reshape(-1, 1) if it is one column, or with X.reshape(1, -1) if it is one "
        "row",
    ),
    "list of single values": (
        ([1.5, 2.5], [0, 1]),
        {},
        DataError,
        "the table is a list, but row 0 (counted from 0) is the single value 1.5; each "
        "row must be a list of cells: reshape your data, for one column with "
        "[[value] for value in X]",
    ),
    "ragged rows": (
        ([[1, 2], [3]], [0, 1]),
        {},
        DataError,
        "row 1 (counted from 0) has 1 cell and row 0 has 2; "
        "give every row the same number of cells",
    ),
    "sparse truth values above the limit": (
        (scipy.sparse.csr_array((100_000, 1_001), dtype=bool), [0]),
        {},
        DataError,
        "the sparse matrix has 100,000 x 1,001 = 100,100,000 cells of type bool; at "
        "most 100,000,000 are made dense, and only numbers stay sparse: convert it "
        "with X.astype(float), or select columns or rows",
    ),
    "no table": (
        (5, [0]),
        {},
        DataTypeError,
        "a table of type int cannot be read; pass a data frame, a two-dimensional "
        "array, a dict of columns or a list of rows",
    ),
    "lazy table": (
        (pl.LazyFrame(TWO), [0, 1]),
        {},
        DataTypeError,
        "the table is lazy (polars); call .collect() and pass the result",
    ),
    "dict of single values": (
        ({"f": "Sunny"}, [0]),
        {},
        DataTypeError,
        "column 'f' is 'Sunny' of type str; pass a list of values, one per row",
    ),
    "column without an order": (
        ({"f": {1, 2}}, [0, 1]),
        {},
        DataTypeError,
        "column 'f' is {1, 2} of type set; pass a list of values, one per row",
    ),
    # types of columns
    "complex": (
        (np.array([[1j], [2]]), [0, 1]),
        {},
        DataTypeError,
        f"column 'x0' has dtype complex128, {TREE_CANNOT}",
    ),
    "complex objects": (
        ({"f": [1j, 2]}, [0, 1]),
        {},
        DataTypeError,
        f"column 'f' has complex numbers, {TREE_CANNOT}",
    ),
    "nested lists": (
        ({"f": [1, [2]]}, [0, 1]),
        {},
        DataTypeError,
        "column 'f' has a nested value of type list in row 1 (counted from 0), "
        + TREE_CANNOT,
    ),
    "tuples": (
        ({"f": [(1, 2), None]}, [0, 1]),
        {},
        DataTypeError,
        "column 'f' has a nested value of type tuple in row 0 (counted from 0), "
        + TREE_CANNOT,
    ),
    "list dtype": (
        (pl.DataFrame({"f": [[1], [2]]}), [0, 1]),
        {},
        DataTypeError,
        f"column 'f' has dtype List(Int64), {TREE_CANNOT}",
    ),
    "struct dtype": (
        (pl.DataFrame({"f": [{"a": 1}, {"a": 2}]}), [0, 1]),
        {},
        DataTypeError,
        "column 'f' has dtype Struct({'a': Int64}), " + TREE_CANNOT,
    ),
    "time of day": (
        (pl.DataFrame({"f": [dt.time(1), dt.time(2)]}), [0, 1]),
        {},
        DataTypeError,
        f"column 'f' has dtype Time, {TREE_CANNOT}",
    ),
    "times on two clocks": (
        (
            {"f": [dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.datetime(2020, 1, 1)]},
            [0, 1],
        ),
        {},
        DataTypeError,
        "column 'f' mixes times with and without a time zone: the one in row 1 "
        "(counted from 0) has none; give all of them a zone, or none",
    ),
    "integer beyond 64 bits": (
        ({"f": [1, 2**70]}, [0, 1]),
        {},
        DataError,
        "column 'f' has 1180591620717411303424 in row 1 (counted from 0), which does "
        "not fit into 64 bits; divide the column, or turn it into floats or text",
    ),
    "large integer among floats": (
        ({"f": [0.5, 2**53 + 1]}, [0, 1]),
        {},
        DataError,
        "column 'f' mixes fractions with the integer 9007199254740993 in row 1 "
        "(counted from 0), which float64 would round; use integers only, or turn the "
        "column into floats",
    ),
    "mixed types, strictly": (
        ({"f": [1, "a"]}, [0, 1]),
        {"strict": True},
        DataTypeError,
        "feature 'f' mixes cells of the types int, str; convert them to one type, or "
        "set strict=False to compare them as text",
    ),
    "several dimensions in a column": (
        ({"f": np.zeros((2, 2))}, [0, 1]),
        {},
        DataError,
        "column 'f' has 2 dimensions; 1 is needed: pass each of its columns under a "
        "name of its own",
    ),
    "digits with underscores": (
        ({"f": ["1_000", "2"]}, [0, 1]),
        {"feature_kinds": {"f": "numeric"}},
        DataError,
        "feature 'f' is numeric, but row 0 (counted from 0) holds '1_000'; correct the "
        "cell, empty it, or make the feature nominal before training",
    ),
    # what the user says about columns
    "unknown name in feature_kinds": (
        ({"Outlook": ["a", "b"]}, [0, 1]),
        {"feature_kinds": {"outlook": "nominal"}},
        SettingError,
        "feature_kinds names the column 'outlook', which the table does not have; "
        "did you mean 'Outlook'?",
    ),
    "a number in feature_kinds, of columns without names": (
        (np.array([[1, 2], [3, 4]]), [0, 1]),
        {"feature_kinds": {1: "nominal"}},
        SettingError,
        "feature_kinds names the column 1, and columns are named by text; did you mean "
        "'x1'?",
    ),
    "a number in feature_kinds": (
        (TWO, [0, 1]),
        {"feature_kinds": {0: "nominal"}},
        SettingError,
        "feature_kinds names the column 0, and columns are named by text; there are "
        "'f'",
    ),
    "unknown name in ignore": (
        (TWO, [0, 1]),
        {"ignore": ["zzz"]},
        SettingError,
        "ignore names the column 'zzz', which the table does not have; there are 'f'",
    ),
    "unknown kind": (
        (TWO, [0, 1]),
        {"feature_kinds": {"f": "number"}},
        SettingError,
        "feature 'f' cannot be of kind 'number'; use 'numeric', 'nominal', 'ordinal' "
        "or a list of its categories from small to large",
    ),
    "text that is no number": (
        ({"f": ["1", "x1", "x1"]}, [0, 1, 0]),
        {"feature_kinds": {"f": "numeric"}},
        DataError,
        "feature 'f' is numeric, but row 1 (counted from 0) holds 'x1'; correct the "
        "cell, empty it, or make the feature nominal before training",
    ),
    "value not in the list": (
        ({"f": ["S", "XL"]}, [0, 1]),
        {"feature_kinds": {"f": ["S", "M", "L"]}},
        DataError,
        "feature 'f' holds 'XL' in row 1 (counted from 0), which is not among its "
        "listed categories 'S', 'M', 'L'; add it to the list or correct the cell",
    ),
    "category listed twice": (
        ({"f": ["S", "M"]}, [0, 1]),
        {"feature_kinds": {"f": ["S", "M", "S"]}},
        SettingError,
        "feature 'f': the list of its categories names one twice: 'S', 'M', 'S'; "
        "list each once",
    ),
    # the target
    "no target": (
        (TWO, None),
        {},
        DataError,
        "there is no target (y is None); pass one value per row",
    ),
    "target without columns": (
        (TWO, np.empty((2, 0))),
        {},
        DataError,
        "the target has 0 columns; at least 1 is needed: pass one value per row",
    ),
    "missing in the target": (
        ({"f": [1, 2, 3]}, ["a", None, np.nan]),
        {},
        DataError,
        "the target 'target' has 2 missing values, first in row 1 (counted from 0); "
        "fill them in, or set drop_missing_target=True to leave these rows out",
    ),
    "only missing in the target": (
        (TWO, [None, None]),
        {"drop_missing_target": True},
        DataError,
        "0 rows; at least 1 is needed: every row was left out, because its target is "
        "missing or its weight is 0",
    ),
    "many fractions for a classifier": (
        (np.zeros((50, 1)), np.linspace(0, 1, 50)),
        {},
        DataError,
        "the target 'target' has 50 different values with fractions in 50 rows, which "
        "is continuous and no list of classes; use a regressor, for example "
        "CARTRegressor, or turn the values into text",
    ),
    "many fractions beside classes": (
        (np.zeros((50, 1)), {"a": ["u", "v"] * 25, "b": np.linspace(0, 1, 50)}),
        {},
        DataError,
        "the target 'b' has 50 different values with fractions in 50 rows, which is "
        "continuous and no list of classes as 'a' is; give each a model of its own, "
        "or turn the values into text",
    ),
    "text for a regressor": (
        (TWO, ["low", "high"]),
        {"task": "numbers"},
        DataError,
        "the target 'target' holds 'low' in row 0 (counted from 0), which is no "
        "number; use a classifier, for example CARTClassifier, or convert the target",
    ),
    "dates for a regressor": (
        (TWO, np.array(["2020", "2021"], "M8[D]")),
        {"task": "numbers"},
        DataTypeError,
        "the target 'target' holds datetime64[D] values; subtract a date or divide by "
        "a unit to predict a number, or use a classifier, for example CARTClassifier",
    ),
    "infinite target": (
        (TWO, [1.0, np.inf]),
        {"task": "numbers"},
        DataError,
        "the target 'target' has 1 infinite value, first in row 1 (counted from 0); "
        "replace or remove these rows",
    ),
    "wrong number of target names": (
        (TWO, [0, 1]),
        {"target_names": ["a", "b"]},
        DataError,
        "target_names has 2 names and the target has 1 column; "
        "give one name per column",
    ),
    # weights
    "negative weight": (
        (TWO, [0, 1]),
        {"sample_weight": [1, -1]},
        DataError,
        "sample_weight has 1 negative value, first in row 1 (counted from 0); give "
        "finite weights of 0 or more",
    ),
    "missing weight": (
        (TWO, [0, 1]),
        {"sample_weight": [np.nan, np.nan]},
        DataError,
        "sample_weight has 2 missing values, first in row 0 (counted from 0); give "
        "finite weights of 0 or more",
    ),
    "infinite weight": (
        (TWO, [0, 1]),
        {"sample_weight": [1, np.inf]},
        DataError,
        "sample_weight has 1 infinite value, first in row 1 (counted from 0); give "
        "finite weights of 0 or more",
    ),
    "all weights zero": (
        (TWO, [0, 1]),
        {"sample_weight": [0, 0]},
        DataError,
        "sample_weight is zero for all 2 rows; at least 1 row needs a weight above 0",
    ),
    "weights in two dimensions": (
        (TWO, [0, 1]),
        {"sample_weight": [[1], [1]]},
        DataError,
        "sample_weight has 2 dimensions, shape (2, 1); 1 is needed: give one number "
        "per row",
    ),
    "wrong number of weights": (
        (TWO, [0, 1]),
        {"sample_weight": [1]},
        DataError,
        "sample_weight has 1 value and the table has 2 rows; give one weight per row",
    ),
    "weights that are text": (
        (TWO, [0, 1]),
        {"sample_weight": ["a", "b"]},
        DataTypeError,
        "sample_weight holds values that are not numbers; give one number per row",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_table_gets_one_clear_error(case):
    (table, y), settings, kind, message = CASES[case]
    with pytest.raises(TreewrightError) as caught:
        encode(table, y, **{"task": "classes", **settings})
    assert type(caught.value) is kind
    assert str(caught.value) == message


def test_errors_are_also_the_built_in_ones():
    assert issubclass(DataError, ValueError)
    assert issubclass(DataTypeError, TypeError)


def test_more_values_than_codes_are_refused():
    with pytest.raises(DataError) as caught:
        smallest_codes(np.zeros(1, np.uint32), 2**32)
    assert str(caught.value) == (
        "a column has 4,294,967,296 different values; at most 4,294,967,295 can be "
        "told apart: round the column or take fewer rows"
    )


def test_few_fractions_are_classes():
    table = {"f": range(6)}
    columns = encode(table, [0.5, 1.5, 0.5, 1.5, 0.5, 1.5], task="classes")
    assert columns.schema.target.classes == ((0.5, 1.5),)
