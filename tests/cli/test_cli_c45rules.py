"""`--algorithm c45rules` on the command line, and what takes a rule set."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from treewright.cli.main import main


@pytest.fixture
def run():
    def call(*words, code=0):
        result = CliRunner().invoke(main, [str(word) for word in words])
        assert result.exit_code == code, result.output
        return result

    return call


@pytest.fixture
def saved(run, tmp_path):
    path = tmp_path / "rules.tw"
    run("fit", "tennis", "--algorithm", "c45rules", "-o", path)
    return path


def test_fit_says_where_the_rules_come_from(run):
    out = run("fit", "tennis", "--algorithm", "c45rules").stdout
    assert "the unpruned tree: 5 leaves with rows; 5 rules after generalising" in out
    assert "1  Outlook = Sunny, Humidity = High → No" in out
    assert "otherwise Yes" in out
    assert "all rules, training rows     0.0 %" in out


def test_show_predict_and_rules_take_a_rule_set(run, saved):
    assert "Humidity = Normal" in run("show", saved).stdout
    rules = json.loads(run("show", saved, "--format", "json").stdout)
    assert len(rules["rules"]) == 5
    assert run("predict", saved, "tennis").stdout.split()[:3] == [
        "predicted_PlayTennis",
        "No",
        "No",
    ]
    assert "probability_Yes" in run("predict", saved, "tennis", "--proba").stdout
    assert "0 of 14 rows wrong" in run("predict", saved, "tennis").stderr
    assert "Outlook = Overcast" in run("rules", saved, "tennis").stdout


def test_other_commands_say_that_it_has_no_trees(run, saved, tmp_path):
    for words in (["explore", saved], ["compact", saved, "-o", tmp_path / "small.tw"]):
        assert (
            "is a rule set, and this command is for trees" in run(*words, code=1).stderr
        )


@pytest.mark.parametrize(
    "options", [["--max-depth", 2], ["-o", "a.svg"], ["--tree", 1]]
)
def test_show_refuses_what_is_for_trees(run, saved, options):
    assert "is for trees" in run("show", saved, *options, code=2).stderr


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("n_trees=0", "n_trees is 0"),
        ("fisher=3", "fisher is 3"),
        ("dialect=cart", "dialect is 'cart'"),
        ("pruning=none", "rules come from unpruned trees"),
        ("missing=own_branch", "a missing value meets no condition"),
        ("n_tree=2", "unknown setting"),
    ],
)
def test_settings_are_checked(run, setting, message):
    words = ("fit", "tennis", "--algorithm", "c45rules", "--set", setting)
    assert message in run(*words, code=2).stderr


def test_rules_of_data(run):
    out = run("rules", "tennis", "--algorithm", "c45rules", "--formula").stdout
    assert "No: 1(Outlook=Sunny and Humidity=High) or 2(Outlook=Rain and Wind" in out


@pytest.mark.parametrize(
    ("typed", "meant"), [("n_tree", "n_trees"), ("redundanc", "redundancy")]
)
def test_a_misspelled_setting_suggests_what_is_meant(run, typed, meant):
    words = ("fit", "tennis", "--algorithm", "c45rules", "--set", f"{typed}=2")
    result = run(*words, code=2)
    assert f"unknown setting '{typed}'; did you mean '{meant}'?" in result.output
