"""--costs, and C4.5 on the command line."""

from __future__ import annotations

import pytest

import treewright as tw


@pytest.fixture
def costs(tmp_path):
    def write(text):
        path = tmp_path / "costs.csv"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_costs_are_read_told_and_kept(run, costs, tmp_path):
    file = costs("actual,No,Yes\nNo,0,5\nYes,1,0\n")
    model = str(tmp_path / "tennis.tw")
    shown = run("fit", "tennis", "--costs", file, "--set", "max_depth=1", "-o", model)
    assert "costs: No as Yes 5, Yes as No 1; the least expected cost" in shown.stdout
    assert "costs: No as Yes 5, Yes as No 1;" in run("show", model).stdout
    # rain: 2 x 5 for yes, 3 x 1 for no
    assert tw.load(model).predict(
        {"Outlook": ["Rain"], "Temperature": ["Hot"], "Humidity": ["High"]}
        | {"Wind": ["Weak"]}
    ).tolist() == ["No"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has 0 lines; the first one names the predicted classes"),
        ("actual,No,Yes\nNo,0\n", "the class 'No' has 1 cost for 2 predicted classes"),
        ("actual,No,Yes\nNo,0,1\nNo,0,2\n", "the class 'No' stands twice"),
        ("actual,No,Yep\nNo,0,1\n", "--costs names 'Yep', which is no class of the"),
        ("actual,No,Yes\nNo,0,-1\n", "--costs of 'No' predicted as 'Yes' is -1; it"),
        ("actual,No,Yes\nNo,0,x\n", "--costs of 'No' predicted as 'Yes' is x; it"),
    ],
)
def test_wrong_cost_file_is_refused(run, costs, text, message):
    done = run("fit", "tennis", "--costs", costs(text))
    assert done.exit_code == 2
    assert message in done.stderr


def test_absent_cost_file_is_refused(run):
    done = run("fit", "tennis", "--costs", "absent.csv")
    assert done.exit_code == 1
    assert "cannot read 'absent.csv': No such file" in done.stderr


def test_growing_with_costs_needs_a_file(run):
    done = run("fit", "tennis", "--set", "costs_in_growing=true")
    assert "costs_in_growing=true needs costs to weigh the rows by" in done.stderr
    assert "give --costs" in done.stderr


@pytest.mark.parametrize("algorithm", ["c45", "j48", "lecture"])
def test_c45_reports_where_missing_values_go(run, algorithm):
    shown = run("fit", "watermelon_missing", "--algorithm", algorithm).stdout
    assert f"algorithm {algorithm}" in shown
    assert "missing values go down all branches, in shares" in shown


def test_confidence_can_be_set(run):
    shown = run("fit", "tennis", "--algorithm", "c45", "--set", "confidence=0.1").stdout
    assert "algorithm c45, confidence=0.1" in shown
