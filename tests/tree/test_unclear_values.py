"""Values that a condition could be misread with stand in quotes, others do not."""

from __future__ import annotations

import pytest

import treewright as tw
from treewright.tree.structure.branch_words import value_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a, b", '"a, b"'),
        ("a=b", '"a=b"'),
        ("{a}", '"{a}"'),
        ('say "a"', r'"say \"a\""'),
        (" a", '" a"'),
        ("a ", '"a "'),
        ("", '""'),
        (" ", '" "'),
        ("missing", '"missing"'),
        ("is missing", '"is missing"'),
        ("and", '"and"'),
        ("5 or more", '"5 or more"'),
        ("Sunny", "Sunny"),
        ("rock band", "rock band"),
        ("check-in", "check-in"),
        (">60", ">60"),
        ("0-10", "0-10"),
        ("纹理", "纹理"),
        (5, "5"),
        (True, "True"),
    ],
)
def test_only_what_is_unclear_is_quoted(value, text):
    assert value_text(value) == text


def test_rules_and_trees_have_the_quotes():
    X = {"a": ["x, y", "and", "z\n1", "x, y", "and", "z\n1"]}
    model = tw.ID3Classifier().fit(X, ["p", "q", "r"] * 2)
    rules = model.rules()
    assert 'a = "x, y" ' in str(rules)
    assert rules.formula("p") == '(a="x, y")'
    assert rules.formula("q") == '(a="and")'
    assert rules.formula("r") == r"(a=z\n1)"
    assert '"x, y"' in model.to_text()
