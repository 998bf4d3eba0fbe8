"""Progress of a forest: what it is told, and how it may stop the growing."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.data.encoding.encode import encode
from treewright.errors import SettingError
from treewright.learners.dialects.cart import CART
from treewright.learners.forest import forest as growing
from treewright.learners.forest.bags import tree_keys
from treewright.learners.forest.forest_settings import ForestSettings
from treewright.sources import memory


def rows(n_rows: int = 3000) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, 6))
    return X, (X[:, 0] + random.normal(size=n_rows) > 0).astype(int)


@pytest.fixture
def often(monkeypatch):
    """Tell progress as often as possible, and grow tree by tree."""
    monkeypatch.setattr(growing, "TELL_SECONDS", 0.0005)
    monkeypatch.setattr(growing, "CREW_TREES", 1)
    monkeypatch.setattr(memory, "SMALL_ROWS_ALONE", 500)


def test_progress_rises_from_part_to_part_up_to_all_trees(often):
    told: list[tuple[float, int]] = []
    forest = tw.RandomForestClassifier(6, random_state=0, n_jobs=1)
    tell = lambda done, total: told.append((done, total))  # noqa: E731
    forest.fit(*rows(), progress=tell)
    done = [one for one, _ in told]
    assert {total for _, total in told} == {6}
    assert done == sorted(done)
    assert done[-1] == 6
    assert any(one != int(one) for one in done)  # within a tree, too


def test_two_forests_that_are_compared_count_as_one_piece_of_work(often):
    told: list[tuple[float, int]] = []
    forest = tw.RandomForestClassifier(4, max_features=[1, 3], random_state=0)
    forest.fit(*rows(), progress=lambda done, total: told.append((done, total)))
    done = [one for one, _ in told]
    assert done == sorted(done)
    assert told[-1] == (8, 8)


def test_a_stopped_forest_is_the_smaller_forest(often):
    X, y = rows()
    stopped = tw.RandomForestClassifier(500, oob_score=True, random_state=0, n_jobs=2)
    stopped.fit(X, y, progress=lambda done, total: done < 4)
    n_trees = len(stopped.trees_)
    assert 1 <= n_trees < 500
    assert f"growing was stopped after {n_trees} of 500 trees" in stopped.notes_
    small = tw.RandomForestClassifier(n_trees, oob_score=True, random_state=0)
    small.fit(X, y)
    assert stopped.fingerprint() == small.fingerprint()
    np.testing.assert_array_equal(stopped.oob_curve_, small.oob_curve_)
    assert stopped.model_.settings["n_estimators"] == n_trees


def test_a_stop_before_the_first_tree_leaves_the_estimator_as_it_was(often):
    X, y = rows(100_000)  # so that a tree takes longer than the first word
    forest = tw.RandomForestClassifier(3, random_state=0).fit(X[:50], y[:50])
    before = forest.fingerprint()
    forest.set_params(n_estimators=200)
    with refused(SettingError, "progress", "first"):
        forest.fit(X, y, progress=lambda done, total: False)
    assert forest.fingerprint() == before


def test_what_progress_raises_goes_through(often):
    def angry(done: float, total: int) -> None:
        raise RuntimeError("enough")

    forest = tw.RandomForestClassifier(50)
    with refused(RuntimeError, "enough"):
        forest.fit(*rows(), progress=angry)
    assert "model_" not in vars(forest)


def test_progress_must_be_a_switch_or_a_function(capsys):
    X, y = rows(60)
    with refused(SettingError, "progress", "'yes'", True, False):
        tw.RandomForestClassifier(2).fit(X, y, progress="yes")
    tw.RandomForestClassifier(2).fit(X, y, progress=True)
    assert capsys.readouterr().err == ""  # not a terminal


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_max_leaf_nodes_is_the_limit_of_each_tree(n_jobs):
    X, y = rows(300)
    forest = tw.RandomForestClassifier(7, max_leaf_nodes=5, random_state=0)
    forest.set_params(n_jobs=n_jobs).fit(X, y)
    assert [tree.n_leaves for tree in forest.trees_] == [5] * 7


@pytest.mark.parametrize(
    ("n_rows", "n_classes", "n_features", "most"),
    [
        (100, 2, 1, 32),
        (10_000, 2, 80, 5),
        (800_000, 2, 1, 2),
        (4000, 500, 1, 2),
        (18_000, 900, 1, 1),
    ],
)
def test_crews_are_bounded_by_cells_and_classes(n_rows, n_classes, n_features, most):
    random = np.random.default_rng(0)
    y = np.append(np.arange(n_classes), random.integers(n_classes, size=n_rows))
    columns = encode(np.ones((n_rows, n_features)), y[:n_rows], task="classes")
    settings = ForestSettings(n_estimators=64)
    keys = tree_keys(0, range(64))
    found = growing.crews_of(keys, columns, settings.bagging(columns), CART, 2)
    assert sum(map(len, found)) == 64
    assert max(map(len, found)) <= most
    assert len(found) % 2 == 0
