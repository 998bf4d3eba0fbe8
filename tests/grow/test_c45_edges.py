"""Corners of C4.5: light rows, values that are nearly equal, rounded shares."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw


@pytest.mark.parametrize("n_rows", [2, 10, 100])
@pytest.mark.parametrize("dialect", ["c45", "j48"])
def test_rows_may_weigh_next_to_nothing(dialect, n_rows):
    values = np.arange(n_rows, dtype=float)[:, None]
    labels = np.where(np.arange(n_rows) < n_rows // 2, "p", "q")
    tree = tw.C45Classifier(dialect=dialect)
    tree.fit(values, labels, sample_weight=np.full(n_rows, 1 / n_rows))
    assert tree.get_n_leaves() == 1  # all rows together weigh one


@pytest.mark.parametrize("upper", [1 + 1e-9, 1 + 1e-7])
def test_a_threshold_stays_below_the_upper_value(upper):
    values = np.array([[1.0], [1.0], [upper], [upper]])
    tree = tw.C45Classifier(dialect="j48", min_gap=0.0).fit(values, list("ppqq"))
    assert tree.predict(values).tolist() == list("ppqq")


def test_one_value_against_the_rest_by_the_criterion():
    rows = {"x": list("bbaccbac")}
    tree = tw.TreeClassifier(
        criterion="gini", nominal_splits="one_value", missing="majority", max_depth=1
    )
    tree.fit(rows, list("qqppqppp"))
    assert tree.tree_.gain[0] == pytest.approx(0.1021, abs=5e-5)


def test_features_with_very_many_values_alone_are_not_compared():
    rows = {"name": list("aabbccdd"), "one": [1.0] * 8}
    tree = tw.C45Classifier(dialect="j48").fit(rows, list("ppqqppqq"))
    assert tree.get_n_leaves() == 1


def test_classes_that_rounded_shares_make_equal_are_equal():
    rows = {
        "a": [None, None, "u", None, "u", "u", "v", "w"],
        "b": ["u", None, "w", "u", None, None, None, None],
    }
    tree = tw.C45Classifier(dialect="lecture", max_depth=2, label_ties="first")
    tree.fit(rows, list("ppqpqppp"))
    weights = tree.tree_.value
    even = np.isclose(weights[:, 0], weights[:, 1], rtol=1e-12)
    assert even.any()
    assert (tree.tree_.label[even, 0] == 0).all()
