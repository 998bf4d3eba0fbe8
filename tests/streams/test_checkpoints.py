"""Checkpoints: read back whole, or refused; never a crash, never half a tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_streams import made_rows

import treewright as tw
from refusals import refused
from treewright.errors import ModelFileError
from treewright.learners.streams.checkpoint import (
    checkpoint_bytes,
    checkpoint_from_bytes,
)
from treewright.tree.file.container import pack, unpack

SMALL = {"grace_period": 20, "delta": 0.1}
ROWS, LABELS = made_rows(300, 7, classes=("a", "b", "c"), late=True)
TREES = {
    "classes": tw.HoeffdingTreeClassifier(**SMALL, max_bytes=15_000).fit(ROWS, LABELS),
    "numbers": tw.HoeffdingTreeRegressor(**SMALL).fit(
        ROWS,
        [
            float(len(label) + (row["n"] or 0))
            for row, label in zip(ROWS, LABELS, strict=True)
        ],
    ),
}
BYTES = {name: checkpoint_bytes(tree._learner) for name, tree in TREES.items()}
LISTS = [
    "parent", "feature", "missing", "child", "n_rows", "child_start", "value_start",
    "block_start", "threshold", "gain", "right_plain", "right_bayes", "seen", "looked",
    "value", "block", "awake",
]  # fmt: skip


@pytest.mark.parametrize("name", TREES)
def test_it_is_read_back_as_it_was(name):
    _, learner, _ = checkpoint_from_bytes(BYTES[name])
    assert checkpoint_bytes(learner) == BYTES[name]


@pytest.mark.parametrize("name", TREES)
def test_a_file_that_is_cut_is_refused(name):
    data = BYTES[name]
    step = max(len(data) // 400, 1)
    for length in [*range(0, len(data), step), len(data) - 1]:
        with pytest.raises(ModelFileError):
            checkpoint_from_bytes(data[:length])


@pytest.mark.slow
@given(
    name=st.sampled_from(list(TREES)),
    which=st.sampled_from(LISTS),
    place=st.integers(0, 10_000),
    value=st.sampled_from(
        [-1, -2, 0, 1, 2, 3, 7, 10**6, 2**31 - 1, "nan", "inf", -0.5]
    ),
    data=st.data(),
)
@settings(max_examples=300)
def test_changed_numbers_are_refused_or_make_a_tree_that_works(
    name, which, place, value, data
):
    header, arrays = unpack(BYTES[name])
    own = arrays[f"stream.{which}"].copy()
    how = data.draw(st.sampled_from(["change", "shorten", "lengthen"]))
    if how == "change" and len(own):
        if own.dtype.kind != "f" and not isinstance(value, int):
            value = -1
        with np.errstate(all="ignore"):
            own[place % len(own)] = np.array(float(value)).astype(own.dtype)
    else:
        own = own[:-1] if how == "shorten" else np.append(own, own[:1])
    arrays[f"stream.{which}"] = own
    try:
        _, learner, _ = checkpoint_from_bytes(pack(header, arrays))
    except ModelFileError:
        return
    # whatever passed is a tree: it learns and answers
    labels = LABELS if name == "classes" else [1.0] * len(LABELS)
    learner.answer(ROWS, shares=True)
    learner.learn(ROWS, labels)
    learner.answer(ROWS)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (lambda s: s["features"][1]["categories"].append("red"), ["label", "twice"]),
        (lambda s: s["features"][1]["categories"].pop(), ["checkpoint", "model"]),
        (lambda s: s["features"].pop(), ["checkpoint", "model"]),
        (lambda s: s["features"][0].update(kind="odd"), ["checkpoint", "'odd'"]),
        (lambda s: s["features"][0].update(kind="nominal"), ["checkpoint", "node 0"]),
        (
            lambda s: s["classes"].reverse() or s["classes"].pop(),
            ["checkpoint", "model"],
        ),
        (lambda s: s.pop("classes"), ["header", "'classes'"]),
    ],
)
def test_a_header_that_does_not_fit_is_refused(change, names):
    header, arrays = unpack(BYTES["classes"])
    change(header["stream"])
    with refused(ModelFileError, *names):
        checkpoint_from_bytes(pack(header, arrays))


def test_a_checkpoint_is_a_model_file_too(tmp_path):
    path = tmp_path / "tree.tw"
    TREES["classes"].save(path)
    from treewright.tree.file.save import load

    assert load(path).fingerprint() == TREES["classes"].fingerprint()
