"""How trees vote: what each contributes, and how much it counts."""

from __future__ import annotations

import copy
from dataclasses import replace

import handmade
import numpy as np
import pytest
from sklearn.datasets import load_iris

import treewright as tw
from refusals import refused
from treewright.errors import ModelFileError
from treewright.tree.file.container import pack, unpack
from treewright.tree.file.save import from_bytes, to_bytes
from treewright.tree.predict import vote
from treewright.tree.predict.place import place
from treewright.tree.predict.voting import Voting
from treewright.tree.staged import staged_shares

WEIGHTS = (0.5, 2.0, 0.25, 1.0, 3.0)


def table(*, holes=False):
    X, y = load_iris(return_X_y=True)
    if holes:
        X[::5, 3] = np.nan
    return X, y


def forest(voting, *, dialect="cart", holes=False):
    X, y = table(holes=holes)
    grown = tw.RandomForestClassifier(5, dialect=dialect, max_depth=2, random_state=0)
    return X, replace(grown.fit(X, y).model_, voting=voting)


def sure_votes(one, X):
    """Return a tree's votes, of (w + 1) / (n + 2), row by row."""
    tree, answers = one.trees[0], one.predict(X)
    rows = np.zeros((len(X), 3))
    for row, cells in enumerate(X):
        parts = place(
            tree,
            cells[None, :],
            np.zeros(1, np.int32),
            np.array([0, 1]),
            np.zeros(1, np.int64),
            np.ones(1),
            node_weights=tree.weight,
        )
        for node, weight in zip(parts.node, parts.weight, strict=True):
            w = tree.value[node, answers[row]]
            rows[row, answers[row]] += weight * (w + 1) / (tree.value[node].sum() + 2)
    return rows


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("kind", ["mean", "votes", "confidence"])
@pytest.mark.parametrize("dialect", ["cart", "c45"])  # which divides rows
def test_the_answer_is_the_sum_of_what_the_trees_say(kind, weights, dialect):
    X, model = forest(Voting(kind, weights), dialect=dialect, holes=True)
    alone = [replace(model, trees=(tree,), voting=Voting()) for tree in model.trees]
    said = [one.predict_proba(X) for one in alone]
    if kind == "votes":
        said = [np.eye(3)[one.predict(X)] for one in alone]
    if kind == "confidence":
        said = [sure_votes(one, X) for one in alone]
    counts = np.ones(5) if weights is None else np.array(weights)
    wanted = np.average(said, axis=0, weights=counts)
    wanted /= wanted.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), wanted, rtol=1e-14)
    best = wanted.argmax(axis=1)
    clear = np.sort(wanted)[:, -1] - np.sort(wanted)[:, -2] > 1e-12
    np.testing.assert_array_equal(model.predict(X)[clear], best[clear])


@pytest.mark.parametrize("kind", ["mean", "votes", "confidence"])
def test_all_ways_to_ask_agree(kind):
    X, model = forest(Voting(kind, WEIGHTS), dialect="c45", holes=True)
    ends = model.ends(model.encode(X)[0])
    np.testing.assert_array_equal(model.proba_at(ends), model.predict_proba(X))
    np.testing.assert_array_equal(model.predict_at(ends), model.predict(X))
    np.testing.assert_array_equal(model.codes_at(ends), model.predict_codes(X))
    *_, last = staged_shares(model, model.encode(X)[0])
    np.testing.assert_array_equal(last[0], model.predict_proba(X))
    back = from_bytes(to_bytes(model))
    np.testing.assert_array_equal(back.predict_proba(X), model.predict_proba(X))
    assert back.voting == model.voting
    assert back.fingerprint() == model.fingerprint()


@pytest.mark.parametrize("kind", ["votes", "confidence"])
def test_stages_are_the_models_of_the_first_trees(kind):
    X, model = forest(Voting(kind, WEIGHTS))
    for number, shares in enumerate(staged_shares(model, X), 1):
        voting = model.voting.first(number)
        part = replace(model, trees=model.trees[:number], voting=voting)
        np.testing.assert_array_equal(shares[0], part.predict_proba(X))


def test_one_tree_of_votes_gives_its_class_all():
    X, model = forest(Voting("votes"))
    one = replace(model, trees=model.trees[:1])
    np.testing.assert_array_equal(one.predict_proba(X), np.eye(3)[one.predict(X)])


def test_numbers_can_be_weighed():
    X, y = table()
    grown = tw.RandomForestRegressor(5, random_state=0).fit(X, y.astype(float))
    model = replace(grown.model_, voting=Voting("mean", WEIGHTS))
    each = [
        tree.value[:, 0][vote_nodes]
        for tree, vote_nodes in zip(model.trees, model.apply(X).T, strict=True)
    ]
    wanted = np.average(each, axis=0, weights=WEIGHTS)
    np.testing.assert_allclose(model.predict(X), wanted, rtol=1e-14)


def test_the_fingerprint_knows_the_votes():
    _, model = forest(Voting())
    others = [Voting("votes"), Voting("mean", WEIGHTS), Voting("votes", WEIGHTS)]
    prints = {replace(model, voting=one).fingerprint() for one in [Voting(), *others]}
    assert len(prints) == 4


def test_costs_speak_in_each_tree():
    X, model = forest(Voting("votes"))
    costs = ((0.0, 1.0, 1.0), (1.0, 0.0, 9.0), (1.0, 1.0, 0.0))
    target = replace(model.schema.target, costs=costs)
    model = replace(model, schema=replace(model.schema, target=target))
    shares = model.predict_proba(X)
    np.testing.assert_array_equal(model.predict_codes(X)[:, 0], shares.argmax(axis=1))
    codes = vote.codes_of(target, [shares])  # with the costs, another answer
    assert (codes[:, 0] != shares.argmax(axis=1)).any()


def test_a_file_says_how_trees_vote_only_if_not_as_ever():
    _, model = forest(Voting())
    assert "voting" not in unpack(to_bytes(model))[0]
    header, _ = unpack(to_bytes(replace(model, voting=Voting("votes", WEIGHTS))))
    assert header["voting"] == {"kind": "votes", "weights": list(WEIGHTS)}
    assert header["required"] == ["model", "schema", "voting"]


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"kind": "loudest"}, ("voting", "mean, votes, confidence", "'loudest'")),
        ({"kind": 1}, ("header", "'kind'", "int", "str")),
        ({"weights": [1.0]}, ("1 weights", "5 trees")),
        ({"weights": [1.0] * 4 + [-1.0]}, ("weights", "finite", "negative")),
        ({"weights": [0.0] * 5}, ("weights", "finite sum", 0)),
        ({"weights": [1e308] * 5}, ("weights", "finite sum", 0)),
        ({"weights": [1] * 5}, ("header", "'weights'", "int", "float")),
        ({"weights": "many"}, ("header", "'weights'", "str", "list")),
    ],
)
def test_wrong_votes_are_refused(change, names):
    _, model = forest(Voting("votes", WEIGHTS))
    header, arrays = unpack(to_bytes(model))
    header = copy.deepcopy(header)
    header["voting"].update(change)
    with refused(ModelFileError, *names):
        from_bytes(pack(header, arrays))


def test_numbers_have_no_votes():
    with refused(ModelFileError, "voting", "'votes'", "numbers"):
        to_bytes(replace(handmade.regression(), voting=Voting("votes")))


@pytest.mark.parametrize(
    "learner", [tw.RandomForestClassifier, tw.ExtraTreesClassifier]
)
def test_forests_can_vote(learner):
    X, y = table()
    settings = {"random_state": 0, "oob_score": True, "max_depth": 2}
    settings["bootstrap"] = True
    voted = learner(25, voting="votes", **settings).fit(X, y)
    mean = learner(25, **settings).fit(X, y)
    shares = voted.predict_proba(X)
    np.testing.assert_allclose(shares * 25, np.rint(shares * 25), atol=1e-9)
    assert "class with the most votes" in voted.to_text()
    assert voted.fingerprint() != mean.fingerprint()
    # out of bag, too: whole votes of the trees that were asked
    votes = voted.oob_decision_function_ * voted._out_of_bag.n_votes[:, None]
    np.testing.assert_allclose(votes, np.rint(votes), atol=1e-9)
    wrong = voted.oob_decision_function_.argmax(axis=1) != y
    assert voted.oob_error_ == pytest.approx(wrong.mean())


def test_bad_voting_is_one_clear_line():
    X, y = table()
    for bad in ("loud", None, 3):
        with refused(ValueError, "voting", repr(bad), "'mean', 'votes'"):
            tw.RandomForestClassifier(2, voting=bad).fit(X, y)
