"""A tree of 20 000 levels goes through every pruning: nothing recurses on depth."""

from __future__ import annotations

import sys
import threading
import time

import handmade
import numpy as np
import pytest

from treewright.prune.fitted import prune_model
from treewright.prune.methods.collapse import collapse
from treewright.prune.pruning_record import PruningRecord
from treewright.tree import Model, validate_model

pytestmark = pytest.mark.slow

N_LEVELS = 20_000
SECONDS = 60  # a generous limit: what is quadratic in Python takes minutes


@pytest.fixture(scope="module")
def deep() -> Model:
    """A chain whose leaves are a and b in turn, so that every cut costs an error."""
    model = handmade.chain(N_LEVELS)
    tree = model.trees[0]
    is_leaf = tree.n_children == 0
    own = np.zeros_like(tree.value)
    leaves = np.flatnonzero(is_leaf)
    own[leaves, np.arange(len(leaves)) % 2] = 1.0
    value = own.copy()
    inner = np.flatnonzero(~is_leaf)
    value[inner] = (own[::-1].cumsum(axis=0)[::-1])[inner]
    tree.value[:] = value
    tree.label[:, 0] = value.argmax(axis=1)
    validate_model(model)
    return model


ROWS = [[float(k)] for k in range(-1, N_LEVELS + 1)]
ANSWERS = ["a" if k % 3 else "b" for k in range(len(ROWS))]

PRUNINGS = {
    "pessimistic": {},
    "minimum_gain": {"prune_gain": 0.1},
    "chi_square": {},
    "reduced_error": {},
    "error_based": {"subtree_raising": False},
    "raising": {},
    "best_first": {"pruning_order": "best_first"},
    "give_back": {"give_back": True},
}


# raising with a record is linear, too, but takes half a minute
WAYS = [(name, False) for name in PRUNINGS]
WAYS += [(name, True) for name in PRUNINGS if name != "raising"]


@pytest.mark.parametrize(("name", "recorded"), WAYS)
def test_chain_is_pruned(deep, name, recorded):
    how = {
        "raising": "error_based",
        "best_first": "reduced_error",
        "give_back": "reduced_error",
    }.get(name, name)
    rows = (ROWS, ANSWERS) if how == "reduced_error" or name == "raising" else ()
    record = PruningRecord() if recorded else None
    started = time.perf_counter()
    less = with_little_recursion(
        lambda: prune_model(deep, how, *rows, record=record, **PRUNINGS[name])
    )
    assert time.perf_counter() - started < SECONDS
    assert less.trees[0].node_count <= deep.trees[0].node_count
    validate_model(less)


def test_chain_is_collapsed(deep):
    less = with_little_recursion(lambda: collapse(deep.trees[0], 1e-3))
    assert less.node_count <= deep.trees[0].node_count


def with_little_recursion(action):
    """Run in a fresh thread that may nest 200 calls, and return the answer."""
    answers = []
    limit = sys.getrecursionlimit()
    thread = threading.Thread(target=lambda: answers.append(action()))
    sys.setrecursionlimit(200)
    try:
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
    assert answers, "the thread died"
    return answers[0]
