"""Labels of any type, several outputs, and the score."""

from __future__ import annotations

import numpy as np
import pytest

from refusals import refused
from treewright import CARTClassifier, CARTRegressor
from treewright.errors import DataError


@pytest.mark.parametrize(
    "labels",
    [["no", "yes"], [-1, 1], [False, True], [0.5, 1.5], [(1, 2), (3, 4)]],
    ids=str,
)
def test_any_hashable_labels(labels):
    y = np.empty(4, object)
    y[:] = [labels[0], labels[1], labels[1], labels[0]]
    tree = CARTClassifier().fit([[1], [2], [3], [4]], y)
    assert tree.predict([[1], [2]]).tolist() == labels
    assert tree.classes_.tolist() == labels
    assert tree.n_classes_ == 2


@pytest.mark.parametrize(
    "labels", [[1, "a"], [(1, 2), (3, 4)], [None, 1], [b"a", b"b"]], ids=str
)
def test_labels_of_any_type_are_scored(labels):
    y = np.empty(2, object)
    y[:] = labels
    tree = CARTClassifier(drop_missing_target=True).fit([[1], [2]], y)
    known = [row for row in (0, 1) if labels[row] is not None]
    assert tree.score([[1 + row] for row in known], y[known]) == 1.0


def test_score_counts_rows_that_are_right_in_every_output():
    both = [[0, "u"], [1, "u"], [1, "v"], [0, "v"]]
    X = [[1], [2], [3], [4]]
    tree = CARTClassifier().fit(X, both)
    assert tree.score(X, [[0, "u"], [1, "v"], [1, "v"], [2, "w"]]) == 0.5


@pytest.mark.parametrize(
    ("y", "names"),
    [
        ([0], ["2 rows", "target", 1]),
        ([[0, 1], [1, 0]], ["target", "2 columns", 1]),
        ([0, None], ["'target'", "row 1", "drop_missing_target=True"]),
    ],
    ids=["length", "outputs", "missing"],
)
def test_score_refuses_answers_that_do_not_fit(y, names):
    tree = CARTClassifier().fit([[1], [2]], [0, 1])
    with refused(DataError, *names):
        tree.score([[1], [2]], y)


def test_several_outputs_of_classes_and_of_numbers():
    X = [[1], [2], [3], [4]]
    tree = CARTClassifier().fit(X, [["a", 0], ["a", 1], ["b", 1], ["b", 0]])
    assert tree.predict(X).tolist() == [["a", 0], ["a", 1], ["b", 1], ["b", 0]]
    assert [labels.tolist() for labels in tree.classes_] == [["a", "b"], [0, 1]]
    assert tree.n_classes_ == [2, 2]
    assert [shares.shape for shares in tree.predict_proba(X)] == [(4, 2), (4, 2)]
    assert len(tree.predict_log_proba(X)) == tree.n_outputs_ == 2
    numbers = CARTRegressor().fit(X, [[1, 8], [2, 7], [3, 6], [4, 5]])
    assert numbers.predict(X).tolist() == [[1, 8], [2, 7], [3, 6], [4, 5]]
