"""A tree of 50 000 levels goes through everything: nothing recurses on depth."""

from __future__ import annotations

import json
import sys
import threading

import handmade
import numpy as np
import pytest

from treewright.render import to_dot, to_json, to_text
from treewright.tree import from_bytes, load, to_bytes, validate_model
from treewright.tree.file.save import save
from treewright.tree.predict.walk import walk_slow

pytestmark = pytest.mark.slow

N_LEVELS = 50_000


def with_little_recursion(action):
    """Run in a fresh thread that may nest 200 calls, and return the answer."""
    answers = []
    limit = sys.getrecursionlimit()
    # the limit is for the whole process; this thread only waits meanwhile
    thread = threading.Thread(target=lambda: answers.append(action()))
    sys.setrecursionlimit(200)
    try:
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
    assert answers, "the thread died"
    return answers[0]


@pytest.fixture(scope="module")
def deep():
    return handmade.chain(N_LEVELS)


def test_shape(deep):
    tree = deep.trees[0]
    assert with_little_recursion(lambda: tree.depth) == N_LEVELS
    assert with_little_recursion(tree.subtree_sizes)[0] == 2 * N_LEVELS + 1
    with_little_recursion(lambda: validate_model(deep) or True)


def test_predict(deep):
    rows = np.array([[0.0], [N_LEVELS / 2], [N_LEVELS * 2.0]])
    ends = with_little_recursion(lambda: deep.apply(rows))
    assert ends.tolist() == walk_slow(deep.trees[0], rows).tolist()
    assert with_little_recursion(lambda: deep.predict(rows)).tolist() == ["b"] * 3
    assert with_little_recursion(lambda: deep.predict_proba(rows))[0].tolist() == [0, 1]
    indptr, indices = with_little_recursion(lambda: deep.decision_path(rows))
    assert indptr[-1] == len(indices) > N_LEVELS
    assert indices[-1] == ends[-1]


def test_files(deep, tmp_path):
    data = with_little_recursion(lambda: to_bytes(deep))
    assert with_little_recursion(lambda: to_bytes(from_bytes(data))) == data
    with_little_recursion(lambda: save(deep, tmp_path / "deep.tw") or True)
    back = with_little_recursion(lambda: load(tmp_path / "deep.tw"))
    assert back.trees[0].node_count == 2 * N_LEVELS + 1


def test_fingerprint(deep):
    assert len(with_little_recursion(deep.fingerprint)) == 64


@pytest.mark.parametrize("style", ["box", "lecture"])
def test_text(deep, style):
    text = with_little_recursion(lambda: to_text(deep, style))
    assert max(map(len, text.splitlines())) <= 80
    assert len(text.splitlines()) >= 2 * N_LEVELS


def test_json(deep):
    text = with_little_recursion(lambda: to_json(deep))
    nodes = with_little_recursion(lambda: json.loads(text))["trees"][0]["nodes"]
    assert len(nodes) == 2 * N_LEVELS + 1


def test_dot(deep):
    text = with_little_recursion(lambda: to_dot(deep))
    assert text.count(" -> ") == 2 * N_LEVELS
