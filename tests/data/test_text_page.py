"""What docs/text.md shows is what happens."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "text.md").read_text(encoding="utf-8")


def test_the_pipeline_answers_as_the_page_says():
    code, shown = re.search(
        r"```python\n(.*?)```\n\n    (.*?)\n", PAGE, re.DOTALL
    ).groups()
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "text.md", "exec"), {})
    assert out.getvalue().strip() == shown
