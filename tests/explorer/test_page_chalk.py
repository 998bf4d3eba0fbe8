"""The chalk of a page is that of the nodes it shows, also when these were pruned."""

from __future__ import annotations

import numpy as np
import pytest
from explored_models import classes_of, mixed_table, numbers_of
from sample_chalk import chalk_of
from small_models import iris_table

import treewright as tw
from treewright.learners.explored import page_parts
from treewright.tree.one_tree import one_tree


def chalk_in_page(model, table, labels):
    return page_parts(model.model_, table, labels).chalk["steps"]


@pytest.mark.parametrize("name", ["tennis", "iris"])
def test_chalk_is_what_plain_python_works_out(name):
    if name == "tennis":
        frame, series = tw.datasets.tennis()
        table, labels = frame.to_dict(as_series=False), series.to_list()
        model = tw.ID3Classifier().fit(table, labels)
    else:
        table, labels = iris_table()
        model = tw.CARTClassifier(criterion="entropy").fit(table, labels)
    expected = {step["node"]: step for step in chalk_of(model, table, labels)["steps"]}
    steps = chalk_in_page(model, table, labels)
    assert {step["node"] for step in steps} == set(expected)
    for step in steps:
        own = expected[step["node"]]
        assert step["impurity"] == pytest.approx(own["impurity"], abs=1e-12)
        weights = [(one["name"], one["weight"]) for one in own["counts"]]
        assert [(one["name"], one["weight"]) for one in step["counts"]] == weights
        assert step["winner"] == own.get("winner")
        gains = {one["feature"]: one["gain"] for one in own["candidates"]}
        for one in step["candidates"]:
            if "gain" in one and own["candidates"]:
                assert one["gain"] == pytest.approx(gains[one["feature"]], abs=1e-12)


def test_pruned_nodes_have_the_chalk_of_what_they_were():
    table = mixed_table(missing=False)
    labels = classes_of(table)
    model = tw.C45Classifier(subtree_raising=False).fit(table, labels)
    tree, names = model.tree_, model.model_.schema.names
    steps = chalk_in_page(model, table, labels)
    assert len(steps) == tree.node_count
    assert {"pruned"} <= {step["leaf_reason"] for step in steps}
    for step in steps:
        node = step["node"]
        assert step["n_rows"] == tree.n_rows[node]
        if tree.n_children[node]:
            assert step["winner"] == names[tree.feature[node]]


@pytest.mark.slow
@pytest.mark.parametrize("pruned", [True, False])
def test_class_weights_of_the_chalk_are_those_of_the_tree(pruned):
    table = mixed_table()
    labels = classes_of(table)
    model = tw.C45Classifier() if pruned else tw.C45Classifier(pruning=None)
    model.fit(table, labels)
    steps = chalk_in_page(model, table, labels)
    assert len(steps) > 3
    for step in steps:
        weights = [one["weight"] for one in step["counts"]]
        if sum(weights):
            np.testing.assert_allclose(
                weights, model.tree_.value[step["node"]], atol=1e-5
            )


def test_intervals_have_chalk_too():
    table = mixed_table(missing=False)
    labels = classes_of(table)
    model = tw.ID3Classifier(discretize="mdl").fit(table, labels)
    steps = chalk_in_page(model, table, labels)
    assert steps[0]["winner"] == model.model_.schema.names[model.tree_.feature[0]]
    assert steps[0]["candidates"][0]["gain"] == pytest.approx(model.tree_.gain[0])
    assert len(steps) == model.tree_.node_count


def test_numbers_have_chalk_too():
    table = mixed_table(missing=False)
    model = tw.CARTRegressor(max_depth=3).fit(table, numbers_of(table))
    steps = chalk_in_page(model, table, numbers_of(table))
    assert len(steps) == model.tree_.node_count
    assert steps[0]["mean"] == pytest.approx(np.mean(numbers_of(table)))


def test_other_rows_have_no_chalk():
    table, labels = iris_table()
    model = tw.CARTClassifier().fit(table, labels)
    some = {name: cells[::2] for name, cells in table.items()}
    assert page_parts(model.model_, some, labels[::2]).chalk is None


def test_large_tree_has_the_chalk_of_its_top():
    random = np.random.default_rng(0)
    table, labels = random.normal(size=(900, 4)), random.integers(0, 2, 900)
    model = tw.CARTClassifier().fit(table, labels)
    steps = chalk_in_page(model, table, labels)
    assert 50 < len(steps) <= 200
    assert steps[0]["node"] == 0


@pytest.mark.slow
def test_tree_of_a_forest_says_why_it_has_no_chalk(open_page):
    X, y = tw.datasets.tennis()
    forest = tw.RandomForestClassifier(n_estimators=3, random_state=0).fit(X, y)
    model = one_tree(forest.model_, 2)
    page = open_page(model, page_parts(model, X, y))
    for name in ("Node", "Lesson"):
        page.get_by_role("tab", name=name).click()
        words = page.locator("[role=tabpanel]:visible").text_content()
        assert "A bag of the rows grew this tree, one of a forest" in words
        assert "explore MODEL DATA" not in words
