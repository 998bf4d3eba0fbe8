"""Permutation importance against loops over trees, features and rows."""

from __future__ import annotations

import numpy as np
import pytest
from forest_tables import CASES, grown

from textbook_draws import branch_key, order_of
from treewright import _core
from treewright.learners.forest.out_of_bag import measures_of
from treewright.learners.forest.permutation import TreeMeans

OF_PERMUTATIONS = 0xA0761D6478BD642F


def permuted(key, feature, n):
    """Return the order of the values, from the description in core/permute.hpp."""
    return order_of(branch_key(int(key) ^ OF_PERMUTATIONS, feature), list(range(n)))


def losses_of_tree(case, number):
    """Return what permuting each feature costs a tree, for each row and output."""
    model, out = case.tree(number), case.out_of_bag(number)
    key = case.forest.grown_from.keys[number]
    is_classes = model.schema.target.kind == "classes"

    def faults(table):
        if is_classes:
            return (model.predict_codes(table) != case.target[out]).astype(float)
        said = np.reshape(model.predict(table), (len(out), -1))
        return (said - case.target[out]) ** 2

    rows = case.table.iloc[out].reset_index(drop=True)
    before, losses = faults(rows), []
    for feature, name in enumerate(case.table.columns):
        changed = rows.copy()
        order = permuted(key, feature, len(out))
        changed[name] = rows[name].to_numpy()[order]
        losses.append(faults(changed) - before)
    return losses


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*All-NaN")
@pytest.mark.parametrize("name", CASES)
def test_importance_is_a_loop_over_trees_and_features(name):
    case = grown(name)
    n_trees, n_features = len(case.forest.model.trees), case.table.shape[1]
    of_trees = np.zeros((n_trees, n_features))
    of_classes = np.full((n_trees, case.target.shape[1], n_features, 3), np.nan)
    for number in range(n_trees):
        out = case.out_of_bag(number)
        weights = case.weights[out]
        for feature, losses in enumerate(losses_of_tree(case, number)):
            of_trees[number, feature] = np.average(
                losses, axis=0, weights=weights
            ).mean()
            for output in range(case.target.shape[1]):
                for label in range(3):
                    its = case.target[out, output] == label
                    if its.any():
                        of_classes[number, output, feature, label] = np.average(
                            losses[its, output], weights=weights[its]
                        )
    found = measures_of(case.forest.model, case.forest.grown_from)
    near = {"rtol": 1e-12, "atol": 1e-13}
    np.testing.assert_allclose(found.importances, of_trees.mean(axis=0), **near)
    errors = of_trees.std(axis=0, ddof=1) / n_trees**0.5
    np.testing.assert_allclose(found.standard_errors, errors, **near)
    np.testing.assert_allclose(found.high - found.importances, 1.96 * errors, rtol=1e-4)
    for output, table in enumerate(found.class_importances):
        wanted = np.nanmean(of_classes[:, output], axis=0)[:, : table.shape[1]]
        np.testing.assert_allclose(table, wanted, **near)


@pytest.mark.parametrize("name", ["numbers and names", "divided rows", "a number"])
def test_figures_are_the_same_for_any_number_of_threads(name):
    case = grown(name, n_trees=9)
    one = measures_of(case.forest.model, case.forest.grown_from, n_jobs=1)
    for n_jobs in (2, 3):
        other = measures_of(case.forest.model, case.forest.grown_from, n_jobs=n_jobs)
        np.testing.assert_array_equal(one.importances, other.importances)
        np.testing.assert_array_equal(one.standard_errors, other.standard_errors)


def test_trees_taken_a_few_at_a_time_give_the_same(monkeypatch):
    case = grown("two outputs")
    wanted = measures_of(case.forest.model, case.forest.grown_from)
    monkeypatch.setattr("treewright.learners.forest.permutation._MOST_AT_ONCE", 1)
    told = []
    found = measures_of(
        case.forest.model, case.forest.grown_from, progress=lambda *of: told.append(of)
    )
    np.testing.assert_array_equal(found.importances, wanted.importances)
    assert told == [(done, 6) for done in range(1, 7)]


def test_a_feature_that_no_tree_asks_about_has_no_importance_at_all():
    case = grown("numbers and names")
    asked = {f for tree in case.forest.model.trees for f in tree.feature.tolist()}
    found = measures_of(case.forest.model, case.forest.grown_from)
    for feature in set(range(4)) - asked:
        assert found.importances[feature] == 0


@pytest.mark.parametrize("n", [0, 1, 2, 50])
def test_permutations_are_those_of_the_description(n):
    for key in (0, 2**64 - 1, 12345):
        for feature in (0, 7):
            order = _core.permutation(key, feature, n)
            assert order.tolist() == permuted(key, feature, n)


def test_all_orders_are_as_likely():
    # chi-square with 5 degrees of freedom: 20.5 at a level of 0.001
    counts = {}
    for key in range(6000):
        order = tuple(_core.permutation(key, key % 3, 3).tolist())
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5


def test_one_tree_has_no_interval():
    means = TreeMeans((2, 1))
    means.add(np.array([[1.0], [2.0]]), np.array([True]))
    assert means.means()[:, 0].tolist() == [1.0, 2.0]
    assert np.isnan(means.standard_errors()).all()
