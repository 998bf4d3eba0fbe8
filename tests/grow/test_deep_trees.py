"""A tree of 20 000 levels is grown and goes through everything under a low limit.

Numbers 0, 1, 2, ... with alternating classes: under entropy the best cut is always the
first one, which parts one row from the rest. Nothing may recurse on the depth, so it
all runs in a process of its own that may nest 200 calls.
"""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from treewright.data.encoding.encode import encode
from treewright.learners.dialects.cart import CART
from treewright.learners.recipe import grow_tree

pytestmark = pytest.mark.slow

N_LEVELS = 20_000  # growing takes the square of it

SCRIPT = f"""
import json, sys, time
import numpy as np
from treewright.data.encoding.encode import encode
from treewright.learners.dialects.cart import CART
from treewright.learners.recipe import grow_tree
from treewright.render import to_dot, to_json, to_text
from treewright.tree import from_bytes, load, to_bytes
from treewright.tree.file.save import save

def grow(n_rows):
    columns = encode({{"x": np.arange(n_rows)}}, np.arange(n_rows) % 2, task="classes")
    return grow_tree(columns, CART.change(criterion="entropy"))

def look(model, n_rows, path):
    rows = {{"x": [0, 1, n_rows // 2, n_rows - 2, n_rows - 1]}}
    yield "predict", model.predict(rows).tolist()
    yield "probabilities", model.predict_proba(rows).tolist()
    ends = model.apply(rows)
    indptr, indices = model.decision_path(rows)
    yield "path lengths", np.diff(indptr).tolist()
    yield "paths end", (indices[indptr[1:] - 1] == ends).tolist()
    yield "depth", model.trees[0].depth
    yield "leaves", model.trees[0].n_leaves
    for style in ("box", "lecture"):
        yield f"{{style}} lines", len(to_text(model, style=style).splitlines())
    yield "nodes in json", to_json(model).count('"reason"')
    yield "edges in dot", to_dot(model).count(" -> ")
    data = to_bytes(model)
    save(model, path)
    back = load(path)
    yield "same bytes", to_bytes(back) == data == to_bytes(from_bytes(data))
    yield "same fingerprint", back.fingerprint() == model.fingerprint()

path = sys.argv[1]
dict(look(grow(10), 10, path))  # whatever is loaded on first use is loaded now
sys.setrecursionlimit(200)
start = time.perf_counter()
model = grow({N_LEVELS} + 1)
found = {{"seconds to grow": time.perf_counter() - start}}
found |= look(model, {N_LEVELS} + 1, path)
found["seconds"] = time.perf_counter() - start
print(json.dumps(found))
"""


def test_alternating_classes_make_a_chain():
    columns = encode({"x": np.arange(12)}, np.arange(12) % 2, task="classes")
    tree = grow_tree(columns, CART.change(criterion="entropy")).trees[0]
    inner = np.flatnonzero(tree.n_children)
    assert tree.depth == 11
    assert tree.threshold[inner].tolist() == [k + 0.5 for k in range(11)]
    assert tree.n_rows[inner].tolist() == [12 - k for k in range(11)]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    path = tmp_path_factory.mktemp("deep") / "deep.tw"
    command = [sys.executable, "-W", "error", "-c", SCRIPT, str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return json.loads(ran.stdout)


def test_grows_to_the_bottom(found):
    assert found["depth"] == N_LEVELS
    assert found["leaves"] == N_LEVELS + 1


def test_predicts(found):
    # every row has a leaf of its own; rows are even, odd, even, odd, even
    assert found["predict"] == [0, 1, 0, 1, 0]
    assert found["probabilities"] == [[1, 0], [0, 1], [1, 0], [0, 1], [1, 0]]


def test_paths_lead_from_the_root_to_the_leaf(found):
    half = N_LEVELS // 2
    # the two last rows are siblings
    assert found["path lengths"] == [2, 3, half + 2, N_LEVELS + 1, N_LEVELS + 1]
    assert found["paths end"] == [True] * 5


@pytest.mark.parametrize("style", ["box", "lecture"])
def test_is_printed(found, style):
    assert found[f"{style} lines"] >= 2 * N_LEVELS


def test_is_exported(found):
    assert found["nodes in json"] == N_LEVELS + 1  # leaves have a reason
    assert found["edges in dot"] == 2 * N_LEVELS


def test_is_saved_and_loaded(found):
    assert found["same bytes"]
    assert found["same fingerprint"]
