"""Walking and answering."""

from __future__ import annotations

import handmade
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusals import refused
from treewright.errors import SettingError
from treewright.tree import Model
from treewright.tree.predict.vote import class_array
from treewright.tree.predict.walk import visited, walk, walk_slow

NAN = np.nan


def tennis_rows():
    schema = handmade.tennis().schema
    codes = np.array(list(handmade.TENNIS_ROWS))
    return {
        feature.name: [feature.categories[code] for code in column]
        for feature, column in zip(schema.features, codes.T, strict=True)
    }


def test_predict_gives_labels():
    answers = handmade.tennis().predict(tennis_rows())
    assert answers.tolist() == list(handmade.TENNIS_ROWS.values())


def test_probabilities_are_shares_of_the_class_weights():
    shares = handmade.cart().predict_proba(np.array([[5.0, 1.0]]))
    assert shares.tolist() == [[0.0, 49 / 54, 5 / 54]]


def test_numbers_are_floats():
    answers = handmade.regression().predict({"PS": [195, 196], "blau": ["ja", "ja"]})
    assert answers.dtype == np.float64
    assert answers.tolist() == [9.5, 120.0]


def test_several_outputs_give_columns():
    model = handmade.several()
    rows = np.array([[0.0], [1.0]])
    assert model.predict(rows).tolist() == [["blue", 1], ["red", 2]]
    colour, grade = model.predict_proba(rows)
    assert colour.tolist() == [[1.0, 0.0], [1 / 3, 2 / 3]]
    assert grade.tolist() == [[1.0, 0.0, 0.0], [0.0, 2 / 3, 1 / 3]]


def test_several_numbers_give_columns():
    answers = handmade.several_numbers().predict(np.array([[0.0], [1.0]]))
    assert answers.tolist() == [[1.0, -2.5], [2.0, -1.5]]


def test_apply_gives_the_node():
    assert handmade.cart().apply(np.array([[1.0, 0], [5, 1], [5, 2]])).tolist() == [
        1,
        3,
        4,
    ]


def test_groups_send_each_value_to_its_branch():
    model = handmade.groups()
    # colours red green blue grey missing unseen, shapes round square flat missing
    cells = [[0, 0], [0, 1], [2, 2], [2, NAN], [1, 0], [3, 0], [-1, 0], [NAN, 1]]
    wanted = [5, 4, 5, 6, 2, 3, 0, 0]
    assert walk(model.trees[0], np.array(cells)).tolist() == wanted
    assert walk_slow(model.trees[0], np.array(cells)).tolist() == wanted


def test_groups_divide_a_row_without_a_value():
    # 5 of 9 go to the node of the shapes, and a square there is True; 4 of 9 are False
    shares = handmade.groups().predict_proba({"colour": [None], "shape": ["square"]})
    np.testing.assert_allclose(shares, [[4 / 9, 5 / 9]])


def test_unseen_value_stops_at_the_inner_node():
    rows = {name: values[:1] for name, values in tennis_rows().items()}
    rows["Humidity"] = ["Foggy"]  # Outlook is Sunny: 3 No, 2 Yes there
    model = handmade.tennis()
    assert model.apply(rows).tolist() == [3]
    assert model.predict(rows).tolist() == ["No"]
    assert model.predict_proba(rows).tolist() == [[0.6, 0.4]]


def test_encode_reports_what_training_never_saw():
    rows = {name: values[:1] for name, values in tennis_rows().items()}
    rows["Humidity"] = ["Foggy"]
    _, notes = handmade.tennis().encode(rows)
    assert len(notes) == 1
    assert "Foggy" in notes[0]


def test_leaf_without_rows_answers_like_its_parent():
    model = handmade.empty_branch()
    assert model.predict({"HP": ["mittel"]}).tolist() == ["angreifen"]
    assert model.predict_proba({"HP": ["mittel"]}).tolist() == [[0.75, 0.25]]


def test_node_without_weights_asks_its_ancestors():
    target = handmade.Target("classes", ("y",), (("a", "b"),))
    ask = handmade.NodeKind.CUT

    def model(root_weights):
        leaves = [handmade.Node([0, 0]), handmade.Node([0, 0])]
        inner = handmade.Node([0, 0], ask, 0, 0.0, leaves)
        other = handmade.Node([0, 2])
        root = handmade.Node(root_weights, ask, 0, 1.0, [inner, other], label=[1])
        schema = handmade.Schema((handmade.Feature("x", "numeric"),), target)
        return Model(schema, (handmade.build(root, target),), "cart")

    rows = np.array([[-1.0], [0.5], [2.0]])
    assert model([1, 3]).predict_proba(rows).tolist() == [[0.25, 0.75]] * 2 + [[0, 1]]
    assert model([0, 0]).predict_proba(rows).tolist() == [[0, 1]] * 3


def test_predicted_label_is_the_stored_one_on_ties():
    target = handmade.Target("classes", ("y",), (("a", "b"),))
    tree = handmade.build(handmade.Node([1, 1], label=[1]), target)
    schema = handmade.Schema((handmade.Feature("x", "numeric"),), target)
    assert Model(schema, (tree,), "cart").predict(np.zeros((1, 1))).tolist() == ["b"]


def test_wide_integers_are_compared_exactly():
    model = handmade.wide()
    rows = {
        "id": np.array([handmade.BIG, handmade.BIG + 1]),
        "seen": np.array(["2026-01-31T12:30", "2026-01-31T12:30"], "datetime64[us]"),
        "hash": np.zeros(2, np.uint64),
        "lag": np.zeros(2, "timedelta64[s]"),
        "never": np.zeros(2, np.int64),
    }
    assert model.apply(rows).tolist() == [3, 2]


def test_path_runs_from_the_root_to_the_end():
    indptr, indices = handmade.cart().decision_path(np.array([[1.0, 0.0], [5.0, 1.0]]))
    assert indptr.tolist() == [0, 2, 5]
    assert indices.tolist() == [0, 1, 0, 2, 3]


def test_no_rows_give_no_answers():
    model = handmade.cart()
    assert model.predict(np.zeros((0, 2))).shape == (0,)
    assert model.decision_path(np.zeros((0, 2)))[0].tolist() == [0]


def test_probabilities_of_numbers_are_refused():
    with refused(SettingError, "numbers", "probabilities", "predict"):
        handmade.regression().predict_proba({"PS": [1], "blau": ["ja"]})


def test_huge_weights_have_finite_shares():
    target = handmade.Target("classes", ("y",), (("a", "b"),))
    tree = handmade.build(handmade.Node([1.5e308, 0.5e308], weight=1.0), target)
    schema = handmade.Schema((handmade.Feature("x", "numeric"),), target)
    shares = Model(schema, (tree,), "cart").predict_proba(np.zeros((1, 1)))
    assert shares == pytest.approx(np.array([[0.75, 0.25]]))


def test_two_trees_vote_by_mean():
    one = handmade.cart()
    flipped = handmade.build(handmade.Node([1, 0, 0]), one.schema.target)
    both = Model(one.schema, (*one.trees, flipped), "forest")
    rows = np.array([[5.0, 1.0]])
    assert both.predict_proba(rows) == pytest.approx(
        np.array([[0.5, 49 / 108, 5 / 108]])
    )
    assert both.predict(rows).tolist() == ["setosa"]
    assert both.apply(rows).tolist() == [[3, 0]]


CELLS = st.sampled_from([-1.0, 0.0, 0.3815, 0.5, 1.0, 1.75, 2.0, 2.45, 3.0, 195.0, NAN])


@pytest.mark.slow
@pytest.mark.parametrize("name", handmade.ALL)
@given(data=st.data())
def test_compiled_walk_agrees_with_the_slow_one(name, data):
    model = handmade.ALL[name]()
    columns = []
    for feature in model.schema.features:
        n_values = len(feature.categories)
        codes = st.sampled_from([-1.0, NAN, *map(float, range(n_values))])
        cell = CELLS if feature.kind == "numeric" else codes
        columns.append(data.draw(st.lists(cell, min_size=5, max_size=5)))
    cells = np.array(columns).T
    tree = model.trees[0]
    ends = walk_slow(tree, cells)
    assert walk(tree, cells, n_threads=1).tolist() == ends.tolist()
    indptr, indices = visited(tree, ends)
    assert indices[indptr[1:] - 1].tolist() == ends.tolist()
    assert (indices[indptr[:-1]] == 0).all()


@pytest.mark.parametrize(
    ("labels", "dtype"),
    [
        ((1, 2), "i"),
        ((False, True), "b"),
        ((0.5, 1.5), "f"),
        (("a", "b"), "O"),
        ((1, "a"), "O"),
        ((2**70, 1), "O"),
        (((1, 2), (3, 4)), "O"),
        ((1, True), "O"),
    ],
)
def test_class_array_keeps_every_label(labels, dtype):
    array = class_array(labels)
    assert array.dtype.kind == dtype
    assert array.tolist() == list(labels)
    assert [type(label) for label in array.tolist()] == [type(x) for x in labels]
