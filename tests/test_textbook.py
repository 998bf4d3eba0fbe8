"""The oracle itself, worked out by hand on tiny tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from textbook import grow_cart, grow_id3
from textbook_compare import as_listing, first_difference
from textbook_statistics import median

Tree = dict[str, Any]

LETTERS = {"letter": ["a", "b", "c", "d"]}


def letters(text: str) -> list[dict[str, Any]]:
    """One row per character; a dot is a missing value."""
    return [{"letter": None if c == "." else c} for c in text]


def numbers(*values: float | None) -> list[dict[str, Any]]:
    return [{"x": value} for value in values]


def n_leaves(tree: Tree) -> int:
    return sum(map(n_leaves, tree["branches"])) if "branches" in tree else 1


def test_split_is_made_at_zero_gain():
    # exclusive or: neither column alone says anything
    rows = [{"p": p, "q": q} for p in "ab" for q in "ab"]
    tree = grow_id3(rows, {"p": ["a", "b"], "q": ["a", "b"]}, [0, 1, 1, 0])
    assert tree["gain"] == 0
    assert tree["split"] == ("multiway", "p")
    assert n_leaves(tree) == 4


def test_one_value_among_the_rows_is_no_candidate():
    tree = grow_id3(letters("aaa"), LETTERS, [0, 1, 1])
    assert "split" not in tree
    assert tree["label"] == (1,)


def test_each_declared_category_has_a_branch():
    tree = grow_id3(letters("aab"), LETTERS, [0, 0, 1])
    assert [branch["rows"] for branch in tree["branches"]] == [2, 1, 0, 0]
    assert [branch["label"] for branch in tree["branches"]] == [(0,), (1,), (0,), (0,)]
    assert tree["branches"][2]["value"] == [0, 0]


def test_empty_branch_of_numbers_has_the_parents_mean():
    tree = grow_id3(letters("ab"), LETTERS, [2.0, 4.0], criterion="squared_error")
    assert [branch["value"] for branch in tree["branches"]] == [[2], [4], [3], [3]]


def test_cut_is_the_midpoint_and_the_lowest_of_equals():
    # 1 2 3 4 with classes 0 1 1 0: both outer cuts gain the same
    tree = grow_cart(numbers(1, 2, 3, 4), {"x": None}, [0, 1, 1, 0])
    assert tree["split"] == ("cut", "x", 1.5)


def test_cut_between_neighbouring_floats_is_the_lower_one():
    low = 1.0
    high = np.nextafter(low, 2).item()
    tree = grow_cart(numbers(low, high), {"x": None}, [0, 1])
    assert tree["split"] == ("cut", "x", low)
    assert [branch["rows"] for branch in tree["branches"]] == [1, 1]


def test_first_column_wins_a_tie():
    rows = [{"p": x, "q": x} for x in (1, 2)]
    tree = grow_cart(rows, {"q": None, "p": None}, ["no", "yes"])
    assert tree["split"] == ("cut", "q", 1.5)


def test_subset_leaves_the_last_present_value_out():
    # c is the class of a and c, so that {b} against {a, c} is the only pure partition
    tree = grow_cart(letters("abc"), LETTERS, [0, 1, 0])
    assert tree["split"] == ("subset", "letter", frozenset("b"))
    assert tree["gain"] == pytest.approx(0.918, abs=5e-4)


def test_first_subset_in_mask_order_wins_a_tie():
    # three classes, one row each: {a}, {b}, {a, b} all gain 0.918; mask 1 is {a}
    tree = grow_cart(letters("abc"), LETTERS, [0, 1, 2])
    assert tree["split"] == ("subset", "letter", frozenset("a"))


def test_guide_is_followed_among_equal_subsets_only():
    args = letters("abcd"), LETTERS, [0, 1, 2, 3]
    first = grow_cart(*args)
    assert first["split"][2] == frozenset("ab")  # two against two gains most
    equal = {"split": ("subset", "letter", frozenset("ac")), "branches": [{}, {}]}
    assert grow_cart(*args, guide=equal)["split"] == equal["split"]
    worse = {"split": ("subset", "letter", frozenset("a")), "branches": [{}, {}]}
    assert grow_cart(*args, guide=worse) == first


def test_class_weights_decide_the_label():
    tree = grow_cart(numbers(1, 1, 1), {"x": None}, ["a", "a", "b"], [1, 1, 3])
    assert tree["value"] == [2, 3]
    assert tree["label"] == ("b",)


def test_tied_label_is_decided_by_the_nearest_ancestor():
    # x <= 1.5: one "a", one "b"; the root has two "b"
    tree = grow_cart(numbers(1, 1, 2), {"x": None}, ["a", "b", "b"])
    assert tree["branches"][0]["value"] == [1, 1]
    assert tree["branches"][0]["label"] == ("b",)


def test_tied_label_at_the_root_is_the_first_class():
    tree = grow_cart(numbers(1, 1), {"x": None}, ["b", "a"])
    assert tree["label"] == ("a",)


def test_declared_class_without_rows_keeps_its_place():
    tree = grow_cart(numbers(1, 2), {"x": None}, ["b", "c"], classes=[["a", "b", "c"]])
    assert tree["value"] == [0, 1, 1]
    assert tree["label"] == ("b",)


def test_several_outputs_average_their_impurity():
    rows = numbers(1, 2, 3, 4)
    tree = grow_cart(rows, {"x": None}, [("a", 0), ("a", 0), ("b", 0), ("b", 1)])
    # entropies 1 and 0.811; the cut at 2.5 gains 1 and 0.311
    assert tree["impurity"] == pytest.approx(0.906, abs=5e-4)
    assert tree["split"] == ("cut", "x", 2.5)
    assert tree["gain"] == pytest.approx(0.656, abs=5e-4)
    assert tree["value"] == [2, 2, 3, 1]
    assert tree["label"] == ("a", 0)


def test_weighted_median_lies_half_way_on_a_tie():
    assert median([(1, 1.0), (3, 1.0)]) == 2
    assert median([(1, 1.0), (3, 2.0)]) == 3
    assert median([(5, 0.5), (1, 0.25), (3, 0.25)]) == 4


@pytest.mark.parametrize(
    ("options", "leaves"),
    [
        ({}, 3),
        ({"max_depth": 1}, 2),
        ({"max_depth": 0}, 1),
        ({"min_samples_split": 5}, 2),
        ({"min_samples_split": 6}, 1),
        ({"min_samples_leaf": 2}, 2),
        ({"min_samples_leaf": 3}, 1),
        ({"min_weight_leaf": 1.5}, 2),
        ({"min_impurity": 0.82}, 2),
        ({"min_impurity": 0.98}, 1),
        ({"min_gain": 0.32}, 3),
        ({"min_gain": 0.33}, 1),
        ({"max_leaf_nodes": 2}, 2),
    ],
)
def test_stopping_rules(options, leaves):
    # a | b b b | a: entropy 0.971; the cut at 1.5 gains 0.322 (as does the one at 4.5);
    # the four rows above have 0.811, all gained at 4.5
    rows = numbers(1, 2, 3, 4, 5)
    tree = grow_cart(rows, {"x": None}, ["a", "b", "b", "b", "a"], **options)
    assert n_leaves(tree) == leaves


def test_impurity_decrease_weighs_the_gain_by_the_share_of_the_node():
    # a x 6 | b c: the cut between b and c gains 1, on a quarter of the weight
    rows, target = numbers(1, 2, 3, 4, 5, 6, 7, 8), list("aaaaaabc")
    assert n_leaves(grow_cart(rows, {"x": None}, target, min_gain=0.3)) == 3
    tree = grow_cart(rows, {"x": None}, target, min_impurity_decrease=0.3)
    assert n_leaves(tree) == 2


def test_best_first_opens_the_heaviest_gain():
    # after the cut at 4.5 the right side (2 of 4 wrong) gains more than the left (1)
    rows = numbers(*range(1, 9))
    target = ["a", "b", "a", "a", "c", "c", "d", "d"]
    tree = grow_cart(rows, {"x": None}, target, max_leaf_nodes=3)
    left, right = tree["branches"]
    assert "split" not in left
    assert right["split"] == ("cut", "x", 6.5)


def test_missing_is_a_branch_of_its_own():
    tree = grow_id3(letters("ab."), LETTERS, [0, 1, 2], missing="own_branch")
    assert [branch["rows"] for branch in tree["branches"]] == [1, 1, 0, 0, 1]
    assert tree["missing"] == 4
    assert tree["gain"] == pytest.approx(np.log2(3))


def test_missing_beside_a_cut_makes_three_branches():
    tree = grow_cart(numbers(1, 2, None), {"x": None}, [0, 1, 0], missing="own_branch")
    assert tree["split"] == ("cut", "x", 1.5)
    assert [branch["rows"] for branch in tree["branches"]] == [1, 1, 1]
    assert tree["missing"] == 2


def test_known_or_missing_is_asked_where_no_cut_can_be():
    tree = grow_cart(numbers(1, 1, None), {"x": None}, [0, 0, 1], missing="own_branch")
    assert tree["split"] == ("known", "x")
    assert [branch["label"] for branch in tree["branches"]] == [(0,), (1,)]


def test_missing_rows_follow_the_majority():
    tree = grow_cart(
        numbers(1, 2, 3, None), {"x": None}, [0, 1, 1, 0], missing="majority"
    )
    # known rows: entropy 0.918, all of it gained, times 3/4
    assert tree["gain"] == pytest.approx(0.689, abs=5e-4)
    assert tree["missing"] == 1
    assert [branch["rows"] for branch in tree["branches"]] == [1, 3]


def test_majority_counts_known_rows_against_the_minimum():
    rows = numbers(1, 2, None, None)
    options = {"missing": "majority", "min_samples_leaf": 2}
    assert "split" not in grow_cart(rows, {"x": None}, [0, 1, 1, 1], **options)


def test_difference_names_the_place():
    rows, target = numbers(1, 2, 3), [0, 1, 0]
    tree = grow_cart(rows, {"x": None}, target)
    assert first_difference(tree, tree) is None
    small = grow_cart(rows, {"x": None}, target, max_depth=1)
    found = first_difference(small, tree)
    assert found == "root, branch 1: a leaf instead of ('cut', 'x', 2.5)"


def test_listing_names_every_kind_of_test():
    features = {"x": None, **LETTERS}
    rows = [
        {"x": x, "letter": c} for x, c in [(1, "a"), (1, "b"), (2, "c"), (None, "c")]
    ]
    tree = grow_cart(rows, features, [0, 1, 2, 3], missing="own_branch")
    assert as_listing(tree, features) == [
        "x <= 1.5",
        "| letter in a: 0 (1)",
        "| letter not in a: 1 (1)",
        "x > 1.5: 2 (1)",
        "x missing: 3 (1)",
    ]
