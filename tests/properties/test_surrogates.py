"""Surrogates against a search over all of them, and rows that follow them."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import polars as pl
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import ModelFileError, SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.dialects.cart import CART
from treewright.tree import NodeKind, from_bytes, to_bytes
from treewright.tree.file.validate import validate_model
from treewright.tree.predict.walk import walk, walk_slow

SEEDS = range(12)
COLOURS = ["blue", "green", "grey", "red"]


def table(seed, n_rows=60, share=0.25):
    """Return columns that go together, with holes: numbers, colours, sizes."""
    random = np.random.default_rng(seed)
    base = random.normal(size=n_rows)

    def near(noise):
        return base + noise * random.normal(size=n_rows)

    def holes(values):
        return [None if random.random() < share else value for value in values.tolist()]

    colour = np.array(COLOURS)[np.digitize(near(0.6), [-0.7, 0.0, 0.7])]
    size = np.digitize(near(0.4), [-0.5, 0.5])
    X = pl.DataFrame(
        {
            "a": holes(np.round(near(0.3), 1)),
            "b": holes(np.round(-near(0.5), 1)),
            "colour": holes(colour),
            "size": pl.Series(
                [None if v is None else "SML"[v] for v in holes(size)],
                dtype=pl.Enum(["S", "M", "L"]),
            ),
        }
    )
    y = np.where(near(0.3) > 0, "up", "down")
    weight = random.integers(1, 5, n_rows).astype(float)
    return X, y, weight


def grown(seed, *, numbers=False, weighted=False, **settings):
    X, y, weight = table(seed)
    y = (y == "up") * 2.0 + np.arange(len(y)) % 3 if numbers else y
    kind = tw.TreeRegressor if numbers else tw.TreeClassifier
    settings = {"missing": "surrogates", "max_depth": 3, **settings}
    tree = kind(feature_kinds={"size": "ordinal"}, **settings)
    tree.fit(X, y, sample_weight=weight if weighted else None)
    cells = tree.model_.encode(X)[0]
    return tree.model_, cells, weight if weighted else np.ones(len(y))


def paths(tree, cells):
    """Return the rows at each node, as the slow walk sends them."""
    rows = [set() for _ in range(tree.node_count)]
    parent = tree.parents()
    for row, end in enumerate(walk_slow(tree, cells).tolist()):
        node = end
        while node >= 0:
            rows[node].add(row)
            node = int(parent[node])
    return [sorted(each) for each in rows]


def side(tree, node, cell):
    """Return the branch of a cell by the node's own question; -1 if missing."""
    if np.isnan(cell):
        return -1
    if tree.kind_of(node) == NodeKind.SUBSET:
        return int(cell not in tree.subset(node))
    return int(cell > tree.threshold[node])


def best_agreement(kind, cells, sides, weight):
    """Return the most weight that any question about a feature sends to its side."""
    both = ~np.isnan(cells) & (sides >= 0)
    cells, sides, weight = cells[both], sides[both], weight[both]
    best = 0.0
    if kind == NodeKind.SUBSET:
        values = np.unique(cells)
        place = np.searchsorted(values, cells)
        for branches in itertools.product((0, 1), repeat=len(values)):
            goes = np.array(branches, int)[place]
            best = max(best, float(weight[goes == sides].sum()))
        # a value goes where most of its weight does, tied ones with all the others
        signed = np.where(sides == 1, weight, -weight)
        lean = np.bincount(place, signed, len(values))
        sent = np.where(lean == 0, signed.sum() > 0, lean > 0)[place]
        return best if min(sent.sum(), (~sent).sum()) >= 2 else 0.0
    for low in np.unique(cells)[:-1]:
        below = cells <= low
        if min(below.sum(), (~below).sum()) < 2:
            continue
        for branch in (0, 1):
            goes = np.where(below, branch, 1 - branch)
            best = max(best, float(weight[goes == sides].sum()))
    return best


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_surrogates_are_the_best_of_all(seed, numbers, weighted):
    model, cells, weight = grown(seed, numbers=numbers, weighted=weighted)
    tree, kinds = model.trees[0], (NodeKind.CUT, NodeKind.CUT)
    kinds = (*kinds, NodeKind.SUBSET, NodeKind.ORDER)
    own = tree.surrogates
    for node, rows in enumerate(paths(tree, cells)):
        if tree.kind_of(node) == NodeKind.LEAF:
            assert not own.of(node)
            continue
        feature = int(tree.feature[node])
        sides = np.array([side(tree, node, cells[row, feature]) for row in rows])
        here, w = cells[rows], weight[rows]
        total = w[sides >= 0].sum()
        majority = max(w[sides == 0].sum(), w[sides == 1].sum())
        expected = {
            other: best_agreement(kinds[other], here[:, other], sides, w)
            for other in range(4)
            if other != feature
        }
        ranked = sorted(
            (-agreed, other) for other, agreed in expected.items() if agreed > majority
        )
        found = list(own.of(node))
        assert [int(own.feature[s]) for s in found] == [other for _, other in ranked]
        for surrogate, (agreed, other) in zip(found, ranked, strict=True):
            goes = [own.branch_of(surrogate, cell) for cell in here[:, other]]
            says = (np.array(goes) >= 0) & (sides >= 0)
            assert w[says & (goes == sides)].sum() == -agreed
            assert own.agreement[surrogate] == pytest.approx(-agreed / total)
            share = (-agreed - majority) / (total - majority)
            assert own.adjusted[surrogate] == pytest.approx(share)


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_are_counted_where_a_walk_takes_them(seed):
    model, cells, weight = grown(seed, weighted=True, max_depth=None)
    tree = model.trees[0]
    assert (walk(tree, cells) == walk_slow(tree, cells)).all()
    rows = paths(tree, cells)
    assert [len(each) for each in rows] == tree.n_rows.tolist()
    assert np.allclose([weight[each].sum() for each in rows], tree.weight)
    inner = np.flatnonzero(tree.kind != NodeKind.LEAF)
    below = [tree.weight[list(tree.children(int(node)))].sum() for node in inner]
    assert np.allclose(below, tree.weight[inner])


def test_row_without_any_value_follows_the_majority():
    model, cells, _ = grown(0)
    tree = model.trees[0]
    nothing = np.full((1, cells.shape[1]), np.nan)
    node = 0
    while tree.kind_of(node) != NodeKind.LEAF:
        node = int(tree.first_child[node] + tree.missing_branch[node])
    assert walk(tree, nothing).tolist() == [node]


def test_value_that_no_row_with_a_side_has_says_nothing():
    # a decides; where it is missing, colour is red, which no other row is. colour and
    # b agree with a in 6 rows of 7
    X = {
        "a": [1.0, 2.0, 3.0, 7.0, 8.0, 9.0, 10.0, None],
        "colour": ["blue"] * 2 + ["grey"] * 5 + ["red"],
        "b": [1.0, 2.0, 3.0, 7.0, 8.0, 9.0, 2.5, 2.0],
    }
    y = ["u"] * 3 + ["v"] * 4 + ["u"]
    tree = tw.CARTClassifier(missing="surrogates", max_depth=1).fit(X, y)
    own = tree.tree_.surrogates
    names = [tree.model_.schema.features[f].name for f in own.feature]
    assert names == ["colour", "b"]
    assert own.codes(0, 0) == [0] and own.codes(0, 1) == [1]
    # b sends the last row to the first three; the heavier branch is the other one
    assert tree.tree_.n_rows.tolist() == [8, 4, 4]
    assert tree.tree_.missing_branch[0] == 1


@pytest.mark.parametrize("numbers", [False, True])
def test_table_without_holes_gives_the_tree_of_majority(numbers):
    X, y, _ = table(3, share=0.0)
    y = (y == "up").astype(float) if numbers else y
    kind = tw.CARTRegressor if numbers else tw.CARTClassifier
    one, other = (
        kind(missing=rule).fit(X, y).tree_ for rule in ("majority", "surrogates")
    )
    for field in dataclasses.fields(one):
        if field.name != "surrogates":
            a, b = getattr(one, field.name), getattr(other, field.name)
            assert np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), field.name
    assert len(one.surrogates) == 0 < len(other.surrogates)


def test_any_number_of_threads_gives_the_same_bytes():
    random = np.random.default_rng(5)
    X = random.normal(size=(30_000, 6))
    X[:, 3:] = X[:, :3] + 0.3 * random.normal(size=(30_000, 3))
    y = X[:, 0] + X[:, 1] > 0
    X[random.random(X.shape) < 0.2] = np.nan
    models = [
        tw.CARTClassifier(missing="surrogates", max_depth=8, n_jobs=n).fit(X, y).model_
        for n in (1, 2, 3)
    ]
    assert len({to_bytes(model) for model in models}) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_saved_model_comes_back(seed):
    model, cells, _ = grown(seed)
    back = from_bytes(to_bytes(model))
    assert back.fingerprint() == model.fingerprint()
    assert (walk(back.trees[0], cells) == walk(model.trees[0], cells)).all()
    assert to_bytes(back) == to_bytes(model)


def test_fingerprint_tells_surrogates_apart():
    model, _, _ = grown(0)
    tree = model.trees[0]
    turned = dataclasses.replace(tree.surrogates, branch=1 - tree.surrogates.branch)
    other = dataclasses.replace(
        model, trees=(dataclasses.replace(tree, surrogates=turned),)
    )
    assert other.fingerprint() != model.fingerprint()


@pytest.mark.parametrize(
    ("name", "value", "names"),
    [
        ("feature", 99, ("surrogate 1", "feature", "0 to 3", 99)),
        ("feature", -1, ("surrogate 1", "feature", "0 to 3", -1)),
        ("kind", 3, ("surrogate 1", "feature", "asked", 3)),
        ("branch", 2, ("surrogate 1", "branch", 2)),
        ("agreement", np.nan, ("surrogate 1", "agreement", "0 to 1")),
        ("adjusted", 1.5, ("surrogate 1", "adjusted", "0 to 1")),
        ("threshold", np.inf, ("surrogate 1", "threshold", "inf")),
        ("set_codes", 77, ("surrogate 2", "codes", "branch")),
        ("set_branch", -5, ("surrogate 2", "codes", "branch")),
        ("start", 10**12, ("tree 0", "start", "surrogates", "0 to 6")),
        ("set_start", -3, ("tree 0", "set_start", "surrogates", "0 to 4")),
    ],
)
def test_hostile_values_are_refused(name, value, names):
    model, _, _ = grown(1)
    tree = model.trees[0]
    array = getattr(tree.surrogates, name).copy()
    array[1] = value
    bad = dataclasses.replace(tree.surrogates, **{name: array})
    broken = dataclasses.replace(
        model, trees=(dataclasses.replace(tree, surrogates=bad),)
    )
    with refused(ModelFileError, *names):
        validate_model(broken)


def test_pruning_keeps_the_surrogates_of_what_stays():
    grown_model, cells, _ = grown(2, max_depth=None)
    tree = grown_model.trees[0]
    model, _, _ = grown(2, max_depth=None, ccp_alpha=0.02)
    pruned = model.trees[0]
    assert 1 < pruned.node_count < tree.node_count
    assert len(pruned.surrogates) > 0
    kept = np.flatnonzero(pruned.kind != NodeKind.LEAF)
    assert set(np.flatnonzero(np.diff(pruned.surrogates.start))) <= set(kept.tolist())
    rows = paths(pruned, cells)
    assert [len(each) for each in rows] == pruned.n_rows.tolist()
    validate_model(model)


def test_wide_integers_are_compared_exactly():
    base = 2**60 + np.arange(12)
    X = {
        "a": [1.0, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, None],
        "big": [*base[:6].tolist(), *(base[6:] + 1).tolist()],
    }
    y = ["u"] * 6 + ["v"] * 6
    tree = tw.CARTClassifier(missing="surrogates", max_depth=1).fit(X, y)
    assert "if missing: a" in tree.to_text() or "if missing: big" in tree.to_text()
    assert tree.tree_.n_rows.tolist() == [12, 6, 6]
    assert (tree.predict(X) == y).all()
    back = from_bytes(to_bytes(tree.model_))
    assert back.fingerprint() == tree.fingerprint()


def test_listing_and_explanation_name_the_surrogates():
    X = {"a": [1.0, 2, 3, 7, 8, 9], "b": [10.0, 20, 30, 70, 80, 90]}
    tree = tw.CARTClassifier(missing="surrogates").fit(X, ["u"] * 3 + ["v"] * 3)
    assert "\n│  if missing: b ≤ 50 (agrees 1.00)\n" in tree.to_text()
    assert "a is missing, and b <= 50: goes with a <= 5" in tree.explain(
        {"a": None, "b": 1.0}
    )
    assert '"surrogates": [{"kind": "cut", "feature": "b"' in tree.to_json()
    assert max(map(len, tree.to_text(width=40).splitlines())) <= 40


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        (
            {"missing": "surrogates", "nominal_splits": "multiway"},
            ("missing='surrogates'", "nominal_splits='subset'"),
        ),
        (
            {"missing": "surrogates", "nominal_splits": "one_value"},
            ("missing='surrogates'", "nominal_splits='subset'"),
        ),
        ({"missing": "surrogates", "max_surrogates": -1}, ("max_surrogates", -1)),
        ({"max_surrogates": 3}, ("max_surrogates", "missing='surrogates'")),
        (
            {"missing": "error", "discount_missing": False},
            ("discount_missing", "missing='surrogates'", "discount_missing=True"),
        ),
    ],
)
def test_contradictions_are_refused_where_they_meet(settings, names):
    with refused(SettingError, *names):
        CART.change(**settings)


def test_discount_can_be_taken_off():
    # a separates its four known rows; b all rows but one
    X = {
        "a": [1.0, 2.0, None, None, None, None, 11.0, 12.0],
        "b": [1.0, 2.0, 3.0, 7.5, 5.0, 6.0, 7.0, 8.0],
    }
    y = ["u"] * 4 + ["v"] * 4
    names = []
    for discount in (True, False):
        dialect: Dialect = CART.change(
            missing="surrogates", discount_missing=discount, max_depth=1
        )
        tree = tw.TreeClassifier(
            missing="surrogates", discount_missing=discount, max_depth=1
        ).fit(X, y)
        assert dialect.discount_missing == discount
        names.append("ab"[int(tree.tree_.feature[0])])
    assert names == ["b", "a"]
