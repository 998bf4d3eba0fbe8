"""cost_matrix and probabilities of the classifiers: what is taken, and what it does."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import SettingError

# two leaves: "a" has 3 no and 1 yes, "b" has 2 no and 4 yes
X = {"f": ["a"] * 4 + ["b"] * 6}
Y = ["no", "no", "no", "yes", "no", "no", "yes", "yes", "yes", "yes"]
ROWS = {"f": ["a", "b"]}
CLASSIFIERS = [
    tw.C45Classifier,
    tw.CARTClassifier,
    tw.ID3Classifier,
    tw.TreeClassifier,
]


def one_split(owner=tw.C45Classifier, **settings):
    if owner is tw.C45Classifier:
        settings = {"pruning": None, "collapse": None, **settings}
    return owner(**settings).fit(X, Y)


@pytest.mark.parametrize("owner", CLASSIFIERS)
def test_leaves_answer_the_least_expected_cost(owner):
    assert one_split(owner).predict(ROWS).tolist() == ["no", "yes"]
    # at "a" saying no costs 1 x 4, saying yes 3 x 1
    tree = one_split(owner, cost_matrix={"yes": {"no": 4}})
    assert tree.predict(ROWS).tolist() == ["yes", "yes"]
    # probabilities stay what they are
    assert tree.predict_proba(ROWS).tolist() == [[0.75, 0.25], [2 / 6, 4 / 6]]


@pytest.mark.parametrize(
    "costs",
    [
        {"no": {"yes": 1.0}, "yes": {"no": 4.0}},
        {"yes": {"no": 4.0}},
        [[0, 1], [4, 0]],
        np.array([[0.0, 1.0], [4.0, 0.0]]),
        pd.DataFrame([[0, 1], [4, 0]], index=["no", "yes"], columns=["no", "yes"]),
    ],
)
def test_costs_can_be_said_in_several_ways(costs):
    assert one_split(cost_matrix=costs).model_.schema.target.costs == (
        (0.0, 1.0),
        (4.0, 0.0),
    )


@pytest.mark.parametrize(
    ("costs", "names"),
    [
        ([[0, 1, 2], [1, 0, 2]], ["(2, 3)", "('no', 'yes')"]),
        ([1, 2], [[1, 2], "('no', 'yes')"]),
        ({"no": {"yes": -1}}, ["'no'", "'yes'", -1]),
        ({"no": {"yes": "much"}}, ["'no'", "'yes'", "much"]),
        ({"no": {"yes": float("nan")}}, ["'no'", "'yes'", "nan"]),
        ({"no": {"no": 1}}, ["'no'", 1, "right"]),
        ({"yess": {"no": 1}}, ["'yess'", "'yes'"]),
        ({"yes": 4}, ["'yes'", 4, "dict"]),
        ([[0, 0], [0, 0]], [0, "answer"]),
    ],
)
def test_wrong_costs_are_refused(costs, names):
    with refused(SettingError, "cost_matrix", *names):
        one_split(cost_matrix=costs)


def test_costs_are_for_one_output():
    tree = tw.TreeClassifier(cost_matrix=[[0, 1], [1, 0]])
    with refused(SettingError, "cost_matrix", "output", 2):
        tree.fit(X, [[y, y] for y in Y])


def test_regressors_have_no_costs():
    with refused(TypeError, "TreeRegressor", "'cost_matrix'"):
        tw.TreeRegressor(cost_matrix=[[0, 1], [1, 0]])
    with refused(SettingError, "probabilities='raw'"):
        tw.TreeRegressor.dialect.change(probabilities="laplace")


def test_growing_needs_costs():
    with refused(SettingError, "costs_in_growing=True", "cost_matrix"):
        one_split(costs_in_growing=True)
    with refused(SettingError, "'no'", "costs_in_growing=False"):
        one_split(costs_in_growing=True, cost_matrix=[[0, 0], [4, 0]])


def test_laplace_adds_one_to_each_class():
    # (3 + 1) / (4 + 2) and (2 + 1) / (6 + 2)
    found = one_split(probabilities="laplace").predict_proba(ROWS)
    assert found == pytest.approx(np.array([[4 / 6, 2 / 6], [3 / 8, 5 / 8]]))


def test_m_estimate_adds_the_shares_of_the_root():
    # the root has 5 and 5 of 10: (3 + 4 x 0.5) / (4 + 4) and (2 + 2) / (6 + 4)
    tree = one_split(probabilities="m_estimate", prior_weight=4)
    found = tree.predict_proba(ROWS)
    assert found == pytest.approx(np.array([[5 / 8, 3 / 8], [4 / 10, 6 / 10]]))


def test_m_estimate_does_not_change_the_answer():
    # "a" has 2 yes of 3 rows; the root has 2 yes and 8 no of 10:
    # (2 + 5 x 0.2) / (3 + 5) is less than (1 + 5 x 0.8) / (3 + 5)
    tree = tw.TreeClassifier(probabilities="m_estimate", prior_weight=5)
    tree.fit({"f": list("aaa") + list("b" * 7)}, ["yes"] * 2 + ["no"] * 8)
    assert tree.predict({"f": ["a"]}).tolist() == ["yes"]
    found = dict(zip(tree.classes_, tree.predict_proba({"f": ["a"]})[0], strict=True))
    assert found == {"yes": pytest.approx(3 / 8), "no": pytest.approx(5 / 8)}


def test_divided_rows_get_the_mean_of_corrected_shares():
    # 4/10 of the row at "a", 6/10 at "b"
    found = one_split(probabilities="laplace").predict_proba({"f": [None]})
    assert found[0, 0] == pytest.approx(0.4 * 4 / 6 + 0.6 * 3 / 8)


def test_prior_weight_needs_the_m_estimate():
    with refused(SettingError, "prior_weight", "probabilities='m_estimate'"):
        one_split(prior_weight=5.0)


def test_text_says_what_is_not_plain():
    tree = one_split(cost_matrix={"yes": {"no": 4}}, probabilities="laplace")
    # all 5 rows that are no cost 1 each
    assert tree.to_text(width=None).splitlines()[-2:] == [
        "costs: no as yes 1, yes as no 4; "
        "the least expected cost decides, in training 5",
        "probabilities: Laplace, (weight + 1) / (total + classes)",
    ]


def test_fingerprint_tells_costs_and_corrections():
    prints = {
        one_split(**settings).fingerprint()
        for settings in (
            {},
            {"cost_matrix": [[0, 1], [1.5, 0]]},
            {"cost_matrix": [[0, 1], [1.25, 0]]},
            {"probabilities": "laplace"},
            {"probabilities": "m_estimate"},
            {"probabilities": "m_estimate", "prior_weight": 3.0},
        )
    }
    assert len(prints) == 6


def test_loaded_classifier_keeps_its_costs(tmp_path):
    for owner in CLASSIFIERS:
        tree = one_split(owner, cost_matrix={"yes": {"no": 4}})
        tree.save(tmp_path / "tree.tw")
        back = tw.load(tmp_path / "tree.tw")
        assert type(back) is owner
        assert back.cost_matrix == {"yes": {"no": 4}}
        assert back.predict(ROWS).tolist() == ["yes", "yes"]
