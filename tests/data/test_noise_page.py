"""What docs/noise.md shows is what happens."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[2] / "docs" / "noise.md").read_text(encoding="utf-8")


def test_experiment_gives_the_table_of_the_page():
    code = "".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "noise.md", "exec"), {})
    shown = re.findall(r"^    ((?:noise in|answers |cells   ) .*)$", PAGE, re.MULTILINE)
    assert out.getvalue().splitlines() == shown
