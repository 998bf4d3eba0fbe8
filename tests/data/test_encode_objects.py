"""Cells that are neither numbers nor text: what is taken by its text, what refused."""

from __future__ import annotations

import enum
import uuid
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

from refusals import refused
from treewright.data import encode, encode_rows
from treewright.errors import DataTypeError


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Thing:
    pass


@pytest.mark.parametrize(
    "cell", [Thing(), Thing, print, uuid.UUID(int=1)], ids=lambda cell: str(type(cell))
)
@pytest.mark.parametrize(
    "form",
    [
        lambda cells: {"f": cells},
        lambda cells: pd.DataFrame({"f": pd.Series(cells, dtype=object)}),
        lambda cells: pl.DataFrame({"f": pl.Series(cells, dtype=pl.Object)}),
    ],
    ids=["dict", "pandas", "polars"],
)
def test_objects_are_refused_with_their_type(cell, form):
    names = ["'f'", "object", f"type {type(cell).__name__}", "row 1"]
    with refused(DataTypeError, *names):
        encode(form(["a", cell]), [0, 1], task="classes")
    schema = encode({"f": ["a", "b"]}, [0, 1], task="classes").schema
    with refused(DataTypeError, *names):
        encode_rows(form(["a", cell]), schema, unseen="stop", missing="majority")


@pytest.mark.parametrize(
    ("cells", "categories"),
    [
        ([Colour.RED, Colour.BLUE], ("Colour.BLUE", "Colour.RED")),
        ([b"a", b"b"], ("a", "b")),
        (["a", Decimal("1.5")], ("1.5", "a")),
        (pd.Series(pd.period_range("2020", periods=2, freq="Y")), ("2020", "2021")),
    ],
)
def test_cells_with_a_text_are_categories(cells, categories):
    columns = encode({"f": cells}, [0, 1], task="classes")
    assert columns.schema.features[0].categories == categories


@pytest.mark.parametrize("weights", [np.array([1, 2j]), [1, 2j]])
def test_complex_weights_are_refused(weights):
    with refused(DataTypeError, "sample_weight", "complex"):
        encode({"f": [1, 2]}, [0, 1], task="classes", sample_weight=weights)
