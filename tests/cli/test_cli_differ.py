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
