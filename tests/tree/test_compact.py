"""Compact models: the same answers, small, and clear about what they cannot do."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import ModelFileError, SettingError
from treewright.tree.compact_model import compact_model, model_bytes
from treewright.tree.file.container import pack, unpack
from treewright.tree.file.save import from_bytes, to_bytes
from treewright.tree.structure.compact_tree import CompactTree
from treewright.tree.structure.distinct import distinct_rows

N_ROWS = 400


def table(*, missing: bool, unseen: bool = False):
    random = np.random.default_rng(4)
    X = {
        "number": random.normal(size=N_ROWS).round(2).astype(object),
        "colour": np.array([*"abcdef"], object)[random.integers(6, size=N_ROWS)],
        "size": np.array([*"smlx"], object)[random.integers(4, size=N_ROWS)],
        "more": random.integers(50, size=N_ROWS).astype(object),
    }
    y = np.where(X["number"].astype(float) > 0, X["colour"], X["size"])
    for values in X.values():
        if missing:
            values[random.random(N_ROWS) < 0.15] = None
    if unseen:
        X["colour"][::3] = "new"
    return X, y


FORESTS = [
    *[
        (tw.RandomForestClassifier, {"dialect": name, "missing": missing})
        for name, missing in [
            ("cart", "majority"),
            ("cart", "own_branch"),
            ("cart", "learned"),
            ("rpart", "surrogates"),
            ("c45", "fractional"),
            ("j48", "fractional"),
        ]
    ],
    (tw.RandomForestClassifier, {"dialect": "id3", "discretize": "quartiles"}),
    (tw.RandomForestClassifier, {"dialect": "c45", "switches": {"grouping": "c45"}}),
    (tw.RandomForestClassifier, {"probabilities": "laplace", "min_samples_leaf": 4}),
    (tw.RandomForestClassifier, {"probabilities": "m_estimate", "unseen": "missing"}),
    (tw.RandomForestRegressor, {"missing": "fractional"}),
    (tw.RandomForestRegressor, {"dialect": "rpart"}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "parameters"), FORESTS)
@pytest.mark.parametrize("n_trees", [1, 9])
def test_the_answers_are_the_same_bit_for_bit(kind, parameters, n_trees):
    X, y = table(missing=True)
    if kind is tw.RandomForestRegressor:
        y = np.arange(N_ROWS) % 17 + 0.1
    forest = kind(n_trees, random_state=0, **parameters).fit(X, y)
    compact = forest.compact()
    asked = table(missing=True, unseen=True)[0]
    loaded = from_bytes(to_bytes(compact.model_))
    assert isinstance(loaded.trees[0], CompactTree)
    for model in (compact.model_, loaded, pickle.loads(pickle.dumps(compact)).model_):
        np.testing.assert_array_equal(model.predict(asked), forest.predict(asked))
        np.testing.assert_array_equal(model.apply(asked), forest.apply(asked))
        if kind is tw.RandomForestClassifier:
            np.testing.assert_array_equal(
                model.predict_proba(asked), forest.predict_proba(asked)
            )


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "parameters"), FORESTS)
def test_a_node_takes_at_most_32_bytes(kind, parameters):
    X, y = table(missing=True)
    if kind is tw.RandomForestRegressor:
        y = np.arange(N_ROWS) % 17 + 0.1
    model = kind(20, random_state=0, **parameters).fit(X, y).compact().model_
    n_nodes = sum(tree.node_count for tree in model.trees)
    apart = sum(
        tree.set_codes.nbytes
        + sum(array.nbytes for array in vars(tree.surrogates).values())
        for tree in model.trees
    )
    answers = model.trees[0].answers.nbytes + model.trees[0].labels.nbytes
    assert model_bytes(model) - answers - apart <= 32 * n_nodes
    n_file = (
        len(to_bytes(model)) - 8000 - answers - apart
    )  # names, categories, settings
    assert n_file <= 32 * n_nodes


def test_a_plain_forest_is_small_all_in_all():
    random = np.random.default_rng(0)
    X = random.normal(size=(3000, 6))
    y = random.integers(3, size=3000)
    model = tw.RandomForestClassifier(20, random_state=0).fit(X, y).model_
    n_nodes = sum(tree.node_count for tree in model.trees)
    compact = compact_model(model)
    assert model_bytes(compact) <= 20 * n_nodes
    assert len(to_bytes(compact)) <= 21 * n_nodes
    assert model_bytes(model) > 80 * n_nodes
    assert compact_model(compact) is compact


def test_several_outputs_and_many_classes_stay_the_same():
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 4))
    many = random.integers(60, size=300)
    for y in (many, np.column_stack([many % 7, many % 2])):
        forest = tw.RandomForestClassifier(7, random_state=0).fit(X, y)
        compact = forest.compact()
        np.testing.assert_array_equal(compact.predict(X), forest.predict(X))
        for one, other in zip(
            np.atleast_3d(np.hstack(forest.predict_proba(X))),
            np.atleast_3d(np.hstack(compact.predict_proba(X))),
            strict=True,
        ):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "ask",
    [
        lambda forest, X, y: forest.feature_importances_,
        lambda forest, X, y: forest.tree(0).to_text(),
        lambda forest, X, y: forest.fingerprint(),
        lambda forest, X, y: forest.add_trees(2, X, y),
        lambda forest, X, y: forest.merge(forest),
        lambda forest, X, y: forest.ask_out_of_bag(X, y),
    ],
)
def test_what_needs_statistics_is_refused_in_one_line(ask):
    X, y = table(missing=False)
    forest = tw.RandomForestClassifier(3, random_state=0).fit(X, y).compact()
    with refused(SettingError, "compact") as caught:
        ask(forest, X, y)
    assert "\n" not in str(caught.value)


def test_one_tree_can_be_compact_too(tmp_path):
    X, y = table(missing=False)
    tree = tw.C45Classifier().fit(X, y)
    tree.compact().save(tmp_path / "tree.tw")
    again = tw.load(tmp_path / "tree.tw")
    np.testing.assert_array_equal(again.predict(X), tree.predict(X))
    for show in (again.to_text, again.to_svg, again.to_json, again.explore):
        with refused(SettingError, "compact"):
            show()


def damaged(data: bytes, change) -> bytes:
    header, arrays = unpack(data)
    arrays = {name: array.copy() for name, array in arrays.items()}
    change(header, arrays)
    header.pop("checksum")
    return pack(header, arrays)


def _set(name, index, value):
    def change(header, arrays):
        arrays[name][index] = value

    return change


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "names"),
    [
        (_set("compact_place", 0, 10_000), ("tree 0", "place", "answers")),
        (_set("compact_place", -1, -1), ("tree 2", "place", "answers")),
        (_set("compact_first_child", 0, 0), ("tree 0", "node 0", "children", "parent")),
        (_set("compact_first_child", 0, 30_000), ("tree 0", "node 0", "2 children")),
        (_set("compact_feature", 0, 99), ("tree 0", "node 0", "feature", "0 to 4")),
        (_set("compact_kind", 0, 9), ("tree 0", "node 0", "kind", "0 to 7")),
        (_set("compact_answers", (0, 0), np.nan), ("tree 0", "answer", "finite")),
        (_set("compact_labels", (0, 0), 77), ("tree 0", "labels", "codes")),
        (_set("compact_tree_start", 1, 0), ("'compact_tree_start'", "nodes")),
        (lambda h, a: a.pop("compact_place"), ("no array 'compact_place'",)),
        (lambda h, a: h["compact"].update(n_answers=99), ("'compact_answers'", 99)),
        (
            lambda h, a: a.update(compact_set_codes=np.zeros(3, np.int8)),
            ("'compact_set_size'", "codes"),
        ),
        (
            lambda h, a: a.update(compact_labels=a["compact_labels"][:, :0]),
            ("tree 0", "labels", "1 columns"),
        ),
        (
            lambda h, a: a.update(compact_kind=a["compact_kind"].astype("i4")),
            ("'compact_kind'", "int32", "uint8"),
        ),
    ],
)
def test_a_damaged_file_is_refused(change, names):
    random = np.random.default_rng(0)
    X, y = random.normal(size=(200, 5)), random.integers(3, size=200)
    model = tw.RandomForestClassifier(3, random_state=0).fit(X, y).compact().model_
    data = to_bytes(model)
    header, arrays = unpack(data)
    arrays["compact_place"] = arrays["compact_place"].astype(np.int16)
    arrays["compact_first_child"] = arrays["compact_first_child"].astype(np.int16)
    header.pop("checksum")
    data = pack(header, arrays)
    from_bytes(data)
    with refused(ModelFileError, *names):
        from_bytes(damaged(data, change))


def test_different_rows_are_told_apart():
    random = np.random.default_rng(0)
    rows = random.integers(3, size=(500, 4)).astype(float)
    rows[::7, 1] = -0.0
    place, different = distinct_rows(rows)
    np.testing.assert_array_equal(
        different[place].view(np.uint64), rows.view(np.uint64)
    )
    assert len(different) == len({row.tobytes() for row in rows})
