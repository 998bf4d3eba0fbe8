"""Distilling on the command line."""

from __future__ import annotations

import treewright as tw

SEED = ("--set", "random_state=1", "--set", "n_estimators=12")


def test_the_command_prints_and_saves_the_tree_that_python_makes(run, tmp_path):
    path = tmp_path / "small.tw"
    result = run("distil", "tennis", *SEED, "--folds", "2", "-o", path)
    assert result.exit_code == 0, result.stderr
    X, y = tw.datasets.tennis()
    forest = tw.RandomForestClassifier(12, random_state=1).fit(X, y)
    wanted = forest.distil(folds=2, random_state=1)
    assert tw.load(path).fingerprint() == wanted.tree.fingerprint()
    words = " ".join(result.stdout.split())
    for line in str(wanted).splitlines():
        assert line in words
    assert f"saved to {path}" in result.stdout


def test_a_smaller_tree_without_an_error(run):
    result = run("distil", "tennis", *SEED, "--folds", "0", "--max-leaves", "3")
    assert result.exit_code == 0
    assert "held-out" not in result.stdout
    assert "not saved" in result.stdout
    assert "a tree of 3 leaves" in result.stdout
