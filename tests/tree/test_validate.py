"""Every invariant of a tree, each broken on its own."""

from __future__ import annotations

from dataclasses import replace

import handmade
import numpy as np
import pytest

from treewright.data.schema import Feature
from treewright.errors import ModelFileError
from treewright.tree import validate_model, validate_tree
from treewright.tree.structure.tree import Reason

NAN = np.nan

# name of the case: model, array, position, value, words of the message
BREAKS = {
    "unknown kind": ("tennis", "kind", 0, 8, "node 0: kind must be"),
    "feature too large": ("tennis", "feature", 2, 4, "node 2: feature must be 0 to 3"),
    "feature negative": ("tennis", "feature", 2, -2, "node 2: feature must be 0 to 3"),
    "feature at a leaf": ("tennis", "feature", 1, 0, "node 1: a leaf has feature -1"),
    "child too large": ("tennis", "first_child", 3, 7, "node 3: there are 8 nodes"),
    "child huge": ("tennis", "first_child", 3, 2**31 - 1, "node 3: there are 8 nodes"),
    "child before parent": ("tennis", "first_child", 3, 1, "node 3: children come"),
    "child of itself": ("tennis", "first_child", 3, 3, "node 3: children come"),
    "shared child": ("tennis", "first_child", 3, 4, "node 4: every node but the root"),
    "child at a leaf": ("tennis", "first_child", 1, 6, "node 1: a leaf has first_ch"),
    "children at a leaf": ("tennis", "n_children", 1, 2, "node 1: a leaf has 0 chil"),
    "unreachable node": ("subsets", "n_children", 3, 2, "node 9: every node but the"),
    "too few branches": ("tennis", "n_children", 0, 1, "node 0: an inner node has at"),
    "negative children": ("tennis", "n_children", 0, -3, "node 0: an inner node has"),
    "infinite threshold": ("cart", "threshold", 0, np.inf, "node 0: threshold must be"),
    "no threshold": ("cart", "threshold", 0, NAN, "node 0: threshold must be finite"),
    "threshold at a leaf": ("cart", "threshold", 1, 0.0, "node 1: threshold must be N"),
    "ordinal past the end": ("subsets", "threshold", 1, 2.0, "node 1: threshold must"),
    "ordinal fraction": ("subsets", "threshold", 1, 0.5, "node 1: threshold must be"),
    "wide past the cuts": ("wide", "threshold", 0, 2.0, "node 0: threshold must be an"),
    "wide negative": ("wide", "threshold", 0, -1.0, "node 0: threshold must be an ind"),
    "missing too large": ("cart", "missing_branch", 0, 2, "node 0: missing_branch"),
    "missing negative": ("cart", "missing_branch", 0, -3, "node 0: missing_branch"),
    "divided at a leaf": ("cart", "missing_branch", 1, -2, "node 1: only a question"),
    "divided, own branch": ("subsets", "missing_branch", 3, -2, "node 3: the last br"),
    "missing at a leaf": ("cart", "missing_branch", 1, 0, "node 1: missing_branch"),
    "own branch unused": ("subsets", "missing_branch", 3, 0, "node 3: the last branch"),
    "set code too large": ("subsets", "set_codes", 1, 4, "node 0: set codes must be"),
    "set code negative": ("subsets", "set_codes", 0, -1, "node 0: set codes must be"),
    "set not ascending": ("subsets", "set_codes", 1, 0, "node 0: set codes must be"),
    "set outside": ("subsets", "set_start", 1, 99, "node 0: set_start must be at mo"),
    "set falls": ("subsets", "set_start", 1, -1, "node 0: set_start must not fall"),
    "set at a cut": ("subsets", "set_start", 2, 3, "node 1: only questions about"),
    "group without end": ("groups", "set_codes", 0, 5, "node 0: there are two groups"),
    "group far away": ("groups", "set_codes", 0, 2**31 - 1, "node 0: there are two"),
    "group negative": ("groups", "set_codes", 0, -1, "node 0: branches of categories"),
    "one group more": ("groups", "set_codes", 0, 3, "node 0: wrong number of branch"),
    "group left out": ("groups", "set_codes", 3, 1, "node 0: the last branch must be"),
    "one group": ("groups", "set_codes", 5, 1, "node 1: there are two groups or more"),
    "too few groups": ("groups", "set_start", 1, 3, "node 0: groups need a branch for"),
    "groups, own branch": ("groups", "missing_branch", 1, 1, "node 1: the last branch"),
    "groups at a leaf": ("groups", "kind", 1, 4, "node 1: "),
    "label too large": ("tennis", "label", (2, 0), 2, "node 2: labels must be codes"),
    "label negative": ("tennis", "label", (2, 0), -2, "node 2: labels must be codes"),
    "weight infinite": ("tennis", "weight", 4, np.inf, "node 4: weight must be finite"),
    "weight negative": ("tennis", "weight", 4, -1.0, "node 4: weight must not be neg"),
    "class weight NaN": ("tennis", "value", (4, 1), NAN, "node 4: every value must be"),
    "class negative": ("tennis", "value", (4, 1), -1.0, "node 4: class weights must"),
    "prediction NaN": ("regression", "value", (1, 0), NAN, "node 1: every value must"),
    "rows negative": ("tennis", "n_rows", 4, -1, "node 4: n_rows must not be negative"),
    "impurity NaN": ("tennis", "impurity", 4, NAN, "node 4: impurity must be finite"),
    "gain infinite": ("tennis", "gain", 0, np.inf, "node 0: gain must be finite"),
    "unknown reason": (
        "tennis",
        "reason",
        1,
        99,
        f"node 1: reason must be 0 to {max(Reason):d}",
    ),
    "reason inside": ("tennis", "reason", 0, 1, "node 0: only a leaf has a reason"),
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
    *change, words = BREAKS[case]
    with pytest.raises(ModelFileError, match=f"^tree 0, {words}"):
        validate_model(broken(*change))


def test_tree_number_is_named():
    model = broken("tennis", "weight", 4, -1.0)
    with pytest.raises(ModelFileError, match=r"^tree 7, node 4: "):
        validate_tree(model.trees[0], model.schema, number=7)


@pytest.mark.parametrize("array", ["kind", "threshold", "set_start", "value", "label"])
def test_arrays_of_other_length_are_refused(array):
    model = handmade.tennis()
    cut = getattr(model.trees[0], array)[:-1]
    with pytest.raises(ModelFileError, match="tree 0: "):
        validate_tree(replace(model.trees[0], **{array: cut}), model.schema)


def test_other_dtype_is_refused():
    model = handmade.tennis()
    tree = replace(model.trees[0], feature=model.trees[0].feature.astype(np.int64))
    with pytest.raises(ModelFileError, match="feature must be int32"):
        validate_tree(tree, model.schema)


@pytest.mark.parametrize(
    ("kind", "words"),
    [("numeric", "no categories"), ("ordinal", None), ("nominal", None)],
)
def test_multiway_question_needs_categories(kind, words):
    model = handmade.tennis()
    feature = replace(model.schema.features[0], kind=kind)
    if kind == "numeric":
        feature = replace(feature, categories=())
    features = (feature, *model.schema.features[1:])
    schema = replace(model.schema, features=features)
    if words is None:
        validate_tree(model.trees[0], schema)
        return
    with pytest.raises(ModelFileError, match=words):
        validate_tree(model.trees[0], schema)


def test_cut_needs_a_number():
    model = handmade.cart()
    features = (
        Feature("petal length", "nominal", ("a", "b")),
        model.schema.features[1],
    )
    with pytest.raises(ModelFileError, match="node 0: its feature cannot be asked"):
        validate_tree(model.trees[0], replace(model.schema, features=features))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": "Wind"}, "feature 'Wind' stands twice"),
        ({"categories": ("a", "a", "b")}, "stands twice"),
        ({"storage": "int64"}, "is nominal and stored as int64"),
        ({"kind": "numeric"}, "is numeric and has categories"),
    ],
)
def test_schema_contradictions_are_refused(change, words):
    model = handmade.tennis()
    feature = replace(model.schema.features[0], **change)
    schema = replace(model.schema, features=(feature, *model.schema.features[1:]))
    with pytest.raises(ModelFileError, match=words):
        validate_model(replace(model, schema=schema))


def test_cuts_must_ascend():
    model = handmade.wide()
    feature = replace(model.schema.features[0], cuts=np.array([5, 5]))
    schema = replace(model.schema, features=(feature, *model.schema.features[1:]))
    with pytest.raises(ModelFileError, match="its cuts must ascend"):
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
    with pytest.raises(ModelFileError, match="target"):
        validate_model(replace(model, schema=replace(model.schema, target=target)))


def test_model_needs_a_tree_and_a_known_rule():
    model = handmade.tennis()
    with pytest.raises(ModelFileError, match="no trees"):
        validate_model(replace(model, trees=()))
    with pytest.raises(ModelFileError, match="unseen must be one of stop"):
        validate_model(replace(model, unseen="guess"))
