"""The record of a pruning: replayed, it gives the tree; its numbers can be checked."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pruning_cases import KINDS, some_rows
from record_replay import Replay
from slow_error_based import from_arrays

from treewright.data.encoding.encode import encode
from treewright.learners.dialects.c45 import J48, LECTURE
from treewright.learners.dialects.cart import CART
from treewright.learners.dialects.rpart import RPART
from treewright.learners.recipe import grow_tree
from treewright.learners.watching import Watching
from treewright.prune.fitted import prune_model
from treewright.prune.pruning_record import PruningRecord
from treewright.tree.structure.tree import Tree

pytestmark = pytest.mark.slow

GROWN = LECTURE.change(pruning=None, collapse=None)
# every value of the switch, and the switches that make a stage of their own
WAYS = {
    "none": {},
    "error_based": {"pruning": "error_based"},
    "no raising": {"pruning": "error_based", "subtree_raising": False},
    "collapse": {"collapse": 0.0},
    "collapse and error_based": {"pruning": "error_based", "collapse": 1e-3},
    "c50": {
        "pruning": "error_based",
        "pool_small_branches": True,
        "global_pruning": True,
        "min_branch_weight": 0.9,
    },
    "reduced_error": {"pruning": "reduced_error", "validation_share": 0.3},
    "best_first": {
        "pruning": "reduced_error",
        "validation_share": 0.3,
        "pruning_order": "best_first",
        "give_back": True,
    },
    "pessimistic": {"pruning": "pessimistic"},
    "minimum_gain": {"pruning": "minimum_gain", "prune_gain": 0.2},
    "chi_square": {"pruning": "chi_square", "prune_level": 0.3},
    "cost_complexity": {"pruning": "cost_complexity", "ccp_alpha": 0.05},
    "validation": {
        "pruning": "cost_complexity",
        "alpha_choice": "validation",
        "validation_share": 0.3,
    },
    "cross_validation": {
        "pruning": "cost_complexity",
        "alpha_choice": "cross_validation",
        "n_folds": 2,
    },
}


def encoded(rows, task="classes"):
    return encode(
        rows.table,
        rows.y,
        task=task,
        sample_weight=rows.weights,
        feature_kinds=KINDS,
    )


def same_trees(one: Tree, other: Tree) -> bool:
    names = ("kind", "feature", "first_child", "value", "label", "weight", "set_codes")
    return all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in names
    )


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=30)
@given(rows=some_rows(most=40, missing=True))
def test_replayed_decisions_give_the_pruned_tree(way, rows):
    columns = encoded(rows)
    dialect = GROWN.change(**WAYS[way])
    watch = Watching()
    record = watch.pruning
    model = grow_tree(columns, dialect, watch=watch)
    assert Replay(record).finished() == from_arrays(model.trees[0]).words()
    assert same_trees(model.trees[0], grow_tree(columns, dialect).trees[0])


@pytest.mark.parametrize("way", ["error_based", "pessimistic", "collapse"])
@given(rows=some_rows(most=40, missing=True))
def test_record_begins_with_the_tree_as_grown(way, rows):
    columns = encoded(rows)
    watch = Watching()
    record = watch.pruning
    grow_tree(columns, GROWN.change(**WAYS[way]), watch=watch)
    assert record.grown is not None
    assert same_trees(record.grown, grow_tree(columns, GROWN).trees[0])


@pytest.mark.parametrize("dialect", [CART, RPART], ids=lambda one: one.name)
@settings(max_examples=30)
@given(rows=some_rows(most=40), alpha=st.sampled_from([0.0, 0.01, 0.1]))
def test_replayed_decisions_of_cart(dialect, rows, alpha):
    setting = {"cp": alpha} if dialect.cp is not None else {"ccp_alpha": alpha}
    dialect = dialect.change(pruning="cost_complexity", min_samples_split=2, **setting)
    watch = Watching()
    record = watch.pruning
    model = grow_tree(encoded(rows), dialect, watch=watch)
    assert Replay(record).finished() == from_arrays(model.trees[0]).words()


@settings(max_examples=30)
@given(rows=some_rows(most=40))
def test_nodes_of_a_tree_grown_best_first_keep_their_numbers(rows):
    dialect = CART.change(max_leaf_nodes=6, collapse=0.0, **WAYS["pessimistic"])
    watch = Watching()
    record = watch.pruning
    model = grow_tree(encoded(rows), dialect, watch=watch)
    assert Replay(record).finished() == from_arrays(model.trees[0]).words()


@settings(max_examples=30)
@given(rows=some_rows(numbers=True, most=40), by=st.sampled_from(["", "best_first"]))
def test_replayed_decisions_about_numbers(rows, by):
    dialect = CART.change(
        criterion="squared_error",
        pruning="reduced_error",
        validation_share=0.4,
        pruning_order=by or "bottom_up",
    )
    watch = Watching()
    record = watch.pruning
    model = grow_tree(encoded(rows, "numbers"), dialect, watch=watch)
    assert Replay(record).finished() == from_arrays(model.trees[0]).words()


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=5)
@given(rows=some_rows(most=40, missing=True))
def test_record_is_json(way, rows):
    watch = Watching()
    record = watch.pruning
    grow_tree(encoded(rows), GROWN.change(**WAYS[way]), watch=watch)
    said = json.loads(json.dumps(record.to_dict(), allow_nan=False))
    rules = [stage["rule"] for stage in said["stages"]]
    assert rules == [stage.rule for stage in record.stages]


@settings(max_examples=30)
@given(rows=some_rows(most=40, missing=True))
def test_rounds_count_the_judgements_of_a_node(rows):
    watch = Watching()
    record = watch.pruning
    grow_tree(encoded(rows), GROWN.change(**WAYS["error_based"]), watch=watch)
    seen: Counter[int] = Counter()
    asks = {}
    for stage in record.stages:
        for one in stage.judgements:
            seen[one.node] += 1
            assert one.round == seen[one.node]
            assert one.question == asks.get(one.node, one.node)
            if one.decision == "raised":
                asks[one.node] = asks.get(one.branch, one.branch)


def test_fitted_model_is_pruned_with_a_record():
    table = {"a": list("xxyyzz"), "b": list("pqpqpq")}
    model = grow_tree(encode(table, list("nnyyny"), task="classes"), GROWN)
    record = PruningRecord()
    less = prune_model(model, "minimum_gain", prune_gain=10.0, record=record)
    assert record.grown is model.trees[0]
    (stage,) = record.stages
    assert (stage.rule, stage.parameters) == ("minimum_gain", {"least": 10.0})
    assert {one.decision for one in stage.judgements} == {"leaf"}
    assert less.trees[0].node_count == 1


def test_j48_names_what_it_does_in_order():
    generator = np.random.default_rng(5)
    table = {name: generator.integers(6, size=900).tolist() for name in "abcde"}
    y = (np.array(table["a"]) + generator.normal(size=900) > 2.5).tolist()
    watch = Watching()
    record = watch.pruning
    grow_tree(encode(table, y, task="classes"), J48, watch=watch)
    assert [stage.rule for stage in record.stages] == ["collapse", "error_based"]
    parameters = record.stages[1].parameters
    assert parameters["confidence"] == 0.25
    assert parameters["quantile"] == pytest.approx(0.67449, abs=1e-5)
    decisions = {one.decision for one in record.stages[1].judgements}
    assert decisions >= {"leaf", "kept"}
