"""The ROC curve and the calibration: figures and charts."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics import roc_auc_score, roc_curve

import treewright as tw
from refusals import refused
from treewright.errors import SettingError
from treewright.evaluation.errors.ranking import PLACES, area_of, curve_of

SCORED = st.lists(
    st.tuples(st.booleans(), st.integers(0, 6), st.integers(1, 3)), min_size=2
).filter(lambda rows: len({row[0] for row in rows}) == 2)


def highest(place: float, across: list[float], up: list[float]) -> float:
    """The highest point above a place of the line through some points."""
    best = 0.0
    points = list(zip(across, up, strict=True))
    for (x, y), (x2, y2) in pairwise(points):
        if x <= place <= x2:
            share = 1.0 if x == x2 else (place - x) / (x2 - x)
            best = max(best, y + share * (y2 - y))
    return best


@given(SCORED)
def test_curve_and_area_are_those_of_scikit_learn(rows):
    positive, score, weight = (np.array(each) for each in zip(*rows, strict=True))
    across, up, _ = roc_curve(
        positive, score, sample_weight=weight, drop_intermediate=False
    )
    wanted = [highest(place, across.tolist(), up.tolist()) for place in PLACES]
    found = curve_of(positive, score.astype(float), weight.astype(float))
    # at the corner of a step rounding decides which end is met
    near = np.isclose(PLACES[:, None], across[None, :], rtol=0, atol=1e-12).any(axis=1)
    keep = ~near | (PLACES == 0) | (PLACES == 1)
    np.testing.assert_allclose(found[keep], np.array(wanted)[keep], atol=1e-12)
    area = roc_auc_score(positive, score, sample_weight=weight)
    assert area_of(positive, score, weight) == pytest.approx(area)


def test_curve_of_an_evaluation_has_its_area():
    X, y = load_breast_cancer(return_X_y=True)
    found = tw.evaluate(tw.CARTClassifier(max_depth=3), X, y, folds=5)
    area = np.trapezoid(found.roc_curve, PLACES)
    assert area == pytest.approx(found.roc_area, abs=0.01)
    assert found.roc_curve[-1] == 1.0
    assert (np.diff(found.roc_curve) >= -1e-12).all()


@pytest.mark.parametrize("curves", [False, True])
def test_ranking_and_calibration_are_drawn(curves):
    X, y = load_iris(return_X_y=True)
    found = tw.evaluate(tw.CARTClassifier(), X, y, folds=3, curves=curves)
    root = ET.fromstring(found.to_svg())
    titles = [
        one.text
        for one in root.iter("{http://www.w3.org/2000/svg}text")
        if one.get("class") == "title"
    ]
    assert titles[:2] == [f"ROC, area {found.roc_area:.3f}", "calibration"]
    assert len(titles) == (4 if curves else 2)
    height = 600 if curves else 300
    assert (root.get("width"), root.get("height")) == ("840", f"{height}")


def test_three_charts_take_three_axes():
    X, y = load_iris(return_X_y=True)
    forest = tw.RandomForestClassifier(5, random_state=0)
    found = tw.evaluate(forest, X, y, folds=3, curves=True)
    axes = found.plot()
    assert len(axes) == len(axes[0].figure.axes) == 3


def test_numbers_without_curves_have_nothing_to_draw():
    found = tw.evaluate(tw.CARTRegressor(), {"a": range(9)}, range(9), folds=3)
    with refused(SettingError, "evaluate", "curves=True"):
        found.to_svg()
