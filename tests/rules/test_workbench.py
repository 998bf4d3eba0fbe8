"""The workbench against plain loops, on random tables with missing values."""

from __future__ import annotations

import bench_by_hand as by_hand
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from refusals import lacking
from treewright.errors import SettingError
from treewright.render.rules.rule_workbench import Workbench
from treewright.rules.workbench.bench import drop_costs, overlaps

pytestmark = pytest.mark.slow

TABLES = settings(max_examples=40, deadline=None)


@st.composite
def benches(draw: st.DrawFn) -> Workbench:
    """Rules of a tree, or of C4.5rules, on the rows that they came from."""
    seed = draw(st.integers(0, 10_000))
    random = np.random.default_rng(seed)
    n_rows = draw(st.integers(6, 40))
    n_missing = draw(st.sampled_from([0.0, 0.2]))
    columns: dict[str, list[object]] = {
        "number": random.integers(0, 8, n_rows).astype(float).tolist(),
        "colour": random.choice(["red", "green", "blue"], n_rows).tolist(),
        "size": random.choice(["S", "M"], n_rows).tolist(),
    }
    for cells in columns.values():
        for row in np.flatnonzero(random.random(n_rows) < n_missing):
            cells[row] = None
    y = random.choice(["a", "b", "c"][: draw(st.integers(2, 3))], n_rows)
    weights = None
    if draw(st.booleans()):
        weights = random.choice([0.25, 0.5, 1.0, 3.0], n_rows)
    kind = draw(st.sampled_from(["c45", "cart", "rules"]))
    model = {
        "c45": tw.C45Classifier(min_samples_leaf=1),
        "cart": tw.CARTClassifier(missing="own_branch"),
        "rules": tw.C45RulesClassifier(),
    }[kind].fit(columns, y, weights)
    bench = model.rules().workbench(columns, y, weights)
    if len(bench) > 1 and draw(st.booleans()):  # rules that overlap, out of order
        numbers = random.permutation(len(bench)) + 1
        bench = bench.reorder(numbers.tolist())
        bench = _fewer_conditions(bench, random)
    return Workbench.of(bench.rule_set, bench.bench.rows)


def _fewer_conditions(bench: Workbench, random: np.random.Generator) -> Workbench:
    for number, rule in enumerate(bench.rule_set, 1):
        if len(rule) > 1 and random.random() < 0.5:
            bench = bench.drop(number, int(random.integers(len(rule))) + 1)
    return bench


def plain(bench: Workbench) -> tuple[list[list[float]], list[int], list[float]]:
    rows = bench.bench.rows
    return rows.cells.tolist(), rows.target[:, 0].tolist(), rows.weights.tolist()


@TABLES
@given(benches())
def test_every_row_is_answered_as_by_hand(bench):
    rows, y, w = plain(bench)
    for number, row in enumerate(rows):
        met = by_hand.met_rules(bench.rule_set, row)
        found = bench.row(number).look
        assert [one for one in (found.fired, *found.late) if one >= 0] == met
        misses = {
            k: [
                place
                for place, one in enumerate(rule.conditions)
                if not by_hand.meets(one, row)
            ]
            for k, rule in enumerate(bench.rule_set)
            if k not in met
        }
        assert {one.rule: [*one.failed] for one in found.misses} == misses
        sizes = [len(one.failed) for one in found.misses]
        assert sizes == sorted(sizes)
    assert bench.errors == pytest.approx(by_hand.errors(bench.rule_set, rows, y, w))


@TABLES
@given(benches())
def test_pairs_of_rules_are_counted_as_by_hand(bench):
    rows, y, w = plain(bench)
    n_rules = len(bench)
    both, wins, right = np.zeros((3, n_rules, n_rules))
    for row, truth, weight in zip(rows, y, w, strict=True):
        met = by_hand.met_rules(bench.rule_set, row)
        for a in met:
            for b in met:
                both[a, b] += weight
                wins[a, b] += weight * (a == met[0])
                right[a, b] += weight * (bench.rule_set.rules[a].answer == truth)
    found = overlaps(bench.bench)
    np.testing.assert_allclose(found.both, both)
    np.testing.assert_allclose(found.wins, wins)
    np.testing.assert_allclose(found.right, right)
    answers = [rule.answer for rule in bench.rule_set]
    for a, one in enumerate(answers):
        for b, other in enumerate(answers):
            wanted = both[a, b] if one != other else 0.0
            assert found.disagree[a, b] == pytest.approx(wanted)


@TABLES
@given(benches())
def test_costs_of_dropping_are_those_of_rules_that_were_dropped(bench):
    rows, y, w = plain(bench)
    first = bench.rule_set
    errors = by_hand.errors(first, rows, y, w)
    bits = by_hand.bits(first, first, rows, y, w)
    assert bench.bits == pytest.approx(bits)
    costs = drop_costs(bench.bench)

    def check(change, edited):
        more = by_hand.errors(edited.rule_set, rows, y, w) - errors
        assert change.errors == pytest.approx(more, abs=1e-9)
        longer = by_hand.bits(edited.rule_set, first, rows, y, w) - bits
        assert change.bits == pytest.approx(longer, abs=1e-6)
        assert edited.change.errors == pytest.approx(more, abs=1e-9)
        assert edited.change.bits == pytest.approx(longer, abs=1e-6)

    for number, rule in enumerate(bench.rule_set, 1):
        check(costs.rules[number - 1], bench.drop(number))
        changes = costs.conditions[number - 1]
        assert len(changes) == (len(rule) if len(rule) > 1 else 0)
        for place, change in enumerate(changes, 1):
            check(change, bench.drop(number, place))


@TABLES
@given(benches())
def test_rows_of_rules_and_idle_rules(bench):
    rows, y, _ = plain(bench)
    met = [by_hand.met_rules(bench.rule_set, row) for row in rows]
    idle = {*bench.unused().unmet, *bench.unused().late}
    for number, rule in enumerate(bench.rule_set, 1):
        page = bench.rows_of(number)
        own = [k for k, one in enumerate(met) if one[:1] == [number - 1]]
        assert page.right.tolist() == [k for k in own if y[k] == rule.answer]
        assert page.wrong.tolist() == [k for k in own if y[k] != rule.answer]
        late = [k for k, one in enumerate(met) if number - 1 in one[1:]]
        assert page.late.tolist() == late
        assert (number in idle) == (not own)
        assert (number in bench.unused().late) == (not own and bool(late))


@TABLES
@given(benches(), st.data())
def test_a_merged_rule_holds_where_either_did(bench, data):
    n_rules = len(bench)
    pairs = [
        (a, b)
        for a in range(1, n_rules + 1)
        for b in range(a + 1, n_rules + 1)
        if bench.rule_set.rules[a - 1].answer == bench.rule_set.rules[b - 1].answer
    ]
    if not pairs:
        return
    a, b = data.draw(st.sampled_from(pairs))
    before = bench.bench.covered[[a - 1, b - 1]].any(axis=0)
    try:
        merged = bench.merge(b, a)
    except SettingError as error:
        assert lacking(str(error), ("condition", "merged")) == []
        return
    assert len(merged) == n_rules - 1
    assert (merged.bench.covered[a - 1] | ~before).all()
    rows, y, w = plain(bench)
    assert merged.errors == pytest.approx(by_hand.errors(merged.rule_set, rows, y, w))


@TABLES
@given(benches())
def test_every_page_fits(bench):
    pages = [bench, bench.row(0), bench.conflicts(), bench.worth(), bench.unused()]
    pages += [bench.rows_of(k + 1) for k in range(len(bench))]
    for page in pages:
        for width in (40, 80):
            text = page.to_text(width=width, ascii=True)
            assert text.isascii()
            assert max(map(len, text.splitlines()), default=0) <= width
