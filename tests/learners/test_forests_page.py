"""What docs/forests.md shows runs, and says what is so."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[2] / "docs" / "forests.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """What the page's Python leaves behind, and what it prints."""
    code = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    names: dict = {}
    out = io.StringIO()
    with (
        contextlib.chdir(tmp_path_factory.mktemp("page")),
        contextlib.redirect_stdout(out),
    ):
        exec(compile(code, "forests.md", "exec"), names)
    return names, out.getvalue()


def test_numbers_of_trees_are_those_of_the_comments(page):
    names, _ = page
    assert len(names["more"].trees_) == 250
    assert len(names["both"].trees_) == 170
    assert len(names["forest"].trees_) == 220
    at_once = names["tw"].RandomForestClassifier(220, random_state=0)
    at_once.fit(names["X"], names["y"])
    assert names["forest"].fingerprint() == at_once.fingerprint()


def test_compact_trees_are_as_small_as_the_page_says(page):
    names, printed = page
    assert "200 trees of cart" in printed
    forest = names["forest"]
    assert (forest.predict(names["X"]) == forest.compact().predict(names["X"])).all()
