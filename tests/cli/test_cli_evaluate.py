"""`treewright evaluate`: an honest error, and what it is made of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import treewright as tw

GOLDEN = Path(__file__).parents[1] / "golden"
# two numbers and a category; y follows x but for one row in five
TABLE = "x,k,who,day,y\n" + "".join(
    f"{row % 17},{'ab'[row % 2]},p{row // 4},2020-01-{row % 28 + 1:02d},"
    f"{'yes' if (row % 17 > 8) != (row % 5 == 0) else 'no'}\n"
    for row in range(60)
)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tennis", ("tennis", "--leave-one-out")),
        (
            "classes",
            ("t.csv", "--target", "y", "--algorithm", "c45", "--ignore", "who,day"),
        ),
        (
            "numbers",
            (
                "t.csv",
                "--target",
                "x",
                "--folds",
                "5",
                "--repeats",
                "2",
                "--ignore",
                "who,day",
            ),
        ),
        (
            "groups",
            (
                "t.csv",
                "--target",
                "y",
                "--group",
                "who",
                "--ignore",
                "day",
                "--algorithm",
                "cart",
                "--set",
                "max_depth=3",
            ),
        ),
        (
            "forest",
            (
                "t.csv",
                "--target",
                "y",
                "--time",
                "day",
                "--folds",
                "4",
                "--ignore",
                "who",
                "--algorithm",
                "forest",
                "--set",
                "n_estimators=5",
            ),
        ),
    ],
)
def test_report_is_as_recorded(run, write, name, words):
    write("t.csv", TABLE)
    result = run("evaluate", *words)
    assert result.exit_code == 0, result.stderr
    recorded = GOLDEN / f"cli_evaluate_{name}.txt"
    assert result.stdout == recorded.read_text()
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_json_has_the_figures_of_python(run):
    result = run("evaluate", "tennis", "--leave-one-out", "--format", "json")
    X, y = tw.datasets.tennis()
    found = tw.evaluate(tw.ID3Classifier(), X, y, leave_one_out=True).to_dict()
    data = json.loads(result.stdout)
    for name in ("error", "errors", "confusion", "roc_area", "places", "baseline"):
        assert data[name] == found[name]


def test_next_command_runs(run, write):
    write("t.csv", TABLE)
    words = ("t.csv", "--target", "y", "--algorithm", "c45", "--ignore", "who,day")
    lines = run("evaluate", *words).stdout.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("next: "))
    command = " ".join(line.rstrip("\\") for line in lines[start:])
    said = command.removeprefix("next: treewright ").split()
    assert run(*said).exit_code == 0
    assert Path("t.tw").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--folds", "99"), "99 folds cannot be made of 60 rows; give 60 folds"),
        (("--group", "whom"), "did you mean 'who'?"),
        (("--group", "who", "--folds", "20"), "made of 15 groups; give 15 folds"),
        (("--hold-out", "2"), "--hold-out is 2.0; it must be a share between 0 and 1"),
        (("--hold-out", "0.3", "--folds", "3"), "folds and --hold-out contradict"),
        (("--time", "day", "--group", "who"), "--group cannot go with --time"),
        (("--algorithm", "cart", "--numeric", "y"), "'y'"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(run, write, words, message):
    write("t.csv", TABLE)
    result = run("evaluate", "t.csv", "--target", "y", *words)
    assert result.exit_code in {1, 2}
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_one_class_is_refused(run, write):
    write("one.csv", "x,y\n1,a\n2,a\n3,a\n")
    result = run("evaluate", "one.csv", "--target", "y", "--algorithm", "c45")
    assert result.exit_code == 1
    assert "one class only, 'a'" in result.stderr


def test_curves_are_told_and_drawn(run, write):
    write("t.csv", TABLE)
    words = ("t.csv", "--target", "y", "--ignore", "who,day", "--folds", "3")
    result = run("evaluate", *words, "--plot", "curves.svg")
    assert result.exit_code == 0, result.stderr
    assert "learning curve" in result.stdout
    assert "error and size" in result.stdout
    assert Path("curves.svg").read_text().startswith("<svg")
    refused = run("evaluate", *words, "--plot", "curves.jpg")
    assert "neither .svg nor .png" in refused.stderr


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["id3", "forest", "adaboost"])
def test_fit_says_the_cross_validated_error(run, algorithm):
    result = run("fit", "tennis", "--algorithm", algorithm, "--cv", "5")
    assert result.exit_code == 0, result.stderr
    assert "5-fold cross-validation (treewright evaluate says more)" in result.stdout
    lines = run(
        "evaluate", "tennis", "--algorithm", algorithm, "--folds", "5"
    ).stdout.splitlines()
    error = next(line for line in lines if "on held-out rows" in line)
    assert error in result.stdout


def test_fit_refuses_folds_before_it_grows(run):
    result = run("fit", "tennis", "--cv", "50", "-o", "tennis.tw")
    assert result.exit_code == 1
    assert "50 folds cannot be made of 14 rows" in result.stderr
    assert not result.stdout
    assert not Path("tennis.tw").exists()
