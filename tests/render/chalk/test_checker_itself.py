"""The checker sees every number: a page with one of them changed does not pass.

What it cannot see is said here, with the reason: these are what a page starts from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import pytest
from chalks import chalk_of, chalk_of_example
from check_prediction import check_predictions
from check_pruning import check_prunings
from checker import check_page
from checking import expected_of
from read_text import read_text

import treewright as tw
from treewright.learners.dialects.c45 import C45, J48
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.id3 import ID3
from treewright.learners.dialects.rpart import RPART

pytestmark = pytest.mark.slow

BARE_C45 = C45.change(min_samples_leaf=1)
HELD_OUT = CART.change(
    pruning="reduced_error", validation_share=0.4, missing="own_branch"
)
GROWING = {
    "id3": ("tennis", ID3),
    "c45": ("tennis", C45),
    "chi-square": ("tennis", ID3.change(chi_square_level=0.5)),
    "cuts": ("watermelon", C45.change(max_depth=1)),
    "costs of cuts": ("watermelon", J48.change(max_depth=1)),
    "c50": (
        "watermelon",
        C45.change(gain_guard="c50", threshold_cost="c50", grouping="c50", max_depth=1),
    ),
    "missing": ("watermelon_missing", C45),
    "cart": ("watermelon", CART.change(max_depth=2)),
    "error": ("tennis", CART.change(criterion="classification_error")),
}
PRUNING = {
    "raising": BARE_C45,
    "global": BARE_C45.change(global_pruning=True, confidence=0.5),
    "pessimistic": CART.change(pruning="pessimistic"),
    "chi-square": CART.change(pruning="chi_square", prune_level=0.3),
    "minimum gain": CART.change(pruning="minimum_gain", prune_gain=0.2),
    "cost complexity": CART.change(ccp_alpha=0.05),
    "rpart": RPART.change(min_samples_split=2, min_samples_leaf=1, cp=0.2),
    "held out": HELD_OUT,
    "cut sequence": HELD_OUT.change(pruning_order="best_first"),
}


@dataclass(frozen=True)
class Input:
    """A number that is not computed, and why."""

    line: str  # what the line looks like; the number is the first group
    why: str


INPUTS = [
    Input(r"^Prediction   row (\d+)", "which row of the table was asked about"),
    Input(r"(?:<=|>|<|>=) (-?[\d.]+)(?![/\d])", "a threshold lies between two values"),
    Input(r"Compared: .* (0\.001|0\.999)\b", "a constant of C4.5 or C5.0"),
    Input(r"nearly all wrong: ([\d.]+)", "a constant of C4.5"),
    Input(r"leaves - (1)\)", "a formula in words"),
    Input(r"the level is ([\d.]+)\.", "what was asked for"),
    Input(
        r"^Pruning .*(?:tolerance|slack|level|at least|alpha) ([\d.]+)",
        "what was asked for",
    ),
    Input(r" (\d+) rows?, weight ", "rows that are divided count in several nodes"),
]
MEDIANS = [
    Input(r"median ([\d.]+)", "the value of a row in the middle"),
    Input(r"/([\d.]+)/", "the value of a row in the middle"),
    Input(r"\(missing [\d./]+/([\d.]+)\)", "of rows that are in no gain"),
]


def numbers_of(page, inputs):
    """Every number of a page that is not an input, and the line that it is in."""
    for found in re.finditer(r"(?<![\w.])\d+(?:\.\d+)?(?:e[-+]\d+)?(?![\w])", page):
        start = page.rindex("\n", 0, found.start()) + 1 if "\n" in page else 0
        line = page[start : page.find("\n", found.end())]
        at = found.start() - start
        if not any(
            match.start(1) <= at < match.end(1)
            for one in inputs
            for match in re.finditer(one.line, line)
        ):
            yield found, line


def changed(text):
    """The number with a digit changed that rounding does not hide."""
    if re.fullmatch(r"\d+", text):
        return str(int(text) + 1)
    n_decimals = len(text.partition(".")[2])
    by = 37 * 10.0**-n_decimals if n_decimals > 3 else 3 * 10.0**-n_decimals
    if n_decimals > 4 or float(text) > 2:
        by = max(by, 0.004 * float(text))
    return f"{float(text) + by:.{n_decimals}f}"


def escaped(page, check, *, inputs=INPUTS, behind=""):
    """The numbers that can be changed without the checker's seeing it."""
    check(page)
    found = []
    for number, line in numbers_of(page, inputs):
        if number.start() < page.find(behind):
            continue
        other = page[: number.start()] + changed(number[0]) + page[number.end() :]
        try:
            check(other)
        except (AssertionError, KeyError, ValueError, IndexError, TypeError):
            continue
        found.append(f"{number[0]} in: {line}")
    return found


def checks(expected):
    def check(page):
        parts = read_text(page)
        check_page(parts, expected)
        check_prunings(parts, expected)
        if "\nPruning" not in page:
            check_predictions(parts, expected)

    return check


@pytest.mark.parametrize("case", GROWING)
def test_no_number_of_growing_escapes(case):
    example, dialect = GROWING[case]
    chalk = chalk_of_example(example, dialect.change(pruning=None))
    assert not escaped(*page_and_checks(chalk, dialect))


@pytest.mark.parametrize("case", PRUNING)
def test_no_number_of_pruning_escapes(case):
    dialect = PRUNING[case]
    X, y = tw.datasets.restaurant()
    X = X.drop("WaitEstimate", "Price", "Type")  # whose values look like numbers
    chalk = chalk_of(X, y, dialect)
    assert not escaped(*page_and_checks(chalk, dialect), behind="\nPruning")


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_no_number_of_regression_escapes(criterion):
    X, _ = tw.datasets.watermelon()
    y = X["密度"].to_list()
    X = {name: X[name].to_list() for name in ("色泽", "敲声", "含糖率")}
    X["敲声"][3] = X["敲声"][8] = None
    dialect = CART_NUMBERS.change(
        criterion=criterion, missing="majority", max_depth=2, ccp_alpha=0.001
    )
    chalk = chalk_of(X, y, dialect, task="numbers")
    inputs = INPUTS if criterion == "squared_error" else INPUTS + MEDIANS
    assert not escaped(*page_and_checks(chalk, dialect), inputs=inputs)


def test_no_number_of_a_way_escapes():
    values = zip(
        "色泽 根蒂 敲声 脐部 触感".split(),
        "乌黑 稍蜷 浊响 稍凹 硬滑".split(),
        strict=True,
    )
    row = dict(values)
    dialect = C45.change(pruning=None, collapse=None)
    chalk = chalk_of_example(
        "watermelon_missing", dialect, rows=[{**row, "纹理": None}]
    )
    page, check = page_and_checks(chalk, dialect)
    assert not escaped(page, check, behind="\nPrediction")


def page_and_checks(chalk, dialect):
    expected = replace(
        expected_of(chalk, chalk.model.trees[0], dialect), winners={}, decimals=4
    )
    return chalk.to_text(listing=False, width=300), checks(expected)
