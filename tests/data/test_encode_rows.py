"""Rows at prediction: matched, looked up, refused."""

from __future__ import annotations

import dataclasses
import datetime as dt
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

from refusals import refused, warned
from treewright.data import Schema, encode, encode_rows
from treewright.errors import DataError

TABLE = {
    "wind": ["Weak", "Strong", None],
    "temp": [1.5, 2.0, np.nan],
    "size": pl.Series(["S", "L", None], dtype=pl.Enum(["S", "M", "L"])),
}


def schema_of(table, **settings) -> Schema:
    first = next(iter(table.values())) if isinstance(table, dict) else table
    return encode(table, [0] * len(first), task="classes", **settings).schema


def rows(table, schema, *, unseen="stop", missing="majority"):
    return encode_rows(table, schema, unseen=unseen, missing=missing)


def with_cuts(schema: Schema, cuts) -> Schema:
    feature = dataclasses.replace(schema.features[0], cuts=cuts)
    return dataclasses.replace(schema, features=(feature,))


@pytest.mark.parametrize("form", [dict, pd.DataFrame, pl.DataFrame])
def test_cells_are_numbers_codes_and_nan(form):
    schema = schema_of(TABLE)
    data = {name: list(column) for name, column in TABLE.items()}
    matrix, notes = rows(form(data), schema)
    assert matrix.flags.c_contiguous
    np.testing.assert_array_equal(
        matrix, [[1, 1.5, 0], [0, 2.0, 2], [np.nan, np.nan, np.nan]]
    )
    assert notes == []


def test_columns_are_matched_by_name():
    schema = schema_of(TABLE)
    matrix, _ = rows({"size": ["M"], "temp": [3], "wind": ["Weak"]}, schema)
    assert matrix.tolist() == [[1.0, 3.0, 1.0]]


def test_columns_without_names_are_matched_by_position():
    matrix, _ = rows([["Weak", 3, "M"]], schema_of(TABLE))
    assert matrix.tolist() == [[1.0, 3.0, 1.0]]


def test_a_model_of_nameless_columns_takes_a_frame_by_position():
    schema = schema_of(np.array([[1.0, 2.0], [3.0, 4.0]]))
    with warned(UserWarning, "names", "order"):
        matrix, _ = rows(pl.DataFrame({"a": [5], "b": [6]}), schema)
    assert matrix.tolist() == [[5.0, 6.0]]
    with refused(DataError, "1 features", "2 features", "'x0', 'x1'"):
        rows(pl.DataFrame({"a": [5]}), schema)


@pytest.mark.parametrize(
    "table",
    [
        np.array([[5, 6]]),
        [[5, 6]],
        pd.DataFrame([[5, 6]]),
        pl.DataFrame({"x1": [6], "x0": [5]}),
        {"x1": [6], "x0": [5]},
    ],
)
def test_a_model_of_nameless_columns_takes_columns_without_names_or_its_own(table):
    schema = schema_of(np.array([[1, 2], [3, 4]]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rows(table, schema)[0].tolist() == [[5.0, 6.0]]


@pytest.mark.parametrize("table", [{"a": [5], "b": [6]}, [{"a": 5, "b": 6}]])
def test_a_model_of_nameless_columns_refuses_a_mapping_of_names(table):
    with refused(DataError, "'a', 'b'", "'x0', 'x1'"):
        rows(table, schema_of(np.array([[1.0, 2.0], [3.0, 4.0]])))


@pytest.mark.parametrize("names", [("price", "age"), ("x1", "q")])
@pytest.mark.parametrize("training", [pd.DataFrame, pl.DataFrame])
def test_columns_called_x0_are_names_like_others(training, names):
    schema = schema_of(training({"x0": [1, 2], "x1": [3, 4]}))
    with refused(DataError, "lacks", "'x0'"):
        rows(pl.DataFrame({name: [1] for name in names}), schema)


def test_one_missing_column_is_spoken_of_in_the_singular():
    with refused(DataError, "lacks", "1 column", "'b'"):
        rows({"a": [1]}, schema_of({"a": [1], "b": [2]}))


def test_missing_columns_are_listed():
    with refused(DataError, "lacks", "2 columns", "'wind', 'size'"):
        rows({"temp": [1]}, schema_of(TABLE))


def test_extra_columns_are_ignored_with_one_warning():
    data = {name: list(column) for name, column in TABLE.items()}
    with warned(UserWarning, "2 columns", "'id', 'no'"):
        matrix, _ = rows({"id": [1, 2, 3], **data, "no": [1, 2, 3]}, schema_of(TABLE))
    assert matrix.shape == (3, 3)


@pytest.mark.parametrize("table", [np.zeros((2, 3)), [["a", 1, 2]]])
def test_wrong_number_of_columns(table):
    with refused(DataError, "3 features", "4 features", "'a', 'b', 'c', 'd'"):
        rows(table, schema_of({"a": [1.0], "b": [2.0], "c": [1.0], "d": [1.0]}))


@pytest.mark.parametrize(("unseen", "cell"), [("stop", -1.0), ("missing", np.nan)])
def test_unseen_category_follows_the_rule_and_is_noted(unseen, cell):
    schema = schema_of({"wind": ["Weak", "Strong"]})
    matrix, notes = rows({"wind": ["Gale", "Weak", "Gale"]}, schema, unseen=unseen)
    np.testing.assert_array_equal(matrix.ravel(), [cell, 1.0, cell])
    assert notes == ["feature 'wind': 2 rows have values not seen in training: 'Gale'"]


def test_unseen_category_can_be_an_error():
    schema = schema_of({"wind": ["Weak", "Strong"]})
    with refused(
        DataError, "'wind'", "'Gale'", "row 1", "'Strong', 'Weak'", "unseen='missing'"
    ):
        rows({"wind": ["Weak", "Gale"]}, schema, unseen="error")


def test_unseen_category_that_differs_in_spaces_gets_a_hint():
    schema = schema_of({"sky": ["Sunny", "Rain"]})
    _, notes = rows({"sky": ["Sunny "]}, schema)
    assert notes == [
        "feature 'sky': 1 row has a value not seen in training: 'Sunny ' "
        "('Sunny ' is 'Sunny' but for spaces around it)"
    ]


def test_categories_are_found_by_value_or_by_how_they_are_written():
    schema = schema_of({"f": ["0", "1", "a"]})
    assert rows(np.array([[0.0], [1.0]]), schema)[0].ravel().tolist() == [0.0, 1.0]
    schema = schema_of({"f": [5, 7]}, feature_kinds={"f": "nominal"})
    assert rows({"f": ["7", "5"]}, schema)[0].ravel().tolist() == [1.0, 0.0]
    assert rows({"f": [7.0, 5.0]}, schema)[0].ravel().tolist() == [1.0, 0.0]


def test_number_that_arrives_as_text():
    schema = schema_of({"age": [1.0, 2.0]})
    assert rows({"age": ["3", "4.5"]}, schema)[0].ravel().tolist() == [3.0, 4.5]
    with refused(DataError, "'age'", "row 1", "'old'"):
        rows({"age": ["3", "old"]}, schema)


@pytest.mark.parametrize(
    "table", [np.array([[1.0], [np.nan], [np.nan]]), {"x0": [1.0, None, None]}]
)
def test_missing_values_are_refused_only_by_the_rule_error(table):
    schema = schema_of(np.array([[1.0], [2.0]]))
    assert np.isnan(rows(table, schema)[0]).sum() == 2
    assert rows([[1.0]], schema, missing="error")[0].tolist() == [[1.0]]
    with refused(DataError, "'x0'", 2, "row 1", "missing='error'"):
        rows(table, schema, missing="error")


def test_float64_matrix_is_not_copied():
    table = np.random.default_rng(0).normal(size=(5, 2))
    assert rows(table, schema_of(table))[0] is table
    matrix, _ = rows(table.T.copy().T, schema_of(table))
    assert matrix.flags.c_contiguous
    np.testing.assert_array_equal(matrix, table)


@pytest.mark.parametrize("dtype", ["float32", ">f8", "int8", "int64", "uint16"])
def test_every_number_type_is_read(dtype):
    table = np.array([[1, 2], [3, 4]], dtype)
    matrix, _ = rows(table, schema_of(np.zeros((1, 2))))
    assert matrix.dtype == np.float64
    assert matrix.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_wide_integers_are_counted_exactly_among_the_cuts():
    base = 2**60
    schema = schema_of({"f": [base, base + 2]})
    schema = with_cuts(schema, np.array([base, base + 1], np.int64))
    matrix, _ = rows({"f": [base - 1, base, base + 1, base + 2, None]}, schema)
    np.testing.assert_array_equal(matrix.ravel(), [0, 0, 1, 2, np.nan])
    matrix, _ = rows({"f": [0.5, np.inf, -np.inf, np.nan, 1e300]}, schema)
    np.testing.assert_array_equal(matrix.ravel(), [0, 2, 0, np.nan, 2])


def test_unsigned_cuts_take_signed_values():
    schema = schema_of({"f": np.array([2**63 + 5, 2**63], np.uint64)})
    schema = with_cuts(schema, np.array([2**63 + 1], np.uint64))
    matrix, _ = rows({"f": np.array([-(2**62), 2**62])}, schema)
    assert matrix.ravel().tolist() == [0.0, 0.0]
    matrix, _ = rows({"f": np.array([2**63 + 1, 2**63 + 2], np.uint64)}, schema)
    assert matrix.ravel().tolist() == [0.0, 1.0]


def test_wide_integers_for_a_float_feature_never_fall_below_their_value():
    schema = schema_of({"f": [1.0, 2.0]})
    values = np.array([2**53 + 1, 2**63 - 1, -(2**53) - 1])
    matrix, _ = rows({"f": values}, schema)
    assert list(map(int, matrix[:, 0])) == [2**53 + 2, 2**63, -(2**53)]


def test_dates_in_another_unit_are_compared_exactly():
    schema = schema_of({"f": np.array(["2020-01-01", "2020-01-03"], "M8[D]")})
    cut = np.array(["2020-01-02"], "M8[D]").astype(np.int64)
    schema = with_cuts(schema, cut)
    times = np.array(["2020-01-02T00:00", "2020-01-02T00:00:00.000000001"], "M8[ns]")
    assert rows({"f": times}, schema)[0].ravel().tolist() == [0.0, 1.0]
    years = np.array(["1500", "2021"], "M8[Y]")
    assert rows({"f": years}, schema)[0].ravel().tolist() == [0.0, 1.0]


def test_coarse_dates_beyond_a_fine_unit_stay_in_order():
    schema = schema_of({"f": np.array(["2020-01-01", "2021-01-01"], "M8[ns]")})
    cut = np.array(["2020-06-01"], "M8[ns]").astype(np.int64)
    days = np.array(["0001-01-01", "2020-06-01", "2020-06-02", "9999-01-01"], "M8[D]")
    matrix, _ = rows({"f": days}, with_cuts(schema, cut))
    assert matrix.ravel().tolist() == [0.0, 0.0, 1.0, 1.0]


def test_wide_feature_that_no_tree_uses_is_constant():
    schema = schema_of({"f": [2**60, 2**60 + 1]})
    matrix, _ = rows({"f": [2**60, None]}, schema)
    np.testing.assert_array_equal(matrix.ravel(), [0.0, np.nan])


def test_numbers_for_dates_are_refused():
    schema = schema_of({"f": [dt.date(2020, 1, 1)]})
    with refused(DataError, "'f'", "dates", "numbers"):
        rows({"f": [5.0]}, schema)
    assert np.isnan(rows({"f": [np.nan]}, schema)[0]).all()


DAY, SPAN = dt.datetime(2020, 1, 1), dt.timedelta(1)
ZONED = DAY.replace(tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("trained", "now", "names"),
    [
        (SPAN, DAY, ["dates", "to durations"]),
        (DAY, SPAN, ["durations", "to dates"]),
        (DAY, ZONED, ["remove", "zone"]),
        (ZONED, DAY, ["give", "zone"]),
        (ZONED, "2020-01-01", ["give", "zone"]),
    ],
)
@pytest.mark.parametrize("form", [dict, pl.DataFrame, pd.DataFrame])
def test_times_of_another_kind_or_clock_are_refused(trained, now, names, form):
    schema = schema_of(form({"f": [trained]}))
    with refused(DataError, "'f'", *names):
        rows(form({"f": [now]}), schema)


def test_times_of_any_zone_are_compared_as_moments():
    noon = int(ZONED.timestamp() + 12 * 3600) * 10**6
    schema = with_cuts(schema_of({"f": [ZONED]}), np.array([noon]))
    east = dt.timezone(dt.timedelta(hours=5))
    moments = [dt.datetime(2020, 1, 1, hour, tzinfo=east) for hour in (16, 17, 18)]
    for form in (dict, pl.DataFrame, pd.DataFrame):
        matrix, _ = rows(form({"f": moments}), schema)
        assert matrix.ravel().tolist() == [0.0, 0.0, 1.0]


def test_text_in_iso_form_is_read_for_dates():
    schema = schema_of({"f": np.array(["2020-01-01"], "M8[D]")})
    schema = with_cuts(schema, np.array(["2020-06-01"], "M8[D]").astype(np.int64))
    cells = ["2020-06-01", "2020-06-01 00:00:00.5", None, " 2020-05-31T23:59 "]
    matrix, _ = rows({"f": cells}, schema)
    np.testing.assert_array_equal(matrix.ravel(), [0.0, 1.0, np.nan, 0.0])


@pytest.mark.parametrize("cell", ["2020-02-30", "1.6.2020", "2020", "soon", ""])
def test_other_text_for_dates_is_refused(cell):
    schema = schema_of({"f": [dt.date(2020, 1, 1)]})
    with refused(DataError, "'f'", "row 1", repr(cell), "YYYY-MM-DD"):
        rows({"f": ["2020-06-01", cell, "later"]}, schema)


def test_no_rows_give_an_empty_matrix():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        matrix, _ = rows(pl.DataFrame({"f": []}), schema_of({"f": ["a"]}))
    assert matrix.shape == (0, 1)
