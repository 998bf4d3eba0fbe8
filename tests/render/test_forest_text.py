"""A forest in figures: what is printed, and that it fits."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

import treewright as tw
from treewright.render.json_text import to_json
from treewright.render.listing.forest_text import forest_lines


@pytest.fixture(scope="module")
def measured():
    random = np.random.default_rng(0)
    names = [f"{'very ' * 8}long name of column {k}" for k in range(23)]
    X = {name: random.normal(size=80) for name in names}
    forest = tw.RandomForestClassifier(8, random_state=0)
    forest.fit(X, X[names[0]] + X[names[1]] > 0).measure()
    return forest.model_


def importance_lines(model, **options):
    lines = list(forest_lines(model, **options))
    return lines[lines.index("") + 1 :]


@pytest.mark.parametrize("ascii", [False, True])
def test_lines_fit_whatever_the_names_are(measured, ascii):
    lines = list(forest_lines(measured, ascii=ascii))
    assert max(map(len, lines)) <= 80
    assert lines[-1] == "  and 3 more features"
    if ascii:
        assert "\n".join(lines).isascii()


def test_figures_are_those_that_were_measured(measured):
    measures = measured.measures
    best = int(measures.importances.argmax())
    half = measures.high[best] - measures.importances[best]
    words = f"{100 * measures.importances[best]:.1f} ± {100 * half:.1f}"
    assert words in importance_lines(measured)[2]
    text = "\n".join(forest_lines(measured))
    assert f"error   {100 * measures.error:.2f} % out of bag" in text
    assert f"strength {measures.strength[0]:.3f}, correlation" in text


def test_without_measures_the_gain_of_the_splits_is_shown(measured):
    bare = dataclasses.replace(measured, measures=None)
    assert importance_lines(bare)[0].startswith("share of what the splits gain")
    assert "out of bag" not in "\n".join(forest_lines(bare))


@pytest.mark.parametrize(
    ("scale", "wanted"),
    [
        (1.0, ["1.250 ± 0.980", "0.000 ± 0.980"]),
        (1e3, ["1250 ± 980", "   0 ± 980"]),
        (1e-12, ["1.250e-12 ± 9.800e-13", "0.000e+00 ± 9.800e-13"]),
        (1e20, ["1.250e+20 ± 9.800e+19", "0.000e+00 ± 9.800e+19"]),
        (0.0, ["0 ± 0", "0 ± 0"]),
    ],
)
def test_numbers_of_any_size_stand_below_each_other(scale, wanted):
    X = np.arange(40.0).reshape(20, 2)
    forest = tw.RandomForestRegressor(3, random_state=0).fit(X, X[:, 0])
    forest.measure()
    measures = dataclasses.replace(
        forest.model_.measures,
        importances=scale * np.array([1.25, 0.0]),
        standard_errors=scale * np.array([0.5, 0.5]),
    )
    model = dataclasses.replace(forest.model_, measures=measures)
    lines = importance_lines(model)
    assert lines[0].startswith("importance: rise of the squared error out of bag")
    assert [line[6:].split("  █")[0] for line in lines[2:]] == wanted


def test_json_has_the_measures(measured):
    found = json.loads(to_json(measured))["measures"]
    assert found["importances"] == measured.measures.importances.tolist()
    bare = dataclasses.replace(measured, measures=None)
    assert "measures" not in json.loads(to_json(bare))
