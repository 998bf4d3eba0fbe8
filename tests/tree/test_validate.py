"""Every invariant of a tree, each broken on its own."""

from __future__ import annotations

from dataclasses import replace

import handmade
import numpy as np
import pytest

from refusals import refused
from treewright.data.schema import Feature
from treewright.errors import ModelFileError
from treewright.tree import validate_model, validate_tree
from treewright.tree.structure.tree import Reason

NAN = np.nan

# name of the case: model, array, position, value, node, what else the message names
BREAKS = {
    "unknown kind": ("tennis", "kind", 0, 8, 0, "kind", "0 to 7"),
    "feature too large": ("tennis", "feature", 2, 4, 2, "feature", "0 to 3"),
    "feature negative": ("tennis", "feature", 2, -2, 2, "feature", "0 to 3"),
    "feature at a leaf": ("tennis", "feature", 1, 0, 1, "leaf", "feature -1"),
    "child too large": ("tennis", "first_child", 3, 7, 3, "8 nodes"),
    "child huge": ("tennis", "first_child", 3, 2**31 - 1, 3, "8 nodes"),
    "child before parent": ("tennis", "first_child", 3, 1, 3, "children", "parent"),
    "child of itself": ("tennis", "first_child", 3, 3, 3, "children", "parent"),
    "shared child": ("tennis", "first_child", 3, 4, 4, "root", "1 parent", 2),
    "child at a leaf": ("tennis", "first_child", 1, 6, 1, "leaf", "first_child -1"),
    "children at a leaf": ("tennis", "n_children", 1, 2, 1, "leaf", "0 children"),
    "unreachable node": ("subsets", "n_children", 3, 2, 9, "root", "1 parent", 0),
    "too few branches": ("tennis", "n_children", 0, 1, 0, "inner node", "2 children"),
    "negative children": ("tennis", "n_children", 0, -3, 0, "inner node", "2 children"),
    "infinite threshold": ("cart", "threshold", 0, np.inf, 0, "threshold", "finite"),
    "no threshold": ("cart", "threshold", 0, NAN, 0, "threshold", "finite"),
    "threshold at a leaf": ("cart", "threshold", 1, 0.0, 1, "threshold", "NaN"),
    "ordinal past the end": ("subsets", "threshold", 1, 2.0, 1, "threshold", "index"),
    "ordinal fraction": ("subsets", "threshold", 1, 0.5, 1, "threshold", "index"),
    "wide past the cuts": ("wide", "threshold", 0, 2.0, 0, "threshold", "index"),
    "wide negative": ("wide", "threshold", 0, -1.0, 0, "threshold", "index"),
    "missing too large": ("cart", "missing_branch", 0, 2, 0, "missing_branch", 2),
    "missing negative": ("cart", "missing_branch", 0, -3, 0, "missing_branch", -3),
    "divided at a leaf": ("cart", "missing_branch", 1, -2, 1, "question", "value"),
    "divided, own branch": ("subsets", "missing_branch", 3, -2, 3, "last branch"),
    "missing at a leaf": ("cart", "missing_branch", 1, 0, 1, "missing_branch", 0),
    "own branch unused": ("subsets", "missing_branch", 3, 0, 3, "last branch"),
    "set code too large": ("subsets", "set_codes", 1, 4, 0, "set codes", 4),
    "set code negative": ("subsets", "set_codes", 0, -1, 0, "set codes", -1),
    "set not ascending": ("subsets", "set_codes", 1, 0, 0, "set codes", 0),
    "set outside": ("subsets", "set_start", 1, 99, 0, "set_start", 3, 99),
    "set falls": ("subsets", "set_start", 1, -1, 0, "set_start", "fall", -1),
    "set at a cut": ("subsets", "set_start", 2, 3, 1, "questions", "sets"),
    "group without end": ("groups", "set_codes", 0, 5, 0, "groups", "category", 4),
    "group far away": ("groups", "set_codes", 0, 2**31 - 1, 0, "groups", "category", 4),
    "group negative": ("groups", "set_codes", 0, -1, 0, "branches", "numbered", -1),
    "one group more": ("groups", "set_codes", 0, 3, 0, "branches", "question", 3),
    "group left out": ("groups", "set_codes", 3, 1, 0, "last branch"),
    "one group": ("groups", "set_codes", 5, 1, 1, "groups", "category", 1),
    "too few groups": ("groups", "set_start", 1, 3, 0, "groups", "branch", 3),
    "groups, own branch": ("groups", "missing_branch", 1, 1, 1, "last branch"),
    "groups at a leaf": ("groups", "kind", 1, 4, 1, "set codes"),
    "label too large": ("tennis", "label", (2, 0), 2, 2, "labels", "codes", "[2]"),
    "label negative": ("tennis", "label", (2, 0), -2, 2, "labels", "codes", "[-2]"),
    "weight infinite": ("tennis", "weight", 4, np.inf, 4, "weight", "finite"),
    "weight negative": ("tennis", "weight", 4, -1.0, 4, "weight", "negative"),
    "class weight NaN": ("tennis", "value", (4, 1), NAN, 4, "value", "finite"),
    "class negative": ("tennis", "value", (4, 1), -1.0, 4, "class weights", "negative"),
    "prediction NaN": ("regression", "value", (1, 0), NAN, 1, "value", "finite"),
    "rows negative": ("tennis", "n_rows", 4, -1, 4, "n_rows", "negative"),
    "impurity NaN": ("tennis", "impurity", 4, NAN, 4, "impurity", "finite"),
    "gain infinite": ("tennis", "gain", 0, np.inf, 0, "gain", "finite"),
    "unknown reason": ("tennis", "reason", 1, 99, 1, "reason", f"0 to {max(Reason):d}"),
    "reason inside": ("tennis", "reason", 0, 1, 0, "leaf", "reason"),
}


def broken(name, array, position, value):
    model = handmade.ALL[name]()
    changed = getattr(model.trees[0], array).copy()
    changed[position] = value
    return replace(model, trees=(replace(model.trees[0], **{array: changed}),))


@pytest.mark.parametrize("name", handmade.ALL)
def test_good_models_pass(name):
    validate_model(handmade.ALL[name]())


@pytest.mark.parametrize("case", BREAKS)
def test_broken_invariant_names_tree_and_node(case):
    model, array, position, value, node, *names = BREAKS[case]
    with refused(ModelFileError, "tree 0", f"node {node}", *names):
        validate_model(broken(model, array, position, value))


def test_tree_number_is_named():
    model = broken("tennis", "weight", 4, -1.0)
    with refused(ModelFileError, "tree 7", "node 4"):
        validate_tree(model.trees[0], model.schema, number=7)


@pytest.mark.parametrize("array", ["kind", "threshold", "set_start", "value", "label"])
def test_arrays_of_other_length_are_refused(array):
    model = handmade.tennis()
    cut = getattr(model.trees[0], array)[:-1]
    with refused(ModelFileError, "tree 0", "shape"):
        validate_tree(replace(model.trees[0], **{array: cut}), model.schema)


def test_other_dtype_is_refused():
    model = handmade.tennis()
    tree = replace(model.trees[0], feature=model.trees[0].feature.astype(np.int64))
    with refused(ModelFileError, "tree 0", "feature", "int32", "int64"):
        validate_tree(tree, model.schema)


@pytest.mark.parametrize(
    ("kind", "is_good"), [("numeric", False), ("ordinal", True), ("nominal", True)]
)
def test_multiway_question_needs_categories(kind, is_good):
    model = handmade.tennis()
    feature = replace(model.schema.features[0], kind=kind)
    if kind == "numeric":
        feature = replace(feature, categories=())
    features = (feature, *model.schema.features[1:])
    schema = replace(model.schema, features=features)
    if is_good:
        validate_tree(model.trees[0], schema)
        return
    with refused(ModelFileError, "tree 0", "node 0", "feature", "categories"):
        validate_tree(model.trees[0], schema)


def test_cut_needs_a_number():
    model = handmade.cart()
    features = (
        Feature("petal length", "nominal", ("a", "b")),
        model.schema.features[1],
    )
    with refused(ModelFileError, "tree 0", "node 0", "feature", "cut"):
        validate_tree(model.trees[0], replace(model.schema, features=features))


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"name": "Wind"}, ("feature 'Wind'", "twice")),
        (
            {"categories": ("a", "a", "b")},
            ("feature 'Outlook'", """category '"a"'""", "twice"),
        ),
        ({"storage": "int64"}, ("feature 'Outlook'", "nominal", "int64")),
        ({"kind": "numeric"}, ("feature 'Outlook'", "numeric", "categories")),
    ],
)
def test_schema_contradictions_are_refused(change, names):
    model = handmade.tennis()
    feature = replace(model.schema.features[0], **change)
    schema = replace(model.schema, features=(feature, *model.schema.features[1:]))
    with refused(ModelFileError, *names):
        validate_model(replace(model, schema=schema))


def test_cuts_must_ascend():
    model = handmade.wide()
    feature = replace(model.schema.features[0], cuts=np.array([5, 5]))
    schema = replace(model.schema, features=(feature, *model.schema.features[1:]))
    with refused(ModelFileError, "feature 'id'", "cuts"):
        validate_model(replace(model, schema=schema))


@pytest.mark.parametrize(
    "target",
    [
        handmade.Target("classes", ("a", "b"), (("x",),)),
        handmade.Target("classes", (), ()),
        handmade.Target("numbers", ("a",), (("x",),)),
        handmade.Target("classes", ("a",), (("x", "x"),)),
    ],
)
def test_target_contradictions_are_refused(target):
    model = handmade.tennis()
    with refused(ModelFileError, "target"):
        validate_model(replace(model, schema=replace(model.schema, target=target)))


def test_model_needs_a_tree_and_a_known_rule():
    model = handmade.tennis()
    with refused(ModelFileError, "model", "trees"):
        validate_model(replace(model, trees=()))
    with refused(ModelFileError, "unseen", "stop, missing, error", "'guess'"):
        validate_model(replace(model, unseen="guess"))
