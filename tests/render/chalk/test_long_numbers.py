"""Numbers are never cut, however long they are; names may be."""

from __future__ import annotations

import re

import pytest
from chalks import chalk_of, chalk_of_example

from treewright.learners.dialects.c45 import C45, J48
from treewright.learners.dialects.cart import CART, CART_NUMBERS

pytestmark = pytest.mark.slow

CHALKS = {
    "ratios": lambda: chalk_of_example("watermelon_missing", C45),
    "net gains": lambda: chalk_of_example("watermelon", J48),
    "gini": lambda: chalk_of_example("tennis", CART.change(pruning="pessimistic")),
    "means": lambda: chalk_of(
        {"a feature with quite a long name": [1 / 3, 2 / 3, 5 / 7, 9 / 11, 4.0]},
        [1 / 3, 2 / 3, 20 / 7, 40 / 7, 2.0],
        CART_NUMBERS,
        task="numbers",
    ),
}


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("name", CHALKS)
def test_no_number_is_cut(name, width):
    chalk = CHALKS[name]()
    text = chalk.to_text(digits=15, width=width, listing=False)
    assert not re.search(r"\d(…|\.\.\.)", text)
    whole = chalk.to_text(digits=15, width=4000, listing=False)
    # a number may stand in a line of its own, but as a whole
    assert set(re.findall(r"\d+\.\d+", whole)) == set(re.findall(r"\d+\.\d+", text))
