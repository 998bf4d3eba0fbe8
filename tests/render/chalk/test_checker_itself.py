"""The checker sees every number: a page with one of them changed does not pass."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from chalks import chalk_of_example
from check_pruning import check_prunings
from checker import check_page
from checking import expected_of
from read_text import read_text

from treewright.learners.c45 import C45
from treewright.learners.id3 import ID3

CHI_SQUARE = ID3.change(chi_square_level=0.5)


def with_one_changed(page):
    """The page again and again, each time with another number of it changed."""
    for found in re.finditer(r"(?<![\w.])\d+\.(\d{4})(?!\d)", page):
        digits = str((int(found[1]) + 37) % 10_000).zfill(4)
        yield found, page[: found.start(1)] + digits + page[found.end(1) :]


@pytest.mark.parametrize(
    ("example", "dialect"),
    [
        ("tennis", ID3),
        ("tennis", C45),
        ("tennis", CHI_SQUARE),
        ("watermelon", C45),
        ("watermelon_missing", C45),
    ],
    ids=["id3", "c45", "chi-square", "cuts", "missing"],
)
def test_no_number_escapes(example, dialect):
    chalk = chalk_of_example(example, dialect)
    page = chalk.to_text(listing=False, width=200).partition("\nPruning")[0]
    tree = chalk.model.trees[0]
    expected = replace(expected_of(chalk, tree, dialect), winners={}, decimals=4)
    check_page(read_text(page), expected)
    escaped = []
    for found, changed in with_one_changed(page):
        try:
            check_page(read_text(changed), expected)
        except AssertionError:
            continue
        line = page[: found.end()].count("\n")
        escaped.append(f"{found[0]} in: {page.splitlines()[line]}")
    assert not escaped


def test_no_estimate_of_pruning_escapes():
    chalk = chalk_of_example("restaurant", C45.change(min_samples_leaf=1))
    page = chalk.to_text(listing=False, width=200)
    page = page[page.index("\nPruning   error_based") :]
    assert check_prunings(read_text(page), 4) > 1
    escaped = []
    for found, changed in with_one_changed(page):
        line = page.splitlines()[page[: found.end()].count("\n")]
        if "quantile" in line:  # what was asked for
            continue
        try:
            check_prunings(read_text(changed), 4)
        except AssertionError:
            continue
        escaped.append(f"{found[0]} in: {line}")
    assert not escaped
