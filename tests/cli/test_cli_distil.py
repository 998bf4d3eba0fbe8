"""Distilling on the command line."""

from __future__ import annotations

import pytest

import treewright as tw

SEED = ("--set", "random_state=1", "--set", "n_estimators=12")


@pytest.mark.slow
def test_the_command_prints_and_saves_the_tree_that_python_makes(run):
    path = "small.tw"
    result = run("distil", "tennis", *SEED, "--folds", "2", "-o", path)
    assert result.exit_code == 0, result.stderr
    X, y = tw.datasets.tennis()
    forest = tw.RandomForestClassifier(12, random_state=1).fit(X, y)
    wanted = forest.distil(folds=2, random_state=1)
    assert tw.load(path).fingerprint() == wanted.tree.fingerprint()
    words = " ".join(result.stdout.split())
    for line in str(wanted).splitlines():
        assert line in words
    assert f"saved {path}" in words
    assert f"next: treewright show {path}" in words


def test_a_smaller_tree_without_an_error(run):
    result = run("distil", "tennis", *SEED, "--folds", "0", "--max-leaves", "3")
    assert result.exit_code == 0
    assert "held-out" not in result.stdout
    assert "not saved" in result.stdout
    assert "a tree of 3 leaves" in result.stdout


def test_made_rows_are_not_called_training_rows(run):
    result = run("distil", "tennis", *SEED, "--folds", "0", "-o", "small.tw")
    shown = run("show", "small.tw").stdout
    for text in (result.stdout, shown):
        assert " made rows, 0 wrong" in text
        assert "rows that were made for this tree" in " ".join(text.split())
        assert "training rows" not in text
    page = run("explore", "small.tw")
    assert page.exit_code == 0


@pytest.mark.slow
def test_a_saved_forest_is_distilled(run):
    run("fit", "tennis", "--algorithm", "forest", *SEED, "-o", "forest.tw")
    run("distil", "tennis", *SEED, "--folds", "2", "-o", "one.tw")
    result = run("distil", "forest.tw", "tennis", "--folds", "2", "-o", "two.tw")
    assert result.exit_code == 0, result.stderr
    assert tw.load("one.tw").fingerprint() == tw.load("two.tw").fingerprint()
    assert "another run" not in result.stdout


def test_a_saved_forest_knows_its_columns(run, write):
    rows = "".join(
        f"{k},{k * 7 % 11},{k % 3},{k * k % 13},{k % 2}\n" for k in range(60)
    )
    write("rows.csv", f"id,a,b,c,y\n{rows}")
    options = ("--target", "y", "--nominal", "b", "--ignore", "id", "--weights", "a")
    divided = ("--discretize", "c=quartiles", *SEED)
    made = run(
        "fit",
        "rows.csv",
        "--algorithm",
        "extra-trees",
        *options,
        *divided,
        "-o",
        "f.tw",
    )
    assert made.exit_code == 0, made.stderr
    result = run("distil", "f.tw", "rows.csv", "--weights", "a", "--folds", "0")
    assert result.exit_code == 0, result.stderr
    other = run("distil", "f.tw", "rows.csv", "--folds", "0")
    assert other.exit_code == 1


def test_extra_trees_are_distilled(run):
    options = ("--algorithm", "extra-trees", "--folds", "0")
    result = run("distil", "tennis", *SEED, *options)
    assert result.exit_code == 0, result.stderr
    X, y = tw.datasets.tennis()
    forest = tw.ExtraTreesClassifier(12, random_state=1).fit(X, y)
    words = " ".join(result.stdout.split())
    for line in str(forest.distil(folds=0, random_state=1)).splitlines():
        assert line in words


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("forest.tw",), "forest.tw is a model; name the table"),
        (("tennis", "forest.tw"), "write the model first"),
        (("forest.tw", "tennis", "tennis"), "3 files are named"),
        (("tree.tw", "tennis"), "tree.tw is no forest"),
        (("forest.tw", "tennis", "--set", "max_depth=2"), "--set is for a forest"),
        (("forest.tw", "tennis", "--discretize", "mdl"), "--discretize is for a"),
        (("forest.tw", "watermelon"), "is not the table of the forest"),
        (("forest.tw", "other.csv"), "does not grow from these rows"),
        (("absent.tw", "tennis"), "there is no file 'absent.tw'"),
    ],
)
def test_what_is_no_forest_and_its_table_is_refused(run, words, message):
    run("fit", "tennis", "--algorithm", "forest", *SEED, "-o", "forest.tw")
    run("fit", "tennis", "-o", "tree.tw")
    X, y = tw.datasets.tennis()
    X.with_columns(y).reverse().write_csv("other.csv")
    result = run("distil", *words)
    assert result.exit_code in (1, 2)
    assert message in " ".join(result.stderr.split())
