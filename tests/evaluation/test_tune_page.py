"""What docs/tune.md shows is what happens."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from sklearn.datasets import load_breast_cancer

from treewright.cli.main import main
from treewright.evaluation.tuning.tuning_text import value_text
from treewright.learners.registry import LEARNERS, names

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[2] / "docs" / "tune.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_python_runs(code):
    exec(compile(code, "tune.md", "exec"), {})


def test_report_is_the_one_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    table = load_breast_cancer(as_frame=True)
    frame = table.frame
    frame["target"] = table.target_names[frame["target"]]
    frame.to_csv("breast.csv", index=False)
    words, shown = re.search(r"\$ treewright (.*)\n((?:    .*\n|\n)*)", PAGE).groups()
    printed = CliRunner().invoke(main, shlex.split(words)).stdout
    assert printed.strip().splitlines() == [
        line.removeprefix("    ") for line in shown.strip("\n").splitlines()
    ]


@pytest.mark.parametrize("algorithm", names())
def test_usual_spaces_are_listed(algorithm):
    rows = dict(re.findall(r"^\| ([\w, -]+) \| (`.*`? .*) \|$", PAGE, re.MULTILINE))
    names = {name: row for names, row in rows.items() for name in names.split(", ")}
    for name, values in LEARNERS[algorithm].tries().items():
        listed = ", ".join(map(value_text, values))
        where = names[algorithm]
        assert re.search(rf"`{name}`(?: \(CF\))? {re.escape(listed)}", where) or (
            f"`{name}={listed}`" in where
        )
