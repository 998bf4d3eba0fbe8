"""What docs/evaluate.md shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from treewright.cli.main import main

PAGE = (Path(__file__).parents[2] / "docs" / "evaluate.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_python_runs(code):
    exec(compile(code, "evaluate.md", "exec"), {})


def test_report_is_the_one_shown(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    words = re.search(r"\$ treewright (.*)", PAGE).group(1).split()
    printed = CliRunner().invoke(main, words).stdout.splitlines()
    shown = PAGE.split(f"$ treewright {' '.join(words)}\n")[1].split("\n\n")[:2]
    for line in "\n".join(shown).splitlines():
        assert line.removeprefix("    ") in printed
    table = re.search(r"    place .*?\n\n", PAGE, re.DOTALL).group()
    for line in table.strip().splitlines():
        assert f"  {line.strip()}" in printed
