"""What `encode` makes of good tables: kinds, orders, storage, notes."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

from treewright.data import Columns, encode


def encode_column(column, **settings) -> Columns:
    return encode({"f": column}, [0] * len(column), task="classes", **settings)


def only_feature(column, **settings):
    columns = encode_column(column, **settings)
    return columns.schema.features[0], columns.features[0]


@pytest.mark.parametrize(
    ("column", "categories"),
    [
        (["b", "a", "b"], ("a", "b")),
        (np.array(["b", "a", "b"]), ("a", "b")),
        (np.array(["b", "a", "b"], dtype=np.dtypes.StringDType()), ("a", "b")),
        (np.array([b"b", b"a", b"b"]), ("a", "b")),
        ([True, False, True], (False, True)),
        (np.array([True, False, True]), (False, True)),
        (pd.Series(["b", "a", "b"]), ("a", "b")),
        (pd.Series(["b", "a", "b"], dtype=object), ("a", "b")),
        (pd.Series([True, False, None], dtype="boolean"), (False, True)),
        (pd.Series(pd.Categorical(["b", "a", "b"], ["b", "z", "a"])), ("b", "z", "a")),
        (pl.Series(["b", "a", "b"]), ("a", "b")),
        (pl.Series(["b", "a", "b"], dtype=pl.Categorical), ("a", "b")),
        (pl.Series(["b", "a", "b"], dtype=pl.Enum(["b", "z", "a"])), ("b", "z", "a")),
        (pl.Series([True, False, None]), (False, True)),
    ],
)
def test_labels_are_nominal_and_declared_order_is_kept(column, categories):
    feature, encoded = only_feature(column)
    assert feature.kind == "nominal"
    assert feature.categories == categories
    assert all(type(label) in (str, int, float, bool) for label in feature.categories)
    assert encoded.n_codes == len(categories)


def test_arrow_dictionary_keeps_its_order_over_all_chunks():
    pa = pytest.importorskip("pyarrow")
    chunks = [
        pa.DictionaryArray.from_arrays(pa.array([0, None]), ["b", "z"]),
        pa.DictionaryArray.from_arrays(pa.array([0, 1]), ["a", "b"]),
    ]
    table = pa.table({"f": pa.chunked_array(chunks)})
    columns = encode(table, [0, 1, 0, 1], task="classes")
    assert columns.schema.features[0].categories == ("b", "z", "a")
    assert columns.features[0].codes.tolist() == [0, 3, 2, 0]


def test_ordered_category_is_ordinal():
    column = pd.Series(pd.Categorical(["L", "S"], ["S", "M", "L"], ordered=True))
    feature, encoded = only_feature(column)
    assert feature.kind == "ordinal"
    assert feature.categories == ("S", "M", "L")
    assert encoded.codes.tolist() == [2, 0]


@pytest.mark.parametrize(
    "values",
    [
        np.array([3, 1, 2], np.uint64),
        np.array([3, 1, 2], np.int8),
        np.array([3, 1, 2], np.float16),
        np.array([3, 1, 2], ">f8"),
        np.array([3, 1, 2], ">i4"),
        np.array([3, 9, 1, 9, 2, 9], float)[::2],
        [3, 1, 2],
        (3.0, 1, np.float32(2)),
        pd.Series([3, 1, 2], dtype="Int64"),
        pd.Series([3, 1, 2], dtype="float32"),
        pl.Series([3, 1, 2], dtype=pl.UInt8),
    ],
)
def test_every_number_type_becomes_the_same_column_of_floats(values):
    feature, encoded = only_feature(values)
    assert (feature.kind, feature.storage) == ("numeric", "float64")
    short = getattr(values, "dtype", None) in (np.float16, np.float32)
    assert encoded.values.dtype == (np.float32 if short else np.float64)
    assert encoded.values.tolist() == [1.0, 2.0, 3.0]
    assert encoded.codes.tolist() == [2, 0, 1]


def test_read_only_and_memory_mapped_arrays_are_read(tmp_path):
    plain = np.array([[2.0], [1.0]])
    np.save(tmp_path / "x.npy", plain)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    for table in (plain, mapped):
        columns = encode(table, [0, 1], task="classes")
        assert columns.features[0].codes.tolist() == [1, 0]


def test_truth_values_can_be_numbers():
    feature, encoded = only_feature(
        np.array([True, False]), feature_kinds={"f": "numeric"}
    )
    assert feature.kind == "numeric"
    assert encoded.values.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("values", "storage"),
    [
        ([2**53, -(2**53)], "float64"),
        ([2**53 + 1, 2**53], "int64"),
        ([2**53 + 1, None], "int64"),
        (np.array([2**63 + 1, 2**63], np.uint64), "uint64"),
        ([2**63 + 1, 0], "uint64"),
        (pd.Series([2**60 + 1, None], dtype="Int64"), "int64"),
        (pl.Series([2**60 + 1, None]), "int64"),
        (pl.Series([2**60 + 1, 5], dtype=pl.Int128), "int64"),
    ],
)
def test_integers_stay_exact(values, storage):
    feature, encoded = only_feature(values)
    assert feature.storage == storage
    known = sorted(int(v) for v in values if v is not None and v is not pd.NA)
    assert [int(v) for v in encoded.values] == known


def test_numpy_scalars_among_objects_become_plain_labels():
    feature, _ = only_feature([np.str_("b"), "a", np.str_("a")])
    assert feature.categories == ("a", "b")
    assert {type(label) for label in feature.categories} == {str}


def test_masked_text_is_missing():
    masked = np.ma.MaskedArray(["x", "b", "c"], mask=[True, False, False])
    feature, encoded = only_feature(masked)
    assert feature.categories == ("b", "c")
    assert encoded.codes.tolist() == [2, 0, 1]


def test_masked_dates_are_missing_besides_nat():
    dates = np.array(["2020-01-01", "NaT", "2020-01-02"], "M8[D]")
    masked = np.ma.MaskedArray(dates, mask=[True, False, False])
    _, encoded = only_feature(masked)
    assert encoded.codes.tolist() == [1, 1, 0]


def test_dates_can_be_nominal():
    dates = np.array(["2020-01-02", "2020-01-01", "NaT"], "M8[D]")
    feature, encoded = only_feature(dates, feature_kinds={"f": "nominal"})
    assert feature.categories == ("2020-01-01", "2020-01-02")
    assert encoded.codes.tolist() == [1, 0, 2]


def test_empty_text_can_be_numeric():
    feature, encoded = only_feature([None, None], feature_kinds={"f": "numeric"})
    assert feature.kind == "numeric"
    assert encoded.codes.tolist() == [0, 0]


def test_masked_numbers_are_missing():
    masked = np.ma.MaskedArray([5.0, 1.0, 2.0], mask=[True, False, False])
    feature, encoded = only_feature(masked)
    assert feature.kind == "numeric"
    assert encoded.codes.tolist() == [2, 0, 1]


@pytest.mark.parametrize(
    ("values", "storage", "first"),
    [
        (np.array(["2020-01-02", "NaT"], "M8[D]"), "datetime64[D]", 18263),
        (np.array(["2020-01", "NaT"], "M8[M]"), "datetime64[D]", 18262),
        ([dt.date(1970, 1, 2), None], "datetime64[us]", 86_400_000_000),
        ([dt.datetime(1970, 1, 1, 0, 0, 1), None], "datetime64[us]", 1_000_000),
        ([dt.timedelta(seconds=1), None], "timedelta64[us]", 1_000_000),
        (pd.Series(np.array([5, 5], "m8[ns]")), "timedelta64[ns]", 5),
        (pl.Series([dt.date(1970, 1, 2), None]), "datetime64[D]", 1),
        (pl.Series([dt.timedelta(seconds=1), None]), "timedelta64[us]", 1_000_000),
        (
            pl.Series([dt.datetime(1970, 1, 1, 1)]).dt.replace_time_zone(
                "Europe/Berlin"
            ),
            "datetime64[us]",
            0,
        ),
    ],
)
def test_dates_and_durations_are_exact_numbers_with_their_unit(values, storage, first):
    feature, encoded = only_feature(values)
    assert (feature.kind, feature.storage) == ("numeric", storage)
    assert feature.is_wide
    assert encoded.values.dtype == np.int64
    assert encoded.values[0] == first


@pytest.mark.parametrize(
    "values",
    [
        [Decimal("1.5"), Decimal("0.5"), None],
        pl.Series([Decimal("1.5"), Decimal("0.5"), None]),
    ],
)
def test_decimals_become_float64_with_a_note(values):
    columns = encode_column(values)
    assert columns.features[0].values.tolist() == [0.5, 1.5]
    assert columns.notes == ("feature 'f': decimal numbers read as float64",)


@pytest.mark.parametrize("nothing", [None, np.nan, pd.NA, pd.NaT, float("nan")])
def test_every_sign_for_nothing_is_missing(nothing):
    _, text = only_feature(["a", nothing, "b"])
    assert text.codes.tolist() == [0, 2, 1]
    assert text.has_missing
    _, number = only_feature([1.5, nothing, 2.5])
    assert number.codes.tolist() == [0, 2, 1]
    assert number.has_missing


def test_infinities_and_extremes_are_ordered_values():
    values = [np.inf, 1e300, 5e-324, 0.0, -0.0, -np.inf]
    _, encoded = only_feature(np.array(values))
    assert encoded.codes.tolist() == [4, 3, 2, 1, 1, 0]
    assert not np.signbit(encoded.values[1])


def test_two_neighbouring_doubles_are_two_values():
    _, encoded = only_feature(np.array([np.nextafter(1.0, 2.0), 1.0]))
    assert encoded.codes.tolist() == [1, 0]


def test_numbers_can_be_nominal_and_are_sorted_by_value():
    feature, encoded = only_feature([10, 9, 10], feature_kinds={"f": "nominal"})
    assert feature.categories == (9, 10)
    assert encoded.codes.tolist() == [1, 0, 1]
    feature, _ = only_feature([10.0, 9.0, np.nan], feature_kinds={"f": "nominal"})
    assert feature.categories == (9, 10)
    assert all(type(label) is int for label in feature.categories)


def test_large_and_negative_category_numbers_size_no_array():
    feature, encoded = only_feature([2**62, -5, 2**31], feature_kinds={"f": "nominal"})
    assert feature.categories == (-5, 2**31, 2**62)
    assert encoded.codes.dtype == np.uint8


def test_ordinal_takes_the_listed_order():
    feature, encoded = only_feature(
        ["M", None, "S"], feature_kinds={"f": ["S", "M", "L"]}
    )
    assert (feature.kind, feature.categories) == ("ordinal", ("S", "M", "L"))
    assert encoded.codes.tolist() == [1, 3, 0]


def test_ordinal_without_a_list_says_that_it_is_sorted():
    columns = encode_column(["low", "high"], feature_kinds={"f": "ordinal"})
    assert columns.schema.features[0].kind == "ordinal"
    assert columns.notes == (
        "feature 'f': ordered as sorted, 'high', 'low'; "
        "list its categories from small to large to set the order",
    )


def test_text_can_be_parsed_as_numbers():
    feature, encoded = only_feature(["2.5", " 1", None], feature_kinds={"f": "numeric"})
    assert feature.kind == "numeric"
    assert encoded.values.tolist() == [1.0, 2.5]
    assert encoded.codes.tolist() == [1, 0, 2]


def test_labels_that_no_file_can_hold_are_written_as_text_in_their_order():
    ages = pd.cut(pd.Series([5, 50, 15]), [0, 9, 18, 99])
    feature, encoded = only_feature(ages)
    assert feature.kind == "ordinal"
    assert feature.categories == ("(0, 9]", "(9, 18]", "(18, 99]")
    assert encoded.codes.tolist() == [0, 2, 1]


def test_fractions_and_truth_values_among_numbers_are_numbers():
    _, encoded = only_feature([Fraction(1, 4), 2, True, None])
    assert encoded.values.tolist() == [0.25, 1.0, 2.0]


def test_mixed_cells_are_text_with_a_note():
    columns = encode_column([1, "a", None, 1.0, True, "1"])
    assert columns.schema.features[0].categories == ("1", "True", "a")
    assert columns.features[0].codes.tolist() == [0, 2, 3, 0, 1, 0]
    assert columns.notes == (
        "feature 'f': mixes bool, float, int, str; its cells are compared as text",
    )


def test_codes_have_the_smallest_type_that_holds_the_missing_code():
    for n_codes, dtype in ((255, np.uint8), (256, np.uint16), (65_536, np.uint32)):
        _, encoded = only_feature(np.arange(n_codes, dtype=float))
        assert encoded.codes.dtype == dtype


@pytest.mark.parametrize(
    ("column", "note"),
    [
        ([None, None], "feature 'f': all values are missing, so it is never used"),
        (
            [np.nan, np.nan],
            "feature 'f': all values are missing, so it is never used",
        ),
        (["a", "a"], "feature 'f': its only value is 'a'"),
        (
            [f"id{k}" for k in range(1021)],
            "feature 'f': each of the 1,021 rows has a category of its own; "
            "if it is an identifier, leave it out",
        ),
        (
            [f"{k},5" for k in range(30)],
            "feature 'f': its cells look like numbers with a decimal comma, as '0,5', "
            "and are taken as categories; read the file with decimal=',' to compare "
            "them as numbers",
        ),
    ],
)
def test_columns_that_cannot_help_are_noted(column, note):
    assert encode_column(column).notes == (note,)


def test_strange_names_are_kept():
    names = ['quo"te', "new\nline", "emoji 🌲", "</script>", "n" * 10_000, ""]
    table = {name: [1.0, 2.0] for name in names}
    assert encode(table, [0, 1], task="classes").schema.names == tuple(names)


@pytest.mark.slow
def test_a_million_categories_take_linear_time_and_little_memory():
    column = np.arange(1_000_000).astype(str)
    _, encoded = only_feature(column)
    assert encoded.n_codes == 1_000_000
    assert encoded.codes.dtype == np.uint32


def test_ignored_columns_are_left_out():
    columns = encode({"id": [1, 2], "f": [3, 4]}, [0, 1], task="classes", ignore=["id"])
    assert columns.schema.names == ("f",)
