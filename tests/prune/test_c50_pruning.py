"""C5.0's ways with branches that hold little, on tables worked out by hand."""

from __future__ import annotations

import pytest

import treewright as tw
from refusals import refused
from treewright.errors import SettingError
from treewright.learners.dialects.c45 import C45


def column(**counts: int) -> list[str]:
    return [value for value, n in counts.items() for _ in range(n)]


# Two large branches of 2 rows, and four branches of 1 row: U(2, 0) = 1, U(1, 0) = 0.75.
#   as a leaf           6 p and 2 q: 2 + U(8, 2) = 3.4446
#   as it is            1 + 1 + 4 x 0.75 = 5.0
#   the small as one    1 + 1 + U(4, 0) = 2 + 4 (1 - 0.25^(1/4)) = 3.1716
SKY = {"sky": column(a=2, b=2, c=1, d=1, e=1, f=1)}
CLASSES = column(p=2, q=2) + column(p=4)
AS_COUNTED = {
    "dialect": "lecture",
    "pruning": "error_based",
    "min_samples_leaf": 2,
    "large_branches": "two",
    "subtree_raising": False,
}


@pytest.mark.parametrize(("pooled", "n_leaves"), [(False, 1), (True, 6)])
def test_small_branches_count_as_one_leaf(pooled, n_leaves):
    tree = tw.C45Classifier(**AS_COUNTED, pool_small_branches=pooled)
    assert tree.fit(SKY, CLASSES).get_n_leaves() == n_leaves


# x: 40 rows with 4 errors, and 60 rows that y divides into 50 with 5 errors and 10 with
# 4 errors. As leaves: x 40/4, the 60 have 5 + 6 = 11 errors, all 100 have 36 + 11 = 47.
#   E = 13, one standard error sqrt(13 (1 - 13 / 100)) = 3.36: up to 16.36
#   cutting y adds 11 - 9 = 2 errors for 1 leaf: 15, inside
#   cutting x then adds 47 - 15 = 32 errors: outside
TWO = {
    "x": column(l=40, r=60),
    "y": column(u=20, v=20) + column(u=50, v=10),
}
TWO_CLASSES = (
    column(p=18, q=2) + column(p=18, q=2) + column(q=45, p=5) + column(p=6, q=4)
)


@pytest.mark.parametrize(("global_pruning", "n_leaves"), [(False, 3), (True, 2)])
def test_global_pruning_stays_within_one_standard_error(global_pruning, n_leaves):
    tree = tw.C45Classifier(
        dialect="lecture",
        criterion="entropy",
        pruning="error_based",
        confidence=0.9,  # nothing is added to the errors
        subtree_raising=False,
        global_pruning=global_pruning,
    ).fit(TWO, TWO_CLASSES)
    assert tree.get_n_leaves() == n_leaves
    assert tree.to_text("lecture").startswith("x l")


def test_tree_without_errors_has_no_standard_error():
    tree = tw.C45Classifier(global_pruning=True, min_samples_leaf=1)
    X, y = tw.datasets.tennis()
    plain = tw.C45Classifier(min_samples_leaf=1)
    assert tree.fit(X, y).fingerprint() == plain.fit(X, y).fingerprint()


def test_global_pruning_with_costs_is_refused():
    tree = tw.C45Classifier(
        global_pruning=True, cost_matrix={"p": {"q": 3.0}, "q": {"p": 1.0}}
    )
    with refused(SettingError, "cost_matrix", "global_pruning=False"):
        tree.fit(TWO, TWO_CLASSES)


@pytest.mark.parametrize(
    ("switch", "remedy"),
    [
        ({"global_pruning": True}, "global_pruning=False"),
        ({"pool_small_branches": True}, "pool_small_branches=False"),
    ],
)
def test_other_prunings_are_refused_with_a_remedy(switch, remedy):
    with refused(SettingError, "pruning='error_based'", remedy):
        C45.change(pruning="pessimistic", **switch)


def test_fitted_tree_is_pruned_globally_and_then_otherwise():
    grown = tw.TreeClassifier(nominal_splits="multiway", criterion="entropy")
    grown.fit(TWO, TWO_CLASSES)
    switches = {"confidence": 0.9, "subtree_raising": False, "global_pruning": True}
    less = grown.prune("error_based", **switches)
    assert less.get_n_leaves() == 2
    assert less.prune("pessimistic").get_n_leaves() == 2


# 5 rows without a value of f: 99 of 100 known rows are "a", 1 is "b".
F = {"f": [*column(a=99, b=1), *[None] * 5]}
F_CLASSES = column(p=99, q=1) + column(p=5)


def shares(**switches):
    tree = tw.C45Classifier(dialect="lecture", **switches).fit(F, F_CLASSES)
    return tree.tree_.weight[1:3].tolist()


def test_branch_of_a_small_share_gets_no_part_of_unknown_rows():
    assert shares() == pytest.approx([99 + 4.95, 1.05])
    assert shares(min_share=0.01) == pytest.approx([99 + 4.95, 1.05])
    assert shares(min_share=0.02) == [104.0, 1.0]
    # rows are sent down again when the tree is pruned
    switches = {"pruning": "error_based", "confidence": 0.9}
    assert shares(min_share=0.02, **switches) == [104.0, 1.0]


def test_branch_that_weighs_too_little_is_empty():
    assert shares(min_branch_weight=1.0) == pytest.approx([103.95, 1.05])
    assert shares(min_branch_weight=1.1) == pytest.approx([103.95, 0.0])
    switches = {"pruning": "error_based", "confidence": 0.9}
    assert shares(min_branch_weight=1.1, **switches) == pytest.approx([103.95, 0.0])


def test_empty_branch_speaks_for_its_parent():
    tree = tw.C45Classifier(
        dialect="lecture", min_branch_weight=1.1, empty_branch="parent_class"
    ).fit(F, F_CLASSES)
    assert tree.predict({"f": ["a", "b"]}).tolist() == ["p", "p"]
    assert "f b: p (0)" in tree.to_text("lecture")


def test_all_branches_are_kept_where_all_weigh_too_little():
    assert shares(min_branch_weight=200.0) == pytest.approx([103.95, 1.05])


def test_branch_of_numbers_that_weighs_too_little_has_the_parents_mean():
    tree = tw.TreeRegressor(min_branch_weight=2.0)
    tree.fit({"x": [1, 1, 1, 9]}, [0.0, 0.0, 0.0, 8.0])
    assert tree.predict({"x": [1, 9]}).tolist() == [0.0, 2.0]
