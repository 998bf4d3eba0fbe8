"""The record of growing: its numbers follow from its counts, and lead to the tree."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from properties.tables import small_tables
from refusals import refused
from treewright.data.encoding.encode import encode
from treewright.errors import SettingError
from treewright.learners.dialects.c45 import C45, J48, LECTURE
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.id3 import ID3
from treewright.learners.dialects.rpart import RPART
from treewright.learners.recipe import grow_tree
from treewright.learners.watching import Watching

MULTIWAY = ID3.change(numeric_splits="midpoint", missing="own_branch")
CLASS_DIALECTS = [
    MULTIWAY,
    MULTIWAY.change(missing="most_common_in_node"),
    MULTIWAY.change(missing="learned"),
    MULTIWAY.change(missing="fractional"),
    CART,
    CART.change(missing="surrogates"),
    CART.change(missing="majority", discount_missing=False),
    CART.change(criterion="classification_error", max_leaf_nodes=4),
    RPART.change(min_samples_split=2, min_samples_leaf=1),
    C45,
    C45.change(gain_guard="c50", threshold_cost="c50", grouping="c50"),
    J48,
    LECTURE,
    MULTIWAY.change(chi_square_level=0.3),
]


def shares(counts):
    total = sum(counts)
    return [count / total for count in counts if count > 0] if total else []


MEASURES = {
    "entropy": lambda counts: -sum(p * math.log2(p) for p in shares(counts)),
    "gini": lambda counts: 1 - sum(p * p for p in shares(counts)) if sum(counts) else 0,
    "classification_error": lambda counts: 1 - max(shares(counts), default=1),
}


def recorded(table, dialect):
    columns = encode(table.frame(), table.outputs(), task=table.task,
                     sample_weight=table.weights)  # fmt: skip
    watching = Watching()
    model = grow_tree(columns, dialect, watch=watching)
    return watching, watching.record(), model


def close(one, other):
    return one == pytest.approx(other, rel=1e-8, abs=1e-8)


def check_part(part, measure):
    """An impurity follows from the counts, which add up to the weight."""
    if part.counts:
        for counts in part.counts:
            assert close(sum(counts), part.weight)
        mean = sum(MEASURES[measure](counts) for counts in part.counts)
        assert close(mean / len(part.counts), part.impurity)


def check_candidate(step, one):
    """Remainder, gain, net gain and ratio follow from the parts."""
    for part in (*one.parts, *filter(None, (one.known, one.missing))):
        check_part(part, step.measure)
    known = one.known or step.rows
    assert close(sum(part.weight for part in one.parts), known.weight)
    means = [part.weight / known.weight * part.impurity for part in one.parts]
    assert close(sum(means), one.remainder)
    assert close(one.gain, one.factor * (known.impurity - one.remainder))
    assert close(one.net, one.gain - one.cost - one.charge)
    if one.split_information is not None:
        branches = [part.weight for part in one.parts]
        branches += [one.missing.weight] if one.missing else []
        assert close(MEASURES["entropy"](branches), one.split_information)
        if one.split_information > 1e-6:
            assert close(one.ratio, one.net / one.split_information)


def check_cuts(step, one):
    """Each cut's gain follows from its sides, and the best is the candidate's."""
    known = one.known or step.rows
    for cut in one.cuts:
        rest = known.weight - cut.low.weight - cut.high.weight
        if rest > 1e-9:  # a third branch, of rows without a value
            continue
        sides = [cut.low, cut.high]
        left = sum(side.weight / known.weight * side.impurity for side in sides)
        assert close(cut.gain, one.factor * (known.impurity - left))
    if one.cuts and one.question == "cut":
        highest = max(gain for _, gain in one.curve)
        assert highest == pytest.approx(one.gain, rel=1e-6, abs=1e-6)  # of 32 bits
        assert len(one.curve) == one.n_tried


def check(watching, record, model):
    tree = watching.grown.tree
    assert [step.node for step in record.steps] == list(range(tree.node_count))
    for step in record.steps:
        if step.rows.n_rows:
            check_part(step.rows, step.measure)
        for one in step.candidates:
            check_candidate(step, one)
            check_cuts(step, one)
        if step.is_leaf:
            assert step.reason
            continue
        best = step.candidates[step.best]
        feature = model.schema.features[tree.feature[step.node]]
        assert best.feature == feature.name
        assert best.verdict == "best"
        assert best.gain == pytest.approx(tree.gain[step.node], rel=1e-6, abs=1e-6)
        if step.margin is not None and step.guard != "c50":
            assert step.margin >= -1e-6
    json.dumps(record.to_dict(), allow_nan=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "dialect", CLASS_DIALECTS, ids=lambda one: f"{one.name}-{one.missing}"
)
@given(st.data())
def test_numbers_follow_from_counts(dialect, data):
    if dialect.missing == "error":
        dialect = dialect.change(missing="own_branch")
    one_output = dialect.chi_square_level is not None or dialect.collapse is not None
    several = not one_output and dialect.pruning is None and dialect.criterion == "gini"
    options = {"missing": True, "n_outputs": 2 if several else 1}
    check(*recorded(data.draw(small_tables(**options)), dialect))


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@pytest.mark.parametrize("missing", ["own_branch", "majority", "learned"])
@given(st.data())
def test_numbers_of_regression_follow(criterion, missing, data):
    table = data.draw(small_tables(task="numbers", missing=True))
    dialect = CART_NUMBERS.change(criterion=criterion, missing=missing)
    check(*recorded(table, dialect))


def test_watching_does_not_change_the_tree():
    X, y = tw.datasets.watermelon()
    columns = encode(X, y, task="classes")
    for dialect in (C45, J48, CART, MULTIWAY):
        watched = grow_tree(columns, dialect, watch=Watching())
        assert watched.fingerprint() == grow_tree(columns, dialect).fingerprint()


def test_runner_up_margin_and_ties():
    X, y = tw.datasets.tennis()
    watching = Watching()
    grow_tree(encode(X, y, task="classes"), ID3, watch=watching)
    root, *_ = watching.record().steps
    assert root.candidates[root.best].feature == "Outlook"
    assert root.candidates[root.runner_up].feature == "Humidity"
    assert root.margin == pytest.approx(0.2467 - 0.1518, abs=1e-4)
    assert root.ties == ()


def test_ties_are_named():
    X = {"a": ["x", "x", "y", "y"], "b": ["p", "p", "q", "q"]}
    watching = Watching()
    grow_tree(encode(X, [0, 0, 1, 1], task="classes"), ID3, watch=watching)
    root, *_ = watching.record().steps
    assert root.candidates[root.best].feature == "a"
    assert root.ties == ("b",)


def test_selection():
    X, y = tw.datasets.tennis()
    columns = encode(X, y, task="classes")
    shallow, one = Watching(depth=1), Watching(node=3)
    grow_tree(columns, ID3, watch=shallow)
    grow_tree(columns, ID3, watch=one)
    assert [step.node for step in shallow.record().steps] == [0, 1, 2, 3]
    assert [step.node for step in one.record().steps] == [3]
    none = Watching(node=99)
    grow_tree(columns, ID3, watch=none)
    with refused(SettingError, "node 99", "0 to 7"):
        none.record()
    with refused(SettingError, "depth", -1):
        Watching(depth=-1)


@pytest.mark.slow
def test_large_trees_ask_for_a_depth():
    numbers = list(range(1200))
    columns = encode({"x": numbers}, [n % 2 for n in numbers], task="classes")
    whole, top = Watching(), Watching(depth=0)
    grow_tree(columns, CART, watch=whole)
    with refused(SettingError, "nodes", "depth=2", "node=17"):
        whole.record()
    grow_tree(columns, CART, watch=top)
    (root,) = top.record().steps
    assert root.candidates[0].n_tried == 1199
    assert len(root.candidates[0].cuts) <= 64
