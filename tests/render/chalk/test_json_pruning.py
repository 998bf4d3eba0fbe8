"""JSON tells of pruning and of rows what the pages tell: those are recomputed."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left

import pytest
from chalks import chalk_of_example, chalk_of_table
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_chalk_pruning import DIALECTS

import treewright as tw
from properties.tables import small_tables
from treewright.learners.dialects.c45 import C45

_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")


def numbers_on(page: str) -> list[float]:
    return sorted(map(float, _NUMBER.findall(page)))


def is_among(value: float, sorted_numbers: list[float]) -> bool:
    place = bisect_left(sorted_numbers, abs(value))
    near = sorted_numbers[max(place - 1, 0) : place + 1]
    # a page has 15 decimals, or as many digits
    return any(
        math.isclose(one, abs(value), rel_tol=1e-12, abs_tol=1e-14) for one in near
    )


def floats_in(data: object) -> list[float]:
    """Every number inside, however deep; counts and node numbers are ints."""
    found, pending = [], [data]
    while pending:
        one = pending.pop()
        if isinstance(one, dict):
            pending += one.values()
        elif isinstance(one, list):
            pending += one
        elif isinstance(one, float) and math.isfinite(one):
            found.append(one)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", DIALECTS)
@settings(max_examples=8)
@given(st.data())
def test_judgements_are_those_of_the_page(name, data):
    dialect = DIALECTS[name]
    if dialect.missing == "error":
        dialect = dialect.change(missing="own_branch")
    table = data.draw(small_tables(missing=True))
    assume(table.n_rows > 3)
    chalk, _ = chalk_of_table(table, dialect)
    page = numbers_on(chalk.to_text(width=300, listing=False, digits=15))
    pruning = json.loads(chalk.to_json())["pruning"] or {"stages": []}
    for stage in pruning["stages"]:
        for judgement in stage["judgements"]:
            for value in judgement["numbers"].values():
                assert (
                    value is None or not math.isfinite(value) or is_among(value, page)
                )


def test_walks_are_those_of_the_page():
    X, _ = tw.datasets.watermelon_missing()
    row = X.row(0, named=True)
    chalk = chalk_of_example("watermelon_missing", C45, rows=[row])
    page = numbers_on(chalk.to_text(width=300, listing=False, digits=15))
    walks = json.loads(chalk.to_json())["walks"]
    values = floats_in(walks)
    assert len(values) > 3
    assert all(is_among(value, page) for value in values)
