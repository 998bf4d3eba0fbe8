"""What docs/rules.md shows is what happens."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

import treewright as tw

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_python_runs():
    code = "".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "rules.md", "exec"), {})
    assert "(Outlook=Sunny and Humidity=High)" in out.getvalue()
    assert "rules and forest agree on" in out.getvalue()


def test_table_and_formula_are_those_of_the_page():
    rules = tw.ID3Classifier().fit(*tw.datasets.tennis()).rules()
    shown = re.search(r"    \$ treewright rules tennis\n((?:    .*\n|\n)+)", PAGE)[1]
    lines = [line.removeprefix("    ") for line in shown.rstrip().split("\n")]
    assert "\n".join(lines[:-1]) == str(rules)
    assert lines[-1].startswith("algorithm id3, because")
    assert f"    Yes: {rules.formula('Yes')}\n" in PAGE


def test_the_row_on_the_workbench_is_that_of_the_page():
    X, y = tw.datasets.tennis()
    bench = tw.ID3Classifier().fit(X, y).rules().workbench(X, y)
    shown = re.search(r"--row 6\n((?:    .*\n)+)", PAGE)[1]
    lines = [line.removeprefix("    ") for line in shown.rstrip().split("\n")]
    # the command line counts rows from 1
    assert "\n".join(lines) == str(bench.row(5)).replace("row 5 ", "row 6 ")
