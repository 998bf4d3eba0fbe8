"""Edits by hand: what they give, what is refused, and that nothing changes then."""

from __future__ import annotations

import dataclasses
import doctest

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import SettingError
from treewright.render.rules import rule_listing
from treewright.render.rules import rule_workbench as workbench
from treewright.rules import Asks, Condition, Rule
from treewright.rules.workbench.edits import merge_rules


@pytest.fixture
def bench():
    X, y = tw.datasets.tennis()
    return tw.ID3Classifier().fit(X, y).rules().workbench(X, y)


REFUSED = [
    (lambda b: b.drop(0), ("rule 0", "1 to 5")),
    (lambda b: b.drop(6), ("rule 6", "1 to 5")),
    (lambda b: b.drop("2"), ("rule '2'", "1 to 5")),
    (lambda b: b.drop(True), ("rule True", "1 to 5")),
    (lambda b: b.drop(1.5), ("rule 1.5", "1 to 5")),
    (lambda b: b.drop(2, 3), ("condition 3", "rule 2", "2 conditions")),
    (lambda b: b.drop(2, 0), ("condition 0", "rule 2", "2 conditions")),
    (lambda b: b.drop(1, 1), ("rule 1", "one condition")),
    (lambda b: b.merge(1, 2), ("rules 1 and 2", "answer")),
    (lambda b: b.merge(3, 3), ("rule 3", "merged")),
    (lambda b: b.merge(1, 9), ("rule 9", "1 to 5")),
    (lambda b: b.reorder([1, 2, 3, 4]), ("order", "lacks", "rule 5")),
    (lambda b: b.reorder([1, 2, 3, 4, 5, 5]), ("order", "twice", "rule 5")),
    (lambda b: b.reorder([2, 3, 4, 5, 5]), ("order", "lacks", "rule 1")),
    (lambda b: b.reorder([1, 2, 3, 4, 7]), ("rule 7", "1 to 5")),
    (lambda b: b.row(14), ("row 14", "0 to 13")),
    (lambda b: b.row(-1), ("row -1", "0 to 13")),
    (lambda b: b.rows_of(8), ("rule 8", "1 to 5")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("edit", "names"), REFUSED)
def test_impossible_edits_are_refused_in_one_line_and_nothing_changes(
    bench, edit, names
):
    before, page = bench.rule_set.rules, str(bench)
    with refused(SettingError, *names) as refusal:
        edit(bench)
    assert "\n" not in str(refusal.value)
    assert bench.rule_set.rules == before
    assert str(bench) == page


def test_rules_without_a_common_condition_are_not_merged(bench):
    shorter = bench.drop(3, 1).drop(5, 1)  # Wind = Weak; Humidity = Normal
    with refused(SettingError, "rules 3 and 5", "condition"):
        shorter.merge(3, 5)


def test_an_edit_says_what_it_costs(bench):
    shorter = bench.drop(2)
    assert len(bench) == 5
    assert [len(rule) for rule in shorter.rule_set] == [1, 2, 2, 2]
    assert shorter.change.errors == 2
    (edit,) = shorter.edits
    assert edit.what == "rule 2 dropped"
    assert edit.errors == (bench.errors, shorter.errors)
    assert edit.bits == (bench.bits, shorter.bits)
    assert str(shorter).startswith("rule 2 dropped: errors 0 to 2, bits 18.2 to 24.2\n")
    assert "errors 0 to 2" in repr(shorter)


def test_doubtful_rules_are_named(bench):
    X, _ = tw.datasets.tennis()
    other = tw.ID3Classifier().fit(X, tw.datasets.tennis()[1]).rules()
    page = str(other.workbench(X, ["No"] * 14))
    # rules 1, 3 and 5 say Yes: 4 of 4, 3 of 3 and 2 of 2 rows are wrong
    assert page.endswith(
        "\nrules 1, 3, 5 are expected to be wrong for more than 0.7 of their rows"
    )
    assert "expected" not in str(bench)


def test_an_order_moves_rules_and_costs_no_bits(bench):
    turned = bench.drop(3, 1).reorder([4, 1, 2, 3, 5])
    assert turned.change.errors == -2  # the rows of sunny, humid days without wind
    assert turned.change.bits == pytest.approx(0)


def test_all_rules_may_go_and_the_default_answers(bench):
    X, _ = tw.datasets.tennis()
    none = bench.drop_all([1, 2, 3, 4, 5])
    assert len(none) == 0
    assert {*none.predict(X)} == {"Yes"}
    assert none.errors == 5
    # nothing matches: the default's shares, (9 + 1) / (14 + 2) for Yes
    np.testing.assert_allclose(none.predict_proba(X), [[6 / 16, 10 / 16]] * 14)
    pages = (none, none.row(0), none.conflicts(), none.worth(), none.unused())
    assert all(map(str, pages))
    assert "there are no rules" in str(none.worth())


def _joined(bench, one, other):
    """The conditions on the first feature of two rules, merged."""
    rules = tuple(Rule((each,), 1) for each in (one, other))
    return merge_rules(_with(bench, rules), 1, 2).rules[0].conditions


def _with(bench, rules):

    return dataclasses.replace(bench.rule_set, rules=rules)


def test_merged_conditions_are_wide_enough_for_both(bench):
    between, among = Condition.between, Condition.among
    assert _joined(bench, between(0, 1, 2), between(0, 4, 5)) == (between(0, 1, 5),)
    assert _joined(bench, between(0, 1), between(0, 4, 5)) == (between(0, 1),)
    (known,) = _joined(bench, between(0, 4), between(0, -np.inf, 5))
    assert known.asks == Asks.KNOWN
    assert _joined(bench, among(0, [0]), among(0, [2])) == (among(0, [0, 2]),)
    # an ordinal feature: codes 0 and 1 beside code 2
    assert _joined(bench, Condition.ordered(0, -1, 1), among(0, [2])) == (
        among(0, [0, 1, 2]),
    )
    (known,) = _joined(bench, Condition.known(0), among(0, [2]))
    assert known.asks == Asks.KNOWN
    with refused(SettingError, "rules 1 and 2", "condition"):
        _joined(bench, Condition.missing(0), among(0, [2]))


def test_rules_of_numbers_have_squared_errors_and_no_bits():
    X, _ = tw.datasets.tennis()
    y = np.arange(14.0) ** 2
    model = tw.CARTRegressor(max_depth=2).fit(X, y)
    bench = model.rules().workbench(X, y)
    assert bench.errors == pytest.approx(((model.predict(X) - y) ** 2).sum())
    costs = bench.worth().costs

    def check(change, edited):
        squares = ((edited.predict(X) - y) ** 2).sum()
        assert edited.errors == pytest.approx(squares)
        assert change.errors == pytest.approx(squares - bench.errors)

    for number, rule in enumerate(bench.rule_set, 1):
        check(costs.rules[number - 1], bench.drop(number))
        for place in range(len(rule) if len(rule) > 1 else 0):
            less = costs.conditions[number - 1][place]
            check(less, bench.drop(number, place + 1))
    edited = bench.drop(1, 1)
    pages = (edited, edited.row(0), edited.rows_of(1), edited.conflicts())
    text = "\n".join(map(str, (*pages, edited.worth(), edited.unused())))
    assert "squared error" in text
    assert "bits" not in text
    assert "nan" not in text
    with refused(SettingError, "classes", "numbers", "saved"):
        bench.model()


@pytest.mark.parametrize("module", [rule_listing, workbench])
def test_examples_in_docstrings_run(module):
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
