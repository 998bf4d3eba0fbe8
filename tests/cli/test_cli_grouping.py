"""--set grouping=c45 on the command line."""

from __future__ import annotations

import treewright as tw


def test_groups_are_grown_shown_and_used(run):
    words = ("fit", "tennis", "--algorithm", "c45", "--set", "pruning=none")
    done = run(*words, "--set", "grouping=c45", "-o", "t.tw")
    assert done.exit_code == 0
    assert "in {Rain, Sunny}" in done.stdout
    assert "in {Rain, Sunny}" in run("show", "t.tw").stdout
    assert '"kind": "groups"' in run("show", "t.tw", "--format", "json").stdout
    assert "in {Rain, Sunny}" in run("show", "t.tw", "--format", "dot").stdout
    assert run("predict", "t.tw", "tennis").exit_code == 0
    assert tw.load("t.tw").get_params()["grouping"] == "c45"


def test_contradiction_is_refused_with_the_remedy(run):
    done = run("fit", "tennis", "--algorithm", "id3", "--set", "grouping=c45")
    assert done.exit_code == 2
    assert "grouping compares gain ratios" in " ".join(done.stderr.split())
    done = run("fit", "tennis", "--algorithm", "cart", "--set", "grouping=c50")
    assert done.exit_code == 2
    assert "grouping joins the branches" in " ".join(done.stderr.split())


def test_unknown_grouping_is_refused(run):
    words = ("fit", "tennis", "--algorithm", "c45", "--set", "grouping=c4")
    assert "grouping is 'c4'; it must be one of" in run(*words).stderr
