"""Pictures as shapes: nothing overlaps, nothing is cut, widths and orders are right."""

from __future__ import annotations

from dataclasses import replace

import handmade
import hostile
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from picture_checks import check_scene

import treewright as tw
from refusals import refused
from treewright.errors import SettingError
from treewright.render.picture import View, scene_of
from treewright.render.picture.fold import drawn_nodes
from treewright.render.picture.shapes import Band, Box, PlacedWords
from treewright.render.picture.svg import svg_text

WAYS = ["down", "right"]


def texts(scene):
    return [shape.text for shape in scene.shapes if isinstance(shape, PlacedWords)]


def links(scene):
    return [shape for shape in scene.shapes if isinstance(shape, Band)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", handmade.ALL)
def test_trees_of_every_kind(name, way):
    check_scene(scene_of(handmade.ALL[name](), direction=way))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", hostile.NAMES, ids=range(len(hostile.NAMES)))
def test_hostile_names_stay_in_their_boxes(name, way):
    check_scene(scene_of(hostile.model(name), direction=way))


def table(seed, n_rows, n_classes):
    """Numbers, categories, missing values."""
    rng = np.random.default_rng(seed)
    colours = np.array(["red", "green", "blue", "a long name of a colour", "纹理"])
    X = {
        "number": rng.normal(size=n_rows).round(2),
        "whole": rng.integers(0, 9, n_rows),
        "colour": colours[rng.integers(0, 5, n_rows)],
        "shape": np.array(["round", "flat"])[rng.integers(0, 2, n_rows)],
    }
    y = (X["whole"] * 3 + rng.integers(0, 4, n_rows)) % n_classes
    X["number"][rng.random(n_rows) < 0.1] = np.nan
    return X, y


LEARNERS = {
    "id3": lambda: tw.ID3Classifier(discretize="quartiles", missing="own_branch"),
    "aima": lambda: tw.TreeClassifier(dialect="aima"),
    "c45": lambda: tw.C45Classifier(min_samples_leaf=1, pruning=None),
    "c45 groups": lambda: tw.C45Classifier(grouping="c45"),
    "cart": tw.CARTClassifier,
    "cart surrogates": lambda: tw.CARTClassifier(missing="surrogates"),
    "numbers": lambda: tw.CARTRegressor(min_samples_leaf=3),
    "medians": lambda: tw.CARTRegressor(criterion="absolute_error", max_depth=4),
}


@pytest.mark.slow
@pytest.mark.parametrize("learner", [name for name in LEARNERS if name != "aima"])
@given(
    st.integers(0, 2**32),
    st.integers(2, 150),
    st.integers(1, 15),
    st.sampled_from(WAYS),
    st.sampled_from([{}, {"max_depth": 2}, {"min_share": 0.05}, {"max_nodes": 12}]),
)
@settings(max_examples=10, deadline=None)
def test_trees_of_every_learner(learner, seed, n_rows, n_classes, way, part):
    X, y = table(seed, n_rows, n_classes)
    model = LEARNERS[learner]().fit(X, y).model_
    view = View(**part)
    scene = scene_of(model, view=view, direction=way)
    check_scene(scene)
    assert len(scene.frames) == len(drawn_nodes(model.trees[0], view))


@pytest.mark.parametrize("way", WAYS)
def test_branches_keep_their_order(way):
    scene = scene_of(handmade.tennis(), direction=way)
    labels = [text for text in texts(scene) if text in ("Overcast", "Rain", "Sunny")]
    assert labels == ["Overcast", "Rain", "Sunny"]
    places = {
        shape.text: (shape.y if way == "right" else shape.x)
        for shape in scene.shapes
        if isinstance(shape, PlacedWords)
    }
    assert places["Overcast"] < places["Rain"] < places["Sunny"]


def test_links_are_as_wide_as_their_rows():
    widths = [link.width for link in links(scene_of(handmade.cart()))]
    # 50 and 100 of 150 rows; below the second 54 and 46
    assert widths[1] / widths[0] == pytest.approx(2)
    assert widths[2] / widths[0] == pytest.approx(54 / 50)
    assert widths[2] + widths[3] == pytest.approx(widths[1])


def test_link_to_a_branch_without_rows_is_a_dashed_line():
    paints = [link.paint for link in links(scene_of(handmade.empty_branch()))]
    assert paints == ["link", "bare", "link"]


def test_links_begin_at_the_parent_and_end_at_the_child():
    model = handmade.tennis()
    scene = scene_of(model, direction="down")
    items = drawn_nodes(model.trees[0], View())
    ends = {
        (round(link.end[0], 3), round(link.end[1], 3)): link for link in links(scene)
    }
    for item, frame in zip(items[1:], scene.frames[1:], strict=True):
        link = ends[round(frame.x + frame.width / 2, 3), round(frame.y, 3)]
        parent = scene.frames[item.parent]
        assert parent.x <= link.start[0] <= parent.x + parent.width
        assert link.start[1] == pytest.approx(parent.y + parent.height)


@pytest.mark.parametrize("way", WAYS)
def test_links_go_around_the_boxes_beside_their_node(way):
    """A small node with many branches, between leaves with long answers.

    With several outputs the leaf is higher, too, than the node beside it.
    """
    long = "an answer of some length"
    target = handmade.Target("classes", ("y",), ((long, "b"),))
    names = tuple(f"v{k}" for k in range(12))
    features = (
        handmade.Feature("x", "nominal", names[:3]),
        handmade.Feature("z", "nominal", names),
    )
    ask = handmade.NodeKind.MULTIWAY
    below = [handmade.Node([0, 1]) for _ in names]
    inner = handmade.Node([0, 12], ask, 1, children=below)
    deep = handmade.Node(
        [6, 0], ask, 1, children=[handmade.Node([1, 0]) for _ in names], label=[0]
    )
    root = handmade.Node(
        [11, 12], ask, 0, children=[deep, inner, handmade.Node([5, 0])]
    )
    tree = handmade.build(root, target)
    model = handmade.Model(handmade.Schema(features, target), (tree,), "id3")
    # the share folds the first branch, so that it stands beside the second as a box
    view = View(min_share=0.04)
    check_scene(scene_of(model, view=view, direction=way))


def test_bar_has_the_shares_of_the_classes():
    scene = scene_of(handmade.tennis())
    root = scene.frames[0]
    bars = [
        shape
        for shape in scene.shapes
        if isinstance(shape, Box)
        and shape.paint == "bar"
        and root.y <= shape.y <= root.y + root.height
        and root.x <= shape.x <= root.x + root.width
    ]
    assert [bar.slot for bar in bars] == [0, 1]
    # a hairline is left between them
    assert bars[0].width / bars[1].width == pytest.approx(5 / 9, rel=0.05)


def test_words_of_a_classification():
    said = texts(scene_of(handmade.cart()))
    assert said[:4] == ["species", "setosa", "versicolor", "virginica"]
    assert {"petal length", "petal width", "≤ 2.45", "> 1.75", "150 rows"} <= set(said)
    assert said[-1] == "3 leaves, depth 2, 150 training rows, 6 wrong"


def test_words_of_a_regression():
    said = texts(scene_of(handmade.regression()))
    assert "mean 53.7 · 5 rows" in said
    assert {"9.5", "120", "≤ 195", "> 195"} <= set(said)
    # 53.7 +- 54.15 is the root's spread, 120 the largest mean
    assert said[1].startswith("mean on a scale from -0.4462 to 120, with the standard")


@pytest.mark.parametrize("numbers", [[0.0] * 3, [-1e308, 1e308, 0.0], [5e-324, 0, 0]])
def test_numbers_of_any_size(numbers):
    target = handmade.Target("numbers", ("y",), ((),))
    root, *leaves = (handmade.Node([number], impurity=1e300) for number in numbers)
    root.kind, root.feature, root.threshold = handmade.NodeKind.CUT, 0, 0.1
    root.children = leaves
    schema = handmade.Schema((handmade.Feature("x", "numeric"),), target)
    tree = handmade.build(root, target)
    scene = scene_of(handmade.Model(schema, (tree,), "cart"))
    check_scene(scene)
    assert "nan" not in svg_text(scene)


def test_node_without_weight_can_have_branches():
    target = handmade.Target("classes", ("y",), (("a", "b"),))
    leaves = [handmade.Node([0, 0], label=[0]) for _ in range(2)]
    root = handmade.Node([0, 0], handmade.NodeKind.CUT, 0, 0.5, children=leaves)
    schema = handmade.Schema((handmade.Feature("x", "numeric"),), target)
    tree = handmade.build(root, target)
    check_scene(scene_of(handmade.Model(schema, (tree,), "cart")))


def test_costs_are_told():
    model = handmade.tennis()
    target = replace(model.schema.target, costs=((0.0, 2.0), (1.0, 0.0)))
    model = replace(model, schema=replace(model.schema, target=target))
    assert any(text.startswith("costs: No as Yes 2") for text in texts(scene_of(model)))


def test_unclassified_leaf_says_so():
    assert "unclassified" in texts(scene_of(handmade.unclassified()))


def test_divided_rows_are_mentioned():
    assert "missing values: all branches, in shares" in texts(
        scene_of(handmade.groups())
    )


def test_several_outputs_have_a_key_each():
    said = texts(scene_of(handmade.several()))
    assert said[:3] == ["colour, grade", "colour:", "blue"]
    assert "red, 2" in said


def test_focus_names_the_path():
    scene = scene_of(handmade.cart(), view=View(focus=4))
    assert "node 4, where petal length > 2.45 and petal width > 1.75" in texts(scene)
    assert len(scene.frames) == 1


def test_what_is_folded_is_said():
    scene = scene_of(handmade.tennis(), view=View(max_depth=1))
    assert scene.said == (
        "4 of 8 nodes are folded (max depth 1); to see more, change that, or focus on "
        "the number after a #",
    )
    assert "+2 nodes · #2" in texts(scene)
    share = scene_of(handmade.tennis(), view=View(min_share=0.3)).said[0]
    assert "(min share 0.3)" in share
    budget = scene_of(handmade.tennis(), view=View(max_nodes=6, min_share=0.0)).said[0]
    assert "(max nodes 6)" in budget


def test_whole_tree_says_nothing_of_folding():
    assert scene_of(handmade.tennis()).said == ()


@pytest.mark.slow
@pytest.mark.parametrize("part", [{}, {"max_nodes": None}, {"min_share": 0.02}])
def test_tree_of_700_nodes(part):
    rng = np.random.default_rng(3)
    X = {f"x{k}": rng.normal(size=1000) for k in range(5)}
    y = rng.integers(0, 3, 1000)
    model = tw.CARTClassifier(max_leaf_nodes=351).fit(X, y).model_
    assert model.trees[0].node_count == 701
    scene = scene_of(model, view=View(**part))
    check_scene(scene)
    if "max_nodes" in part:
        assert len(scene.frames) == 701
        assert scene.said == ()
    else:
        assert len(scene.frames) <= 150
        assert "of 701 nodes are folded" in scene.said[0]


def test_large_tree_is_turned_where_that_is_handier():
    rng = np.random.default_rng(3)
    X, y = {"x": rng.normal(size=200)}, rng.integers(0, 2, 200)
    model = tw.CARTClassifier(max_leaf_nodes=60).fit(X, y).model_
    auto, down, right = (
        scene_of(model, direction=way) for way in ("auto", "down", "right")
    )
    assert auto in (down, right)
    sizes = [max(scene.width / 1.5, scene.height) for scene in (down, right)]
    assert max(auto.width / 1.5, auto.height) <= min(sizes) * 1.1


def test_chain_of_20_000_levels():
    scene = scene_of(handmade.chain(20_000))
    check_scene(scene)
    assert "of 40,001 nodes are folded" in scene.said[0]


def test_unknown_direction_gets_the_list():
    with refused(SettingError, "direction", "auto, down, right", "'up'"):
        scene_of(handmade.tennis(), direction="up")


def test_unknown_tree_is_refused():
    with refused(SettingError, "tree", "0 to 0", 1):
        scene_of(handmade.tennis(), tree=1)
