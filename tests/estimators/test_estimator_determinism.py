"""The same table gives the same tree; a fit leaves all of its result or nothing."""

from __future__ import annotations

import itertools
import signal
import threading

import numpy as np
import pytest

from refusals import refused
from treewright import CARTClassifier, CARTRegressor, TreeClassifier
from treewright.errors import DataError
from treewright.learners import registry
from treewright.tree.file.save import to_bytes


def draw(n_rows: int = 400, seed: int = 0):
    """Return continuous columns, where ties between columns are rare, and weights."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 5))
    y = np.digitize(X[:, 0] + X[:, 3] ** 2 + random.normal(size=n_rows), [0, 1, 2])
    return X, y, random.uniform(0.5, 2, n_rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    "tree",
    [
        CARTClassifier(),
        CARTClassifier(criterion="entropy", max_leaf_nodes=20),
        CARTRegressor(),
        CARTRegressor(criterion="absolute_error", max_depth=5),
        TreeClassifier(missing="own_branch", min_samples_leaf=3),
    ],
    ids=repr,
)
def test_same_bytes_for_any_number_of_threads(tree):
    X, y, w = draw()
    X[::17, 1] = np.nan
    models = {
        to_bytes(tree.set_params(n_jobs=n_jobs).fit(X, y, w).model_)
        for n_jobs in (1, 2, 3, 4, 8)
    }
    assert len(models) == 1


@pytest.mark.parametrize("estimator", [CARTClassifier, CARTRegressor])
def test_order_of_rows_does_not_count(estimator):
    X, y, w = draw()
    order = np.random.default_rng(3).permutation(len(X))
    tree = estimator().fit(X, y, w)
    shuffled = estimator().fit(X[order], y[order], w[order])
    assert shuffled.fingerprint() == tree.fingerprint()


@pytest.mark.parametrize("estimator", [CARTClassifier, CARTRegressor])
def test_order_of_columns_does_not_count_where_no_tie_decides(estimator):
    """Large leaves: in small nodes two columns part the rows alike."""
    X, y, w = draw()
    table = {f"column {k}": column for k, column in enumerate(X.T)}
    fingerprints = {
        estimator(min_samples_leaf=25)
        .fit({name: table[name] for name in names}, y, w)
        .fingerprint()
        for names in itertools.islice(itertools.permutations(table), 0, 120, 17)
    }
    assert len(fingerprints) == 1


def test_equal_columns_are_decided_by_their_order():
    X, y, _ = draw()
    doubled = np.column_stack([X[:, :1], X[:, :1]])
    assert set(CARTClassifier().fit(doubled, y).tree_.feature) == {-1, 0}


def test_refused_fit_leaves_the_estimator_as_it_was():
    X, y, _ = draw()
    tree = CARTClassifier().fit(X, y)
    before = dict(vars(tree))
    with refused(DataError, "400 rows", "target", 399):
        tree.fit(X, y[:-1])
    assert vars(tree) == before


def test_interrupted_fit_leaves_the_estimator_as_it_was(monkeypatch):
    X, y, _ = draw()
    tree = CARTClassifier().fit(X, y)
    before = dict(vars(tree))

    def interrupted(*_, **__):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(registry, "grow_tree", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tree.fit(X[:, :2], y)
    assert vars(tree) == before
    monkeypatch.undo()
    assert tree.fit(X[:, :2], y).n_features_in_ == 2


@pytest.mark.slow
def test_fits_in_two_threads_leave_one_whole_result():
    """The tables differ in width, names and classes: a mixture would show."""
    X, y, _ = draw(100)
    named = {"a": X[:, 0], "b": X[:, 1]}
    tree = CARTClassifier().fit(X, y)
    mixtures: list[str] = []
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            model = tree.model_
            found = (len(model.schema.features), len(model.schema.target.classes[0]))
            if found not in {(5, len(set(y))), (2, 2)}:
                mixtures.append(str(found))

    def fit(table, target) -> None:
        for _ in range(20):
            tree.fit(table, target)

    watcher = threading.Thread(target=look)
    fits = [
        threading.Thread(target=fit, args=(X, y)),
        threading.Thread(target=fit, args=(named, y > 1)),
    ]
    for thread in (watcher, *fits):
        thread.start()
    for thread in fits:
        thread.join()
    done.set()
    watcher.join()
    assert mixtures == []


def test_threads_predict_on_one_model():
    X, y, _ = draw()
    tree = CARTClassifier().fit(X, y)
    expected = tree.predict_proba(X)
    answers: list[np.ndarray] = []

    def predict() -> None:
        answers.extend(tree.predict_proba(X) for _ in range(50))

    threads = [threading.Thread(target=predict) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 400
    assert all(np.array_equal(answer, expected) for answer in answers)
