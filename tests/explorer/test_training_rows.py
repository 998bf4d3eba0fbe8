"""Whether a page may call rows the training rows."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from treewright.learners.explored import page_parts


@pytest.fixture
def numbers():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 2))
    return X, X[:, 0] * 3 + random.normal(size=60) * 0.1, random


def parts_of(tree, X, y):
    return page_parts(tree.model_, X, y)


def test_other_answers_are_not_the_training_rows(numbers):
    X, y, random = numbers
    tree = tw.CARTRegressor(max_depth=3).fit(X, y)
    other = parts_of(tree, X, random.permutation(y))
    assert not other.rows.are_training
    assert other.chalk is None
    assert parts_of(tree, X, y).rows.are_training
    assert parts_of(tree, X, y).chalk is not None


def test_another_value_of_a_feature_that_is_not_asked_about(numbers):
    X, *_ = numbers
    classes = np.where(X[:, 0] > 0, "a", "b")
    tree = tw.CARTClassifier().fit(X, classes)
    changed = X.copy()
    changed[:, 1] = X[:, 0]
    # the same rows come to the same nodes, but not by the same working
    assert parts_of(tree, X, classes).chalk is not None
    other = parts_of(tree, changed, classes)
    assert other.chalk is None or other.rows.are_training


def test_medians(numbers):
    X, y, _ = numbers
    tree = tw.CARTRegressor(criterion="absolute_error", max_depth=3).fit(X, y)
    assert parts_of(tree, X, y).rows.are_training
    assert not parts_of(tree, X, -y).rows.are_training
