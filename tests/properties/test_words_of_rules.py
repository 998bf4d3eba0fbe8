"""What a rule says in words is what it holds for: the words are read and applied.

The reader below knows nothing of codes, cells and trees: it takes the text of a
condition and a value as in the table.
"""

from __future__ import annotations

import json
import re

import pytest
import tables
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from treewright.errors import SettingError
from treewright.learners.dialects.c45 import J48
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.id3 import ID3
from treewright.render.rules.rule_listing import tree_rules

FEWER = settings(max_examples=max(settings().max_examples // 3, 10))
CLASSES = {
    "cart": CART.change(missing="own_branch"),
    "id3": ID3.change(numeric_splits="midpoint"),
    "groups": J48.change(grouping="c45", pruning=None, min_samples_leaf=1),
    "one value": J48.change(
        nominal_splits="one_value", pruning=None, min_samples_leaf=1
    ),
}
SIGNS = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def holds(text, table, row):
    """Whether a condition, read from its text, holds for a row of the table."""
    found = re.fullmatch(
        r"(?:(\S+) (<=?) )?(x\d) (is|in|not in|[<>!]?=|[<>]) (.+)", text
    )
    low, low_sign, name, relation, value = found.groups()
    cell = table.cells[name][row]
    if relation == "is":
        return (cell is None) == (value == "missing")
    if cell is None:
        return False

    def place(word):
        """Numbers, and categories in their order, can be compared."""
        if table.kinds[name] == "numeric":
            return float(word)
        return table.categories[name].index(word)

    if relation in ("in", "not in"):
        is_in = cell in value.removeprefix("{").removesuffix("}").split(", ")
        return is_in == (relation == "in")
    is_inside = SIGNS[relation](place(cell), place(value))
    return is_inside and (low is None or SIGNS[low_sign](place(low), place(cell)))


def check(table, dialect):
    try:
        model = tables.grow(table, dialect)
    except SettingError:
        assume(False)
    rules = tree_rules(model)
    cells, _ = model.encode(table.frame())
    covered = rules.rule_set.covers(cells)
    data = json.loads(rules.to_json())["rules"]
    for k, (one, words) in enumerate(
        zip(data, rules.to_frame()["conditions"], strict=True)
    ):
        texts = [part["text"] for part in one["if"]]
        assert " and ".join(texts) == (words if texts else "")
        for row in range(table.n_rows):
            assert all(holds(text, table, row) for text in texts) == covered[k, row]
    for width in (40, 80):
        lines = rules.to_text(width=width).split("\n")
        assert max(map(len, lines)) <= width


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSES)
@FEWER
@given(table=tables.tables(missing=True))
def test_words_hold_where_the_rule_does(name, table):
    check(table, CLASSES[name])


@pytest.mark.slow
@FEWER
@given(
    table=tables.tables(missing=True, task="numbers"),
    criterion=st.sampled_from(["squared_error", "absolute_error"]),
)
def test_words_of_numbers_hold_where_the_rule_does(table, criterion):
    check(table, CART_NUMBERS.change(missing="own_branch", criterion=criterion))
