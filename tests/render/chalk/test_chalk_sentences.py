"""What chalk says in words: shares of many parts, ties, rows without a value."""

from __future__ import annotations

import json
import re

import pytest
from chalks import chalk_of
from check_prediction import check_predictions
from checker import Expected
from read_text import read_text

from treewright import RandomForestClassifier
from treewright.grow.dialect import MISSING_RULES
from treewright.learners.dialects.c45 import C45, LECTURE
from treewright.learners.dialects.cart import CART
from treewright.render.chalk.languages import LANGUAGES

# 11 values, and a row without one: it is divided into 11 parts
MANY = {"x": [*"abcdefghijk" * 3, None]}
CLASSES = [*"pqpqpqqqqpq" * 2, *"p" * 11, "q"]


def test_shares_are_shown_however_many_parts():
    dialect = LECTURE.change(pruning=None, max_depth=1)
    chalk = chalk_of(MANY, CLASSES, dialect, rows=[{"x": None}])
    text = chalk.to_text(listing=False)
    n_parts = len(chalk.walks[0].parts)
    assert n_parts > 8
    for label, share in zip("pq", chalk.walks[0].shares[0], strict=True):
        assert f"{label}, sum over its {n_parts} parts  {share:.4f}" in text
    expected = Expected((("p", "q"),), {}, decimals=4)
    assert check_predictions(read_text(text), expected) == 1


def test_smoothed_shares_are_shown():
    chalk = chalk_of({"x": [*"aabb"]}, [*"pqqq"], CART, rows=[{"x": "c"}])
    text = chalk.to_text(listing=False)
    assert re.search(r"class shares +p +\S.*0\.2500\n +q +\S.*0\.7500\n", text)


# b and c part the rows alike, the other way round, and after shares of rows
TIE = {
    "a": [*"uuuuuvvvvv", None],
    "b": [1, 1, 2, 2, 2, 5, 5, 5, 5, 5, 2],
    "c": [9, 9, 8, 8, 8, 3, 3, 3, 3, 3, 8],
}


@pytest.mark.parametrize("order", ["abc", "acb"])
def test_equals_are_a_tie_where_32_bits_decide(order):
    y = [*"ppqqqrrsss", "q"]
    dialect = C45.change(pruning=None, min_samples_leaf=1)
    chalk = chalk_of({key: TIE[key] for key in order}, y, dialect)
    steps = json.loads(chalk.to_json())["steps"]
    n_ties = 0
    for step, shown in zip(steps, chalk, strict=True):
        if step["margin"] is None:
            continue
        best = step["candidates"][step["best"]]
        equals = {
            one["feature"]
            for one in step["candidates"]
            if one is not best
            and one["verdict"] in ("tie", "compared")
            and abs(one["worth"] - best["worth"]) < 1e-12
        }
        assert set(step["ties"]) >= equals
        n_ties += bool(equals)
        if equals:
            assert "0.0000 more" not in shown.to_text()
            first = min([best["feature"], *equals], key=order.index)
            says = "first in column order" if best["feature"] == first else "32 bits"
            assert says in shown.to_text()
            assert step["rounding_decided"] == (best["feature"] != first)
    assert n_ties


@pytest.mark.slow
def test_ties_of_drawn_features_go_to_the_first_drawn():
    # three copies of a column: the tree takes whichever was drawn first
    copies = {name: [1, 2, 3, 4, 5, 6, 7, 8] for name in "abc"}
    y = [*"ppppqqqq"]
    forest = RandomForestClassifier(12, max_features=2, random_state=0).fit(copies, y)
    winners = set()
    for tree in range(12):
        chalk = forest.chalk(tree)
        step = json.loads(chalk.to_json())["steps"][0]
        if step["ties"]:
            best = step["candidates"][step["best"]]["feature"]
            winners.add(best)
            says = f"{best} is taken: as good as {step['ties'][0]}, and drawn before."
            assert says in chalk.to_text()
    assert winners == {"a", "b", "c"}
    bagged = RandomForestClassifier(6, max_features=None, random_state=0)
    assert "first in column order" in bagged.fit(copies, y).chalk(0).to_text()


SAYS = {
    "own_branch": "Without x (2 rows): to a branch of their own.",
    "majority": "Without x (2 rows): to the heaviest branch, x <= 4.5.",
    "fractional": "Without x (2 rows): divided among the branches, in shares",
    "learned": "Without x: all to the branch that makes the best split, x > 4.5.",
    "most_common": "cells without a value count as the most common value",
    "most_common_in_node": "Without x: as the most common value at the node;",
    "most_common_in_class": "Without x: as the most common value of their class",
    "surrogates": "Without x (2 rows): as the surrogates say (z <= 4.5), else to the",
}
HOLES = {"x": [1, 2, 3, 4, 4, 5, 6, 7, None, None], "z": [1, 2, 3, 4, 4, 5, 6, 7, 1, 8]}


@pytest.mark.parametrize("rule", [one for one in MISSING_RULES if one != "error"])
def test_where_rows_without_a_value_go(rule):
    dialect = CART.change(missing=rule, max_depth=1)
    X = HOLES if rule == "surrogates" else {"x": HOLES["x"]}
    chalk = chalk_of(X, [*"pppppqqqqq"], dialect)
    assert SAYS[rule] in " ".join(chalk.to_text(listing=False).split())
    for language in LANGUAGES:
        assert len(chalk.to_text(language=language, listing=False)) > 300
    quiz, _, key = chalk.to_text(quiz=True).partition("\nKey\n")
    assert "Without x" not in quiz
    if rule != "most_common":
        assert "Step 1: Without x" in key


def test_no_word_of_missing_values_where_there_are_none():
    chalk = chalk_of({"x": [1, 2, 3, 4]}, [*"ppqq"], CART)
    assert "Without" not in chalk.to_text()


@pytest.mark.slow
def test_a_long_page_says_how_to_get_a_short_one():
    X, y = {"x": [*range(30)]}, [str(k % 2) for k in range(30)]
    chalk = chalk_of(X, y, CART)
    hint = f"{len(chalk)} steps; --depth 1 shows the top alone."
    assert chalk.to_text().splitlines()[1].strip() == hint
    assert f'<div class="s">{hint}</div>' in chalk.to_html()
    assert "--depth" not in chalk.to_latex() + chalk.to_markdown()
    assert "--depth" not in chalk_of(X, y, CART, depth=3).to_text()
    assert "--depth" not in chalk_of(X, y, CART.change(max_depth=2)).to_text()
