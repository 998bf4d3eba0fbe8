"""Every row of the tables Data, Parameters and Model files is tested.

Where a part of a row is not, it is named here.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DATA, PARAMETERS, MODEL_FILES = range(1, 37), range(37, 43), range(43, 54)

# rows of which one part is not tested here
PARTLY = {
    15: "two sets of 10^6 values take a time that is not linear if most of the values "
    "are in the set; tested where few are",
    25: "10 000 classes are tested down to depth 4: a node keeps a number per class, "
    "so a tree of 20 000 nodes takes 1.6 GB",
    30: "2^31 cells of a table need gigabytes; that many rows are tested, refused",
    31: "text, pictures and rules are tested at 20 000 levels, fit, predict and files "
    "at 100 000",
    41: "criterion takes names only: that a function is refused is tested",
    53: "there is no tool that repairs",
}


def rows_with_tests():
    texts = [path.read_text() for path in Path(__file__).parent.glob("test_*_rows.py")]
    found = re.findall(r'(?:def test_row|"row)(\d\d)[-_]', "".join(texts))
    return set(map(int, found))


@pytest.mark.parametrize("table", [DATA, PARAMETERS, MODEL_FILES], ids=str)
def test_every_row_is_tested(table):
    assert set(table) - rows_with_tests() == set()


def test_rows_named_here_are_tested_in_part():
    assert rows_with_tests() >= PARTLY.keys()
