"""Which alpha: fixed, by validation rows, by cross-validation; and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

import treewright as tw
from refusals import refused
from treewright.data.encoding.encode import encode
from treewright.errors import DataError, SettingError
from treewright.learners.choose_alpha import stratified_folds
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.recipe import grow_tree
from treewright.prune.cost_complexity.held_out_risk import (
    HeldOutRisk,
    between,
    held_out_risk,
)
from treewright.prune.cost_complexity.nested_trees import pruning_path
from treewright.prune.labelled_rows import LabelledRows

COMPLEXITY = CART.change(pruning="cost_complexity")
CROSS_VALIDATED = COMPLEXITY.change(alpha_choice="cross_validation")


@pytest.fixture(scope="module")
def noisy():
    """300 rows: two numbers, a class that the first tells with noise."""
    draw = np.random.default_rng(7)
    X = draw.normal(size=(300, 3)).round(2)
    y = np.where(draw.random(300) < 0.2, draw.integers(0, 2, 300), X[:, 0] > 0.3)
    return X, y.astype(int)


def slow_risk(columns, rows, dialect, alphas):
    """Held-out errors by making every tree, and asking it for every row."""
    model = grow_tree(columns, dialect)
    path = pruning_path(model.trees[0], model.schema.target)
    wrong = []
    for alpha in alphas:
        tree = path.tree_at(path.step_for(alpha))
        parts = LabelledRows.of_columns(rows, model.schema).placed(tree)
        ends = parts.node[np.argsort(parts.row)]
        wrong.append(tree.label[ends, 0] != rows.target[:, 0])
    return np.array(wrong)


def test_held_out_risk_is_that_of_every_tree_asked_for_every_row(noisy):
    X, y = noisy
    columns = encode(X, y, task="classes")
    grown, held = columns.take(np.arange(200)), columns.take(np.arange(200, 300))
    model = grow_tree(grown, COMPLEXITY)
    path = pruning_path(model.trees[0], model.schema.target)
    alphas = between(path.alphas)
    rows = LabelledRows.of_columns(held, model.schema)
    fast = held_out_risk(path, alphas, rows, model.schema.target)
    slow = slow_risk(grown, held, COMPLEXITY, np.append(alphas[:-1], 1e9))
    np.testing.assert_allclose(fast.risk, slow.mean(axis=1))
    np.testing.assert_allclose(fast.standard_error, slow.std(axis=1) / 10)


def test_cross_validation_adds_up_the_errors_of_the_folds(noisy):
    X, y = noisy
    columns = encode(X, y, task="classes")
    folds = np.arange(300) % 3
    table = grow_tree(columns, CROSS_VALIDATED, folds=folds).pruning_table
    whole = grow_tree(columns, COMPLEXITY)
    path = pruning_path(whole.trees[0], whole.schema.target)
    alphas = np.append(between(path.alphas)[:-1], 1e9)
    wrong = np.concatenate(
        [
            slow_risk(
                columns.take(np.flatnonzero(folds != fold)),
                columns.take(np.flatnonzero(folds == fold)),
                COMPLEXITY,
                alphas,
            )
            for fold in range(3)
        ],
        axis=1,
    )
    np.testing.assert_allclose(table.alpha, path.alphas)
    np.testing.assert_allclose(table.validation_error, wrong.mean(axis=1))
    least = np.flatnonzero(wrong.mean(axis=1) == wrong.mean(axis=1).min())[-1]
    assert table.chosen == least


def test_one_standard_error_takes_a_smaller_tree(noisy):
    X, y = noisy
    switches = {"pruning": "cost_complexity", "alpha_choice": "cross_validation"}
    minimum = tw.CARTClassifier(**switches).fit(X, y)
    smaller = tw.CARTClassifier(**switches, alpha_rule="one_se").fit(X, y)
    grown = tw.CARTClassifier().fit(X, y)
    assert smaller.get_n_leaves() <= minimum.get_n_leaves() < grown.get_n_leaves()
    table = smaller.pruning_path_
    least = table.validation_error.argmin()
    limit = table.validation_error[least] + table.standard_error[least]
    assert table.validation_error[table.chosen] <= limit
    assert (table.validation_error[table.chosen + 1 :] > limit).all()


def test_rules_take_the_least_risk_and_the_largest_alpha_near_it():
    # risks 0.30, 0.20, 0.20, 0.21, 0.50 of 100 rows; standard error of 0.2 is 0.04
    losses = np.array([30.0, 20.0, 20.0, 21.0, 50.0])
    risk = HeldOutRisk(losses, losses, 100.0)
    assert risk.standard_error[1] == pytest.approx(0.04)
    assert risk.best_step("minimum") == 2
    assert risk.best_step("one_se") == 3


def test_alpha_by_validation_rows_has_their_least_error(noisy):
    X, y = noisy
    tree = tw.CARTClassifier(pruning="cost_complexity", alpha_choice="validation")
    tree.fit(X[:200], y[:200], validation=(X[200:], y[200:]))
    table = tree.pruning_path_
    assert 1 - tree.score(X[200:], y[200:]) == pytest.approx(
        table.validation_error.min()
    )
    assert tree.get_n_leaves() == table.n_leaves[table.chosen]


def test_validation_share_prunes_numbers(noisy):
    X, y = load_diabetes(return_X_y=True)
    tree = tw.CARTRegressor(
        pruning="cost_complexity", alpha_choice="validation", validation_share=0.3
    ).fit(X, y)
    assert 1 < tree.get_n_leaves() < 40


def test_cross_validation_of_numbers_beats_the_whole_tree():
    X, y = load_diabetes(return_X_y=True)
    tree = tw.CARTRegressor(
        pruning="cost_complexity", alpha_choice="cross_validation", n_folds=5
    ).fit(X, y)
    table = tree.pruning_path_
    assert table.validation_error[table.chosen] < 0.7 * table.validation_error[0]


def test_folds_do_not_depend_on_the_order_of_the_rows(noisy):
    X, y = noisy
    order = np.random.default_rng(0).permutation(300)
    tree = tw.CARTClassifier(
        pruning="cost_complexity", alpha_choice="cross_validation", n_folds=4
    )
    first = tree.fit(X, y).pruning_path_
    second = tree.fit(X[order], y[order]).pruning_path_
    np.testing.assert_array_equal(first.validation_error, second.validation_error)


def test_folds_have_the_classes_in_proportion():
    X, y = load_iris(return_X_y=True)
    columns = encode(X, y, task="classes")
    for random_state in (None, 3):
        folds = stratified_folds(columns, COMPLEXITY.change(random_state=random_state))
        counts = np.histogram2d(folds, y, bins=(10, 3))[0]
        assert counts.min() == counts.max() == 5


def test_ccp_alpha_alone_asks_for_the_pruning():
    X, y = load_iris(return_X_y=True)
    assert tw.CARTClassifier(ccp_alpha=0.02).fit(X, y).get_n_leaves() == 4
    assert tw.CARTClassifier().fit(X, y).get_n_leaves() == 9


def test_cp_is_alpha_as_a_share_of_the_impurity_of_the_root():
    X, y = load_iris(return_X_y=True)
    root = 2 / 3  # gini of three equal classes
    by_alpha = tw.CARTClassifier(ccp_alpha=0.02).fit(X, y)
    by_cp = tw.CARTClassifier(pruning="cost_complexity", cp=0.02 / root).fit(X, y)
    assert by_alpha.fingerprint() == by_cp.fingerprint()


@pytest.mark.parametrize(
    ("start", "switches", "names"),
    [
        (CART, {"ccp_alpha": -1.0}, ("ccp_alpha", -1.0)),
        (
            CART,
            {"ccp_alpha": 0.1, "pruning": "pessimistic"},
            ("pruning='cost_complexity'", "ccp_alpha=0"),
        ),
        (CART, {"cp": 0.1}, ("pruning='cost_complexity'", "cp=None")),
        (COMPLEXITY, {"cp": 0.1, "ccp_alpha": 0.1}, ("cp=None", "ccp_alpha=0")),
        (
            CART,
            {"alpha_choice": "cross_validation"},
            ("pruning='cost_complexity'", "alpha_choice='fixed'"),
        ),
        (
            CROSS_VALIDATED,
            {"ccp_alpha": 0.1},
            ("ccp_alpha=0", "alpha_choice='fixed'"),
        ),
        (
            COMPLEXITY,
            {"alpha_rule": "one_se"},
            ("alpha_rule='one_se'", "alpha_choice='cross_validation'", "'validation'"),
        ),
        (
            CART_NUMBERS,
            {"complexity_by": "misclassification"},
            ("complexity_by='misclassification'", "complexity_by='impurity'"),
        ),
        (
            COMPLEXITY,
            {"weakest_links": "one_pass", "missing": "own_branch"},
            (
                "weakest_links='one_pass'",
                "weakest_links='exact'",
                "nominal_splits='subset'",
                "missing='majority'",
            ),
        ),
        (CART, {"n_folds": 1}, ("n_folds", 1)),
    ],
)
def test_switches_that_do_not_go_together_are_refused(start, switches, names):
    with refused(SettingError, *names):
        start.change(**switches)


@pytest.mark.parametrize(
    ("folds", "names"),
    [
        ([0, 1], ("folds", "(2,)", "150 rows")),
        (np.zeros(150), ("folds", "(150,)", "float64", "150 rows")),
        (np.zeros(150, int), ("folds", "fold 0")),
    ],
)
def test_bad_folds_are_refused(folds, names):
    X, y = load_iris(return_X_y=True)
    tree = tw.CARTClassifier(pruning="cost_complexity", alpha_choice="cross_validation")
    with refused(SettingError, *names):
        tree.fit(X, y, folds=folds)


def test_folds_that_nothing_needs_are_refused():
    X, y = load_iris(return_X_y=True)
    with refused(SettingError, "folds", "alpha_choice='cross_validation'", "'fixed'"):
        tw.CARTClassifier().fit(X, y, folds=np.arange(150) % 5)


def test_more_folds_than_rows_are_refused():
    tree = tw.CARTClassifier(pruning="cost_complexity", alpha_choice="cross_validation")
    with refused(DataError, "n_folds=10", "4 rows"):
        tree.fit([[1], [2], [3], [4]], list("abab"))


def test_validation_that_lacks_rows_is_refused():
    X, y = load_iris(return_X_y=True)
    tree = tw.CARTClassifier(pruning="cost_complexity", alpha_choice="validation")
    with refused(
        SettingError, "alpha_choice='validation'", "validation_share", "(X, y)"
    ):
        tree.fit(X, y)


def test_table_of_a_tree_that_was_not_pruned_is_refused():
    X, y = load_iris(return_X_y=True)
    with refused(AttributeError, "pruning='cost_complexity'", "dialect='rpart'"):
        tw.CARTClassifier().fit(X, y).complexity_table_  # noqa: B018


@pytest.mark.slow
@parametrize_with_checks(
    [
        tw.CARTClassifier(dialect="rpart", min_samples_split=2, min_samples_leaf=1),
        tw.CARTRegressor(cp=0.0, pruning="cost_complexity"),
    ]
)
def test_pruned_trees_pass_the_checks_of_scikit_learn(estimator, check):
    check(estimator)
