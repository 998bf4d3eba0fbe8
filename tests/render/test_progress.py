"""The bar: how much, how fast, how long."""

from __future__ import annotations

import pytest

from treewright.render.sign_of_life import bar_line


@pytest.mark.parametrize(
    ("done", "seconds", "words"),
    [
        (25, 10.0, "25 %, 2.5 trees a second, 30 s left"),
        (50, 2.0, "50 %, 25 trees a second, 2 s left"),
        (0, 3.0, "0 %"),
        (0.5, 60.0, "0 %, 0.5 trees a minute, 3:19:00 h left"),
        (10, 20.0, "10 %, 30 trees a minute, 3:00 min left"),
        (100, 4.0, "100 %, 25 trees a second, 0 s left"),
    ],
)
def test_a_bar_has_rate_and_time_left(done, seconds, words):
    line = bar_line("growing", done, 100, "trees", seconds=seconds)
    assert line.endswith(f" {words}")
    assert line.count("█") == int(24 * done / 100)
    assert len(line) <= 80
    plain = bar_line("growing", done, 100, "trees", seconds=seconds, ascii=True)
    assert plain.isascii()
