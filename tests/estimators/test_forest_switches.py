"""`switches`: what a forest's trees do besides its own parameters."""

from __future__ import annotations

import pytest
from sklearn.base import clone

import treewright as tw
from refusals import refused
from treewright.errors import SettingError
from treewright.tree.structure.tree import NodeKind


def test_further_switches_change_the_trees_and_come_back_from_a_file(tmp_path):
    X, y = tw.datasets.tennis()
    forest = tw.RandomForestClassifier(
        4, switches={"nominal_splits": "multiway"}, random_state=0
    )
    forest = clone(forest).fit(X, y)
    kinds = {int(kind) for tree in forest.trees_ for kind in tree.kind}
    assert kinds == {NodeKind.LEAF, NodeKind.MULTIWAY}
    forest.save(tmp_path / "f.tw")
    again = tw.load(tmp_path / "f.tw")
    assert repr(again) == repr(forest)
    assert again.fit(X, y).fingerprint() == forest.fingerprint()


@pytest.mark.parametrize(
    ("switches", "names"),
    [
        ({"max_depth": 2}, ["max_depth"]),
        ({"pruning": "error_based"}, ["pruning"]),
        ({"nominal": 2}, ["'nominal'"]),
        ({"name": "x"}, ["'name'"]),
        ("nominal_splits", ["'nominal_splits'", None]),
    ],
)
def test_what_is_no_further_switch_is_refused(switches, names):
    X, y = tw.datasets.tennis()
    with refused(SettingError, "switches", *names):
        tw.RandomForestClassifier(2, switches=switches).fit(X, y)
