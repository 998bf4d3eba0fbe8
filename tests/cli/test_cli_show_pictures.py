"""`treewright show` with pictures, and with a part of the tree."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from refusals import refused
from treewright.errors import SettingError
from treewright.render import to_dot, to_text
from treewright.render.picture import View, to_html, to_svg
from treewright.tree.file.save import load


@pytest.mark.parametrize("words", [("-o", "t.svg"), ("--format", "svg", "-o", "t.svg")])
def test_svg_is_written_to_a_file(run, tennis_model, words):
    result = run("show", tennis_model, *words)
    assert result.stdout == ""
    assert result.stderr.startswith("wrote the picture to t.svg (")
    assert result.stderr.count("\n") == 1
    assert Path("t.svg").read_text(encoding="utf-8") == to_svg(load(tennis_model))


def test_svg_goes_to_stdout_as_data(run, tennis_model):
    result = run("show", tennis_model, "--format", "svg")
    assert result.stdout == to_svg(load(tennis_model))
    assert result.stderr == "wrote the picture to stdout\n"


def test_html_of_a_part_says_what_was_folded(run, tennis_model):
    result = run("show", tennis_model, "--max-depth", 1, "-o", "t.html")
    written = Path("t.html").read_text(encoding="utf-8")
    assert written == to_html(load(tennis_model), View(max_depth=1))
    assert (
        "; 4 of 8 nodes are folded (--max-depth 1); to see more, change that, or "
        "--focus on the number after a #"
    ) in result.stderr


def test_png_is_written(run, tennis_model):
    assert run("show", tennis_model, "-o", "t.png").exit_code == 0
    assert Path("t.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_options_of_a_picture(run, tennis_model):
    run(
        "show",
        tennis_model,
        *("--focus", 2, "--max-nodes", 2, "--min-share", "0.1"),
        *("--direction", "right", "-o", "t.svg"),
    )
    view = View(min_share=0.1, focus=2, max_nodes=2)
    expected = to_svg(load(tennis_model), view, direction="right")
    assert Path("t.svg").read_text(encoding="utf-8") == expected


def test_terminal_refuses_png(run, tennis_model, monkeypatch):
    from treewright.cli.commands import show

    class Terminal:
        isatty = staticmethod(lambda: True)

    monkeypatch.setattr(show.sys, "stdout", Terminal(), raising=False)
    with refused(SettingError, "PNG", "-o tree.png"):
        show.command.callback(
            model=tennis_model,
            form="png",
            output=None,
            width=None,
            style=None,
            max_depth=None,
            min_share=None,
            focus=None,
            max_nodes=None,
            direction=None,
        )


def test_without_matplotlib_one_line_says_what_to_install(
    run, tennis_model, monkeypatch
):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run("show", tennis_model, "-o", "t.png")
    assert result.exit_code != 0
    assert "pip install matplotlib" in result.stderr
    assert not Path("t.png").exists()


def test_unknown_format_gets_the_list(run, tennis_model):
    result = run("show", tennis_model, "--format", "gif")
    assert result.exit_code == 2
    assert "'text', 'json', 'dot', 'svg', 'html', 'png'" in result.stderr


@pytest.mark.parametrize("form", ["text", "dot", "svg"])
def test_unknown_node_gets_the_list(run, tennis_model, form):
    result = run("show", tennis_model, "--format", form, "--focus", 99)
    assert result.exit_code != 0
    assert (
        "there is no node 99 to focus on; the tree has the nodes 0 to 7; those with "
        "branches: 0, 2, 3"
    ) in result.stderr


@pytest.mark.parametrize(
    ("form", "option", "value"),
    [
        ("svg", "--width", 60),
        ("png", "--style", "box"),
        ("text", "--max-nodes", 5),
        ("text", "--direction", "down"),
        ("dot", "--max-nodes", 5),
        ("json", "--focus", 2),
        ("json", "--min-share", 0.1),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(
    run, tennis_model, form, option, value
):
    result = run("show", tennis_model, "--format", form, option, value)
    assert result.exit_code == 2
    assert f"{option} has no meaning with --format {form}" in result.stderr


def test_text_of_a_part(run, tennis_model):
    model = load(tennis_model)
    text = run("show", tennis_model, "--focus", 3).stdout
    assert text.startswith(to_text(model, focus=3) + "\n")
    assert text.startswith("node 3, where Outlook = Sunny\n")
    folded = run("show", tennis_model, "--min-share", 0.5).stdout
    assert "Rain: Wind … 2 nodes below (#2)" in folded


def test_lecture_of_a_part(run, tennis_model):
    text = run("show", tennis_model, "--style", "lecture", "--focus", 3).stdout
    assert text.splitlines() == [
        "node 3, where Outlook = Sunny",
        "Humidity High: No (3)",
        "Humidity Normal: Yes (2)",
    ]


def test_dot_of_a_part(run, tennis_model):
    text = run("show", tennis_model, "--format", "dot", "--focus", 3).stdout
    assert text == to_dot(load(tennis_model), focus=3) + "\n"
    assert "n3 -> n6" in text
    assert "n0" not in text
