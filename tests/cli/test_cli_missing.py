"""`treewright missing`: every way with missing values, tried on one table."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from refusals import refused
from treewright.cli.fitting.fit_report import MISSING_WORDS
from treewright.data.encoding.encode import encode
from treewright.errors import DataError
from treewright.evaluation.comparing import missing_ways
from treewright.evaluation.comparing.missing_ways import compare_missing
from treewright.evaluation.cross_validation import Mean
from treewright.grow.dialect import MISSING_RULES
from treewright.learners.dialects.cart import CART
from treewright.learners.dialects.id3 import ID3

GOLDEN = Path(__file__).parents[1] / "golden" / "cli_missing.txt"
RECORDED = (
    "error",
    "own_branch",
    "majority",
    "fractional",
    "learned",
    "most_common",
    "most_common_in_node",
    "most_common_in_class",
)
# y follows x but for one row; x is not known in rows 3 and 8, k in row 5
TABLE = "x,k,y\n1,a,u\n2,b,u\n3,a,u\n,b,u\n5,a,u\n6,,v\n7,a,v\n8,b,v\n,a,v\n10,b,u\n"


def without_times(text: str) -> str:
    """Return the table with all times as 0.00."""
    return re.sub(r"(\d+\.\d  +)\d+\.\d\d$", r"\g<1>0.00", text, flags=re.MULTILINE)


def ways_in(text: str) -> list[str]:
    """Return the ways that a report lists as tried, in its order."""
    found = re.findall(r"^[> ] (\w+) +\d", text, flags=re.MULTILINE)
    return [name for name in found if name in MISSING_RULES]


@pytest.mark.slow
def test_table_is_as_recorded(run, monkeypatch):
    # a rule more is a line more: the record is of these
    monkeypatch.setattr(missing_ways, "MISSING_RULES", RECORDED)
    result = run("missing", "watermelon_missing", "--algorithm", "c45", "--folds", "5")
    assert result.exit_code == 0
    assert without_times(result.stdout) == GOLDEN.read_text()
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.slow
def test_every_way_is_tried_or_refused(run, write):
    shown = run("missing", write("t.csv", TABLE), "--target", "y").stdout
    for rule in MISSING_RULES:
        assert re.search(rf"^[> ] {rule} +(\d|refused)", shown, re.MULTILINE), rule


def last_command(shown):
    assert max(map(len, shown.splitlines())) <= 80
    joined = shown.replace(" \\\n      ", " ")
    return joined.splitlines()[-1]


def test_command_at_the_end_can_be_typed(run, write):
    write("t.csv", TABLE)
    words = ["--target", "y", "--nominal", "x", "--set", "max_depth=none"]
    shown = run("missing", "t.csv", *words, "--missing-values", "-,a").stdout
    last = last_command(shown)
    start = "next: treewright fit t.csv --target y --nominal x --set max_depth=none "
    assert last.startswith(f"{start}--set missing=")
    assert last.endswith(" --missing-values -,a")
    assert run(*last.removeprefix("next: treewright ").split()).exit_code == 0


def test_numbers_have_rmse_and_mae(run, write):
    rows = "".join(f"{'' if k % 5 == 0 else k},{k * k}\n" for k in range(40))
    result = run("missing", write("n.csv", f"x,y\n{rows}"), "--target", "y")
    assert "RMSE" in result.stdout and "MAE" in result.stdout
    assert "  refused: --set missing=most_common_in_class needs\n" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_table_without_missing_values_says_so(run):
    result = run("missing", "tennis")
    assert result.exit_code == 0
    assert result.stdout == (
        "tennis: no missing values in 4 features; every way grows the same tree\n"
    )


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--set", "missing=majority"], 2, "this command tries all of them"),
        (["--folds", "11"], 2, "--folds 11 cannot be made of 10 rows"),
        (["--folds", "1"], 2, "1 is not in the range x>=2"),
        (["--algorithm", "id3"], 1, "feature 'x' is numeric, and id3 splits nominal"),
        (["--set", "pruning=reduced_error"], 2, "validation"),
    ],
)
def test_what_cannot_be_tried_is_one_line(run, write, words, code, message):
    result = run("missing", write("t.csv", TABLE), "--target", "y", *words)
    assert (result.exit_code, result.stdout) == (code, "")
    assert message in result.stderr


def test_small_table_has_a_row_in_each_fold(run, write):
    write("s.csv", "x,y\n1,a\n2,a\n,b\n4,b\n")
    assert "4-fold" in run("missing", "s.csv", "--target", "y").stdout


@pytest.mark.slow
def test_intervals_are_learned_without_the_fold(run, write):
    words = ["--target", "y", "--algorithm", "id3", "--discretize", "x=quantiles:2"]
    result = run("missing", write("t.csv", TABLE), *words)
    assert result.exit_code == 0
    assert {"majority", "own_branch", "fractional"} <= {*ways_in(result.stdout)}


@pytest.mark.slow
def test_order_of_rows_does_not_matter():
    generator = np.random.default_rng(0)
    x = np.where(generator.random(80) < 0.2, np.nan, generator.normal(size=80))
    y = np.where(np.nan_to_num(x) > 0, "a", "b")
    order = generator.permutation(80)
    one, other = (
        compare_missing(encode({"x": x[rows]}, y[rows], task="classes"), CART)
        for rows in (np.arange(80), order)
    )
    assert [(w.missing, w.wrong) for w in one] == [(w.missing, w.wrong) for w in other]


def test_errors_are_those_of_trees_without_the_row():
    # leave one out by hand: without row 3 the other rows split at x <= 2.5
    table = {"x": [1.0, 2.0, 3.0, None], "k": ["p", "p", "q", "q"]}
    columns = encode(table, ["u", "u", "v", "v"], task="classes")
    ways = {way.missing: way for way in compare_missing(columns, CART, n_folds=4)}
    assert ways["majority"].losses is not None
    assert ways["majority"].losses[:3].tolist() == [0.0, 0.0, 0.0]


def test_it_tells_how_far_it_is():
    columns = encode({"x": [1.0, None] * 4}, ["a", "b"] * 4, task="classes")
    told: list[str] = []
    compare_missing(columns, CART, n_folds=2, tell=told.append)
    assert told[:3] == [
        f"missing=own_branch, {where}"
        for where in ("all rows", "fold 1 of 2", "fold 2 of 2")
    ]


def test_noise_is_judged_by_the_differences():
    # where x is not known the row is a 'b': a branch of its own tells, nothing else can
    x = [None, 1.0, None, 1.0] * 20
    columns = encode({"x": x}, ["b", "a", "b", "a"] * 20, task="classes")
    ways = {way.missing: way for way in compare_missing(columns, CART)}
    best = ways["own_branch"]
    assert (best.wrong, best.is_noise) == (0.0, True)
    assert not ways["majority"].is_noise


def test_what_has_nothing_to_do_with_missing_values_is_an_error():
    columns = encode({"x": [1.0, None]}, ["a", "b"], task="classes")
    with refused(DataError, "'x'", "id3", "discretize='quartiles'"):
        compare_missing(columns, ID3, n_folds=2)


def test_mean_has_the_standard_error_of_a_share():
    # 1 of 4 wrong: sqrt(p (1 - p) / n) = sqrt(0.1875 / 4)
    mean = Mean.of(np.array([1.0, 0.0, 0.0, 0.0]), np.ones(4))
    assert mean.value == 0.25
    assert mean.standard_error == pytest.approx((0.1875 / 4) ** 0.5)


def test_every_rule_has_its_sentence():
    assert set(MISSING_RULES) <= set(MISSING_WORDS)
