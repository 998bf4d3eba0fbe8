"""How many threads there are where nobody says how many."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import treewright as tw
from treewright.data.machine import thread_count, with_threads
from treewright.evaluation.sharing import shared_out
from treewright.prune import rows_at_leaves as rows
from treewright.tree.predict import walk


def test_what_is_granted_holds_inside_only():
    before = thread_count(None)
    with with_threads(1):
        assert thread_count(None) == 1
        assert thread_count(3) == 3  # said
        with with_threads(5):
            assert thread_count(None) == 5
        assert thread_count(None) == 1
    assert thread_count(None) == before


def test_what_is_granted_ends_with_an_error():
    before = thread_count(None)
    with pytest.raises(KeyError), with_threads(1):
        raise KeyError
    assert thread_count(None) == before


def test_other_threads_have_their_own():
    before = thread_count(None)
    with with_threads(7), ThreadPoolExecutor(1) as pool:
        assert pool.submit(thread_count, None).result() == before


def test_threads_that_share_work_have_one_each():
    found = shared_out(
        [lambda: thread_count(None)] * 3, n_threads=2, tell=lambda done, of: None
    )
    assert found == [1, 1, 1]


def few_rows():
    random = np.random.default_rng(0)
    X = random.integers(5, size=(200, 3)).astype(float)
    return X, random.integers(2, size=200)


def noted_threads(module, monkeypatch):
    """Return a list that gets the threads which a module is given."""
    asked = []

    def noted(given):
        asked.append(thread_count(given))
        return asked[-1]

    monkeypatch.setattr(module, "thread_count", noted)
    return asked


@pytest.mark.parametrize(
    "learn",
    [
        lambda n, X, y: tw.AdaBoostClassifier(5, n_jobs=n).fit(X, y),
        lambda n, X, y: tw.RandomForestClassifier(
            3, random_state=0, n_jobs=n, oob_score=True
        ).fit(X, y),
        lambda n, X, y: tw.evaluate(tw.C45Classifier(), X, y, folds=3, n_jobs=n),
        lambda n, X, y: tw.evaluate(tw.C45Classifier(), X, y, hold_out=0.3, n_jobs=n),
    ],
)
def test_walks_of_learning_keep_to_one_thread(learn, monkeypatch):
    asked = noted_threads(walk, monkeypatch)
    learn(1, *few_rows())
    assert set(asked) == {1}


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_a_fit_prunes_with_the_threads_that_it_was_given(n_jobs, monkeypatch):
    asked = noted_threads(rows, monkeypatch)
    tw.C45Classifier(n_jobs=n_jobs).fit(*few_rows())
    assert asked == [n_jobs]
