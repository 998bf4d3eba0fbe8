"""One tree of a forest or of boosting, as an estimator of its own."""

import dataclasses

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError


@pytest.fixture
def table():
    random = np.random.default_rng(0)
    X = random.normal(size=(80, 3))
    return X, (X[:, 0] + random.normal(size=80) > 0).astype(int)


@pytest.mark.parametrize(
    "made",
    [
        tw.RandomForestClassifier(7, random_state=0),
        tw.RandomForestClassifier(7, dialect="j48", random_state=0),
        tw.RandomForestClassifier(7, combined_features=2, random_state=0),
        tw.RandomForestRegressor(7, random_state=0),
        tw.ExtraTreesClassifier(7, random_state=0),
        tw.ExtraTreesRegressor(7, random_state=0),
    ],
    ids=repr,
)
def test_the_trees_of_a_forest_answer_as_it_does_together(made, table):
    X, y = table
    forest = made.fit(X, y)
    ask = "predict" if "Regressor" in type(made).__name__ else "predict_proba"
    alone = [getattr(forest.tree(k), ask)(X) for k in range(7)]
    assert np.allclose(np.mean(alone, axis=0), getattr(forest, ask)(X))
    for k in range(7):  # a copy, which keeps no other tree's memory
        tree, own = forest.trees_[k], forest.tree(k).tree_
        for field in dataclasses.fields(tree):
            if field.name != "surrogates":
                one, other = getattr(tree, field.name), getattr(own, field.name)
                assert np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


@pytest.mark.parametrize("boosting", ["samme", "m1", "c50"])
def test_the_trees_of_boosting_vote_by_their_weights(boosting, table):
    X, y = table
    model = tw.AdaBoostClassifier(5, boosting=boosting, max_depth=2).fit(X, y)
    trees = [model.tree(k) for k in range(len(model.trees_))]
    if boosting != "c50":  # there the confidence of a leaf counts, too
        votes = sum(
            weight * np.where(tree.predict(X) == 1, 1, -1)
            for weight, tree in zip(model.estimator_weights_, trees, strict=True)
        )
        assert ((votes > 0) == (model.predict(X) == 1)).all()
    assert "sums of row weights" in " ".join(trees[1].to_text().split())
    assert all("\n" in tree.to_text() for tree in trees)


def test_one_tree_is_listed_drawn_explored_and_saved(table, tmp_path):
    X, y = table
    forest = tw.RandomForestClassifier(4, max_depth=2, random_state=3).fit(X, y)
    tree = forest.tree(-1)
    assert isinstance(tree, tw.CARTClassifier)
    assert tree.max_depth == 2
    assert tree.random_state != 3
    assert "tree 4 of 4 of a forest" in " ".join(tree.notes_)
    assert tree.to_svg().startswith("<svg")
    assert '"n_estimators":4' in tree.explore().html  # the page knows it is one of 4
    assert "<!doctype html>" in tree.explore(X=X, y=y).html
    tree.save(tmp_path / "tree.tw")
    assert (tw.load(tmp_path / "tree.tw").predict(X) == tree.predict(X)).all()


def test_a_forest_of_one_tree_has_that_tree(table):
    X, y = table
    forest = tw.RandomForestClassifier(1, random_state=0).fit(X, y)
    assert (forest.tree(0).predict(X) == forest.predict(X)).all()
    assert isinstance(forest.tree(0), tw.CARTClassifier)


@pytest.mark.parametrize("number", [7, -8, 1.5, "first", True, None])
def test_a_tree_that_is_not_there_is_refused_in_one_line(number, table):
    forest = tw.RandomForestClassifier(7, random_state=0).fit(*table)
    with refused(SettingError, "tree", repr(number), 6) as error:
        forest.tree(number)
    assert "\n" not in str(error.value)


def test_chalk_of_one_tree_is_the_forests(table):
    X, y = table
    forest = tw.RandomForestClassifier(3, random_state=0).fit(X, y)
    with refused(SettingError, "chalk", "forest.chalk(k)"):
        forest.tree(2).chalk()
    with refused(DataError, "chalk"):
        forest.tree(2).chalk(X, y)
