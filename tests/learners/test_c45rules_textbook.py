"""C4.5rules gives the rules of a plain and slow version of it, rule for rule."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textbook_rules import Table, c45rules
from treewright.data.encoding.encode import encode
from treewright.learners.dialects.c45 import C45
from treewright.learners.rules.c45rules import C45RulesSettings, grow_c45rules
from treewright.prune.refill import training_cells
from treewright.rules.condition import Asks
from treewright.rules.induction.subset import draw_starts
from treewright.tree.structure.tree import NodeKind

pytestmark = pytest.mark.slow


def paths_of(schema, tree):
    """The questions above each leaf with rows, read off the arrays."""
    found, stack = [], [(0, ())]
    while stack:
        node, held = stack.pop()
        feature, first = int(tree.feature[node]), int(tree.first_child[node])
        kind, n_children = tree.kind_of(node), int(tree.n_children[node])
        if n_children == 0:
            if tree.weight[node] > 0:
                found.append((list(held), int(tree.label[node, 0])))
            continue
        for branch in reversed(range(n_children)):
            if kind == NodeKind.CUT:
                own = ("<=", ">")[branch], feature, float(tree.threshold[node])
            elif kind == NodeKind.MULTIWAY:
                own = "in", feature, frozenset([branch])
            else:
                own = "in", feature, frozenset(tree.groups(node)[branch])
            stack.append((first + branch, (*held, own)))
    return found


def table_of(columns, schema):
    cells = training_cells(columns, schema)
    rows = [[None if math.isnan(x) else x for x in row] for row in cells.tolist()]
    weights = columns.weights
    if weights is None:
        weights = np.ones(len(rows))
    return Table(
        rows,
        columns.target[:, 0].tolist(),
        [Fraction(w) for w in weights.tolist()],
        len(schema.target.classes[0]),
        [feature.kind for feature in schema.features],
        [len(feature.categories) for feature in schema.features],
    )


def merged(rule):
    """The conditions of a textbook rule, one for each feature."""
    ends, sets = {}, {}
    for relation, feature, value in rule:
        if relation == "in":
            sets[feature] = sets.get(feature, value) & value
            continue
        low, high = ends.get(feature, (-math.inf, math.inf))
        ends[feature] = (
            (low, min(high, value)) if relation == "<=" else (max(low, value), high)
        )
    return {**ends, **{feature: tuple(sorted(own)) for feature, own in sets.items()}}


def told(rule):
    """The conditions of one of our rules, in the same form."""
    return {
        one.feature: one.codes if one.asks == Asks.CODES else (one.low, one.high)
        for one in rule.conditions
    }


def assert_same(columns, dialect=C45, own=None):
    own = own or C45RulesSettings()
    induced = grow_c45rules(columns, dialect, own, n_jobs=2)
    model = induced.model
    table = table_of(columns, model.schema)
    paths = [p for tree in induced.trees for p in paths_of(model.schema, tree)]
    rules, default = c45rules(
        table,
        paths,
        confidence=dialect.confidence,
        with_fisher=own.fisher,
        redundancy=own.redundancy,
        grouped=dialect.grouping is not None,
        starts=lambda n, wanted: draw_starts(n, wanted, own.random_state),
    )
    assert model.rule_set.default == default
    assert [told(rule) for rule in model.rule_set] == [merged(r) for r, _, _ in rules]
    assert [rule.answer for rule in model.rule_set] == [c for _, c, _ in rules]
    np.testing.assert_allclose(model.rates, [rate for _, _, rate in rules], rtol=1e-12)
    return model


@st.composite
def tables(draw):
    n_rows = draw(st.integers(4, 40))
    n_classes = draw(st.integers(2, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = draw(
        st.lists(st.sampled_from(["numeric", "nominal"]), min_size=1, max_size=4)
    )
    missing = draw(st.sampled_from([0.0, 0.0, 0.15]))
    y = rng.integers(n_classes, size=n_rows)
    data = {}
    for k, kind in enumerate(kinds):
        signal = (y + rng.integers(-1, 3, n_rows)) % 5
        cells = [f"v{x % 3}" if kind == "nominal" else float(x) for x in signal]
        gaps = rng.random(n_rows) < missing
        data[f"f{k}"] = [None if gap else x for gap, x in zip(gaps, cells, strict=True)]
        if all(gaps):
            data[f"f{k}"][0] = cells[0]
    weights = None
    if draw(st.booleans()):
        weights = rng.integers(1, 9, n_rows) / draw(st.sampled_from([1, 4]))
    return encode(
        data, [f"c{x}" for x in y.tolist()], task="classes", sample_weight=weights
    )


@settings(max_examples=80, deadline=None)
@given(tables(), st.booleans(), st.sampled_from([0.1, 0.25, 0.4]))
def test_rules_are_those_of_the_textbook(columns, fisher, confidence):
    dialect = C45.change(confidence=confidence)
    assert_same(columns, dialect, C45RulesSettings(fisher=fisher))


@settings(max_examples=15, deadline=None)
@given(tables(), st.integers(0, 9))
def test_rules_of_several_trees_are_those_of_the_textbook(columns, seed):
    assert_same(columns, own=C45RulesSettings(n_trees=3, random_state=seed))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("grouping", [None, "c45"])
def test_climbs_are_those_of_the_textbook(seed, grouping):
    rng = np.random.default_rng(seed)
    n_rows = 110
    y = rng.integers(2, size=n_rows)
    data = {
        f"f{k}": ((y * 2 + rng.integers(0, 9, n_rows)) % (4 + k)).astype(float)
        for k in range(3)
    }
    data["g"] = [f"v{x}" for x in (y + rng.integers(0, 6, n_rows)) % 5]
    columns = encode(data, y.astype(bool), task="classes")
    dialect = C45.change(grouping=grouping, confidence=0.49)
    own = C45RulesSettings(n_trees=3, redundancy=3.0)
    model = assert_same(columns, dialect, own)
    induced = grow_c45rules(columns, dialect, own)
    assert max(map(len, induced.induction.candidates.values())) > 10
    assert model.fingerprint() == induced.model.fingerprint()
