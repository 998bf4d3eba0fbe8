"""What `discretize=` may be, and what is said of what it may not be."""

from __future__ import annotations

import datetime as dt
import math

import numpy as np
import pytest

from refusals import refused
from treewright import ID3Classifier, TreeClassifier, TreeRegressor
from treewright.discretize.plan import Borders, LearnedBorders, Range, Ranges, read_plan
from treewright.errors import DataError, SettingError

AGES = {"AGE": [0, 1, 2, 3, 4, 5, 6, 7], "SEX": ["f", "m"] * 4}
Y = ["a", "a", "a", "b", "b", "b", "c", "c"]
CHOICES = "'equal_width', 'equal_width:k', 'quartiles', 'quantiles:k', 'mdl', 'cv'"


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
    ("given", "names"),
    [
        ("halves", ["'halves'", CHOICES]),
        ("mdl:3", ["'mdl:3'", CHOICES]),
        (3, [3, None, "'quartiles'", "dict"]),
        ({"AGE": 3}, ["'AGE'", 3, CHOICES]),
        ({"AGE": "halves"}, ["'AGE'", "'halves'", CHOICES]),
        ({"AGE": "quantiles:1"}, ["'AGE'", "'quantiles:1'", 2, "'quantiles:4'"]),
        ("equal_width:x", ["'equal_width:x'", 2, "'equal_width:4'"]),
        ({"AGES": "mdl"}, ["'AGES'", "'AGE'"]),
        ({0: "mdl"}, ["column 0", "x0, x1"]),
        ({"SEX": "mdl"}, ["'SEX'", "nominal", "'f', 'm'"]),
        ({"AGE": []}, ["'AGE'", [], "1 border"]),
        ({"AGE": [5, 2]}, ["'AGE'", "ascend", 2, 5]),
        ({"AGE": [2, 2.0]}, ["'AGE'", "ascend", 2.0, 2]),
        ({"AGE": [2, math.nan]}, ["'AGE'", "border", "nan", "finite"]),
        ({"AGE": [2, math.inf]}, ["'AGE'", "border", "inf", "finite"]),
        ({"AGE": [2, "x"]}, ["'AGE'", "border", "'x'", "finite"]),
        ({"AGE": [True]}, ["'AGE'", "border", True, "finite"]),
        (
            {"AGE": {"infant": (0, 2), "toddler": (1, 5)}},
            ["'AGE'", "infant 0-2", "toddler 1-5", "overlap"],
        ),
        (
            {"AGE": {"infant": (0, 2), "other": (None, 0.5)}},
            ["'AGE'", "other", 0.5, "infant 0-2", "overlap"],
        ),
        ({"AGE": {"infant": (2, 0)}}, ["'AGE'", "'infant'", 2, 0]),
        ({"AGE": {"infant": 2}}, ["'AGE'", "'infant'", 2, "(low, high)", None]),
        (
            {"AGE": [("infant", 0, 2), ("infant", 3, 5)]},
            ["'AGE'", "'infant', 'infant'", "twice"],
        ),
        ({"AGE": [("infant", 0, 2), 5]}, ["'AGE'", 5, "(name, low, high)"]),
        ({"AGE": {" ": (0, 2)}}, ["'AGE'", "' '", "blank"]),
        ({"AGE": {}}, ["'AGE'", "no intervals", 1]),
    ],
    ids=str,
)
def test_what_has_no_meaning_is_refused_in_one_line(given, names):
    tree = ID3Classifier(discretize=given)
    with refused(SettingError, "discretize", *names) as refusal:
        tree.fit(AGES, Y)
    assert "\n" not in str(refusal.value)
    assert not hasattr(tree, "model_")


def test_training_value_outside_of_the_ranges_is_refused():
    tree = ID3Classifier(discretize={"AGE": {"infant": (0, 2), "toddler": (3, 5)}})
    intervals, remedy = "'infant', 'toddler'", "unseen='missing'"
    with refused(DataError, "'AGE'", "2 rows", intervals, 6, remedy):
        tree.fit(AGES, Y)
    tree.set_params(unseen="missing").fit(AGES, Y)
    assert tree.predict({"AGE": [6, None], "SEX": ["f", "f"]}).tolist() == ["c", "c"]


@pytest.mark.parametrize("method", ["mdl", "cv"])
def test_methods_that_look_at_classes_need_some(method):
    choices = "'equal_width', 'quantiles:k'"
    with refused(SettingError, "discretize", "'AGE'", repr(method), choices):
        TreeRegressor(discretize=method).fit(AGES, range(8))
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
    with refused(SettingError, "discretize", "'day'", "'soon'", "date"):
        ID3Classifier(discretize={"day": ["soon"]}).fit({"day": days}, [0] * 8)


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
    with refused(SettingError, "discretize", "'n'", 2**70, -(2**63), 2**63 - 1):
        ID3Classifier(discretize={"n": [2**70]}).fit(table, [0, 1, 1, 1])


def test_too_many_values_and_classes_are_refused_before_memory_is_taken():
    size = 2**14 + 1
    table = {"x": np.arange(size)}
    with refused(DataError, "'x'", "16,385", "'quantiles:k'", "'equal_width'"):
        ID3Classifier(discretize="mdl").fit(table, np.arange(size))


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
