"""The table of trees and rule sets, and the page that it is kept in."""

from __future__ import annotations

import pytest

from conformance import datasets, rules_table

needs_data = pytest.mark.skipif(
    not (datasets.DATA / "datasets.json").is_file(),
    reason="the shared data sets are not here",
)


def test_page_has_the_head_and_the_remarks_of_today():
    page = rules_table.PAGE.read_text(encoding="utf-8")
    assert page.startswith(rules_table.HEAD)
    assert page.endswith(rules_table.REMARKS.read_text(encoding="utf-8"))


@pytest.mark.slow
@needs_data
def test_small_sets_have_the_figures_of_the_page(capsys):
    assert rules_table.main(["weather-nominal", "contact-lenses", "iris"]) == 0
    page = rules_table.PAGE.read_text(encoding="utf-8")
    lines = [line for line in capsys.readouterr().err.splitlines() if line]
    assert len(lines) == 3
    for line in lines:
        assert line in page


@needs_data
def test_a_set_that_is_not_there_is_one_line(capsys):
    assert rules_table.main(["no-such-set"]) == 1
    assert "no data set 'no-such-set'" in capsys.readouterr().err
