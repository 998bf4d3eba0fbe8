"""Trees that were grown side by side: what they share, and what they do not."""

import numpy as np

import treewright as tw


def forest(n_trees=8, **switches):
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 4))
    y = (X[:, 0] + random.normal(size=300) > 0).astype(int)
    return tw.RandomForestClassifier(n_trees, random_state=0, **switches).fit(X, y), X


def owned(array):
    """Bytes of the memory that an array keeps from being freed."""
    while array.base is not None:
        array = array.base
    return memoryview(array).nbytes


def test_a_tree_that_leaves_its_forest_keeps_no_others_memory():
    grown, _ = forest()
    assert owned(grown.trees_[0].value) > grown.trees_[0].value.nbytes
    for tree in (grown.tree(0).tree_, grown.drop_trees(keep=[0]).trees_[0]):
        assert owned(tree.value) == tree.value.nbytes
        assert owned(tree.kind) == tree.kind.nbytes


def test_trees_answer_the_same_with_arrays_of_their_own():
    grown, X = forest()
    mean = np.mean([grown.tree(k).predict_proba(X) for k in range(8)], axis=0)
    assert np.allclose(mean, grown.predict_proba(X), atol=1e-12)
    assert grown.drop_trees(keep=range(8)).fingerprint() == grown.fingerprint()


def test_trees_of_numbers_have_no_labels_and_are_taken_apart():
    random = np.random.default_rng(1)
    X = random.normal(size=(100, 3))
    grown = tw.RandomForestRegressor(5, random_state=0).fit(X, X[:, 0])
    assert {tree.label.shape[1] for tree in grown.trees_} == {0}
    assert np.isfinite(grown.predict(X)).all()
