"""Out-of-bag rows are asked as new rows: a category of one row alone is unseen."""

import numpy as np
import pandas as pd
import pytest

import treewright as tw

pytestmark = pytest.mark.slow


def table(n_categories, n_rows=400):
    random = np.random.default_rng(n_categories)
    X = pd.DataFrame(random.normal(size=(n_rows, 3)), columns=list("abc"))
    y = np.where(X.a + X.b + 0.7 * random.normal(size=n_rows) > 0, "yes", "no")
    codes = random.permutation(np.arange(n_rows) % n_categories)
    X["key"] = [f"k{code}" for code in codes]
    return X, y


def as_new(X):
    """The rows with a word that no row has, where the key is of one row alone."""
    n_rows = X.key.map(X.key.value_counts())
    return X.assign(key=X.key.where(n_rows > 1, "never seen"))


@pytest.mark.parametrize("unseen", ["stop", "missing"])
@pytest.mark.parametrize("n_categories", [400, 300, 20])
def test_answers_are_a_loop_over_the_trees_with_single_keys_unseen(
    n_categories, unseen
):
    X, y = table(n_categories)
    forest = tw.RandomForestClassifier(
        20, random_state=0, oob_score=True, unseen=unseen, missing="majority"
    ).fit(X, y)
    sums = np.zeros((len(X), 2))
    n_votes = np.zeros(len(X))
    for number in range(20):
        out = forest._grown_from.out_of_bag(number)
        sums[out] += forest.tree(number).predict_proba(as_new(X).iloc[out])
        n_votes[out] += 1
    with np.errstate(invalid="ignore"):
        means = sums / n_votes[:, None]
    np.testing.assert_allclose(forest.oob_decision_function_, means, atol=1e-12)


def test_a_key_of_every_row_does_not_spoil_the_error():
    X, y = table(400)
    forest = tw.RandomForestClassifier(100, random_state=0, oob_score=True).fit(X, y)
    by_folds = tw.evaluate(
        tw.RandomForestClassifier(100, random_state=0), X, y, folds=10
    ).error
    assert forest.oob_error_ == pytest.approx(by_folds.value, abs=0.02)
    assert forest.permutation_importances_[3] == 0  # nothing is lost without the key


def test_ordered_categories_are_known_without_their_rows():
    X, y = table(400)
    sizes = pd.Categorical.from_codes(
        np.arange(400), [f"s{k:03}" for k in range(400)], ordered=True
    )
    X = X.drop(columns="key").assign(size=sizes)
    forest = tw.RandomForestClassifier(5, random_state=0, oob_score=True).fit(X, y)
    out = forest._grown_from.out_of_bag(0)
    alone = forest.drop_trees(keep=[0])
    np.testing.assert_array_equal(
        alone.oob_decision_function_[out], forest.tree(0).predict_proba(X.iloc[out])
    )
