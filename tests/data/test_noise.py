"""Noise at a rate: how much is replaced, by what, and in which types."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import DataTypeError, SettingError


def test_no_noise_changes_nothing():
    cells = np.random.default_rng(0).normal(size=(50, 3))
    y = np.arange(50)
    noisy, answers = tw.with_noise(cells, y)
    assert np.array_equal(noisy, cells)
    assert np.array_equal(answers, y)
    assert noisy is not cells


@pytest.mark.parametrize("rate", [0.1, 0.5, 1.0])
def test_share_that_is_replaced_is_the_rate(rate):
    n_rows = 20_000
    cells = np.arange(2 * n_rows).reshape(n_rows, 2)
    noisy, answers = tw.with_noise(cells, np.arange(n_rows), cells=rate, answers=rate)
    # all values differ, so that one in n_rows replaced cells stays as it was
    for share in ((noisy[:, 0] != cells[:, 0]), (answers != np.arange(n_rows))):
        assert share.mean() == pytest.approx(rate, abs=0.015)
    both = (noisy != cells).all(axis=1).mean()
    assert both == pytest.approx(rate**2, abs=0.015)  # the columns by themselves
    assert set(noisy[:, 1]) <= set(cells[:, 1])


def test_noise_grows_with_the_rate_and_parts_are_drawn_apart():
    y = np.arange(1000)
    low = tw.with_noise({}, y, answers=0.1, random_state=3)[1] != y
    high = tw.with_noise({}, y, answers=0.3, random_state=3)[1] != y
    assert (high | ~low).all()
    cells = {"x": np.arange(1000)}
    again = tw.with_noise(cells, y, cells=0.5, answers=0.1, random_state=3)[1] != y
    assert (again == low).all()


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_frames_keep_their_type(make):
    frame = make({"x": [1.5, 2.5, None, 4.5], "c": ["a", "b", "c", None]})
    noisy, answers = tw.with_noise(frame, frame["c"], cells=0.5, answers=0.5)
    assert type(noisy) is make
    assert list(noisy.columns) == ["x", "c"]
    assert noisy["x"].dtype == frame["x"].dtype
    assert type(answers) is type(frame["c"])
    assert len(noisy) == len(answers) == 4


def test_pandas_index_stays():
    frame = pd.DataFrame({"x": [1, 2, 3]}, index=["p", "q", "r"])
    noisy, y = tw.with_noise(frame, frame["x"], cells=1.0, answers=1.0)
    assert list(noisy.index) == list(y.index) == ["p", "q", "r"]


def test_refusals_say_what_to_do():
    with refused(SettingError, "answers", 1.5):
        tw.with_noise({}, [1], answers=1.5)
    with refused(DataTypeError, "table", "int", "noise"):
        tw.with_noise(7, [1])
