"""The numbers of a record, computed again from rows, counts and textbook formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pruning_cases import some_rows
from record_replay import Replay, rows_under
from scipy import optimize, stats
from slow_error_based import Slow, errors_of, rows_of
from test_record import GROWN, WAYS, encoded

from treewright.data.encoding.encode import encode
from treewright.learners.dialects.cart import CART
from treewright.learners.recipe import grow_tree
from treewright.learners.watching import Watching
from treewright.prune.labelled_rows import LabelledRows
from treewright.prune.methods.error_estimate import MOST_LEAVES

pytestmark = pytest.mark.slow


def recorded(columns, dialect):
    watch = Watching()
    record = watch.pruning
    model = grow_tree(columns, dialect, watch=watch)
    labelled = LabelledRows.of_columns(columns, model.schema)
    rows = rows_of(labelled.cells, labelled.target[:, 0], labelled.weights)
    return record, rows


def weight_of(rows):
    return sum(row[2] for row in rows)


def added_errors(weight, errors, parameters):
    """U(N, E) of C4.5, the quantile from the normal distribution of SciPy or its table.

    Without errors it is the exact limit: the p at which (1 - p)^N is the confidence.
    """
    confidence = parameters["confidence"]
    if confidence <= 0.5 and errors < 1e-12 and weight >= 1:
        solved = optimize.brentq(
            lambda p: stats.binom.pmf(0, 1, p) ** weight - confidence, 0.0, 1.0
        )
        return weight * solved
    is_table = parameters["quantile_from"] == "table"
    slow = Slow(
        confidence,
        table=is_table,
        two_thirds=parameters["mostly_wrong"] == "two_thirds",
    )
    z = slow.z if is_table else stats.norm.isf(confidence)
    assert parameters["quantile"] == pytest.approx(z)
    return slow.added(weight, 0.0 if errors < 1e-12 else errors)


def assert_recomputed(estimate, expected, parameters):
    """The sums are those of the leaves, and each leaf follows from its counts."""
    assert estimate.n_leaves == len(estimate.leaves)
    for name in ("weight", "errors", "added"):
        in_all = sum(getattr(leaf, name) for leaf in estimate.leaves)
        assert getattr(estimate, name) == pytest.approx(in_all, abs=1e-6)
    assert estimate.errors + estimate.added == pytest.approx(expected, abs=1e-6)
    for leaf in estimate.leaves:
        added = 0.0
        if leaf.weight > 0:
            added = added_errors(leaf.weight, leaf.errors, parameters)
        assert leaf.added == pytest.approx(added, abs=1e-6)


def assert_counted(estimate, rows_at):
    """The counts of the leaves are those of the rows that come there."""
    for leaf in estimate.leaves:
        here = [row for node in leaf.nodes for row in rows_at[node]]
        assert leaf.weight == pytest.approx(weight_of(here), abs=1e-6)
        assert leaf.errors == pytest.approx(errors_of(here), abs=1e-6)


def assert_decided(one, parameters):
    numbers, slack = one.numbers, parameters["slack"]
    as_branch = numbers.get("as_branch", math.inf)
    least = min(numbers["as_tree"], as_branch)
    if one.decision == "leaf":
        assert numbers["as_leaf"] <= least + slack
    elif one.decision == "raised":
        assert as_branch <= numbers["as_tree"] + slack
        assert numbers["as_leaf"] > least + slack
    else:
        assert as_branch > numbers["as_tree"] + slack
        assert numbers["as_leaf"] > least + slack


C45_WAYS = ["error_based", "no raising", "collapse and error_based", "c50"]


@pytest.mark.parametrize("way", C45_WAYS)
@settings(max_examples=40)
@given(
    rows=some_rows(most=40, missing=True),
    confidence=st.sampled_from([0.1, 0.25, 0.49, 0.7]),
    table=st.booleans(),
)
def test_error_based_estimates_from_the_rows_themselves(way, rows, confidence, table):
    # small branches that growing has emptied would hide the rows that come there
    dialect = GROWN.change(**WAYS[way]).change(
        min_branch_weight=0.0,
        confidence=confidence,
        confidence_limit="table" if table else "normal",
        mostly_wrong="two_thirds" if table else "rest",
    )
    record, all_rows = recorded(encoded(rows), dialect)
    replay = Replay(record)
    parameters = {stage.rule: stage.parameters for stage in record.stages}
    for rule, one in replay.judgements():
        if rule != "error_based":
            continue
        here = replay.rows_at(all_rows)
        own = here[one.node]
        ways = {"leaf": {one.node: own}, "tree": here}
        if one.branch is not None:
            branch = replay.nodes[one.branch]
            ways["branch"] = rows_under(replay.nodes, branch, own)
        assert set(one.estimates) == set(ways)
        for name, estimate in one.estimates.items():
            expected = one.numbers[f"as_{name}"]
            assert_recomputed(estimate, expected, parameters[rule])
            assert_counted(estimate, ways[name])
            assert estimate.weight == pytest.approx(weight_of(own), abs=1e-6)
        assert_decided(one, parameters[rule])


def test_large_subtrees_have_sums_only():
    generator = np.random.default_rng(3)
    table = {name: generator.normal(size=2000).tolist() for name in "abcd"}
    y = generator.integers(2, size=2000).tolist()
    record, _ = recorded(
        encode(table, y, task="classes"),
        GROWN.change(pruning="error_based", confidence=0.5),
    )
    large = small = 0
    for one in record.stages[0].judgements:
        for name, estimate in one.estimates.items():
            expected = one.numbers[f"as_{name}"]
            assert estimate.errors + estimate.added == pytest.approx(expected)
            assert estimate.weight == pytest.approx(one.estimates["leaf"].weight)
            assert (estimate.n_leaves <= MOST_LEAVES) == bool(estimate.leaves)
            large += not estimate.leaves
            small += bool(estimate.leaves)
    assert large
    assert small


@settings(max_examples=40)
@given(rows=some_rows(most=40, missing=True))
def test_collapse_counts_the_training_errors(rows):
    record, all_rows = recorded(encoded(rows), GROWN.change(collapse=0.0))
    replay = Replay(record)
    for _, one in replay.judgements():
        here = replay.rows_at(all_rows)
        leaves = rows_under(replay.nodes, replay.nodes[one.node], here[one.node])
        as_tree = sum(
            errors_of(part)
            for node, part in leaves.items()
            if not replay.nodes[node].branches
        )
        assert one.numbers["weight"] == pytest.approx(weight_of(here[one.node]))
        as_leaf = errors_of(here[one.node])
        assert one.numbers["errors_as_leaf"] == pytest.approx(as_leaf, abs=1e-6)
        # the branches below were collapsed before, which does not change their errors
        assert one.numbers["errors_as_tree"] == pytest.approx(as_tree, abs=1e-6)


@settings(max_examples=40)
@given(rows=some_rows(most=40))
def test_pessimistic_numbers_are_those_of_the_paper(rows):
    record, _ = recorded(encoded(rows), GROWN.change(pruning="pessimistic"))
    for one in record.stages[0].judgements:
        numbers = one.numbers
        corrected = numbers["errors_as_tree"] + numbers["n_leaves"] / 2
        weight = numbers["weight"]
        spread = math.sqrt(max(corrected * (weight - corrected) / weight, 0.0))
        assert numbers["as_tree"] == pytest.approx(corrected)
        assert numbers["standard_error"] == pytest.approx(spread, abs=1e-9)
        is_cut = numbers["errors_as_leaf"] + 0.5 <= corrected + spread + 1e-9
        assert (one.decision == "leaf") == is_cut


@settings(max_examples=40)
@given(rows=some_rows(most=40))
def test_chi_square_numbers_are_those_of_scipy(rows):
    record, _ = recorded(
        encoded(rows), GROWN.change(pruning="chi_square", prune_level=0.3)
    )
    tree = record.grown
    (stage,) = record.stages
    weights = np.where(tree.weight[:, None] > 0, tree.class_weights(), 0.0)
    for one in stage.judgements:
        counts = weights[list(tree.children(one.node))]
        counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
        found = stats.chi2_contingency(counts, correction=False)
        assert one.numbers["deviation"] == pytest.approx(found.statistic, abs=1e-9)
        assert one.numbers["degrees_of_freedom"] == found.dof
        assert one.numbers["chance"] == pytest.approx(found.pvalue, abs=1e-9)
        assert (one.decision == "leaf") == (found.pvalue > 0.3)


@settings(max_examples=40)
@given(rows=some_rows(most=40), alpha=st.sampled_from([0.0, 0.02, 0.1]))
def test_cost_complexity_numbers_are_those_of_the_book(rows, alpha):
    """g(t) of the weakest links, with the tree pruned as far as it is by then."""
    dialect = CART.change(pruning="cost_complexity", ccp_alpha=alpha)
    record, _ = recorded(encoded(rows), dialect)
    tree, (stage,) = record.grown, record.stages
    risk = tree.impurity * tree.weight / tree.weight[0]
    leaves = {node for node in range(tree.node_count) if not tree.n_children[node]}
    for one in stage.judgements:
        numbers = one.numbers
        assert numbers["risk"] == pytest.approx(risk[one.node])
        is_late = numbers["alpha"] < numbers["own_alpha"] - 1e-12
        if not is_late:  # else it goes with its parent, before its turn
            below, stack = [], [one.node]
            while stack:
                node = stack.pop()
                is_end = node in leaves and node != one.node
                below += [node] if is_end else []
                stack += [] if is_end else list(tree.children(node))
            link = (risk[one.node] - risk[below].sum()) / (len(below) - 1)
            assert numbers["own_alpha"] == pytest.approx(link, abs=1e-9)
            leaves.add(one.node)
        # nodes of equal alpha may be counted before or after they go: g(t) is the same
        gained = numbers["risk"] - numbers["risk_below"]
        link = gained / (numbers["n_leaves"] - 1)
        assert numbers["own_alpha"] == pytest.approx(link, abs=1e-9)
        assert (one.decision == "leaf") == (numbers["alpha"] <= alpha + 1e-12)
