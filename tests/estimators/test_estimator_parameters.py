"""Parameters: ranges checked at fit, misspelt names, contradictions, threads."""

from __future__ import annotations

import inspect
import math
import pickle

import numpy as np
import pytest

from refusals import refused, warned
from treewright import (
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    TreeClassifier,
    TreeRegressor,
)
from treewright.errors import DataError, SettingError, TreewrightError
from treewright.estimators.parts.settings import checked_dialect
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.id3 import ID3

ALL = [CARTClassifier, CARTRegressor, ID3Classifier, TreeClassifier, TreeRegressor]
X = [[1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [4.0, 8.0]]
Y = [0, 1, 1, 0]

MISSING = (
    "'error', 'own_branch', 'majority', 'fractional', 'learned', 'most_common', "
    "'most_common_in_node', 'most_common_in_class', 'surrogates'"
)

# what the message names besides the parameter and its value: what may be given
OUT_OF_RANGE = [
    ("max_depth", -1, [None, 1]),
    ("max_depth", 0, [None, 1]),
    ("max_depth", 2.0, [None, 1]),
    ("max_depth", "3", [None, 1]),
    ("max_depth", True, [None, 1]),
    ("max_leaf_nodes", 1, [None, 2]),
    ("min_samples_split", 1, [2, 0, 1]),
    ("min_samples_leaf", 0, [1, 0]),
    ("min_samples_leaf", 1.5, [1, 0]),
    ("min_samples_leaf", math.nan, [1, 0]),
    ("min_weight_leaf", -0.5, [0]),
    ("min_weight_leaf", math.inf, [0]),
    ("min_weight_fraction_leaf", 0.6, [0, 0.5]),
    ("min_impurity", math.nan, [0]),
    ("min_gain", "a", [0]),
    ("min_impurity_decrease", -1, [0]),
    ("missing", "drop", [MISSING]),
    ("unseen", "skip", ["'stop', 'missing', 'error'"]),
    ("strict", "yes", [True, False]),
    ("drop_missing_target", 2, [True, False]),
    ("feature_kinds", ["a"], [None, "dict"]),
    ("n_jobs", 0, [None, -1, 1]),
    ("n_jobs", 1.5, [None, "whole"]),
    ("n_jobs", "all", [None, "whole"]),
]


@pytest.mark.parametrize(("name", "value", "allowed"), OUT_OF_RANGE)
@pytest.mark.parametrize("estimator", ALL)
def test_parameter_out_of_allowedis_refused_at_fit(estimator, name, value, allowed):
    tree = estimator(**{name: value})  # the constructor checks nothing
    with refused(SettingError, name, repr(value), *allowed) as refusal:
        tree.fit(X, Y)
    assert isinstance(refusal.value, ValueError)
    assert not hasattr(tree, "model_")


@pytest.mark.parametrize(
    ("estimator", "criterion", "names"),
    [
        (
            CARTClassifier,
            "gain",
            [
                "'entropy', 'gain_ratio', 'gini', 'classification_error', "
                "'squared_error', 'absolute_error'"
            ],
        ),
        (CARTClassifier, "squared_error", ["CARTClassifier"]),
        (TreeRegressor, "gini", ["TreeRegressor"]),
    ],
)
def test_criterion_must_fit_the_target(estimator, criterion, names):
    with refused(SettingError, "criterion", repr(criterion), *names):
        estimator(criterion=criterion).fit(X, Y)


@pytest.mark.parametrize(
    ("class_weight", "names"),
    [
        ("heavy", ["'heavy'", None, "'balanced'"]),
        ([{0: 1}, {1: 2}], ["[{0: 1}, {1: 2}]", None, "'balanced'"]),
        ({"0": 2.0}, ["'0'", "0, 1"]),
        ({0: -1}, [0, -1]),
        ({0: "a"}, [0, "'a'"]),
        ({0: 0, 1: 0}, ["row", 0]),
    ],
    ids=str,
)
def test_wrong_class_weight_is_refused(class_weight, names):
    with refused(SettingError, "class_weight", *names):
        CARTClassifier(class_weight=class_weight).fit(X, Y)


def test_class_weights_of_several_outputs_need_a_list():
    both = np.column_stack([Y, Y])
    with refused(SettingError, "class_weight", {0: 1}, "2 dicts"):
        CARTClassifier(class_weight={0: 1}).fit(X, both)
    tree = CARTClassifier(class_weight=[{0: 2}, {1: 3}]).fit(X, both)
    # rows of class 0 weigh 2 by the first output, rows of class 1 weigh 3 by the second
    assert tree.tree_.weight[0] == 2 * 2 + 3 * 2


def test_class_of_weight_zero_is_absent_but_known():
    tree = CARTClassifier(class_weight={1: 0}).fit(X, Y)
    assert tree.classes_.tolist() == [0, 1]
    assert tree.tree_.n_rows[0] == 2
    assert tree.predict(X).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("estimator", ALL)
def test_numpy_scalars_are_numbers(estimator):
    plain = estimator(max_depth=3, min_samples_leaf=1, min_impurity=0.25)
    numpy = estimator(
        max_depth=np.int64(3),
        min_samples_leaf=np.uint8(1),
        min_impurity=np.float32(0.25),
        n_jobs=np.int32(2),
    )
    table = {"a": ["u", "v", "u", "w"], "b": ["p", "p", "q", "q"]}
    expected = pickle.dumps(plain.fit(table, Y).model_.settings)
    assert pickle.dumps(numpy.fit(table, Y).model_.settings) == expected


def test_share_of_the_rows_may_be_any_float():
    table, y = np.arange(10.0)[:, None], [0, 1] * 5
    leaves = [
        CARTClassifier(min_samples_leaf=share).fit(table, y).get_n_leaves()
        for share in (0.25, np.float32(0.25), 3)
    ]
    assert leaves == [3, 3, 3]


@pytest.mark.parametrize("estimator", ALL)
def test_misspelt_keyword_gets_a_suggestion(estimator):
    with refused(
        TypeError, estimator.__name__, "'max_dpeth'", "'max_depth'"
    ) as refusal:
        estimator(max_dpeth=3)
    assert isinstance(refusal.value, TreewrightError)


def test_keyword_like_no_other_gets_the_list():
    with refused(TypeError, "ID3Classifier", "'zzz'", "chi_square_level, class_weight"):
        ID3Classifier(zzz=3)
    with refused(TypeError, "ID3Classifier", "'numeric_splits'", "chi_square_level"):
        ID3Classifier(numeric_splits="midpoint")


def test_misspelt_name_in_set_params_changes_nothing():
    tree = CARTClassifier()
    with refused(ValueError, "CARTClassifier", "'maxdepth'", "'max_depth'"):
        tree.set_params(min_gain=1.0, maxdepth=3)
    assert tree.min_gain == 0.0


def test_positional_arguments_are_refused():
    with refused(TypeError, "CARTClassifier.__init__()", "positional"):
        CARTClassifier("gini")


def test_numeric_column_of_a_named_table_is_refused_by_id3():
    table = {"Outlook": ["Sunny", "Rain", "Rain", "Sunny"], "Degrees": [20, 18, 9, 30]}
    ways = ["discretize='quartiles'", "feature_kinds={'Degrees': 'nominal'}", "cart"]
    with refused(DataError, "'Degrees'", "id3", *ways):
        ID3Classifier().fit(table, Y)
    kinds = {"Degrees": "nominal"}
    assert ID3Classifier(feature_kinds=kinds).fit(table, Y).score(table, Y) == 1.0


def test_id3_takes_the_numbers_of_an_array_as_categories():
    table = np.array([[3, 0], [1, 0], [1, 1], [3, 1]])
    tree = ID3Classifier().fit(table, Y)
    assert [feature.kind for feature in tree.model_.schema.features] == ["nominal"] * 2
    assert tree.predict(table.astype(float)).tolist() == Y


def test_id3_warns_of_fractions_in_an_array():
    ways = [
        "CARTClassifier",
        "discretize='quartiles'",
        "feature_kinds={'x0': 'nominal'}",
    ]
    with warned(UserWarning, "ID3Classifier", "'x0'", *ways) as caught:
        ID3Classifier().fit([[0.5, 1.0], [1.5, 2.0], [2.5, 1.0], [3.5, 2.0]], Y)
    assert caught[0].filename == __file__


def test_id3_does_not_warn_of_what_was_declared():
    kinds = {"x0": "nominal"}
    tree = ID3Classifier(feature_kinds=kinds).fit([[0.5], [1.5], [2.5], [3.5]], Y)
    assert tree.score([[0.5], [1.5]], [0, 1]) == 1.0


def test_refusal_of_numbers_can_be_asked_for():
    with refused(DataError, "'x0', 'x1'", "numeric", "tree"):
        TreeClassifier(numeric_splits="refuse").fit(X, Y)


@pytest.mark.parametrize("n_jobs", [None, -1, 1, 2, 10**6])
def test_any_number_of_threads_fits(n_jobs):
    tree = CARTClassifier(n_jobs=n_jobs).fit(X, Y)
    assert tree.score(X, Y) == 1.0


def test_too_many_threads_are_capped_with_a_note():
    tree = CARTClassifier(n_jobs=10**6).fit(X, Y)
    [note] = tree.notes_
    assert note.startswith("n_jobs is 1000000; ")
    assert note.endswith(" threads are enough here")


@pytest.mark.parametrize(
    ("estimator", "dialect"),
    [
        (ID3Classifier, ID3),
        (CARTClassifier, CART),
        (CARTRegressor, CART_NUMBERS),
        (TreeClassifier, CART),
        (TreeRegressor, CART_NUMBERS),
    ],
)
def test_defaults_are_those_of_the_dialect(estimator, dialect):
    assert checked_dialect(estimator()).settings() == dialect.settings()


@pytest.mark.parametrize("estimator", ALL)
def test_docstring_tells_every_parameter_and_its_default(estimator):
    text = inspect.getdoc(estimator)
    for name, parameter in inspect.signature(estimator).parameters.items():
        assert f"\n{name} : " in text
        assert f"default={parameter.default!r}\n" in text
    assert "{parameters}" not in text
