"""`prune` and `pruning_path_` asked in another way than they are meant."""

from __future__ import annotations

from refusals import refused
from treewright import CARTClassifier, CARTRegressor, load
from treewright.errors import SettingError

X = [[1.0], [2.0], [3.0], [4.0]]
Y = ["a", "b", "a", "b"]


def test_rows_in_the_place_of_the_pruning():
    tree = CARTClassifier().fit(X, Y)
    with refused(SettingError, "pruning", "list", "prune('reduced_error', X, y)"):
        tree.prune(X, Y)


def test_rows_named_as_for_fit():
    tree = CARTClassifier().fit(X, Y)
    with refused(SettingError, "prune('reduced_error', X, y)", "validation=(X, y)"):
        tree.prune("reduced_error", validation=(X, Y))


def test_prunings_of_numbers_are_named():
    tree = CARTRegressor().fit(X, [1.0, 2.0, 3.0, 5.0])
    with refused(
        SettingError,
        "pruning='pessimistic'",
        "pruning='cost_complexity', 'reduced_error'",
    ):
        tree.prune("pessimistic")


def test_tree_without_a_sequence_names_both_ways_to_one():
    tree = CARTClassifier().fit(X, Y)
    with refused(
        AttributeError, "pruning='cost_complexity'", "pruning='reduced_error'"
    ):
        _ = tree.pruning_path_
    assert len(CARTClassifier(pruning="cost_complexity").fit(X, Y).pruning_path_) > 1


def test_model_file_does_not_keep_the_sequence(tmp_path):
    CARTClassifier(ccp_alpha=0.01).fit(X, Y).save(tmp_path / "m.tw")
    with refused(AttributeError, "file", "cost_complexity_pruning_path(X, y)"):
        _ = load(tmp_path / "m.tw").pruning_path_
