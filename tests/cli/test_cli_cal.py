"""`--algorithm cal2` and `cal3` on the command line."""

from __future__ import annotations

import json

import pytest

from treewright.learners.cal.cal3 import CAL3
from treewright.learners.setting_words import setting_tables

TWO = "x1,x2,x3,k\n0,0,1,A\n1,0,0,A\n0,1,4,B\n1,1,2,B\n0,0,3,A\n"
THREE = "x1,x2,k\n0,0,A\n0,1,B\n0,1,A\n1,0,B\n1,1,A\n"
PATIENTS = (
    "Husten,Fieber,Diagnose\nnein,nein,gesund\nja,nein,gesund\nnein,ja,krank\n"
    "ja,nein,krank\nja,ja,krank\n"
)


@pytest.fixture(autouse=True)
def _tables(tmp_path):
    for name, text in (("two", TWO), ("three", THREE), ("patients", PATIENTS)):
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")


def said(run, *words, code=0):
    result = run(*words)
    assert result.exit_code == code, result.output
    return result.stdout + result.stderr if code else result.stdout


def test_fit_says_why_learning_ended(run):
    out = said(run, "fit", "two.csv", "--target", "k", "--algorithm", "cal2")
    assert "4 leaves, depth 2, 5 training rows, 0 wrong" in out
    assert "'x1', 'x2', 'x3' hold whole numbers, taken as names of categories" in out
    assert "cal2 ended after 3 passes, 15 steps: the last pass changed nothing" in out
    out = said(run, "fit", "three.csv", "--target", "k", "--algorithm", "cal3")
    assert "20.0 %  1 of 5" in out
    assert "cal3 ended after 6 passes, 29 steps: every leaf is closed" in out


def test_rows_that_contradict_each_other(run):
    words = ("fit", "patients.csv", "--target", "Diagnose", "--algorithm", "cal2")
    out = " ".join(said(run, *words).split())
    assert "row 4 needs another question, and no feature is left" in out
    assert "40.0 % 2 of 5" in out  # the row at the leaf without a class is wrong, too
    assert "1 training row ends at a leaf without a class" in out
    out = said(run, *words, "--set", "when_exhausted=go_on")
    assert "20.0 %  1 of 5" in out


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["cal2", "cal3"])
def test_every_command_takes_the_model(run, algorithm):
    target = ("--target", "k", "--algorithm", algorithm)
    said(run, "fit", "two.csv", *target, "--set", "max_passes=1", "-o", "m.tw")
    assert "5 training rows" in said(run, "show", "m.tw")
    for form in ("json", "dot", "svg", "html"):
        assert said(run, "show", "m.tw", "--format", form)
    assert said(run, "predict", "m.tw", "two.csv").startswith("predicted_k\n")
    if algorithm == "cal2":
        remarks = run("predict", "m.tw", "two.csv").stderr
        assert "1 row without a class, as nothing was learned about such rows" in (
            " ".join(remarks.split())
        )
    assert "rules for k" in said(run, "rules", "m.tw")
    assert "5 rows" in said(run, "rules", "m.tw", "two.csv")
    said(run, "explore", "m.tw", "two.csv", "-o", "page.html")
    said(run, "compact", "m.tw", "-o", "small.tw")
    assert "error" in said(run, "evaluate", "two.csv", *target)


def test_compare_has_them(run):
    out = said(
        run, "compare", "tennis", "--algorithms", "id3,cal2,cal3", "--folds", "3"
    )
    assert "\n  cal2 " in out
    assert "\n  cal3 " in out


def test_numbers_go_through_intervals(run, tmp_path):
    lines = [f"{k / 7},{'AB'[k > 20]}" for k in range(40)]
    text = "\n".join(["x,k", *lines]) + "\n"
    (tmp_path / "real.csv").write_text(text, encoding="utf-8")
    words = ("fit", "real.csv", "--target", "k", "--algorithm", "cal2")
    out = said(run, *words, code=1)
    assert "'x' is numeric, and cal2 splits nominal features only; divide it" in out
    assert "0 wrong" in said(run, *words, "--discretize", "x=2.9")


def test_chalk_in_every_format(run):
    words = ("chalk", "three.csv", "--target", "k", "--algorithm", "cal3")
    text = said(run, *words)
    assert "tree: x1(/A2 B1/, x2(*, /A1/))" in text
    assert max(map(len, text.splitlines())) <= 80
    for form, sign in (
        ("markdown", "## Pass 1"),
        ("latex", r"\documentclass"),
        ("html", "<!doctype html"),
    ):
        assert sign in said(run, *words, "--format", form)
    data = json.loads(said(run, *words, "--format", "json"))
    assert [len(data["steps"]), data["ending"], data["passes"]] == [18, "closed", 6]
    assert "Durchlauf 1" in said(run, *words, "--language", "de")
    assert "\nKey\n" in said(run, *words, "--quiz")
    said(run, *words, "-o", "page.md")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("fit", "--set", "max_depth=3"), "max_depth changes nothing in cal3, which"),
        (("fit", "--set", "criterion=gini"), "criterion changes nothing in cal3"),
        (("fit", "--set", "s1=0"), "s1 is 0; it must be a whole number from 1 up"),
        (("fit", "--set", "s2=0.5"), "s2 is 0.5; it must be a number above 0.5"),
        (("fit", "--set", "s2=2"), "s2 is 2; it must be"),
        (("fit", "--set", "max_passes=0"), "max_passes is 0"),
        (("fit", "--set", "attribute_order=x1,y"), "attribute_order names 'y'"),
        (("fit", "--set", "max_pass=1"), "did you mean 'max_passes'?"),
        (("fit", "--set", "n_folds=3"), "n_folds changes nothing in cal3"),
        (("chalk", "--depth", "1"), "--depth is for trees that are grown node by node"),
        (("chalk", "--row", "1"), "--row is for"),
        (("chalk", "--tree", "1"), "--tree is for"),
    ],
)
def test_what_cal3_has_not(run, words, complaint):
    command, *more = words
    rest = ("three.csv", "--target", "k", "--algorithm", "cal3")
    result = run(command, *rest, *more)
    assert result.exit_code in (1, 2)
    assert complaint in " ".join(result.stderr.split())


def test_what_others_have_not(run):
    for words, complaint in (
        (("--algorithm", "id3", "--set", "s1=3"), "it goes with --algorithm cal3"),
        (("--algorithm", "cal2", "--set", "s1=3"), "it goes with --algorithm cal3"),
        (("--algorithm", "forest", "--set", "dialect=cal2"), "the trees can be cart"),
    ):
        result = run("fit", "tennis", *words)
        assert result.exit_code in (1, 2)
        assert complaint in " ".join(result.stderr.split())
    result = run("differ", "tennis", "--between", "id3", "cal2")
    assert result.exit_code == 2


def test_costs_and_numbers_are_refused(run, tmp_path):
    (tmp_path / "costs.csv").write_text("k,A,B\nA,0,1\nB,5,0\n", encoding="utf-8")
    words = ("two.csv", "--target", "k", "--algorithm", "cal2")
    result = run("fit", *words, "--costs", "costs.csv")
    assert "knows no costs" in " ".join(result.stderr.split())
    result = run(
        "fit", "two.csv", "--target", "x3", "--numeric", "x3", "--algorithm", "cal2"
    )
    assert result.exit_code in (1, 2)
    assert "classes" in result.stderr
    text = TWO.replace("k\n", "k,w\n").replace("A\n", "A,2\n").replace("B\n", "B,1.5\n")
    (tmp_path / "weights.csv").write_text(text, encoding="utf-8")
    result = run("fit", "weights.csv", *words[1:], "--weights", "w")
    assert "2 row weights of 5 are no whole numbers (one is 1.5)" in " ".join(
        result.stderr.split()
    )


CAL_SWITCHES = next(t.lines for t in setting_tables() if "cal2" in t.title)


@pytest.mark.parametrize("switch", CAL_SWITCHES, ids=lambda switch: switch.name)
def test_defaults_in_the_help_are_those_of_cal3(switch):
    usual = getattr(CAL3, switch.name)
    said = "column order" if usual is None else f"{usual}".removesuffix(".0")
    assert switch.usual == said
