"""What was measured of a forest stays with its file; files without it still load."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import ModelFileError
from treewright.tree.file.container import pack, unpack
from treewright.tree.file.save import from_bytes, to_bytes
from treewright.tree.measured_forest import Measures


@pytest.fixture(scope="module")
def model():
    X, y = tw.datasets.tennis()
    forest = tw.RandomForestClassifier(5, random_state=0).fit(X, y)
    forest.measure()
    return forest.model_


def same(one: Measures, other: Measures) -> None:
    for field in dataclasses.fields(Measures):
        np.testing.assert_equal(getattr(one, field.name), getattr(other, field.name))


def test_a_file_keeps_the_figures(model):
    same(from_bytes(to_bytes(model)).measures, model.measures)


def test_figures_that_are_not_known_come_back_as_such(model):
    nothing = np.full(4, np.nan)
    measures = dataclasses.replace(
        model.measures, standard_errors=nothing, correlation=(float("nan"),)
    )
    unsure = dataclasses.replace(model, measures=measures)
    same(from_bytes(to_bytes(unsure)).measures, measures)


def test_numbers_have_no_figures_of_classes():
    X = np.arange(40.0).reshape(-1, 1)
    forest = tw.RandomForestRegressor(3, random_state=0).fit(X, X[:, 0])
    forest.measure()
    found = from_bytes(to_bytes(forest.model_)).measures
    assert found.class_importances == ()
    assert found.strength == ()
    same(found, forest.model_.measures)


def test_a_file_without_them_loads(model):
    header, arrays = unpack(to_bytes(model))
    assert "measures" not in header["required"]
    del header["measures"]
    for version in ("1.5", "1.6"):
        old = from_bytes(pack({**header, "format": version}, arrays))
        assert old.measures is None
        assert old.fingerprint() == model.fingerprint()


@pytest.mark.parametrize(
    "change",
    [
        {"importances": [0.5]},
        {"importances": "many"},
        {"importances": [0.1, 0.1, 0.1, 1]},
        {"importances": [0.1, 0.1, 0.1, [0.1]]},
        {"standard_errors": []},
        {"class_importances": []},
        {"class_importances": [[0.1, 0.1, 0.1, 0.1]]},
        {"class_importances": [[[0.1, 0.1]] * 3]},
        {"class_importances": [[[0.1]] * 4]},
        {"class_standard_errors": {"a": 1}},
        {"strength": []},
        {"correlation": [True]},
        {"error": "low"},
    ],
)
def test_figures_that_do_not_fit_are_refused(model, change):
    header, arrays = unpack(to_bytes(model))
    header["measures"].update(change)
    with refused(ModelFileError, *map(repr, change)):
        from_bytes(pack(header, arrays))


def test_figures_that_are_not_there_are_refused(model):
    for name in ("importances", "strength", "error"):
        header, arrays = unpack(to_bytes(model))
        del header["measures"][name]
        with pytest.raises(ModelFileError):
            from_bytes(pack(header, arrays))
