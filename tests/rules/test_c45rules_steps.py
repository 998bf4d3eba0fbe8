"""The steps of C4.5rules against plain versions of them, on random rules and rows."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import textbook_rules as plain
from treewright.prune.methods.error_estimate import ErrorEstimate
from treewright.rules.condition import Condition
from treewright.rules.induction.description_length import (
    entropy,
    exception_bits,
    log2_factorial,
    theory_bits,
)
from treewright.rules.induction.fisher import chance
from treewright.rules.induction.generalise import Generalised, generalise
from treewright.rules.induction.order import order_rules
from treewright.rules.induction.polish import polish
from treewright.rules.induction.subset import choose_subset, draw_starts
from treewright.rules.rule_rows import RuleRows

pytestmark = pytest.mark.slow

C45 = ErrorEstimate(0.25, "table", "two_thirds")


class Case:
    """Random rows and rules, for both versions."""

    def __init__(self, seed, n_rules, *, weighted):
        rng = np.random.default_rng(seed)
        n_rows = int(rng.integers(1, 70))
        cells = rng.integers(0, 5, (n_rows, 3)).astype(float)
        cells[rng.random(cells.shape) < 0.1] = np.nan
        self.classes = rng.integers(3, size=n_rows)
        weights = rng.integers(1, 9, n_rows) / 4 if weighted else None
        self.paths = []
        for _ in range(n_rules):
            features = rng.permutation(3)[: rng.integers(1, 4)].tolist()
            self.paths.append([self._condition(rng, feature) for feature in features])
        self.of_class = rng.integers(3, size=n_rules).tolist()
        own = np.ones(n_rows) if weights is None else weights
        self.table = plain.Table(
            [[None if math.isnan(x) else x for x in row] for row in cells.tolist()],
            self.classes.tolist(),
            [Fraction(weight) for weight in own.tolist()],
            3,
            [],
            [],
        )
        self.rows = RuleRows(cells, self.classes, 3, weights, n_threads=2)
        self.numbers = self.rows.number(
            [self._ours(one) for one in path] for path in self.paths
        )
        self.textbook = dict(
            pair
            for path, numbers in zip(self.paths, self.numbers, strict=True)
            for pair in zip(numbers, path, strict=True)
        )

    @staticmethod
    def _condition(rng, feature):
        relation = ("<=", ">", "in")[rng.integers(3)]
        if relation == "in":
            codes = rng.permutation(5)[: rng.integers(1, 4)]
            return relation, feature, frozenset(codes.tolist())
        return relation, feature, float(rng.integers(0, 4))

    @staticmethod
    def _ours(condition):
        relation, feature, value = condition
        if relation == "in":
            return Condition.among(feature, sorted(value))
        ends = (-math.inf, value) if relation == "<=" else (value, math.inf)
        return Condition.between(feature, *ends)


cases = st.builds(
    Case, st.integers(0, 2**32), st.integers(1, 9), weighted=st.booleans()
)


@given(cases, st.booleans())
def test_generalising_equals_brute_force(case, fisher):
    found = generalise(
        case.rows, case.numbers, case.of_class, C45, fisher=fisher, record=[]
    )
    for path, of_class, rule in zip(case.paths, case.of_class, found, strict=True):
        left = plain.generalise(case.table, path, of_class, 0.25, fisher)
        assert [case.textbook[one] for one in rule.conditions] == left
        n, e = plain.counts(case.table, left, of_class)
        assert (rule.covered, rule.wrong) == (float(n), float(e))


@given(st.integers(0, 2**32), st.booleans())
def test_nested_conditions_are_left_out_as_if_one_by_one(seed, fisher):
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(1, 50))
    cells = rng.integers(0, 9, (n_rows, 2)).astype(float)
    cells[rng.random(cells.shape) < 0.1] = np.nan
    classes = rng.integers(2, size=n_rows)
    rows = [[None if math.isnan(x) else x for x in row] for row in cells.tolist()]
    table = plain.Table(rows, classes.tolist(), [Fraction(1)] * n_rows, 2, [], [])
    cuts = [
        (relation, feature, float(cut))
        for feature in range(2)
        for relation in ("<=", ">")
        for cut in range(9)
    ]
    path = [cuts[k] for k in rng.permutation(len(cuts))[: rng.integers(1, 14)]]
    ours = RuleRows(cells, classes, 2)
    numbers = ours.number([[Case._ours(one) for one in path]])
    wanted = plain.generalise(table, path, 1, 0.25, fisher)
    for record in (None, []):
        (rule,) = generalise(ours, numbers, [1], C45, fisher=fisher, record=record)
        left = [ours.conditions[one] for one in rule.conditions]
        assert left == [Case._ours(one) for one in wanted]


@given(cases, st.integers(0, 2**32))
def test_few_rules_are_chosen_by_looking_at_all_subsets(case, seed):
    bits = np.random.default_rng(seed).random(len(case.numbers)) * 20
    found = choose_subset(case.rows, case.numbers, 1, bits)
    covers = [case.table.covered(path) for path in case.paths]
    least = plain.best_subset(case.table, covers, bits.tolist(), 1, ())
    assert set(found.chosen) == set(least)
    length = plain.total_bits(case.table, covers, bits.tolist(), least, 1)
    assert found.bits == pytest.approx(length, rel=1e-9)


@given(st.integers(0, 2**32), st.integers(11, 14), st.booleans())
def test_more_rules_are_chosen_by_climbs(seed, n_rules, weighted):
    case = Case(seed, n_rules, weighted=weighted)
    bits = np.random.default_rng(seed).random(n_rules) * 9
    found = choose_subset(case.rows, case.numbers, 0, bits, seed=7)
    covers = [case.table.covered(path) for path in case.paths]
    starts = draw_starts(n_rules, 0, 7)
    assert starts.shape == (11, n_rules)
    assert not starts[0].any()
    assert starts[-1].all()
    best = plain.best_subset(case.table, covers, bits.tolist(), 0, starts)
    assert set(found.chosen) == set(best)


@given(cases, st.integers(0, 2**32))
def test_order_and_polishing_equal_the_plain_ones(case, seed):
    rates = np.random.default_rng(seed).permutation(len(case.numbers)) / 10
    by_class = {0: [], 1: [], 2: []}
    chosen = {0: [], 1: [], 2: []}
    for k, (path, of_class) in enumerate(zip(case.paths, case.of_class, strict=True)):
        rule = Generalised(case.numbers[k], of_class, 1.0, 0.0, float(rates[k]))
        by_class[of_class].append(rule)
        chosen[of_class].append((path, float(rates[k])))
    ordered = order_rules(case.rows, by_class)
    left = polish(case.rows, ordered.rules, ordered.default)[-1].rules
    wanted, default = plain.order_and_polish(case.table, chosen)
    assert ordered.default == default
    assert [(rule.of_class, rule.rate) for rule in left] == [
        (of_class, rate) for _, of_class, rate in wanted
    ]


@given(*[st.integers(0, 12)] * 4)
def test_fisher_s_test_counts_tables(a, b, c, d):
    if a + b + c + d > 0:
        assert chance(a, b, c, d) == pytest.approx(
            float(plain.fisher(a, b, c, d)), abs=1e-12
        )


@given(st.integers(1, 40), st.data())
def test_exceptions_follow_the_formula(total, data):
    covered = data.draw(st.integers(0, total))
    wrong = data.draw(st.integers(0, covered))
    missed = data.draw(st.integers(0, total - covered))
    assert exception_bits(total, covered, wrong, missed) == pytest.approx(
        plain.exception_bits(total, covered, wrong, missed)
    )


def test_bits_by_hand():
    # 3 of 4 rows covered, one of them wrong, the fourth missed: the covered ones are
    # coded with (1 + 1) / 2 / 3 = 1/3, the other with 1: log2 4 + 2 log2 3/2 + log2 3
    assert exception_bits(4, 3, 1, 1) == pytest.approx(
        2 + 2 * math.log2(1.5) + math.log2(3)
    )
    assert theory_bits([4.0, 6.0]) == pytest.approx(0.5 * (10 - 1))
    assert theory_bits([]) == 0
    assert log2_factorial(4) == pytest.approx(math.log2(24))
    assert entropy([2, 1, 1, 0]) == pytest.approx(1.5)
    assert entropy([]) == 0


def test_a_weight_of_all_rows_beyond_a_table_of_logarithms_gives_the_same_subset():
    case = Case(3, 9, weighted=False)
    bits = np.linspace(1, 9, 9)
    heavy = RuleRows(
        np.array([[math.nan if x is None else x for x in r] for r in case.table.rows]),
        case.classes,
        3,
        np.full(len(case.classes), 1.0 + 2.0**-40),
    )
    heavy.number([case._ours(one) for one in path] for path in case.paths)
    one, other = (
        choose_subset(rows, case.numbers, 1, bits) for rows in (case.rows, heavy)
    )
    assert one.chosen == other.chosen
    assert one.bits == pytest.approx(other.bits, rel=1e-9)
