"""What `discretize=` may be, and what is said of what it may not be."""

from __future__ import annotations

import datetime as dt
import math

import numpy as np
import pytest

from treewright import ID3Classifier, TreeClassifier, TreeRegressor
from treewright.discretize.plan import Borders, LearnedBorders, Range, Ranges, read_plan
from treewright.errors import DataError, SettingError

AGES = {"AGE": [0, 1, 2, 3, 4, 5, 6, 7], "SEX": ["f", "m"] * 4}
Y = ["a", "a", "a", "b", "b", "b", "c", "c"]
CHOICES = (
    "it must be 'equal_width', 'equal_width:k', 'quartiles', 'quantiles:k', 'mdl', "
    "'cv', a list of borders, or names with ranges"
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("equal_width", LearnedBorders("equal_width", 4)),
        ("equal_width:7", LearnedBorders("equal_width", 7)),
        ("Equal-Width:7", LearnedBorders("equal_width", 7)),
        ("quartiles", LearnedBorders("quantiles", 4)),
        ("quantiles", LearnedBorders("quantiles", 4)),
        ("quantiles:10", LearnedBorders("quantiles", 10)),
        ("mdl", LearnedBorders("mdl")),
        ("cv", LearnedBorders("cv")),
        ([2, 5], Borders((2, 5))),
        (np.array([2.5, 5.0]), Borders((2.5, 5.0))),
        ({"low": (0, 2)}, Ranges((Range("low", 0, 2),))),
        ([["low", 0, 2]], Ranges((Range("low", 0, 2),))),
        ([("low", None, 2)], Ranges((Range("low", None, 2),))),
    ],
)
def test_forms_of_a_rule(given, expected):
    assert read_plan({"AGE": given}).columns == {"AGE": expected}
    if isinstance(given, str):
        assert read_plan(given).others == expected


def test_none_leaves_all_columns_alone():
    assert read_plan(None) == read_plan({})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("halves", f"discretize is 'halves'; {CHOICES}"),
        ("mdl:3", f"discretize is 'mdl:3'; {CHOICES}"),
        (
            3,
            "discretize is 3; it must be None, a method for all numeric columns "
            "('quartiles', say), or a dict from columns to methods or borders",
        ),
        ({"AGE": 3}, f"discretize of 'AGE' is 3; {CHOICES}"),
        ({"AGE": "halves"}, f"discretize of 'AGE' is 'halves'; {CHOICES}"),
        (
            {"AGE": "quantiles:1"},
            "discretize of 'AGE' is 'quantiles:1'; the number of intervals must be a "
            "whole number from 2 to 1000, as in 'quantiles:4'",
        ),
        (
            "equal_width:x",
            "discretize is 'equal_width:x'; the number of intervals must be a whole "
            "number from 2 to 1000, as in 'equal_width:4'",
        ),
        (
            {"AGES": "mdl"},
            "discretize names the column 'AGES', which is not among the features; did "
            "you mean 'AGE'?",
        ),
        (
            {0: "mdl"},
            "discretize names the column 0; columns are named by text, and x0, x1, ... "
            "where the table does not name them",
        ),
        (
            {"SEX": "mdl"},
            "discretize names the column 'SEX', which is nominal, with the values 'f', "
            "'m'; only numbers have intervals: leave it out of discretize, or declare "
            "it numeric",
        ),
        ({"AGE": []}, "discretize of 'AGE' is []; give at least 1 border"),
        (
            {"AGE": [5, 2]},
            "discretize of 'AGE': its borders must ascend, and 2 follows 5; sort them "
            "and name each once",
        ),
        (
            {"AGE": [2, 2.0]},
            "discretize of 'AGE': its borders must ascend, and 2.0 follows 2; sort "
            "them and name each once",
        ),
        (
            {"AGE": [2, math.nan]},
            "discretize of 'AGE': the border nan is not a finite number; correct it",
        ),
        (
            {"AGE": [2, math.inf]},
            "discretize of 'AGE': the border inf is not a finite number; correct it",
        ),
        (
            {"AGE": [2, "x"]},
            "discretize of 'AGE': the border 'x' is not a finite number; correct it",
        ),
        (
            {"AGE": [True]},
            "discretize of 'AGE': the border True is not a finite number; correct it",
        ),
        (
            {"AGE": {"infant": (0, 2), "toddler": (1, 5)}},
            "discretize of 'AGE': the intervals infant 0-2 and toddler 1-5 overlap; "
            "let one end before the other begins",
        ),
        (
            {"AGE": {"infant": (0, 2), "other": (None, 0.5)}},
            "discretize of 'AGE': the intervals other up to 0.5 and infant 0-2 "
            "overlap; let one end before the other begins",
        ),
        (
            {"AGE": {"infant": (2, 0)}},
            "discretize of 'AGE': the interval 'infant' begins at 2 and ends before "
            "it, at 0; write the smaller end first",
        ),
        (
            {"AGE": {"infant": 2}},
            "discretize of 'AGE': the interval 'infant' is 2; give it two ends, (low, "
            "high), with None for no end",
        ),
        (
            {"AGE": [("infant", 0, 2), ("infant", 3, 5)]},
            "discretize of 'AGE' names 'infant' twice among 'infant', 'infant'; give "
            "each interval a name of its own",
        ),
        (
            {"AGE": [("infant", 0, 2), 5]},
            "discretize of 'AGE' holds 5; write each interval as (name, low, high), "
            "or borders alone",
        ),
        (
            {"AGE": {" ": (0, 2)}},
            "discretize of 'AGE' names an interval ' '; names must be text that is not "
            "blank",
        ),
        ({"AGE": {}}, "discretize of 'AGE' has no intervals; name at least 1"),
    ],
    ids=str,
)
def test_what_has_no_meaning_is_refused_in_one_line(given, message):
    tree = ID3Classifier(discretize=given)
    with pytest.raises(SettingError) as refusal:
        tree.fit(AGES, Y)
    assert str(refusal.value) == message
    assert not hasattr(tree, "model_")


def test_training_value_outside_of_the_ranges_is_refused():
    tree = ID3Classifier(discretize={"AGE": {"infant": (0, 2), "toddler": (3, 5)}})
    with pytest.raises(DataError) as refusal:
        tree.fit(AGES, Y)
    assert str(refusal.value) == (
        "feature 'AGE' has 2 rows in none of its intervals 'infant', 'toddler', for "
        "example 6; widen an interval (None for no end), add one, or set "
        "unseen='missing' to take such values as missing"
    )
    tree.set_params(unseen="missing").fit(AGES, Y)
    assert tree.predict({"AGE": [6, None], "SEX": ["f", "f"]}).tolist() == ["c", "c"]


@pytest.mark.parametrize("method", ["mdl", "cv"])
def test_methods_that_look_at_classes_need_some(method):
    with pytest.raises(SettingError) as refusal:
        TreeRegressor(discretize=method).fit(AGES, range(8))
    assert str(refusal.value) == (
        f"discretize of 'AGE' is {method!r}, which looks at classes, and the target is "
        "a number; choose 'equal_width', 'quantiles:k' or borders"
    )
    assert TreeRegressor(discretize="quartiles").fit(AGES, range(8)).get_depth() > 0


@pytest.mark.parametrize("method", ["equal_width", "quartiles", "mdl", "cv"])
def test_constant_column_is_noted_and_not_used(method):
    table = {"AGE": [3, 3, 3, 3], "SEX": ["f", "f", "m", "m"]}
    tree = TreeClassifier(discretize=method, nominal_splits="multiway")
    tree.fit(table, [0, 0, 1, 1])
    assert tree.notes_ == (
        "feature 'AGE': it has a single value, so it is one interval",
    )
    assert tree.model_.schema.features[0].categories == ("any value",)
    assert tree.predict({"AGE": [9], "SEX": ["m"]}).tolist() == [1]


def test_column_without_a_border_is_noted():
    tree = ID3Classifier(discretize="mdl").fit({"x": [1, 2, 3, 4]}, [0, 1, 0, 1])
    assert tree.notes_[0] == "feature 'x': mdl finds no border, so it is one interval"


def test_column_of_nothing_but_missing_values_is_one_interval():
    table = {"AGE": [None, None], "SEX": ["f", "m"]}
    tree = ID3Classifier(discretize="mdl", feature_kinds={"AGE": "numeric"})
    tree.fit(table, [0, 1])
    assert any("all values are missing" in note for note in tree.notes_)


def test_fewer_intervals_than_asked_for_are_noted():
    tree = ID3Classifier(discretize="quartiles").fit(
        {"x": [1] * 6 + [2, 3]}, [0, 1] * 4
    )
    assert tree.notes_[0] == (
        "feature 'x': quantiles:4 gives 2 intervals: many rows have the same value"
    )


def test_choice_of_cross_validation_is_noted():
    tree = ID3Classifier(discretize="cv").fit({"x": range(40)}, [0] * 20 + [1] * 20)
    assert tree.notes_ == (
        "feature 'x': 2 intervals by equal_width:2, chosen by cross-validation",
    )


def test_dates_are_divided_like_numbers():
    days = [dt.date(2026, 1, day) for day in range(1, 9)]
    tree = ID3Classifier(discretize={"day": ["2026-01-02", dt.date(2026, 1, 5)]})
    tree.fit({"day": days}, [0, 0, 1, 1, 1, 2, 2, 2])
    categories = tree.model_.schema.features[0].categories
    assert categories == ("<= 2026-01-02", "(2026-01-02, 2026-01-05]", "> 2026-01-05")
    assert tree.predict({"day": days}).tolist() == [0, 0, 1, 1, 1, 2, 2, 2]
    later = {"day": [dt.datetime(2026, 1, 2, 0, 0, 1), None]}
    assert tree.predict(later).tolist()[0] == 1
    learned = ID3Classifier(discretize="mdl").fit({"day": days}, [0] * 4 + [1] * 4)
    assert learned.predict({"day": ["2026-01-04", "2026-01-05"]}).tolist() == [0, 1]
    with pytest.raises(SettingError) as refusal:
        ID3Classifier(discretize={"day": ["soon"]}).fit({"day": days}, [0] * 8)
    assert str(refusal.value) == (
        "discretize of 'day': the border 'soon' is not a date; correct it"
    )


def test_durations_and_large_integers_are_divided_exactly():
    start = 2**60
    table = {"n": [start, start + 1, start + 2, start + 3]}
    tree = ID3Classifier(discretize={"n": {"a": (None, start), "b": (start + 1, None)}})
    assert tree.fit(table, [0, 1, 1, 1]).predict(table).tolist() == [0, 1, 1, 1]
    tree = ID3Classifier(discretize={"n": [start + 0.5]})
    assert tree.fit(table, [0, 1, 1, 1]).predict(table).tolist() == [0, 1, 1, 1]
    spans = {"t": [dt.timedelta(hours=h) for h in (1, 2, 30, 40)]}
    tree = ID3Classifier(discretize={"t": [dt.timedelta(days=1)]})
    assert tree.fit(spans, [0, 0, 1, 1]).predict(spans).tolist() == [0, 0, 1, 1]
    with pytest.raises(SettingError, match="is not a number from -9223372036854775808"):
        ID3Classifier(discretize={"n": [2**70]}).fit(table, [0, 1, 1, 1])


def test_too_many_values_and_classes_are_refused_before_memory_is_taken():
    size = 2**14 + 1
    table = {"x": np.arange(size)}
    with pytest.raises(DataError) as refusal:
        ID3Classifier(discretize="mdl").fit(table, np.arange(size))
    assert str(refusal.value) == (
        "feature 'x' has 16,385 different values and the target 16,385 classes, too "
        "many to count them all; round the values, or discretize by 'quantiles:k', "
        "'equal_width' or borders"
    )


@pytest.mark.parametrize("unit", ["D", "s", "ms", "us", "ns"])
def test_borders_of_dates_are_exact_in_every_unit(unit):
    days = np.array(["2026-01-01", "2026-01-02", "2026-01-03"], f"datetime64[{unit}]")
    border = dt.datetime(2026, 1, 1, 12)
    tree = ID3Classifier(discretize={"day": [border]}).fit({"day": days}, [0, 1, 1])
    assert tree.predict({"day": days}).tolist() == [0, 1, 1]
    ranges = {"new year": ("2026-01-01", "2026-01-01"), "later": (border, None)}
    tree = ID3Classifier(discretize={"day": ranges}).fit({"day": days}, [0, 1, 1])
    assert tree.predict({"day": days}).tolist() == [0, 1, 1]
    asked = np.array(["2026-01-01T12:00", "2025-12-31"], "datetime64[us]")
    assert tree.predict({"day": asked}).tolist() == [1, 1]
    assert tree.apply({"day": asked}).tolist()[1] == 0  # before all ranges: unseen


def test_borders_of_dates_with_a_zone_are_moments():
    east = dt.timezone(dt.timedelta(hours=5))
    times = [dt.datetime(2026, 1, 1, hour, tzinfo=east) for hour in (1, 4, 6, 9)]
    border = dt.datetime(2026, 1, 1, 0, tzinfo=dt.UTC)  # 5 o'clock in the east
    tree = ID3Classifier(discretize={"t": [border]}).fit({"t": times}, [0, 0, 1, 1])
    assert tree.predict({"t": times}).tolist() == [0, 0, 1, 1]
