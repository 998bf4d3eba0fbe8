"""Where two dialects part, and by which switch."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from properties.tables import small_tables
from treewright.data.encoding.encode import encode
from treewright.evaluation.comparing.difference import difference, differing
from treewright.learners.dialects.c45 import C45, J48, LECTURE
from treewright.learners.dialects.cart import CART
from treewright.learners.dialects.id3 import ID3
from treewright.learners.recipe import grow_tree


def encoded(name, *left_out):
    X, y = getattr(tw.datasets, name)()
    return encode(X.drop(left_out), y, task="classes")


@pytest.fixture
def watermelon():
    return encoded("watermelon", "编号")


def test_threshold_cost_parts_c45_from_the_lecture(watermelon):
    found = difference(watermelon, LECTURE, C45)
    assert found.path == ()
    assert not found.in_pruning
    assert found.switches == {"threshold_cost": (None, "evaluated_cuts")}
    assert found.alone
    assert [side.does.split()[0] for side in found.sides] == ["含糖率", "纹理"]
    one, other = (side.step for side in found.sides)
    assert one.candidates[one.best].feature == "含糖率"
    assert other.candidates[other.best].feature == "纹理"


def test_same_trees():
    assert difference(encoded("tennis"), ID3, J48) is None


def test_a_switch_in_growing():
    found = difference(encoded("tennis"), C45, C45.change(min_samples_leaf=5))
    assert found.path == ("Outlook = Rain",)
    assert found.switches == {"min_samples_leaf": (2, 5)}
    assert found.sides[1].does == "a leaf: Yes"
    assert found.n_other == 0


def test_a_switch_in_pruning():
    columns = encoded("tennis")
    strict = C45.change(confidence=0.0001, subtree_raising=False)
    found = difference(columns, C45, strict)
    assert found.in_pruning
    assert found.switches == {"confidence": (0.25, 0.0001)}
    (_, judgement), *_ = [
        one for one in found.sides[1].judgements if one[0] == "error_based"
    ]
    assert judgement.decision == "leaf"
    assert found.n_other == 1  # subtree raising is not the cause


def test_thresholds_count_last(watermelon):
    found = difference(watermelon, CART, CART.change(numeric_splits="lower_value"))
    assert found.switches == {"numeric_splits": ("midpoint", "lower_value")}
    # another way to cut is looked for first
    both = CART.change(numeric_splits="lower_value", max_depth=1)
    assert list(difference(watermelon, CART, both).switches) == ["max_depth"]


def test_several_switches_together(watermelon):
    # either of the two alone stops nothing that the other does not
    other = C45.change(
        gain_guard=None, threshold_cost=None, cut_minimum="min_samples_leaf"
    )
    found = difference(watermelon, C45, other)
    changed = C45.change(**{name: b for name, (_, b) in found.switches.items()})
    again = difference(watermelon, changed, other)
    assert found.alone
    assert again is None or again.path != found.path


def test_differing_switches():
    assert differing(C45, C45.change(confidence=0.1)) == {"confidence": (0.25, 0.1)}


@pytest.mark.slow
@given(small_tables(task="classes"), st.sampled_from([C45, J48, LECTURE, CART]))
def test_a_difference_is_found_where_there_is_one(table, other):
    one = ID3.change(numeric_splits="midpoint", missing="own_branch")
    columns = encode(table.frame(), table.outputs(), task="classes",
                     sample_weight=table.weights)  # fmt: skip
    found = difference(columns, one, other)
    if found is None:
        trees = [grow_tree(columns, each).trees[0] for each in (one, other)]
        assert trees[0].node_count == trees[1].node_count
    else:
        assert found.sides[0].does != found.sides[1].does


def test_the_same_rows_under_another_question_are_no_difference():
    # two values: a branch for each, or one against the other, in either order
    table = {"a": list("xxxyyyyy"), "b": list("pqpqpqpp")}
    answers = [0, 0, 0, 1, 0, 1, 0, 0]
    columns = encode(table, answers, task="classes")
    multiway = CART.change(nominal_splits="multiway")
    found = difference(columns, CART, multiway)
    assert found is None or found.path != ()


def test_the_same_question_with_other_rows_is_a_difference():
    table = {"b": ["a"] * 12 + ["c"] * 9 + [None] * 7}
    answers = ["P"] * 10 + ["Q"] * 2 + ["Q"] * 8 + ["P"] + ["P"] * 4 + ["Q"] * 3
    columns = encode(table, answers, task="classes")
    found = difference(columns, C45, C45.change(missing="majority"))
    assert list(found.switches) == ["missing"]


def test_rows_without_a_value_go_elsewhere():
    # 4 rows at 1 to 3, 6 at 4 to 6, 3 without a value
    values = [1, 1, 2, 3, 4, 4, 5, 5, 6, 6, None, None, None]
    answers = [0] * 4 + [1] * 6 + [0, 1, 1]
    columns = encode({"a": values}, answers, task="classes")
    shared = CART.change(missing="fractional", numeric_splits="lower_value")
    found = difference(columns, CART, shared)
    rows = found.without_value
    assert rows.feature == "a"
    assert rows.missing.n_rows == 3
    assert rows.goes[0].branches == (("a > 3.5", 3.0),)
    assert not rows.goes[0].shared
    (low, less), (high, more) = rows.goes[1].branches
    assert (low, high) == ("a <= 3", "a > 3")
    assert (less, more) == pytest.approx((3 * 4 / 10, 3 * 6 / 10))
    assert rows.goes[1].shared


def test_a_branch_of_their_own_is_elsewhere():
    table = {"b": ["a"] * 6 + ["c"] * 6 + [None] * 3}
    answers = ["P"] * 6 + ["Q"] * 6 + ["P", "Q", "Q"]
    columns = encode(table, answers, task="classes")
    own = C45.change(missing="own_branch")
    rows = difference(columns, C45.change(missing="majority"), own).without_value
    assert rows.goes[0].branches == (("b = a", 3.0),)
    assert rows.goes[1].branches == (("b is missing", 3.0),)


def test_other_rows_are_no_matter_of_missing_values(watermelon):
    assert difference(watermelon, LECTURE, C45).without_value is None
    lower = CART.change(numeric_splits="lower_value")
    alike = difference(watermelon, CART, lower).without_value
    assert alike.missing is None


def test_final_trees_that_are_the_same():
    # below the cut of a, b parts the rows but changes no answer: it is pruned away
    table = {"a": [0] * 40 + [1] * 40, "b": [*"ppppppp" * 4, *"q" * 12, *"pq" * 20]}
    answers = [0] * 37 + [1] * 43
    columns = encode(table, answers, task="classes")
    found = difference(columns, C45, C45.change(max_depth=1))
    assert found.path == ("a <= 0",)
    assert not found.in_pruning
    assert found.final is None
    models = [grow_tree(columns, side.dialect) for side in found.sides]
    assert [model.trees[0].node_count for model in models] == [3, 3]


def test_final_trees_that_part():
    found = difference(encoded("tennis"), C45, C45.change(min_samples_leaf=5))
    assert found.path == ("Outlook = Rain",)
    # of the tree that stops there pruning leaves no question at all
    assert found.final.path == ()
    assert [does.split()[0] for does in found.final.does] == ["Outlook", "a"]
