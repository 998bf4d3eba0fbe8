"""What `encode` makes of targets and row weights."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import polars as pl
import pytest

from treewright.data import encode


def test_weight_zero_means_that_the_row_is_absent():
    table = {"a": ["x", "y", "z"], "b": [2**60, 1, 2], "c": [1, "u", 2]}
    target = ["p", None, "p"]
    weighted = encode(table, target, task="classes", sample_weight=[2.0, 0.0, 3.0])
    without = {name: [column[0], column[2]] for name, column in table.items()}
    expected = encode(without, ["p", "p"], task="classes", sample_weight=[2.0, 3.0])
    assert weighted.given_rows.numbers.tolist() == [0, 2]  # but for these it is so
    assert repr(dataclasses.replace(weighted, given_rows=None)) == repr(expected)
    assert weighted.weights.tolist() == [2.0, 3.0]


def test_declared_categories_stay_without_their_rows():
    column = pd.Categorical(["b", "a"], ["b", "a"])
    columns = encode({"f": column}, [0, 1], task="classes", sample_weight=[0, 1])
    assert columns.schema.features[0].categories == ("b", "a")


def test_weights_of_one_say_nothing():
    columns = encode([[1.0], [2.0]], [0, 1], task="classes", sample_weight=[1, 1])
    assert columns.weights is None


def test_rows_without_a_target_can_be_left_out():
    columns = encode(
        [[1.0], [2.0], [3.0]],
        ["a", None, "b"],
        task="classes",
        drop_missing_target=True,
    )
    assert columns.target.ravel().tolist() == [0, 1]
    assert columns.features[0].values.tolist() == [1.0, 3.0]
    assert columns.notes == ("1 row without a target left out",)


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (["b", "a"], ("a", "b")),
        ([3, 1], (1, 3)),
        (np.array([1.0, 0.0]), (0.0, 1.0)),
        ([True, False], (False, True)),
        (["b", 1], (1, "b")),
        ([b"b", b"a"], (b"a", b"b")),
        (pd.Series(pd.Categorical(["b", "a"], ["b", "x", "a"])), ("b", "x", "a")),
        (
            np.array([(1, "u"), (0, "v"), None], dtype=object)[:2],
            ((0, "v"), (1, "u")),
        ),
    ],
)
def test_classes_are_sorted_or_as_declared(y, classes):
    columns = encode([[1.0], [2.0]], y, task="classes")
    assert columns.schema.target.classes == (classes,)
    assert columns.target.dtype == np.int32
    decoded = [classes[code] for code in columns.target[:, 0]]
    assert decoded == list(y)
    assert [type(label) for label in decoded] == [
        type(getattr(label, "item", lambda label=label: label)()) for label in y
    ]


def test_several_outputs():
    frame = pl.DataFrame({"p": ["b", "a"], "q": [1, 0]})
    columns = encode([[1.0], [2.0]], frame, task="classes")
    assert columns.schema.target.names == ("p", "q")
    assert columns.schema.target.classes == (("a", "b"), (0, 1))
    assert columns.target.tolist() == [[1, 1], [0, 0]]
    columns = encode([[1.0], [2.0]], [[1, 2], [3, 4.5]], task="numbers")
    assert columns.schema.target.names == ("target0", "target1")
    assert columns.target.tolist() == [[1.0, 2.0], [3.0, 4.5]]


def test_target_of_one_column_is_one_output():
    columns = encode([[1], [2]], np.array([["b"], ["a"]]), task="classes")
    assert columns.schema.target.names == ("target",)
    assert columns.schema.target.n_outputs == 1
    assert columns.target.tolist() == [[1], [0]]


def test_slots_follow_each_other():
    frame = pl.DataFrame({"p": ["b", "a", "c"], "q": [1, 0, 0]})
    target = encode([[1], [2], [3]], frame, task="classes").schema.target
    assert target.slots == [slice(0, 3), slice(3, 5)]


def test_truth_values_are_numbers_to_a_regressor():
    columns = encode([[1], [2]], [True, False], task="numbers")
    assert columns.target.tolist() == [[1.0], [0.0]]


def test_target_is_named_after_its_series_or_as_told():
    series = pl.Series("price", [1.5, 2.0])
    columns = encode([[1], [2]], series, task="numbers")
    assert columns.schema.target.names == ("price",)
    columns = encode([[1], [2]], series, task="numbers", target_names=["cost"])
    assert columns.schema.target.names == ("cost",)
