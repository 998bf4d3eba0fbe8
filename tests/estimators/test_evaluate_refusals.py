"""What `treewright.evaluate` cannot do it refuses in one clear line."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError

X = np.arange(12)[:, None]
CLASSES = np.array(["a", "b"] * 6)
NUMBERS = np.arange(12.0)


@pytest.mark.parametrize("wrong", [object(), 3, "c45", None, [1]])
def test_what_is_no_estimator_is_refused(wrong):
    with refused(SettingError, "estimator", type(wrong).__name__):
        tw.evaluate(wrong, X, CLASSES)


@pytest.mark.parametrize("wrong", [True, False, np.True_, 2.0, "5"])
def test_folds_that_are_no_number_are_said_as_given(wrong):
    with refused(SettingError, "folds", repr(wrong), "(train, test)"):
        tw.evaluate(tw.CARTClassifier(), X, CLASSES, folds=wrong)


@pytest.mark.parametrize("wrong", ["x", True, 0, 1, -0.5, float("nan"), [0.3]])
def test_hold_out_that_is_no_share_is_refused(wrong):
    with refused(SettingError, "hold_out", repr(wrong), 0.3):
        tw.evaluate(tw.CARTClassifier(), X, CLASSES, hold_out=wrong)


@pytest.mark.parametrize("wrong", ["x", None, 0, 1, float("nan")])
def test_level_that_is_no_confidence_is_refused(wrong):
    with refused(SettingError, "level", repr(wrong), 0.95):
        tw.evaluate(tw.CARTClassifier(), X, CLASSES, level=wrong)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "hold-out: learned from 11 rows, asked about 1 other"),
        ({"times": NUMBERS}, "learned from the first 11 rows, asked about the last 1"),
        ({"groups": NUMBERS}, "from 11 rows, asked about 1 other of other groups"),
    ],
)
def test_a_tiny_share_holds_out_one_row(more, words):
    found = tw.evaluate(tw.CARTRegressor(), X, NUMBERS, hold_out=0.001, **more)
    assert words in found.how


def test_groups_are_counted_where_none_would_be_left():
    # 0.7 of 3 groups are 3 groups, though not 12 rows
    groups = NUMBERS // 4
    with refused(DataError, "hold_out=0.7", "3 groups"):
        tw.evaluate(tw.CARTRegressor(), X, NUMBERS, hold_out=0.7, groups=groups)
