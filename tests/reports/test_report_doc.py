"""What docs/report.md shows is what happens."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from treewright.cli.main import main

PAGE = (Path(__file__).parents[2] / "docs" / "report.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_python_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "report.md", "exec"), {})
    assert out.getvalue().startswith("0.2142")
    assert (tmp_path / "tennis.html").is_file()


@pytest.mark.slow
def test_command_prints_what_is_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    shown = re.search(r"^    \$ treewright (.*)\n((?:    .*\n)+)", PAGE, re.MULTILINE)
    result = CliRunner().invoke(main, shown[1].split())
    expected = [line[4:] for line in shown[2].splitlines()]
    found = result.stdout.splitlines()
    # the size of the file may change with every word of the page
    assert [re.sub(r"\d+ KB", "KB", line) for line in found] == [
        re.sub(r"\d+ KB", "KB", line) for line in expected
    ]


def test_every_part_is_in_the_table(classes):
    titles = [one.title for one in classes.document.sections]
    listed = re.findall(r"^\| ([A-Z][^|]*?) \|", PAGE, re.MULTILINE)
    assert listed == ["In short", *titles]


def test_names_of_the_pictures_are_listed(classes):
    for name in classes.pictures():
        assert f"`{name}`" in PAGE
