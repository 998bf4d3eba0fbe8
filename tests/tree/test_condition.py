"""How branches read in words."""

from __future__ import annotations

import handmade
import numpy as np
import pytest

from treewright.data.schema import Feature
from treewright.tree import branch_text
from treewright.tree.structure.branch_words import (
    branch_condition,
    cut_text,
    label_text,
    number_text,
)


def branches(model, node=0):
    tree = model.trees[0]
    return [
        branch_text(model.schema, tree, node, branch)
        for branch in range(tree.n_children[node])
    ]


def test_multiway_branch_is_a_value():
    assert branches(handmade.tennis()) == [
        "Outlook = Overcast",
        "Outlook = Rain",
        "Outlook = Sunny",
    ]


def test_cut_prints_whole_thresholds_without_a_point():
    assert branches(handmade.regression()) == ["PS <= 195", "PS > 195"]


def test_set_and_its_complement():
    assert branches(handmade.subsets()) == [
        "colour in {red, blue}",
        "colour not in {red, blue}",
    ]


def test_set_of_one_is_an_equality():
    assert branches(handmade.subsets(), 2) == ["colour = green", "colour != green"]


def test_groups_are_sets_each():
    assert branches(handmade.groups()) == [
        "colour in {red, blue}",
        "colour = green",
        "colour = grey",
    ]


def test_own_branch_beside_groups():
    assert branches(handmade.groups(), 1) == [
        "shape = square",
        "shape in {round, flat}",
        "shape is missing",
    ]


def test_ordinal_cut_speaks_in_categories():
    assert branches(handmade.subsets(), 1) == ["size <= medium", "size > medium"]


def test_own_branch_for_missing_values():
    assert branches(handmade.subsets(), 3) == [
        "age <= 0.3815",
        "age > 0.3815",
        "age is missing",
    ]


def test_question_whether_a_value_is_known():
    assert branches(handmade.subsets(), 4) == ["colour is known", "colour is missing"]


def test_own_branch_of_a_multiway_question():
    node = handmade.Node(
        [1, 1, 1],
        handmade.NodeKind.MULTIWAY,
        0,
        missing=2,
        children=[handmade.Node([1, 1, 1]) for _ in range(3)],
    )
    target = handmade.Target("classes", ("y",), (("a", "b", "c"),))
    tree = handmade.build(node, target)
    schema = handmade.Schema((Feature("f", "nominal", ("u", "v")),), target)
    words = [branch_text(schema, tree, 0, branch) for branch in range(3)]
    assert words == ["f = u", "f = v", "f is missing"]


def test_wide_cuts_are_exact():
    model = handmade.wide()
    assert branches(model)[0] == f"id <= {2**60 + 1}"
    assert branches(model, 1)[0] == "seen <= 2026-01-31T12:30"
    assert branches(model, 4)[0] == f"hash <= {2**64 - 2}"
    assert branches(model, 5)[0] == "lag <= 90 seconds"


def test_date_cut_at_midnight_is_a_date():
    cuts = np.array(["2026-01-31"], "datetime64[ns]").view(np.int64)
    feature = Feature("day", "numeric", (), "datetime64[ns]", cuts)
    assert cut_text(feature, 0.0) == "2026-01-31"


def test_long_set_can_be_counted():
    model = handmade.subsets()
    condition = branch_condition(model.schema, model.trees[0], 0, 0, most=1)
    assert str(condition) == "colour in {red, and 1 more}"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (195.0, "195"),
        (0.3815, "0.3815"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e300, "1e+300"),
        (-0.0, "-0"),
        (float("inf"), "inf"),
        (1e16, "1e+16"),
    ],
)
def test_number_is_the_shortest_text_that_reads_back(number, text):
    assert number_text(number) == text
    assert float(text) == number


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("a", "a"),
        ("", '""'),
        (True, "True"),
        (None, "None"),
        (1.0, "1"),
        (3, "3"),
        ((1, "a"), "(1, a)"),
        (np.int64(4), "4"),
        (np.datetime64("2026-01-31"), None),
    ],
)
def test_label_text(label, text):
    assert label_text(label) == (text or "2026-01-31")
