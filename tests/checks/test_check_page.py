"""What docs/check.md shows is what happens, and its table has every kind."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
CODE = "".join(
    path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "src" / "treewright" / "checks").glob("*.py"))
)


def test_python_prints_what_the_page_shows():
    code = "".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "check.md", "exec"), {})
    shown = re.search(r"```\n\n((?:    .*\n|\n)+)", PAGE)[1]
    lines = [line.removeprefix("    ") for line in shown.rstrip().split("\n")]
    assert out.getvalue().startswith("\n".join(lines) + "\n")


def test_every_kind_is_explained():
    kinds = set(re.findall(r'Finding\(\s*"([a-z ]+)"', CODE))
    listed = {
        kind
        for row in re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
        for kind in re.findall("`([^`]+)`", row)
    }
    assert kinds == listed
