"""treewright differ: where two algorithms part, and by which switch."""

from __future__ import annotations

import pytest


def test_two_algorithms(run):
    result = run(
        "differ", "watermelon", "--ignore", "编号", "--between", "lecture", "c45"
    )
    assert result.exit_code == 0
    text = result.stdout
    assert "They part at the root (17 rows):" in text
    assert "the switch that makes the difference:" in text
    assert "threshold_cost: none (lecture), evaluated_cuts (c45)" in text
    assert "16 other switches" in text
    assert "0.3493  0.3997  <- best" in text
    assert text.splitlines()[-1].startswith("next: treewright chalk watermelon")


def test_one_algorithm_and_a_switch(run):
    words = ["differ", "tennis", "--algorithm", "c45", "--set", "min_samples_leaf=5"]
    text = run(*words).stdout
    assert "They part at Outlook = Rain (5 rows):" in text
    assert "min_samples_leaf: 2 (c45), 5 (c45 (min_samples_leaf=5))" in text
    assert "Step 3" in run(*words, "--full").stdout


def test_pruning(run):
    words = ["differ", "tennis", "--algorithm", "c45", "--set", "confidence=0.0001"]
    text = run(*words).stdout
    assert "grow the same tree, and prune it differently at" in text
    assert "confidence: 0.25 (c45)" in text


def test_the_same_tree(run):
    text = run("differ", "tennis", "--between", "id3", "j48").stdout
    assert "ask and answer the same on these rows" in " ".join(text.split())
    assert "threshold_cost, count_by" in " ".join(text.split())


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--algorithm", "c45"],
        ["--between", "c45", "j48", "--set", "max_depth=2"],
        ["--set", "max_depth=2"],
    ],
)
def test_what_to_compare_is_asked_for(words, run):
    result = run("differ", "tennis", *words)
    assert result.exit_code == 2
    assert "give two algorithms, --between c45 j48" in result.stderr


def test_unknown_algorithm(run):
    result = run("differ", "tennis", "--between", "c45", "c46")
    assert result.exit_code == 2
    assert "rpart" in result.stderr


@pytest.mark.slow
def test_wide_tables_are_cut_to_what_matters(run, write):
    names = [f"c{k}" for k in range(50)]
    rows = [[(7 * k + 3 * r) % (k + 2) for k in range(50)] for r in range(30)]
    lines = [",".join([*names, "y"])]
    lines += [
        ",".join(map(str, [*row, "ab"[n % 3 == 0]])) for n, row in enumerate(rows)
    ]
    name = write("wide.csv", "\n".join(lines) + "\n")
    text = run("differ", name, "--target", "y", "--between", "c45", "cart").stdout
    assert "... and 20 more features, which are worth less" in text
    assert text.count("<- best") == 2


ROWS = ["1,p", "1,p", "2,p", "3,p", "4,q", "4,q", "5,q", "5,q", "6,q", "?,p", "?,q"]


def test_rows_without_a_value(run, write):
    name = write("holes.csv", "\n".join(["a,y", *ROWS]) + "\n")
    text = run("differ", name, "--target", "y", "--between", "c45", "cart").stdout
    words = " ".join(text.split())
    assert "Both divide the rows with a value of a alike: the same rows, " in words
    assert "another threshold. The rows without one (2 rows) go elsewhere:" in words
    assert "c45: in shares, 0.89 to a <= 3; 1.11 to a > 3" in text
    assert "cart: 2 to a > 3.5" in text
    assert "missing: fractional (c45), majority (cart)" in text


def test_another_threshold_alone(run, write):
    name = write("whole.csv", "\n".join(["a,y", *ROWS[:-2]]) + "\n")
    words = ["--algorithm", "cart", "--set", "numeric_splits=lower_value"]
    text = run("differ", name, "--target", "y", *words).stdout
    assert "alike: the same rows, another threshold." in " ".join(text.split())
    assert "elsewhere" not in text


def test_gains_are_told_apart_by_their_measure(run):
    words = ["differ", "watermelon", "--between", "c45"]
    text = run(*words, "cart").stdout
    assert "(entropy)" in text
    assert "(gini)" in text
    assert "(entropy)" not in run(*words, "lecture").stdout


@pytest.mark.slow
@pytest.mark.parametrize("other", ["cart", "lecture", "rpart"])
def test_lines_fit(other, run, write):
    names = ["a long name of a feature", "a long name of a number", "b"]
    rows = [
        f"{'rgb'[k % 3]},{(k * 7) % 13},{k % 5},{'xy'[k % 4 > 1]}" for k in range(40)
    ]
    name = write("long.csv", "\n".join([",".join([*names, "y"]), *rows]) + "\n")
    text = run("differ", name, "--target", "y", "--between", "c45", other).stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "<- best" in text


def test_what_pruning_takes_away_is_said(run, write):
    rows = ["0,p,n"] * 28 + ["0,q,n"] * 9 + ["0,q,y"] * 3 + ["1,p,y", "1,q,y"] * 20
    name = write("pruned.csv", "\n".join(["a,b,y", *rows]) + "\n")
    words = ["--algorithm", "c45", "--set", "max_depth=1"]
    text = " ".join(run("differ", name, "--target", "y", *words).stdout.split())
    assert "The pruned trees ask and answer the same. They part while growing" in text


def test_double_blanks_stay(run, write):
    rows = ["New  York,1", "New  York,1", "Rome,0", "Rome,0", "Oslo,0", "Oslo,0"]
    name = write("cities.csv", "\n".join(["city,y", *rows]) + "\n")
    text = run("differ", name, "--target", "y", "--between", "c45", "cart").stdout
    assert "city = New  York" in text
