"""The built-in tables."""

from __future__ import annotations

import polars as pl
import pytest

from refusals import refused
from treewright.data import datasets, encode
from treewright.errors import DataError

SHAPES = {
    "cars": (5, 2),
    "dungeon": (6, 3),
    "patients": (5, 2),
    "restaurant": (12, 10),
    "six_rows": (6, 3),
    "tennis": (14, 4),
    "watermelon": (17, 9),
    "watermelon_missing": (17, 6),
}
NUMERIC = {"cars": ["PS"], "watermelon": ["编号", "密度", "含糖率"]}


def test_names_are_the_functions():
    assert datasets.names() == sorted(SHAPES)


@pytest.mark.parametrize("name", SHAPES)
def test_table_has_its_shape_and_kinds(name):
    features, target = getattr(datasets, name)()
    assert features.shape == SHAPES[name]
    assert len(target) == len(features)
    assert target.name == datasets.target(name)
    assert target.name not in features.columns
    numeric = [
        column for column in features.columns if features[column].dtype != pl.String
    ]
    assert numeric == NUMERIC.get(name, [])
    assert encode(features, target, task="classes").n_rows == SHAPES[name][0]


def test_only_empty_cells_are_missing():
    patrons = datasets.restaurant()[0]["Patrons"]
    assert patrons.null_count() == 0
    assert "None" in patrons.to_list()
    missing, _ = datasets.watermelon_missing()
    assert sum(missing.null_count().row(0)) == 13


def test_path_is_the_file():
    assert datasets.path("tennis").read_text().startswith("Outlook,Temperature")


def test_unknown_table_suggests_the_nearest():
    with refused(DataError, "'tenis'", "'tennis'"):
        datasets.path("tenis")
