"""treewright chalk: its options and its complaints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def test_tennis_by_hand(run):
    result = run("chalk", "tennis")
    assert result.exit_code == 0
    assert "Step 1   root   14 rows   No 5  Yes 9   entropy 0.9403" in result.stdout
    assert "0.9403 - 4/14*0 - 5/14*0.9710 - 5/14*0.9710 = 0.2467" in result.stdout
    assert "0.0949 more than Humidity" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100
    assert result.stdout.rstrip().splitlines()[-1].startswith("next: treewright ")


def test_selection(run):
    one = run("chalk", "tennis", "--node", "3").stdout
    assert "node 3   Outlook = Sunny" in one
    assert "root " not in one
    assert run("chalk", "tennis", "--depth", "0").stdout.count("Step ") == 1


def test_switches(run):
    text = run(
        "chalk", "tennis", "--algorithm", "c45", "--set", "gain_guard=none"
    ).stdout
    assert "split info" in text
    assert "average gain" not in text
    assert "Gewinn" in run("chalk", "tennis", "--language", "de").stdout
    assert "0.247 " in run("chalk", "tennis", "--digits", "3").stdout


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html", "json"])
def test_every_form_goes_to_a_file_and_to_a_pipe(form, run):
    result = run("chalk", "tennis", "--format", form, "-o", "out")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "wrote out (" in result.stderr
    text = Path("out").read_text()
    if form == "json":
        assert json.loads(text)
    assert "Outlook" in text
    assert "Outlook" in run("chalk", "tennis", "--format", form).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--language", "fr"], "en"),
        (["--format", "pdf"], "markdown"),
        (["--node", "99"], "nodes 0 to 7"),
        (["--digits", "99"], "15"),
        (["--row", "15"], "from 1 to 14"),
    ],
)
def test_what_is_not_there(words, said, run):
    result = run("chalk", "tennis", *words)
    assert result.exit_code in (1, 2)
    assert said in result.stderr


@pytest.mark.slow
def test_large_trees_ask_for_a_depth(run, write):
    rows = "".join(f"{k},{k % 7 % 2}x\n" for k in range(700))
    name = write("big.csv", f"x,y\n{rows}")
    result = run("chalk", name, "--target", "y")
    assert result.exit_code in (1, 2)
    assert "say how deep to go" in result.stderr
    assert "--depth" in result.stderr
    assert run("chalk", name, "--target", "y", "--depth", "1").exit_code == 0


def test_rows_and_steps_keep_their_numbers(run):
    text = run("chalk", "tennis", "--node", "3", "--row", "7").stdout
    assert "Step 4   node 3" in text
    assert "row 7" in text
    assert "The tree" not in text  # of a part, only what was asked for


@pytest.mark.parametrize(
    ("name", "start"),
    [("c.tex", "\\documentclass"), ("c.html", "<!doctype"), ("c.json", "{")],
)
def test_a_name_says_the_form(name, start, run):
    assert run("chalk", "tennis", "-o", name).exit_code == 0
    assert Path(name).read_text().lower().lstrip("%\n ").startswith(start)


def test_the_average_says_whom_it_leaves_out(run):
    text = run("chalk", "cars", "--algorithm", "c45", "--node", "0").stdout
    assert "average gain  (0.7710)/1 = 0.7710" in text
    assert "Not in the average" in text
    assert "blau." in text


def test_pruning_of_a_part_does_not_deny_the_rest(run):
    words = ["--set", "pruning=chi_square", "--depth", "0"]
    text = run("chalk", "tennis", *words).stdout
    assert "There was no node to judge" not in text


def test_costs(run, write):
    costs = write("costs.csv", "actual,No,Yes\nNo,0,9\nYes,1,0\n")
    words = ["chalk", "tennis", "--algorithm", "cart", "--set", "max_depth=1"]
    assert "leaf No" in run(*words, "--costs", costs).stdout
    assert "leaf Yes" in run(*words).stdout
