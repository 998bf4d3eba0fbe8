"""What the README shows is what happens: its Python, its command, its tree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from documents import FILLED_IN, commands_of, printed_by, python_of, run
from treewright import datasets

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
SHOWN = re.search(r"^    Step 1 (?:.*\n|\n)*?(?=\S)", README, re.MULTILINE).group()
FIGURES = Path(__file__).parents[1] / "docs" / "figures.md"


@pytest.fixture
def treewright(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "days.csv").write_bytes(datasets.path("tennis").read_bytes())
    return run


def test_it_is_one_page():
    assert len(README.split()) <= 900


def test_there_is_python_and_there_is_a_command():
    assert len(python_of(README)) == 1
    assert len(commands_of(README)) == 1


def test_python_runs_and_prints_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = printed_by(python_of(README)[0])
    assert "['No' 'No' 'Yes']" in lines
    assert "True" in lines
    entropy, gain = map(float, lines[-1].split())
    assert (round(entropy, 4), round(gain, 4)) == (0.9403, 0.2467)


def test_command_runs(treewright):
    words = [FILLED_IN.get(word, word) for word in commands_of(README)[0]]
    result = treewright(words)
    assert result.exit_code == 0, result.output
    assert Path("days.tw").is_file()


def test_tree_at_the_top_is_that_of_the_demo(treewright):
    demo = [line.strip() for line in treewright(["demo"]).output.splitlines()]
    shown = [line.strip() for line in SHOWN.splitlines()]
    assert len(shown) > 20
    for line in shown:
        assert line in demo or line == "..."  # some formulas are left out


def test_every_figure_stands_on_the_page_of_figures():
    table = README.partition("## Speed")[2].partition("[All figures]")[0]
    told = FIGURES.read_text(encoding="utf-8")
    figures = re.findall(r"\b\d[\d ]*\.?\d*(?= s\b| rows|x\b)", table)
    assert len(figures) > 15
    assert [figure for figure in figures if figure not in told] == []
