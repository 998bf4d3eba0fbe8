"""Bad tables are refused with one line: what, where, what to do."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

from refusals import refused
from treewright.data import encode
from treewright.data.encoding.feature_kinds import smallest_codes
from treewright.errors import DataError, DataTypeError, SettingError, TreewrightError

TWO = {"f": [1.0, 2.0]}


def duplicate_pandas() -> pd.DataFrame:
    return pd.DataFrame([[1, 2, 3]] * 2, columns=["a", "b", "a"])


CASES = {
    # the table's shape
    "0 rows": (
        (pl.DataFrame({"f": []}), []),
        {},
        DataError,
        ["0 rows", "learn"],
    ),
    "0 columns": (
        (np.empty((2, 0)), [0, 1]),
        {},
        DataError,
        ["0 columns", "feature"],
    ),
    "all columns left out": (
        ({"id": [1, 2], "no": [3, 4]}, [0, 1]),
        {"ignore": ["id", "no"]},
        DataError,
        ["0 columns", "ignore", "'id', 'no'"],
    ),
    "different lengths": (
        (TWO, [0, 1, 0]),
        {},
        DataError,
        ["2 rows", "target", 3],
    ),
    "columns of different lengths": (
        ({"a": [1], "b": [1, 2]}, [0]),
        {},
        DataError,
        ["'a' 1", "'b' 2"],
    ),
    "duplicate names": (
        (duplicate_pandas(), [0, 1]),
        {},
        DataError,
        ["'a'", "columns 0, 2"],
    ),
    "one dimension": (
        (np.zeros(2), [0, 1]),
        {},
        DataError,
        ["1 dimension", "X.reshape(-1, 1)", "X.reshape(1, -1)"],
    ),
    "list of single values": (
        ([1.5, 2.5], [0, 1]),
        {},
        DataError,
        ["row 0", 1.5, "[[value] for value in X]"],
    ),
    "ragged rows": (
        ([[1, 2], [3]], [0, 1]),
        {},
        DataError,
        ["row 1", "1 cell", "row 0", 2],
    ),
    "sparse truth values above the limit": (
        (scipy.sparse.csr_array((100_000, 1_001), dtype=bool), [0]),
        {},
        DataError,
        ["100,000 x 1,001", "bool", "X.astype(float)"],
    ),
    "no table": (
        (5, [0]),
        {},
        DataTypeError,
        ["table", "int"],
    ),
    "lazy table": (
        (pl.LazyFrame(TWO), [0, 1]),
        {},
        DataTypeError,
        ["polars", ".collect()"],
    ),
    "dict of single values": (
        ({"f": "Sunny"}, [0]),
        {},
        DataTypeError,
        ["'f'", "'Sunny'", "str"],
    ),
    "column without an order": (
        ({"f": {1, 2}}, [0, 1]),
        {},
        DataTypeError,
        ["'f'", {1, 2}, "set"],
    ),
    # types of columns
    "complex": (
        (np.array([[1j], [2]]), [0, 1]),
        {},
        DataTypeError,
        ["'x0'", "complex128"],
    ),
    "complex objects": (
        ({"f": [1j, 2]}, [0, 1]),
        {},
        DataTypeError,
        ["'f'", "complex"],
    ),
    "nested lists": (
        ({"f": [1, [2]]}, [0, 1]),
        {},
        DataTypeError,
        ["'f'", "type list", "row 1"],
    ),
    "tuples": (
        ({"f": [(1, 2), None]}, [0, 1]),
        {},
        DataTypeError,
        ["'f'", "type tuple", "row 0"],
    ),
    "list dtype": (
        (pl.DataFrame({"f": [[1], [2]]}), [0, 1]),
        {},
        DataTypeError,
        ["'f'", "List(Int64)"],
    ),
    "struct dtype": (
        (pl.DataFrame({"f": [{"a": 1}, {"a": 2}]}), [0, 1]),
        {},
        DataTypeError,
        ["'f'", "Struct({'a': Int64})"],
    ),
    "time of day": (
        (pl.DataFrame({"f": [dt.time(1), dt.time(2)]}), [0, 1]),
        {},
        DataTypeError,
        ["'f'", "Time"],
    ),
    "times on two clocks": (
        (
            {"f": [dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.datetime(2020, 1, 1)]},
            [0, 1],
        ),
        {},
        DataTypeError,
        ["'f'", "zone", "row 1"],
    ),
    "integer beyond 64 bits": (
        ({"f": [1, 2**70]}, [0, 1]),
        {},
        DataError,
        ["'f'", 2**70, "row 1", "64 bits"],
    ),
    "large integer among floats": (
        ({"f": [0.5, 2**53 + 1]}, [0, 1]),
        {},
        DataError,
        ["'f'", 2**53 + 1, "row 1", "float64"],
    ),
    "mixed types, strictly": (
        ({"f": [1, "a"]}, [0, 1]),
        {"strict": True},
        DataTypeError,
        ["'f'", "int, str", "strict=False"],
    ),
    "several dimensions in a column": (
        ({"f": np.zeros((2, 2))}, [0, 1]),
        {},
        DataError,
        ["'f'", "2 dimensions"],
    ),
    "digits with underscores": (
        ({"f": ["1_000", "2"]}, [0, 1]),
        {"feature_kinds": {"f": "numeric"}},
        DataError,
        ["'f'", "row 0", "'1_000'"],
    ),
    # what the user says about columns
    "unknown name in feature_kinds": (
        ({"Outlook": ["a", "b"]}, [0, 1]),
        {"feature_kinds": {"outlook": "nominal"}},
        SettingError,
        ["feature_kinds", "'outlook'", "'Outlook'"],
    ),
    "a number in feature_kinds, of columns without names": (
        (np.array([[1, 2], [3, 4]]), [0, 1]),
        {"feature_kinds": {1: "nominal"}},
        SettingError,
        ["feature_kinds", 1, "'x1'"],
    ),
    "a number in feature_kinds": (
        (TWO, [0, 1]),
        {"feature_kinds": {0: "nominal"}},
        SettingError,
        ["feature_kinds", 0, "'f'"],
    ),
    "unknown name in ignore": (
        (TWO, [0, 1]),
        {"ignore": ["zzz"]},
        SettingError,
        ["ignore", "'zzz'", "'f'"],
    ),
    "unknown kind": (
        (TWO, [0, 1]),
        {"feature_kinds": {"f": "number"}},
        SettingError,
        ["'f'", "'number'", "'numeric', 'nominal', 'ordinal'"],
    ),
    "text that is no number": (
        ({"f": ["1", "x1", "x1"]}, [0, 1, 0]),
        {"feature_kinds": {"f": "numeric"}},
        DataError,
        ["'f'", "row 1", "'x1'"],
    ),
    "value not in the list": (
        ({"f": ["S", "XL"]}, [0, 1]),
        {"feature_kinds": {"f": ["S", "M", "L"]}},
        DataError,
        ["'f'", "'XL'", "row 1", "'S', 'M', 'L'"],
    ),
    "category listed twice": (
        ({"f": ["S", "M"]}, [0, 1]),
        {"feature_kinds": {"f": ["S", "M", "S"]}},
        SettingError,
        ["'f'", "'S', 'M', 'S'"],
    ),
    # the target
    "no target": (
        (TWO, None),
        {},
        DataError,
        ["target", "y", None],
    ),
    "target without columns": (
        (TWO, np.empty((2, 0))),
        {},
        DataError,
        ["target", "0 columns"],
    ),
    "missing in the target": (
        ({"f": [1, 2, 3]}, ["a", None, np.nan]),
        {},
        DataError,
        ["'target'", 2, "row 1", "drop_missing_target=True"],
    ),
    "only missing in the target": (
        (TWO, [None, None]),
        {"drop_missing_target": True},
        DataError,
        ["0 rows", "target", "weight"],
    ),
    "many fractions for a classifier": (
        (np.zeros((50, 1)), np.linspace(0, 1, 50)),
        {},
        DataError,
        ["'target'", 50, "CARTRegressor"],
    ),
    "many fractions beside classes": (
        (np.zeros((50, 1)), {"a": ["u", "v"] * 25, "b": np.linspace(0, 1, 50)}),
        {},
        DataError,
        ["'b'", 50, "'a'"],
    ),
    "text for a regressor": (
        (TWO, ["low", "high"]),
        {"task": "numbers"},
        DataError,
        ["'target'", "'low'", "row 0", "CARTClassifier"],
    ),
    "dates for a regressor": (
        (TWO, np.array(["2020", "2021"], "M8[D]")),
        {"task": "numbers"},
        DataTypeError,
        ["'target'", "datetime64[D]", "CARTClassifier"],
    ),
    "infinite target": (
        (TWO, [1.0, np.inf]),
        {"task": "numbers"},
        DataError,
        ["'target'", "infinite", "row 1"],
    ),
    "wrong number of target names": (
        (TWO, [0, 1]),
        {"target_names": ["a", "b"]},
        DataError,
        ["target_names", "2 names", "1 column"],
    ),
    # weights
    "negative weight": (
        (TWO, [0, 1]),
        {"sample_weight": [1, -1]},
        DataError,
        ["sample_weight", "negative", "row 1"],
    ),
    "missing weight": (
        (TWO, [0, 1]),
        {"sample_weight": [np.nan, np.nan]},
        DataError,
        ["sample_weight", "missing", "row 0"],
    ),
    "infinite weight": (
        (TWO, [0, 1]),
        {"sample_weight": [1, np.inf]},
        DataError,
        ["sample_weight", "infinite", "row 1"],
    ),
    "all weights zero": (
        (TWO, [0, 1]),
        {"sample_weight": [0, 0]},
        DataError,
        ["sample_weight", "zero", "2 rows"],
    ),
    "weights in two dimensions": (
        (TWO, [0, 1]),
        {"sample_weight": [[1], [1]]},
        DataError,
        ["sample_weight", "2 dimensions", "(2, 1)"],
    ),
    "wrong number of weights": (
        (TWO, [0, 1]),
        {"sample_weight": [1]},
        DataError,
        ["sample_weight", "1 value", "2 rows"],
    ),
    "weights that are text": (
        (TWO, [0, 1]),
        {"sample_weight": ["a", "b"]},
        DataTypeError,
        ["sample_weight", "numbers"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_table_gets_one_clear_error(case):
    (table, y), settings, kind, names = CASES[case]
    with refused(TreewrightError, *names) as caught:
        encode(table, y, **{"task": "classes", **settings})
    assert type(caught.value) is kind
    assert "\n" not in str(caught.value)


def test_errors_are_also_the_built_in_ones():
    assert issubclass(DataError, ValueError)
    assert issubclass(DataTypeError, TypeError)


def test_more_values_than_codes_are_refused():
    with refused(DataError, "4,294,967,296", "4,294,967,295"):
        smallest_codes(np.zeros(1, np.uint32), 2**32)


def test_few_fractions_are_classes():
    table = {"f": range(6)}
    columns = encode(table, [0.5, 1.5, 0.5, 1.5, 0.5, 1.5], task="classes")
    assert columns.schema.target.classes == ((0.5, 1.5),)
