"""Tables of rules: answers that stay apart, commas, points below each other."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import SettingError
from treewright.render.rules.rule_table import number_cells

LONG = [
    "Vertragskündigung durch den Kunden",
    "Vertragskündigung durch die Firma",
]


def of_two_classes(classes, n=2):
    X = {"Art": ["a", "b"] * (n // 2)}
    return tw.ID3Classifier().fit(X, classes * (n // 2)).rules()


def test_long_classes_use_the_room_there_is():
    text = str(of_two_classes(LONG))
    assert all(name in text for name in LONG)
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("width", [30, 40, 50, 60])
def test_in_a_narrow_line_classes_go_on_in_the_next(width):
    rules = of_two_classes(LONG)
    text = rules.to_text(width=width)
    table = text.split("otherwise")[0]
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in table
    assert "Kunden" in table
    assert "Firma" in table


def test_a_very_long_class_keeps_its_end():
    rules = of_two_classes(["x" * 5_000 + "1", "x" * 5_000 + "2"])
    table = rules.to_text(width=60).split("otherwise")[0]
    assert "x1" in table
    assert "x2" in table
    assert len(table.splitlines()) < 30


def test_thousands_have_commas_everywhere():
    rules = of_two_classes(["p", "q"], 4_000)
    for text in (str(rules), rules.to_markdown()):
        assert "4,000 training rows, 0 wrong" in text
        assert "2,000" in text
        assert "2000" not in text


def test_points_stand_below_each_other():
    cells = number_cells(np.array([1.5, 20.25, 3.0, np.nan]))
    assert [one.rjust(6) for one in cells] == ["  1.5 ", " 20.25", "  3   ", "  -   "]


def test_a_cover_that_is_no_number_is_refused_in_one_line():
    with refused(SettingError, "min_cover", "'a'"):
        of_two_classes(["p", "q"]).covering("a")


def test_no_rules_say_what_every_row_gets():
    model = tw.C45RulesClassifier().fit({"x": [1.0, 1.0, 1.0]}, ["a", "a", "b"])
    text = str(model.rules())
    assert text.startswith("no rules for target: every row gets a\n")
    assert "first" not in text
    assert "otherwise" not in text


def test_estimators_refuse_it_too():
    X, y = tw.datasets.tennis()
    for model in (tw.ID3Classifier(), tw.C45RulesClassifier()):
        with refused(SettingError, "min_cover", "'a'"):
            model.fit(X, y).rules(min_cover="a")
