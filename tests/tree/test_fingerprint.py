"""The fingerprint sees what a model means, not how it is written down."""

from __future__ import annotations

from dataclasses import replace

import handmade
import numpy as np
import pytest
from handmade import Node, NodeKind

from treewright.data.schema import Feature, Schema, Target
from treewright.tree import Model


def mark(model):
    return model.fingerprint()


def test_all_models_differ():
    assert len({mark(made()) for made in handmade.ALL.values()}) == len(handmade.ALL)


def test_settings_and_notes_do_not_count():
    model = handmade.tennis()
    other = replace(model, settings={"n_jobs": 4}, notes=("x",), learner="c45")
    assert mark(other) == mark(model)


def as_nodes(tree, node=0):
    """The nodes of a tree that has no sets, to build it anew."""
    return Node(
        tree.value[node].tolist(),
        tree.kind_of(node),
        int(tree.feature[node]),
        float(tree.threshold[node]),
        [as_nodes(tree, child) for child in tree.children(node)],
        int(tree.missing_branch[node]),
    )


def reverse(node, n_features):
    """Number features and categories from the other end."""
    if node.children:
        node.feature = n_features - 1 - node.feature
    node.children = [reverse(child, n_features) for child in reversed(node.children)]
    return node


def test_order_of_columns_and_codes_does_not_count():
    model = handmade.tennis()
    target = model.schema.target
    features = tuple(
        replace(feature, categories=feature.categories[::-1])
        for feature in reversed(model.schema.features)
    )
    tree = handmade.build(reverse(as_nodes(model.trees[0]), len(features)), target)
    assert mark(Model(Schema(features, target), (tree,), "id3")) == mark(model)


def test_numbering_of_nodes_does_not_count():
    model = handmade.tennis()
    tree = model.trees[0]
    target = model.schema.target
    other = handmade.build(as_nodes(tree), target, depth_first=True)
    assert other.first_child.tolist() != tree.first_child.tolist()
    assert mark(replace(model, trees=(other,))) == mark(model)


def colours(categories, codes, swapped):
    """One subset question; `swapped` exchanges set and complement."""
    target = Target("classes", ("y",), (("a", "b"),))
    leaves = [Node([2, 0]), Node([0, 1])]
    root = Node(
        [2, 1],
        NodeKind.SUBSET,
        0,
        codes=codes,
        children=leaves[::-1] if swapped else leaves,
        missing=1 if swapped else 0,
    )
    schema = Schema((Feature("c", "nominal", categories),), target)
    return Model(schema, (handmade.build(root, target),), "cart")


def test_set_and_complement_are_the_same_question():
    one = colours(("blue", "green", "red"), [0, 2], swapped=False)
    other = colours(("blue", "green", "red"), [1], swapped=True)
    recode = colours(("red", "green", "blue"), [0, 2], swapped=False)
    different = colours(("blue", "green", "red"), [1], swapped=False)
    assert mark(one) == mark(other) == mark(recode)
    assert mark(one) != mark(different)


def in_groups(categories, codes, leaves):
    """One question about groups; rows without a value take the first branch."""
    target = Target("classes", ("y",), (("a", "b"),))
    root = Node([2, 2], NodeKind.GROUPS, 0, codes=codes, children=leaves, missing=0)
    schema = Schema((Feature("c", "nominal", categories),), target)
    return Model(schema, (handmade.build(root, target),), "c45")


def test_order_of_groups_and_of_their_codes_does_not_count():
    a, b, c = Node([2, 0]), Node([0, 1]), Node([0, 1])
    one = in_groups(("blue", "green", "grey", "red"), [0, 1, 2, 0], [a, b, c])
    recoded = in_groups(("red", "green", "grey", "blue"), [0, 2, 1, 0], [a, c, b])
    joined = in_groups(("blue", "green", "grey", "red"), [0, 1, 2, 1], [a, b, c])
    elsewhere = in_groups(("blue", "green", "grey", "red"), [1, 0, 2, 1], [b, a, c])
    assert mark(one) == mark(recoded)
    assert len({mark(one), mark(joined), mark(elsewhere)}) == 3


def test_order_of_classes_does_not_count():
    model = handmade.cart()
    tree = model.trees[0]
    target = replace(
        model.schema.target, classes=(model.schema.target.classes[0][::-1],)
    )
    other = replace(
        model,
        schema=replace(model.schema, target=target),
        trees=(replace(tree, value=tree.value[:, ::-1], label=2 - tree.label),),
    )
    assert mark(other) == mark(model)


@pytest.mark.parametrize(
    ("array", "position", "value"),
    [
        ("threshold", 0, 2.5),
        ("value", (3, 1), 48.0),
        ("label", (3, 0), 2),
        ("missing_branch", 0, 0),
        ("feature", 0, 1),
    ],
)
def test_any_change_of_meaning_counts(array, position, value):
    model = handmade.cart()
    changed = getattr(model.trees[0], array).copy()
    changed[position] = value
    other = replace(model, trees=(replace(model.trees[0], **{array: changed}),))
    assert mark(other) != mark(model)


@pytest.mark.parametrize(
    ("array", "change"), [("gain", 1.0), ("impurity", 1.0), ("n_rows", 1)]
)
def test_what_is_computed_from_the_rest_does_not_count(array, change):
    model = handmade.cart()
    changed = getattr(model.trees[0], array) + change
    other = replace(model, trees=(replace(model.trees[0], **{array: changed}),))
    assert mark(other) == mark(model)


def test_names_count():
    model = handmade.cart()
    renamed = tuple(
        replace(feature, name=feature.name.upper()) for feature in model.schema.features
    )
    assert mark(replace(model, schema=replace(model.schema, features=renamed))) != mark(
        model
    )


def test_names_cannot_run_into_each_other():
    def two(*names):
        model = handmade.leaf_only()
        features = tuple(Feature(name, "numeric") for name in names)
        return mark(replace(model, schema=replace(model.schema, features=features)))

    assert len({two("a b", "c"), two("a", "b c"), two("a", "b", "c")}) == 3


def test_wide_cuts_count_by_value():
    model = handmade.wide()
    feature = model.schema.features[0]
    # an unused cut in front moves the index, not the meaning
    cuts = np.array([-100, *feature.cuts])
    features = (replace(feature, cuts=cuts), *model.schema.features[1:])
    threshold = model.trees[0].threshold.copy()
    threshold[0] += 1
    other = replace(
        model,
        schema=replace(model.schema, features=features),
        trees=(replace(model.trees[0], threshold=threshold),),
    )
    assert mark(other) == mark(model)
