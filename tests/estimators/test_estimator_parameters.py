"""Parameters: ranges checked at fit, misspelt names, contradictions, threads."""

from __future__ import annotations

import inspect
import math
import pickle

import numpy as np
import pytest

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

WHOLE = "it must be None or a whole number from {} up"
ROWS = "it must be a whole number from {} up, or a share of the rows between 0 and 1"
NUMBER = "it must be a number from 0 up"

OUT_OF_RANGE = [
    ("max_depth", -1, WHOLE.format(1)),
    ("max_depth", 0, WHOLE.format(1)),
    ("max_depth", 2.0, WHOLE.format(1)),
    ("max_depth", "3", WHOLE.format(1)),
    ("max_depth", True, WHOLE.format(1)),
    ("max_leaf_nodes", 1, WHOLE.format(2)),
    ("min_samples_split", 1, ROWS.format(2)),
    ("min_samples_leaf", 0, ROWS.format(1)),
    ("min_samples_leaf", 1.5, ROWS.format(1)),
    ("min_samples_leaf", math.nan, ROWS.format(1)),
    ("min_weight_leaf", -0.5, NUMBER),
    ("min_weight_leaf", math.inf, NUMBER),
    ("min_weight_fraction_leaf", 0.6, "it must be a number from 0 to 0.5"),
    ("min_impurity", math.nan, NUMBER),
    ("min_gain", "a", NUMBER),
    ("min_impurity_decrease", -1, NUMBER),
    (
        "missing",
        "drop",
        "it must be one of 'error', 'own_branch', 'majority', 'fractional', "
        "'learned', 'most_common', 'most_common_in_node', "
        "'most_common_in_class', 'surrogates'",
    ),
    ("unseen", "skip", "it must be one of 'stop', 'missing', 'error'"),
    ("strict", "yes", "it must be True or False"),
    ("drop_missing_target", 2, "it must be True or False"),
    ("feature_kinds", ["a"], "it must be None or a dict from column names to kinds"),
    ("n_jobs", 0, "it must be None, -1 or at least 1"),
    ("n_jobs", 1.5, "it must be None or a whole number"),
    ("n_jobs", "all", "it must be None or a whole number"),
]


@pytest.mark.parametrize(("name", "value", "allowed"), OUT_OF_RANGE)
@pytest.mark.parametrize("estimator", ALL)
def test_parameter_out_of_allowedis_refused_at_fit(estimator, name, value, allowed):
    tree = estimator(**{name: value})  # the constructor checks nothing
    with pytest.raises(SettingError) as refusal:
        tree.fit(X, Y)
    assert str(refusal.value) == f"{name} is {value!r}; {allowed}"
    assert isinstance(refusal.value, ValueError)
    assert not hasattr(tree, "model_")


@pytest.mark.parametrize(
    ("estimator", "criterion", "message"),
    [
        (
            CARTClassifier,
            "gain",
            "criterion is 'gain'; it must be one of 'entropy', 'gain_ratio', 'gini', "
            "'classification_error', 'squared_error', 'absolute_error'",
        ),
        (
            CARTClassifier,
            "squared_error",
            "criterion is 'squared_error', which is for numbers, and CARTClassifier is "
            "for classes; choose another criterion or the other estimator",
        ),
        (
            TreeRegressor,
            "gini",
            "criterion is 'gini', which is for classes, and TreeRegressor is for "
            "numbers; choose another criterion or the other estimator",
        ),
    ],
)
def test_criterion_must_fit_the_target(estimator, criterion, message):
    with pytest.raises(SettingError) as refusal:
        estimator(criterion=criterion).fit(X, Y)
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        (
            "heavy",
            "class_weight is 'heavy'; it must be None, 'balanced' or a dict with the "
            "weight of each class",
        ),
        (
            [{0: 1}, {1: 2}],
            "class_weight is [{0: 1}, {1: 2}]; it must be None, 'balanced' or a dict "
            "with the weight of each class",
        ),
        (
            {"0": 2.0},
            "class_weight names '0', which is no class of the target, and leaves out "
            "0, 1; correct the names of the classes",
        ),
        ({0: -1}, "class_weight of 0 is -1; it must be a finite number from 0 up"),
        ({0: "a"}, "class_weight of 0 is 'a'; it must be a finite number from 0 up"),
        (
            {0: 0, 1: 0},
            "class_weight gives every row the weight 0; at least 1 class of the target "
            "needs a weight above 0",
        ),
    ],
    ids=str,
)
def test_wrong_class_weight_is_refused(class_weight, message):
    with pytest.raises(SettingError) as refusal:
        CARTClassifier(class_weight=class_weight).fit(X, Y)
    assert str(refusal.value) == message


def test_class_weights_of_several_outputs_need_a_list():
    both = np.column_stack([Y, Y])
    with pytest.raises(SettingError, match="a list of 2 dicts"):
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
    with pytest.raises(TypeError) as refusal:
        estimator(max_dpeth=3)
    assert str(refusal.value) == (
        f"unknown parameter of {estimator.__name__} 'max_dpeth'; "
        "did you mean 'max_depth'?"
    )
    assert isinstance(refusal.value, TreewrightError)


def test_keyword_like_no_other_gets_the_list():
    with pytest.raises(TypeError, match="known: chi_square_level, class_weight, "):
        ID3Classifier(zzz=3)
    with pytest.raises(TypeError, match="'numeric_splits'; known: "):
        ID3Classifier(numeric_splits="midpoint")


def test_misspelt_name_in_set_params_changes_nothing():
    tree = CARTClassifier()
    with pytest.raises(ValueError, match="did you mean 'max_depth'"):
        tree.set_params(min_gain=1.0, maxdepth=3)
    assert tree.min_gain == 0.0


def test_positional_arguments_are_refused():
    with pytest.raises(TypeError, match="positional"):
        CARTClassifier("gini")


def test_numeric_column_of_a_named_table_is_refused_by_id3():
    table = {"Outlook": ["Sunny", "Rain", "Rain", "Sunny"], "Degrees": [20, 18, 9, 30]}
    with pytest.raises(DataError) as refusal:
        ID3Classifier().fit(table, Y)
    message = str(refusal.value)
    assert message.startswith("feature 'Degrees' is numeric, and id3 splits nominal ")
    assert "discretize='quartiles'" in message
    assert "feature_kinds={'Degrees': 'nominal'}" in message
    assert "use cart" in message
    kinds = {"Degrees": "nominal"}
    assert ID3Classifier(feature_kinds=kinds).fit(table, Y).score(table, Y) == 1.0


def test_id3_takes_the_numbers_of_an_array_as_categories():
    table = np.array([[3, 0], [1, 0], [1, 1], [3, 1]])
    tree = ID3Classifier().fit(table, Y)
    assert [feature.kind for feature in tree.model_.schema.features] == ["nominal"] * 2
    assert tree.predict(table.astype(float)).tolist() == Y


def test_id3_warns_of_fractions_in_an_array():
    with pytest.warns(UserWarning) as caught:
        ID3Classifier().fit([[0.5, 1.0], [1.5, 2.0], [2.5, 1.0], [3.5, 2.0]], Y)
    assert [str(warning.message) for warning in caught] == [
        "ID3Classifier takes the numbers of a table without column names as names of "
        "categories, and there are fractions in 'x0'; if these are amounts, use "
        "CARTClassifier or divide them into intervals (discretize='quartiles', say), "
        "otherwise declare them (feature_kinds={'x0': 'nominal'})"
    ]
    assert caught[0].filename == __file__


def test_id3_does_not_warn_of_what_was_declared():
    kinds = {"x0": "nominal"}
    tree = ID3Classifier(feature_kinds=kinds).fit([[0.5], [1.5], [2.5], [3.5]], Y)
    assert tree.score([[0.5], [1.5]], [0, 1]) == 1.0


def test_refusal_of_numbers_can_be_asked_for():
    with pytest.raises(DataError, match="features 'x0', 'x1' are numeric, and tree"):
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
