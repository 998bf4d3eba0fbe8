"""`treewright demo`: the worked example, letter for letter."""

from __future__ import annotations

import re
from pathlib import Path

from treewright.tree.file.save import load

GOLDEN = Path(__file__).resolve().parents[1] / "golden"


def test_demo_prints_the_golden_lesson(run):
    expected = (GOLDEN / "cli_demo.txt").read_text(encoding="utf-8")
    # the file holds every switch, so its size changes with their number
    shown = re.sub(r"\d\.\d KB", "3.1 KB", run("demo").stdout)
    assert shown == expected


def test_demo_saves_a_model_that_works(run):
    run("demo")
    assert load("tennis.tw").learner == "id3"
    assert "0 of 14 rows wrong" in run("predict", "tennis.tw", "tennis").stderr


def test_demo_saves_where_it_is_told(run):
    assert "saved elsewhere.tw" in run("demo", "-o", "elsewhere.tw").stdout
    assert [path.name for path in Path().iterdir()] == ["elsewhere.tw"]


def test_demo_fits_a_narrow_plain_terminal(run):
    output = run("demo", COLUMNS="20", TERM="dumb").stdout
    lesson = output[: output.index("next: ")]  # commands are never cut
    assert lesson.isascii()
    assert max(map(len, lesson.splitlines())) <= 20
