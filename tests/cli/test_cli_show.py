"""`treewright show`: the formats, the styles and what a terminal can show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treewright.cli.console import Console
from treewright.render import to_dot, to_text
from treewright.tree.file.save import load


def test_text_is_the_box_listing_and_the_next_command(run, tennis_model):
    assert run("show", tennis_model).stdout == (
        f"{to_text(load(tennis_model))}\n\nnext: treewright predict tennis.tw DATA\n"
        "      treewright show tennis.tw -o tree.svg   (a picture)\n"
    )


def test_listing_in_a_file_has_no_next_command(run, tennis_model):
    run("show", tennis_model, "-o", "t.txt")
    written = Path("t.txt").read_text(encoding="utf-8")
    assert written == to_text(load(tennis_model)) + "\n"


@pytest.mark.parametrize(
    "words",
    [("--style", "lecture"), ("--format", "json"), ("--format", "dot")],
)
def test_other_forms_have_no_next_command(run, tennis_model, words):
    assert "next:" not in run("show", tennis_model, *words).stdout


def test_large_tree_says_how_to_see_its_top(run, write):
    rows = "".join(f"{k},{'ab'[k % 2]}\n" for k in range(120))
    write("big.csv", f"x,y\n{rows}")
    assert run("fit", "big.csv", "--target", "y", "-o", "big.tw").exit_code == 0
    hint = "      treewright show big.tw --max-depth 3   (the top)\n"
    assert run("show", "big.tw").stdout.endswith(hint)
    assert hint not in run("show", "big.tw", "--max-depth", "3").stdout


def test_lecture_style_is_the_lectures_listing(run, tennis_model):
    lines = run("show", tennis_model, "--style", "lecture").stdout.splitlines()
    assert lines[:3] == [
        "Outlook Overcast: Yes (4)",
        "Outlook Rain",
        "| Wind Strong: No (2)",
    ]


def test_json_can_be_read(run, tennis_model):
    shown = json.loads(run("show", tennis_model, "--format", "json").stdout)
    assert len(shown["trees"][0]["nodes"]) == 8


def test_dot_is_written_to_a_file(run, tennis_model):
    result = run("show", tennis_model, "--format", "dot", "-o", "t.dot")
    assert result.stdout == ""
    written = Path("t.dot").read_text(encoding="utf-8")
    assert written == to_dot(load(tennis_model)) + "\n"


def test_depth_and_width_limit_the_text(run, tennis_model):
    output = run("show", tennis_model, "--max-depth", 1, "--width", 60).stdout
    assert "2 nodes below" in output
    assert max(map(len, output.splitlines())) <= 60


@pytest.mark.parametrize(
    "words",
    [
        ("--format", "json", "--max-depth", "1"),
        ("--format", "json", "--style", "box"),
        ("--format", "dot", "--width", "40"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(run, tennis_model, words):
    result = run("show", tennis_model, *words)
    assert result.exit_code == 2
    assert f"{words[2]} has no meaning with --format {words[1]}" in result.stderr


def test_unknown_format_is_wrong_usage(run, tennis_model):
    result = run("show", tennis_model, "--format", "xml")
    assert result.exit_code == 2
    assert "'xml' is not one of 'text', 'json', 'dot'" in result.stderr


def test_dumb_terminal_gets_ascii(run, tennis_model):
    output = run("show", tennis_model, TERM="dumb").stdout
    assert output.isascii()
    assert "|- Overcast -> Yes" in output


def test_terminal_is_never_taken_as_narrower_than_20(monkeypatch):
    monkeypatch.setenv("COLUMNS", "3")
    assert Console.of_stdout().width == 20
