"""The learning curve, and the error against the number of leaves."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression

import treewright as tw
from treewright.render.charts.line_chart import Chart, Line, chart_svg

IRIS = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def found():
    return tw.evaluate(tw.C45Classifier(), *IRIS, folds=5, curves=True)


def test_learning_curve_ends_at_the_error(found):
    curve = found.curves[0]
    assert curve.across == "training rows"
    assert curve.x[-1] == 120
    assert curve.held_out[-1] == pytest.approx(found.error.value)
    assert curve.training[-1] == pytest.approx(found.training_error)
    assert (np.diff(curve.x) > 0).all()


def test_one_leaf_errs_as_the_most_common_class(found):
    curve = found.curves[1]
    assert curve.x[0] == 1
    assert curve.held_out[0] == pytest.approx(found.baseline)


def test_training_error_falls_with_the_leaves():
    X, y = load_diabetes(return_X_y=True)
    found = tw.evaluate(tw.CARTRegressor(), X, y, folds=4, curves=True)
    curve = found.curves[1]
    assert (np.diff(curve.training) <= 1e-9).all()
    assert curve.training[-1] == pytest.approx(0, abs=1e-6)
    # the last point is the tree without pruning, and so the error of CART itself
    assert curve.held_out[-1] == pytest.approx(found.error.value, rel=1e-3)
    # and the best one is smaller: this is overfitting
    assert curve.x[curve.best] < 30
    assert curve.held_out[curve.best] < 0.9 * curve.held_out[-1]


def test_leaf_curve_is_that_of_pruned_trees():
    X, y = IRIS
    found = tw.evaluate(tw.CARTClassifier(), X, y, folds=3, curves=True)
    curve = found.curves[1]
    errors = []
    for split in found.outcomes.splits:
        tree = tw.CARTClassifier().fit(X[split.train], y[split.train])
        path = tree.cost_complexity_pruning_path(X[split.train], y[split.train])
        small = [
            tree.prune("cost_complexity", ccp_alpha=alpha) for alpha in path.ccp_alphas
        ]
        best = max(
            (one for one in small if one.get_n_leaves() <= 3),
            key=lambda one: one.get_n_leaves(),
        )
        errors.append(1 - best.score(X[split.test], y[split.test]))
    place = curve.x.tolist().index(3)
    assert curve.held_out[place] == pytest.approx(np.mean(errors))


@pytest.mark.slow
def test_other_estimators_have_a_learning_curve_only():
    model = LogisticRegression(max_iter=2000)
    found = tw.evaluate(model, *IRIS, folds=3, curves=True)
    assert [curve.across for curve in found.curves] == ["training rows"]


def test_svg_is_well_formed_and_has_all_lines(found):
    root = ET.fromstring(found.to_svg())
    name = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f".//{name}polyline")) == 10  # two and two, three and three
    for line in root.findall(f".//{name}polyline"):
        for point in line.get("points").split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= 420
            assert 0 <= y <= 300


def test_names_in_a_chart_are_escaped():
    chart = Chart("<b>&", "x", "y", (1.0, 2.0), (Line('"<', (0.0, 0.0)),))
    root = ET.fromstring(chart_svg([chart]))
    assert "<b>&" in root.findtext("{http://www.w3.org/2000/svg}title")


def test_figure_has_a_panel_for_each_curve(found):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = found.plot()
    titles = [ax.get_title() for ax in axes]
    assert titles[1:] == ["calibration", "learning curve", "error and size"]
    assert [len(ax.lines) for ax in axes] == [2, 2, 3, 3]


def test_few_rows_have_a_curve_of_one_point():
    found = tw.evaluate(tw.CARTClassifier(), {"a": [1, 2]}, ["x", "y"], curves=True)
    assert found.curves[0].x.tolist() == [1.0]


def test_numbers_below_a_chart_stand_apart_and_inside():
    # ends at 40 times more rows: six-digit numbers come close together on the right
    x = (40671.0, 81342.0, 162683.0, 244025.0, 325366.0, 406708.0)
    line = Line("held-out", (0.5, 0.4, 0.3, 0.2, 0.2, 0.1))
    chart = Chart("learning", "rows", "error", x, (line,), True, True)
    root = ET.fromstring(chart_svg([chart]))
    below = [
        (float(one.get("x")), one.text)
        for one in root.iter("{http://www.w3.org/2000/svg}text")
        if one.get("text-anchor") == "middle" and one.get("y") != "290"
    ]
    assert [below[0][1], below[-1][1]] == ["40,671", "406,708"]
    # a digit of 12 pixels is at most 8 wide
    ends = [(at - 3.6 * len(text), at + 3.6 * len(text)) for at, text in below]
    assert all(left[1] < right[0] for left, right in pairwise(ends))
    assert ends[-1][1] <= float(root.get("width"))
