"""What the README shows is what happens: its Python, its commands, its tree."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from treewright import datasets
from treewright.cli.fit import command as fit
from treewright.cli.main import main

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = re.findall(r"^    treewright (.*?)(?:  +#.*)?$", README, re.MULTILINE)
SHOWN = re.search(r"^    Step 1 (?:.*\n|\n)*?(?=\S)", README, re.MULTILINE).group()

FILLED_IN = {"DATA": "days.csv", "COLUMN": "PlayTennis", "MODEL.tw": "days.tw"}


def printed_by(code: str) -> list[str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "README.md", "exec"), {})
    return out.getvalue().splitlines()


def test_there_is_python_and_there_are_commands():
    assert len(PYTHON) == 1
    assert [command.split()[0] for command in COMMANDS] == [
        "check",
        "fit",
        "evaluate",
        "compare",
        "report",
        "tune",
        "stream",
        "show",
        "explore",
        "rules",
        "predict",
        "chalk",
        "differ",
        "missing",
        "distil",
        "compact",
        "demo",
    ]


def test_python_runs_and_prints_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = printed_by(PYTHON[0])
    assert "['No' 'No' 'Yes']" in lines
    assert "True" in lines
    entropy, gain = map(float, lines[-1].split())
    assert (round(entropy, 4), round(gain, 4)) == (0.9403, 0.2467)


@pytest.fixture
def treewright(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "days.csv").write_bytes(datasets.path("tennis").read_bytes())
    return lambda words: CliRunner().invoke(main, words)


@pytest.mark.slow
def test_commands_run_one_after_the_other(treewright):
    for command in COMMANDS:
        words = [FILLED_IN.get(word, word) for word in shlex.split(command)]
        result = treewright(words)
        assert result.exit_code == 0, result.output
    assert Path("OUT.csv").read_text().splitlines()[:2] == [
        "predicted_PlayTennis",
        "No",
    ]


def test_tree_at_the_top_is_that_of_the_demo(treewright):
    demo = [line.strip() for line in treewright(["demo"]).output.splitlines()]
    shown = [line.strip() for line in SHOWN.splitlines()]
    assert len(shown) > 20
    for line in shown:
        assert line in demo or line == "..."  # some formulas are left out


@pytest.mark.parametrize("name", datasets.names())
def test_built_in_tables_are_listed(name):
    assert f"`{name}`" in README


def test_every_algorithm_is_named():
    option = next(one for one in fit.params if one.name == "algorithm")
    assert f"`--algorithm {'|'.join(option.type.choices)}` chooses" in README


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", README))
def test_linked_file_is_there(link):
    assert (Path(__file__).parents[1] / link).is_file()
