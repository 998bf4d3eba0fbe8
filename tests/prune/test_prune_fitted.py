"""Pruning as users meet it: switches, `prune`, validation rows, and what is refused."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.model_selection import GridSearchCV

from refusals import refused
from treewright import CARTRegressor, ID3Classifier, TreeClassifier, TreeRegressor, load
from treewright.data.encoding.encode import encode
from treewright.errors import DataError, SettingError
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.prune.fitted import prune_model
from treewright.prune.labelled_rows import hold_out

X, Y = load_breast_cancer(return_X_y=True)
GROW, HELD = slice(0, None, 2), slice(1, None, 2)
GROWN = TreeClassifier().fit(X[GROW], Y[GROW])
SWITCHES = {
    "pessimistic": {},
    "chi_square": {"prune_level": 1e-4},
    "minimum_gain": {"prune_gain": 0.3},
    "reduced_error": {},
}


@pytest.mark.parametrize("how", SWITCHES)
def test_pruning_a_fitted_tree_is_fitting_with_pruning(how):
    rows = (X[HELD], Y[HELD]) if how == "reduced_error" else ()
    less = GROWN.prune(how, *rows, **SWITCHES[how])
    fitted = TreeClassifier(pruning=how, **SWITCHES[how])
    fitted.fit(X[GROW], Y[GROW], validation=rows or None)
    assert less.fingerprint() == fitted.fingerprint()
    assert less.get_params() == fitted.get_params()
    assert less.get_n_leaves() < GROWN.get_n_leaves() == 12


def test_error_based_pruning_takes_the_training_rows():
    fitted = TreeClassifier(pruning="error_based").fit(X[GROW], Y[GROW])
    less = GROWN.prune("error_based", X[GROW], Y[GROW])
    assert less.fingerprint() == fitted.fingerprint()


def test_pruned_estimator_keeps_its_kind_and_is_saved(tmp_path):
    tree = ID3Classifier(discretize="quartiles").fit(X[GROW], Y[GROW])
    less = tree.prune("pessimistic")
    assert type(less) is ID3Classifier
    assert less.discretize == "quartiles"
    less.save(tmp_path / "less.tw")
    again = load(tmp_path / "less.tw")
    assert again.fingerprint() == less.fingerprint()
    assert again.get_params()["pruning"] == "pessimistic"


def test_pruning_can_follow_another_pruning():
    less = GROWN.prune("minimum_gain", prune_gain=0.1).prune("pessimistic")
    assert less.fingerprint() == GROWN.prune("pessimistic").fingerprint()


def test_sequence_survives_a_pickle_and_search_works():
    tree = TreeClassifier(
        pruning="reduced_error", validation_share=0.3, pruning_order="best_first"
    ).fit(X, Y)
    table = pickle.loads(pickle.dumps(tree)).pruning_path_
    assert repr(table) == repr(tree.pruning_path_)
    assert tree.get_n_leaves() == table.n_leaves[table.chosen]
    search = GridSearchCV(tree, {"validation_share": [0.2, 0.4]}, cv=2).fit(X, Y)
    assert search.best_score_ > 0.85


def test_tree_without_a_sequence_has_no_path():
    assert not hasattr(GROWN, "pruning_path_")
    with refused(AttributeError, "pruning_order='best_first'"):
        GROWN.pruning_path_  # noqa: B018


def test_numbers_are_pruned_and_do_better():
    A, b = load_diabetes(return_X_y=True)
    grown = TreeRegressor().fit(A[GROW], b[GROW])
    less = grown.prune("reduced_error", A[HELD], b[HELD])
    assert less.score(A[HELD], b[HELD]) > grown.score(A[HELD], b[HELD])
    assert 1 < less.get_n_leaves() < grown.get_n_leaves()


@pytest.mark.parametrize("random_state", [None, 0, 5])
def test_held_out_classes_are_in_proportion(random_state):
    columns = encode(X, Y, task="classes")
    dialect = CART.change(
        pruning="reduced_error", validation_share=0.3, random_state=random_state
    )
    rest, held = hold_out(columns, dialect)
    assert held.n_rows == round(0.3 * len(Y))
    assert rest.n_rows + held.n_rows == len(Y)
    assert held.target.mean() == pytest.approx(Y.mean(), abs=1 / held.n_rows)
    again = hold_out(columns, dialect)[1]
    assert np.array_equal(again.features[0].codes, held.features[0].codes)


def test_held_out_numbers_are_small_and_large():
    columns = encode([[k] for k in range(30)], list(range(30)), task="numbers")
    dialect = CART_NUMBERS.change(pruning="reduced_error", validation_share=1 / 3)
    _, held = hold_out(columns, dialect)
    assert held.target[:, 0].tolist() == list(range(1, 30, 3))


def test_weights_of_validation_rows_count():
    rows = {"a": ["u", "v"]}
    tree = ID3Classifier().fit({"a": ["u", "v", "v"]}, ["p", "q", "q"])
    assert tree.prune("reduced_error", rows, ["p", "q"]).get_n_leaves() == 2
    weighed = TreeClassifier(nominal_splits="multiway", pruning="reduced_error")
    y = ["p", "q"]
    weighed.fit({"a": ["u", "v", "v"]}, ["p", "q", "q"], validation=(rows, y, [0, 1]))
    assert weighed.get_n_leaves() == 1


REFUSED = [
    (
        lambda: TreeClassifier(pruning="reduced_error").fit(X, Y),
        (SettingError, "pruning='reduced_error'", "validation_share", "(X, y)"),
    ),
    (
        lambda: TreeClassifier(pruning="reduced_error", validation_share=0.3).fit(
            X, Y, validation=(X, Y)
        ),
        (SettingError, "validation", "validation_share=0.3"),
    ),
    (
        lambda: TreeClassifier().fit(X, Y, validation=(X, Y)),
        (SettingError, "validation", "pruning is None"),
    ),
    (
        lambda: TreeClassifier(pruning="reduced_error").fit(X, Y, validation=X),
        (SettingError, "validation", "ndarray", "(X, y)", "(X, y, sample_weight)"),
    ),
    (
        lambda: TreeClassifier(pruning="reduced_error").fit(
            X, Y, validation=(X[:0], Y[:0])
        ),
        (DataError, "0 rows", "prune"),
    ),
    (
        lambda: TreeClassifier(pruning="minimum_gain").fit(X, Y),
        (SettingError, "pruning='minimum_gain'", "prune_gain", 0.01),
    ),
    (
        lambda: TreeClassifier(prune_gain=0.1).fit(X, Y),
        (SettingError, "pruning='minimum_gain'", "prune_gain", "min_gain"),
    ),
    (
        lambda: TreeClassifier(give_back=True).fit(X, Y),
        (SettingError, "pruning='reduced_error'", "give_back=False"),
    ),
    (
        lambda: TreeClassifier(validation_share=0.3).fit(X, Y),
        (SettingError, "pruning='reduced_error'", "validation_share=None"),
    ),
    (
        lambda: TreeClassifier(chi_square_level=1.0).fit(X, Y),
        (SettingError, "chi_square_level", 1.0),
    ),
    (
        lambda: GROWN.prune("pessimistic", X, Y),
        (SettingError, "pruning='pessimistic'", "X and y"),
    ),
    (
        lambda: GROWN.prune("reduced_error", X),
        (SettingError, "X", "y", "without"),
    ),
    (
        lambda: GROWN.prune("reduced_error"),
        (SettingError, "pruning='reduced_error'", "prune('reduced_error', X, y)"),
    ),
    (
        lambda: GROWN.prune("reduced_error", validation_share=0.2),
        (SettingError, "validation_share", "fitted", "X and y"),
    ),
    (
        lambda: GROWN.prune("error_based"),
        (DataError, "subtree_raising=False"),
    ),
    (
        lambda: GROWN.prune("reduced"),
        (SettingError, "pruning", "'reduced'"),
    ),
    (
        lambda: GROWN.prune(None),
        (SettingError, "pruning is None", "'pessimistic'"),
    ),
    (
        lambda: GROWN.prune("pessimistic", prune_gian=1),
        (SettingError, "'prune_gian'", "'prune_gain'"),
    ),
    (
        lambda: GROWN.prune("cost_complexity", alpha_choice="cross_validation"),
        (SettingError, "alpha_choice='cross_validation'", "fit", "ccp_alpha"),
    ),
    (
        lambda: GROWN.prune("error_based", X[:2], ["new", "old"]),
        (DataError, "y", "classes", "training"),
    ),
    (
        lambda: CARTRegressor().fit(X, Y * 1.0).prune("pessimistic"),
        (SettingError, "pruning='pessimistic'", "classes", "numbers"),
    ),
    (
        lambda: CARTRegressor().fit(X, Y * 1.0).prune("chi_square"),
        (SettingError, "pruning='chi_square'", "weights", "numbers"),
    ),
    (
        lambda: TreeRegressor(
            criterion="absolute_error", pruning="reduced_error", validation_share=0.3
        ).fit(X[:50], Y[:50] * 1.0),
        (SettingError, "pruning='reduced_error'", "criterion='squared_error'"),
    ),
    (
        lambda: TreeClassifier(pruning="pessimistic").fit(
            X[:50], np.stack([Y[:50], Y[:50]], axis=1)
        ),
        (SettingError, "pruning='pessimistic'", "output", 2),
    ),
]


@pytest.mark.parametrize(("call", "what"), REFUSED)
def test_what_does_not_go_together_is_refused_with_the_remedy(call, what):
    with refused(*what):
        call()


def test_share_that_leaves_no_rows_is_refused():
    tree = TreeClassifier(pruning="reduced_error", validation_share=0.1)
    with refused(DataError, "validation_share=0.1", "3 rows"):
        tree.fit([[1], [2], [3]], [0, 1, 1])


def test_model_is_not_changed():
    before = GROWN.fingerprint()
    prune_model(GROWN.model_, "pessimistic")
    assert GROWN.fingerprint() == before


def test_rows_that_are_given_are_counted_where_nothing_is_cut():
    """Pruned by other rows the tree answers as these do, also if it keeps its shape."""
    tree = ID3Classifier().fit({"a": ["u"] * 10 + ["v"] * 10}, ["p"] * 10 + ["q"] * 10)
    rows, classes = {"a": ["u"] * 40 + ["v"] * 40}, ["q"] * 40 + ["p"] * 40
    pruned = tree.prune("error_based", rows, classes, confidence=0.5)
    assert pruned.predict({"a": ["u", "v"]}).tolist() == ["q", "p"]
    assert pruned.tree_.n_rows.tolist() == [80, 40, 40]
