"""Conditions, rules and rule sets: what they hold for, and how they merge."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from refusals import refused
from treewright.data.schema import Feature, Schema, Target
from treewright.rules import NO_RULE, Condition, Rule, RuleSet

NAN, INF = math.nan, math.inf
ENDS = st.sampled_from([-INF, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, INF])
VALUES = np.array([[NAN], [-INF], [-1], [0], [0.25], [0.5], [1], [2], [3], [9], [INF]])

of_numbers = st.builds(Condition.between, st.just(0), ENDS, ENDS)
of_codes = st.builds(Condition.among, st.just(0), st.lists(st.integers(0, 3)))
of_order = st.builds(Condition.ordered, st.just(0), ENDS, ENDS)
of_absence = st.sampled_from([Condition.known(0), Condition.missing(0)])


def by_hand(condition: Condition, value: float) -> bool:
    """Whether a condition holds, read off its fields."""
    name = condition.asks.name
    if name == "MISSING":
        return math.isnan(value)
    if math.isnan(value):
        return False
    if name == "CODES":
        return value in condition.codes
    if name == "KNOWN":
        return True
    above = condition.low == -INF or value > condition.low
    return above and value <= condition.high


@given(of_numbers | of_codes | of_order | of_absence)
def test_holds_for_each_value_as_by_hand(condition):
    wanted = [by_hand(condition, value) for (value,) in VALUES.tolist()]
    assert condition.holds(VALUES).tolist() == wanted
    some = np.array([4, 0, 9])
    assert condition.holds(VALUES, some).tolist() == [wanted[k] for k in some]


@given(of_numbers | of_absence, of_numbers | of_absence)
def test_merged_numbers_hold_where_both_do(one, other):
    both = one.holds(VALUES) & other.holds(VALUES)
    assert (one.merged(other).holds(VALUES) == both).all()


@given(of_codes | of_order | of_absence, of_codes | of_order | of_absence)
def test_merged_categories_hold_where_both_do(one, other):
    codes = VALUES[[0, 2, 3, 6, 7, 8]]  # missing, unseen, 0 to 3
    both = one.holds(codes) & other.holds(codes)
    assert (one.merged(other).holds(codes) == both).all()


@given(of_numbers | of_codes, of_numbers | of_codes)
def test_conditions_are_compared_hashed_and_sorted(one, other):
    assert (one == other) == (len({one, other}) == 1)
    assert sorted([one, other]) == sorted([other, one])


def test_what_no_value_meets_is_empty():
    assert Condition.between(0, 2, 2).is_empty
    assert Condition.among(0, []).is_empty
    assert Condition.missing(0).merged(Condition.between(0, 1)).is_empty
    assert not Condition.missing(0).is_empty


def test_unseen_categories_are_known_and_nothing_else():
    unseen = np.array([[-1.0]])
    assert Condition.known(0).holds(unseen).all()
    for condition in (Condition.ordered(0, high=2), Condition.among(0, [0, 1])):
        assert not condition.holds(unseen).any()


def test_a_sum_is_missing_with_any_of_its_values():
    terms = ((0, 2.0), (1, -1.0))
    cells = np.array([[1.0, 1.0], [1.0, 5.0], [NAN, 1.0]])
    assert Condition.between(0, 0.0, INF, terms).holds(cells).tolist() == [1, 0, 0]
    assert Condition.missing(0, terms).holds(cells).tolist() == [0, 0, 1]


def test_conditions_on_different_features_do_not_merge():
    with refused(ValueError, "(0, ())", "(1, ())"):
        Condition.known(0).merged(Condition.known(1))


def test_a_rule_has_one_condition_for_each_feature_at_its_first_place():
    rule = Rule.of(
        [
            Condition.between(1, 2),
            Condition.among(0, [1]),
            Condition.between(1, high=5),
        ],
        1,
    )
    assert rule.conditions == (Condition.between(1, 2, 5), Condition.among(0, [1]))
    other = Rule(rule.conditions[::-1], 1)
    assert rule != other
    assert rule.without(0) == Rule((Condition.among(0, [1]),), 1)


def small_rule_set() -> RuleSet:
    features = (Feature("x", "numeric"), Feature("c", "nominal", ("a", "b")))
    schema = Schema(features, Target("classes", ("y",), (("no", "yes"),)))
    rules = (
        Rule((Condition.between(0, high=2), Condition.among(1, [0])), 1),
        Rule((Condition.between(0, high=3),), 0),
    )
    return RuleSet(schema, rules, default=1)


def test_the_first_rule_that_a_row_meets_answers():
    rule_set = small_rule_set()
    cells = np.array([[1, 0], [1, 1], [5, 0], [NAN, 0], [1, NAN]])
    assert rule_set.covers(cells).tolist() == [[1, 0, 0, 0, 0], [1, 1, 0, 0, 1]]
    assert rule_set.fires(cells).tolist() == [0, 1, NO_RULE, NO_RULE, 1]
    assert rule_set.answers(cells).tolist() == [1, 0, 1, 1, 0]


def test_a_rule_set_predicts_from_a_table():
    table = {"x": [1.0, 1.0, 5.0, None], "c": ["a", "new", "a", "a"]}
    assert small_rule_set().predict(table).tolist() == ["yes", "no", "yes", "yes"]


def test_a_rule_without_conditions_covers_all_rows():
    assert Rule((), 0).covers(np.zeros((3, 1))).tolist() == [True] * 3
