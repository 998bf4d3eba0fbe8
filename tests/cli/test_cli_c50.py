"""The switches of C5.0 and of Weka's Id3 by `--set`: they reach the tree."""

from __future__ import annotations

import pytest

from treewright import load

# "c" is in no training row of this table, and the model must know it
ARFF = """@relation r
@attribute sky {a,b,c}
@attribute y {no,yes}
@data
a,no
a,no
b,yes
b,yes
b,yes
"""


def test_unclassified_rows_have_an_empty_cell_and_a_note(run, write):
    write("t.arff", ARFF)
    words = ("--algorithm", "id3", "--set", "empty_branch=unclassified", "-o", "t.tw")
    assert run("fit", "t.arff", "--target", "y", *words).exit_code == 0
    assert "c → unclassified" in run("show", "t.tw").stdout
    write("n.csv", "sky\na\nc\nb\n")
    done = run("predict", "t.tw", "n.csv", "--proba")
    assert done.stdout.splitlines()[1:] == ["no,1.0,0.0", ",0.0,0.0", "yes,0.0,1.0"]
    assert "note: 1 row without a class, as no training row was like that" in (
        done.stderr
    )


def test_unclassified_rows_count_as_wrong(run, write):
    write("t.arff", ARFF)
    words = ("--algorithm", "id3", "--set", "empty_branch=unclassified", "-o", "t.tw")
    run("fit", "t.arff", "--target", "y", *words)
    write("n.csv", "sky,y\na,no\nc,no\nb,yes\n")
    assert "y: 1 of 3 rows wrong" in run("predict", "t.tw", "n.csv").stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gain_guard", "c50"),
        ("threshold_cost", "c50"),
        ("min_branch_weight", "0.05"),
        ("min_share", "1e-06"),
        ("pool_small_branches", "true"),
        ("global_pruning", "true"),
    ],
)
def test_switch_reaches_the_model(run, name, value):
    words = ("--algorithm", "c45", "--set", f"{name}={value}", "-o", "t.tw")
    assert run("fit", "tennis", *words).exit_code == 0
    assert str(load("t.tw").model_.settings[name]).lower() == value


@pytest.mark.parametrize(
    ("setting", "remedy"),
    [
        ("gain_guard=c50", "set criterion='gain_ratio', or gain_guard=None"),
        ("min_share=0.1", "--set missing=fractional, or leave min_share out"),
        ("pool_small_branches=true", "is for pruning='error_based'; set that, or"),
        ("global_pruning=true", "comes after pruning='error_based'; set that, or"),
        ("gain_guard=average2", "it must be one of None, 'c45', 'c50'"),
    ],
)
def test_contradiction_is_told_with_its_remedy(run, setting, remedy):
    done = run("fit", "tennis", "--algorithm", "id3", "--set", setting, "-o", "t.tw")
    assert done.exit_code != 0
    assert remedy in " ".join(done.stderr.split())
