"""What is printed can be typed: the switches in the help, and the program's name."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from treewright.cli.options.algorithm import parse_value
from treewright.cli.program import program
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.dialects.cart import CART
from treewright.learners.registry import NODE_BY_NODE, learners
from treewright.learners.setting_words import setting_tables

# choices that need another switch
GOES_WITH = {
    ("surrogate_sets", "two_disagree"): {"missing": "surrogates"},
    ("grouping", "c45"): {"nominal_splits": "multiway"},
    ("grouping", "c50"): {"nominal_splits": "multiway"},
    ("pruning", "minimum_gain"): {"prune_gain": 0.1},
    ("pool_small_branches", True): {"pruning": "error_based"},
    ("global_pruning", True): {"pruning": "error_based"},
    ("pruning_order", "best_first"): {"pruning": "reduced_error"},
    ("give_back", True): {"pruning": "reduced_error"},
    ("alpha_choice", "validation"): {"pruning": "cost_complexity"},
    ("alpha_choice", "cross_validation"): {"pruning": "cost_complexity"},
    ("alpha_rule", "one_se"): {
        "pruning": "cost_complexity",
        "alpha_choice": "cross_validation",
    },
}
TABLES = tuple(setting_tables())
SWITCHES = TABLES[0].lines
TREES = {
    one.name: one.tree_settings(one.name, "classes") for one in learners(NODE_BY_NODE)
}


def test_help_lists_every_switch(run):
    shown = run("fit", "--help").stdout
    assert {switch.name for switch in SWITCHES} == {*Dialect.rows()}
    listed = [one.name for table in TABLES for one in table.lines]
    assert [name for name in listed if f"    {name} " not in shown] == []
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("learner", [*learners()], ids=lambda learner: learner.name)
def test_help_lists_every_setting_of_a_learner_itself(learner):
    own = set() if learner.own is None else {*learner.own.rows()}
    assert any(own <= {one.name for one in table.lines} for table in TABLES)


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.name)
def test_defaults_in_the_help_are_those_of_the_dialects(switch):
    others = set(TREES)
    for part in switch.usual.split("; "):
        who, _, values = part.rpartition(": ")
        value = parse_value(values.split(",")[0])
        names = others if who in ("", "others") else set(who.split(", "))
        others = others - names
        for name in names:
            assert getattr(TREES[name], switch.name) == value
    assert others == set()


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.name)
def test_choices_in_the_help_are_those_that_are_taken(switch):
    words = switch.takes.replace(";", ",").replace("for numbers ", "").split(", ")
    choices = [parse_value(word) for word in words if " " not in word]
    start = CART.change(criterion="gain_ratio")  # nearly every switch goes with it
    for choice in choices:
        start.change(
            **{**GOES_WITH.get((switch.name, choice), {}), switch.name: choice}
        )
    with pytest.raises(SettingError) as refused:
        CART.change(**{switch.name: "nonsense"})
    wanted = str(refused.value).partition("one of ")[2]
    assert [repr(choice) for choice in choices] == wanted.split(", ") or not wanted


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the path of a program that was started and is not on PATH."""
    file = tmp_path / "a b" / "treewright"
    file.parent.mkdir()
    file.write_text("#!/bin/sh\n", encoding="utf-8")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [os.path.join("a b", "treewright")])
    return sys.argv[0]


def test_program_that_is_not_on_the_path_is_named_by_its_path(run, installed):
    assert program() == f"'{installed}'"
    assert f"next: '{installed}' show t.tw" in run("fit", "tennis", "-o", "t.tw").stdout
    assert f"next: '{installed}' predict t.tw" in run("show", "t.tw").stdout
    assert f"'{installed}' fit YOURS.csv" in run("demo").stdout


def test_program_behind_another_on_the_path_is_named_by_its_path(installed, tmp_path):
    (tmp_path / "treewright").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "treewright").chmod(0o755)
    assert program() == f"'{installed}'"


def test_program_on_the_path_is_named_plainly(installed, monkeypatch):
    monkeypatch.setenv("PATH", os.path.dirname(os.path.abspath(installed)))
    assert program() == "treewright"


@pytest.mark.parametrize("started", ["-c", "/usr/bin/pytest", "gone/treewright", ""])
def test_program_inside_python_is_named_plainly(monkeypatch, started):
    monkeypatch.setattr(sys, "argv", [started])
    assert program() == "treewright"
