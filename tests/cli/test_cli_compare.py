"""`treewright compare`: algorithms side by side, with tests of their differences."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parents[1] / "golden"
COMMAND = "compare"
# two numbers and a category; y follows x but for one row in five
TABLE = "x,k,y\n" + "".join(
    f"{row % 17},{'abc'[row % 3]},"
    f"{'yes' if (row % 17 > 8) != (row % 5 == 0) else 'no'}\n"
    for row in range(60)
)
SKLEARN = "sklearn.tree:DecisionTreeClassifier"


def without_times(text: str) -> str:
    """Return the table with all times as 0.00."""
    return re.sub(r"\d+\.\d\d(?=  |$)", "0.00", text, flags=re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("one", ("t.csv", "--target", "y", "--algorithms", f"c45,cart,{SKLEARN}")),
        ("numbers", ("t.csv", "--target", "x", "--folds", "4", "--repeats", "2")),
        ("several", ("tennis", "t.csv", "watermelon", "--folds", "3")),
    ],
)
def test_report_is_as_recorded(run, write, name, words):
    write("t.csv", TABLE)
    result = run("compare", *words)
    assert result.exit_code == 0, result.stderr
    recorded = GOLDEN / f"cli_compare_{name}.txt"
    assert without_times(result.stdout) == without_times(recorded.read_text())
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.slow
def test_json_has_all_pairs(run, write):
    write("t.csv", TABLE)
    words = ("t.csv", "--target", "y", "--algorithms", "c45,cart,adaboost")
    data = json.loads(run("compare", *words, "--format", "json").stdout)
    assert [one["name"] for one in data["learners"]] == ["c45", "cart", "adaboost"]
    assert len(data["differences"]) == 3


@pytest.mark.parametrize(
    ("algorithms", "message"),
    [
        ("c45,cart,forrest", "did you mean 'forest'?"),
        ("c45,c45", "names one twice"),
        ("c45,sklearn.tree:Tree", "there is no estimator 'sklearn.tree:Tree'"),
        ("c45,os.path:join", "no estimator of scikit-learn's kind"),
        ("c45,sklearn.tree:DecisionTreeRegressor", "name a classifier instead"),
    ],
)
def test_wrong_names_are_said_in_one_line(run, write, algorithms, message):
    write("t.csv", TABLE)
    result = run("compare", "t.csv", "--target", "y", "--algorithms", algorithms)
    assert result.exit_code in {1, 2}
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_pictures_are_written(run, write):
    write("t.csv", TABLE)
    words = ("--algorithms", "c45,cart", "--folds", "3")
    run("compare", "t.csv", "--target", "y", *words, "--plot", "one.svg")
    run("compare", "t.csv", "tennis", *words, "--plot", "two.svg")
    assert "no model" in Path("one.svg").read_text()
    assert "critical difference" in Path("two.svg").read_text()
    refused = run("compare", "tennis", *words, "--plot", "one.png")
    assert "does not end in .svg" in refused.stderr
