"""Weighted sums of features in model files: kept exactly, announced, and checked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from refusals import refused
from treewright.errors import ModelFileError
from treewright.tree import from_bytes, to_bytes
from treewright.tree.file.container import pack, unpack
from treewright.tree.file.validate import validate_tree
from treewright.tree.predict.walk import walk, walk_slow
from treewright.tree.structure.combination import PER_TERM, terms_at
from treewright.tree.structure.node_kind import NodeKind
from treewright.tree.structure.tree import EVERY_BRANCH

RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(60, 3))
Y = X @ [1.0, -2.0, 0.5] > 0
MODEL = (
    tw.RandomForestClassifier(3, combined_features=2, random_state=4).fit(X, Y).model_
)
TREE = MODEL.trees[0]
GOOD = to_bytes(MODEL)
N_NODES = sum(int((tree.kind == NodeKind.COMBINATION).sum()) for tree in MODEL.trees)


def codes_of_terms(terms):
    """Features and weights as a tree has them: the weight's bits in two halves."""
    weight = np.array([one for _, one in terms], np.float64).view(np.uint64)
    halves = np.stack([weight & np.uint64(2**32 - 1), weight >> np.uint64(32)], axis=1)
    codes = np.zeros((len(terms), PER_TERM), np.int32)
    codes[:, 0] = [feature for feature, _ in terms]
    codes[:, 1:] = halves.astype(np.uint32).view(np.int32)
    return codes.reshape(-1)


def changed(**sections):
    """Return the file with other sections in its header; None takes one out."""
    header, arrays = unpack(GOOD)
    header |= sections
    return pack({name: x for name, x in header.items() if x is not None}, arrays)


def with_codes(codes):
    """Return the first tree with other codes at its root."""
    size = int(TREE.set_start[1])
    start = TREE.set_start + len(codes) - size
    start[0] = 0
    all_ = np.concatenate([np.asarray(codes, np.int32), TREE.set_codes[size:]])
    return replace(TREE, set_start=start, set_codes=all_)


def test_sums_come_back_as_they_were():
    again = from_bytes(GOOD)
    assert to_bytes(again) == GOOD
    assert again.fingerprint() == MODEL.fingerprint()
    for one, other in zip(MODEL.trees, again.trees, strict=True):
        np.testing.assert_array_equal(one.set_codes, other.set_codes)


@given(
    st.lists(
        st.tuples(st.integers(0, 2**31 - 1), st.floats(allow_nan=False)), min_size=1
    )
)
def test_any_terms_are_written_and_read(terms):
    assert terms_at(with_codes(codes_of_terms(terms)), 0) == terms


def test_section_is_required_only_where_there_are_sums():
    header, _ = unpack(GOOD)
    assert header["combinations"] == {"n_nodes": N_NODES}
    assert "combinations" in header["required"]
    plain, _ = unpack(to_bytes(tw.CARTClassifier().fit(X, Y).model_))
    assert "combinations" not in plain


@pytest.mark.parametrize("section", [None, {"n_nodes": 1}, {"n_nodes": -1}])
def test_sums_that_were_not_announced_are_refused(section):
    required = ["model", "schema"] if section is None else ["combinations"]
    with refused(ModelFileError, f"{N_NODES} nodes", "combinations"):
        from_bytes(changed(combinations=section, required=required))


@pytest.mark.parametrize(
    "codes",
    [
        [],
        [0],
        [0, 0],
        [0, 0, 0, 1],
        codes_of_terms([(3, 1.0)]),
        codes_of_terms([(-1, 1.0)]),
        codes_of_terms([(int(TREE.feature[0]), np.inf)]),
        codes_of_terms([(int(TREE.feature[0]), np.nan)]),
        codes_of_terms([((int(TREE.feature[0]) + 1) % 3, 1.0)]),
        codes_of_terms([(int(TREE.feature[0]), 1.0), (7, 1.0)]),
    ],
)
def test_bad_terms_are_refused(codes):
    with refused(ModelFileError, "tree 0", "node 0"):
        validate_tree(with_codes(codes), MODEL.schema)


@pytest.mark.parametrize(
    ("name", "value"),
    [("threshold", np.nan), ("threshold", np.inf), ("missing_branch", EVERY_BRANCH)],
)
def test_bad_nodes_are_refused(name, value):
    array = getattr(TREE, name).copy()
    array[0] = value
    with refused(ModelFileError, "tree 0", "node 0"):
        validate_tree(replace(TREE, **{name: array}), MODEL.schema)


def test_sums_of_categories_are_refused():
    features = [
        replace(one, kind="nominal", categories=("a", "b"))
        for one in MODEL.schema.features
    ]
    schema = replace(MODEL.schema, features=tuple(features))
    with refused(ModelFileError, "combination", "numeric"):
        validate_tree(TREE, schema)


@pytest.mark.slow
@given(st.data())
def test_compiled_walk_is_the_plain_one(data):
    values = st.floats() | st.sampled_from([0.0, 1.0, np.nan, np.inf, -np.inf])
    rows = data.draw(st.lists(st.tuples(values, values, values), min_size=1))
    cells = np.array(rows)
    for tree in MODEL.trees:
        np.testing.assert_array_equal(walk(tree, cells), walk_slow(tree, cells))
