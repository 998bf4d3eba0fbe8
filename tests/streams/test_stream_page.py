"""What docs/stream.md shows is what happens."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "stream.md").read_text(encoding="utf-8")


def test_the_example_prints_what_the_page_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, shown = re.search(
        r"```python\n([\s\S]*?)```\n\n((?:    .*\n)+)", PAGE
    ).groups()
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "stream.md", "exec"), {})
    assert out.getvalue().splitlines() == [line[4:] for line in shown.splitlines()]
