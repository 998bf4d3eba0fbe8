"""`model.rules()`: pages, orders, formulas, and models of every kind."""

from __future__ import annotations

import json
import math

import handmade
import hostile
import numpy as np
import pandas as pd
import pytest
from rule_tables import GOLDEN, MODELS

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError
from treewright.render.fitting.safe_text import display_width
from treewright.render.rules.rule_listing import RuleListing, tree_rules


@pytest.mark.parametrize("name", MODELS)
def test_page_is_the_golden_one(name):
    rules = MODELS[name]().rules()
    page = f"{rules}\n\n{rules.to_text(formula=True)}\n\n{rules.to_markdown()}"
    assert page == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_formula_of_tennis_is_that_of_the_lectures():
    X, y = tw.datasets.tennis()
    frame = pd.DataFrame({name: X[name].to_list() for name in X.columns})
    order = ["Sunny", "Overcast", "Rain"]  # of the lectures; ours is alphabetical
    frame["Outlook"] = pd.Categorical(frame["Outlook"], order)
    rules = tw.ID3Classifier().fit(frame, y.to_list()).rules()
    assert rules.formula("Yes") == (
        "(Outlook=Sunny and Humidity=Normal) or (Outlook=Overcast) or "
        "(Outlook=Rain and Wind=Weak)"
    )
    assert rules.formulas()["Yes"] == rules.formula("Yes")


def test_questions_on_one_feature_become_one_condition():
    X = np.arange(8.0)[:, None]
    y = [0, 1, 1, 0, 0, 1, 1, 0]
    rules = tw.CARTClassifier().fit(X, y).rules()
    assert [line.strip() for line in rules.to_frame()["conditions"]] == [
        "x0 <= 0.5",
        "0.5 < x0 <= 2.5",
        "2.5 < x0 <= 4.5",
        "4.5 < x0 <= 6.5",
        "x0 > 6.5",
    ]


def iris_like(n_rows=200):
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, 3)).round(1)
    y = np.where(X[:, 0] > 0.3, "high", np.where(X[:, 1] > 0, "mid", "low"))
    y[random.random(n_rows) < 0.1] = "low"
    return X, y


@pytest.mark.parametrize("by", ["cover", "confidence", "lift", "class"])
def test_rules_are_sorted_as_asked(by):
    X, y = iris_like()
    model = tw.CARTClassifier(max_depth=4).fit(X, y)
    data = json.loads(model.rules(sort=by).to_json())["rules"]
    assert {one["rule"] for one in data} == set(range(1, len(data) + 1))
    key = {"cover": "weight", "class": "then"}.get(by, by)
    found = [one[key] for one in data]
    assert found == sorted(found, reverse=by != "class")


def test_sorting_by_what_there_is_not_is_refused():
    model = tw.CARTRegressor().fit([[1.0], [2.0]], [1.0, 2.0])
    with refused(SettingError, "'lift'", "tree, cover, mean, spread"):
        model.rules(sort="lift")
    with refused(SettingError, "class 'x'", "'No'", "'Yes'"):
        MODELS["tennis"]().rules().formula("x")
    with refused(SettingError, "numbers", "formula", "class"):
        model.rules().formula(1)


def test_small_rules_can_be_left_out():
    rules = MODELS["tennis"]().rules(min_cover=3)
    assert len(rules) == 3
    assert "2 rules of fewer than 3 rows left out" in str(rules)
    assert len(rules.rule_set) == 5  # which still answer
    assert len(rules.of_class("No")) == 1


def test_numbers_have_mean_spread_and_cover():
    X = np.arange(6.0)[:, None]
    y = [1.0, 3.0, 2.0, 10.0, 12.0, 14.0]
    frame = tw.CARTRegressor(max_depth=1).fit(X, y).rules().to_frame()
    assert frame["mean"].to_list() == [2.0, 12.0]
    assert frame["rows"].to_list() == [3, 3]
    # deviations 1, 1, 0 and 2, 0, 2
    assert frame["spread"].to_list() == pytest.approx(
        [math.sqrt(2 / 3), math.sqrt(8 / 3)]
    )
    assert frame["share"].to_list() == [0.5, 0.5]


def test_figures_of_given_rows_are_counted():
    X, y = iris_like()
    model = tw.CARTClassifier(max_depth=2).fit(X, y)
    new, truth = iris_like(50)
    rules = model.rules(new, truth)
    assert rules.figures.weight.sum() == 50
    assert rules.figures.wrong.sum() == (model.predict(new) != truth).sum()
    assert (rules.predict(new) == model.predict(new)).all()
    weighted = model.rules(new, truth, np.full(50, 2.0))
    assert weighted.figures.weight.sum() == 100
    assert "50 rows of weight 100, " in str(weighted)


def test_rows_that_meet_no_rule_are_counted():
    model = MODELS["tennis"]()
    X, y = tw.datasets.tennis()
    holes = X.to_dict(as_series=False)
    holes["Outlook"] = [None, *holes["Outlook"][1:]]
    assert "1 row met no rule" in str(model.rules(holes, y))
    assert "14 training rows" in str(model.rules())


def test_divided_rows_add_up_to_whole_ones():
    X, y = tw.datasets.watermelon_missing()
    model = tw.C45Classifier().fit(X, y)
    assert "\n17 training rows, 3 wrong" in str(model.rules())
    # two rows have no value of the root's feature
    assert "\n17 rows, 3 wrong (17.6 %); 2 rows met no rule and get '否'" in str(
        model.rules(X, y)
    )


def test_a_leaf_without_a_class_is_a_rule_without_one():
    X, y = tw.datasets.restaurant()
    model = tw.TreeClassifier(
        nominal_splits="multiway", criterion="entropy", empty_branch="unclassified"
    )
    rules = model.fit(X, y).rules(sort="class")
    assert rules.to_frame()["answer"].to_list()[-1] is None
    assert "Type = French" in str(rules)
    assert "→ unclassified" in str(rules)
    assert json.loads(rules.to_json())["rules"][-1]["then"] is None


def test_the_spread_of_absolute_errors_is_a_mean():
    X, y = [[1.0], [1.0], [2.0], [2.0]], [0.0, 2.0, 10.0, 20.0]
    model = tw.CARTRegressor(criterion="absolute_error").fit(X, y)
    frame = model.rules().to_frame()
    assert frame["spread"].to_list() == [1.0, 5.0]
    assert "spread within the rules 3" in str(model.rules())


def test_a_table_without_answers_is_refused():
    X, y = tw.datasets.tennis()
    with refused(SettingError, "X", "y", "without"):
        MODELS["tennis"]().rules(X)
    with refused(DataError, "0 rows", "count"):
        MODELS["tennis"]().rules(X[:0], y[:0])


def test_one_leaf_is_one_rule_without_conditions():
    rules = tw.CARTClassifier().fit([[1.0], [2.0]], ["a", "a"]).rules()
    assert "1  always → a" in str(rules)
    assert rules.formula("a") == "(always)"
    assert rules.predict([[5.0]]).tolist() == ["a"]


def test_several_outputs_are_refused_in_one_line():
    model = tw.CARTClassifier().fit([[1.0], [2.0]], [["a", "x"], ["b", "y"]])
    with refused(SettingError, "rule", "2 outputs"):
        model.rules()


def test_a_compact_tree_needs_rows():
    X, y = iris_like()
    model = tw.CARTClassifier(max_depth=2).fit(X, y)
    small = model.compact()
    with refused(SettingError, "compact", "X and y"):
        small.rules()
    assert small.rules(X, y).to_json() == model.rules(X, y).to_json()


def test_boosted_trees_are_refused_in_one_line():
    model = tw.AdaBoostClassifier(5).fit(*iris_like())
    with refused(SettingError, "AdaBoost", "rule"):
        model.rules()


@pytest.mark.slow
@pytest.mark.parametrize("width", [20, 40, 80, 133])
@pytest.mark.parametrize("name", hostile.NAMES, ids=range(len(hostile.NAMES)))
def test_hostile_names_do_not_act_and_fit(name, width):
    rules = tree_rules(hostile.model(name))
    for ascii in (False, True):
        text = rules.to_text(width=width, ascii=ascii)
        assert all(display_width(line) <= width for line in text.split("\n"))
        assert all(line.isprintable() or "\u200d" in line for line in text.split("\n"))
        assert not ascii or text.isascii()
    assert len(rules.to_text(width=None).split("\n")) == len(rules) + 7
    data = json.loads(rules.to_json())
    assert data["rules"][0]["if"][0]["feature"] == name
    assert len(rules.to_markdown().split("\n")) == len(rules) + 9
    assert "<" not in rules.to_markdown().replace("\\<", "")


def test_values_with_signs_of_the_formula_are_quoted():
    model = tw.ID3Classifier().fit({"a=b": ["x=1", 'q"t']}, ["yes", "no"])
    assert model.rules().formula("yes") == '(a=b="x=1")'


@pytest.mark.slow
def test_a_chain_of_20_000_levels_becomes_rules():
    model = handmade.chain(20_000)
    rules = tree_rules(model)
    assert len(rules) == 20_001
    assert max(len(rule) for rule in rules) == 1
    rows = np.array([[0.0], [777.5], [1e6]])
    assert (rules.predict(rows) == model.predict(rows)).all()
    assert len(str(rules).split("\n")) > 20_000
    assert len(json.loads(rules.to_json())["rules"]) == 20_001


def test_a_listing_is_a_sequence():
    rules = MODELS["tennis"]().rules(sort="class")
    assert isinstance(rules, RuleListing)
    assert repr(rules).startswith("<5 rules: 5 rules for PlayTennis")
    assert [rule.answer for rule in rules] == [0, 0, 1, 1, 1]
    assert len(rules[1:3]) == 2


def test_json_has_every_condition_in_parts():
    X = pd.DataFrame(
        {
            "size": pd.Categorical(
                list("SMLX") * 6, ["S", "M", "L", "X"], ordered=True
            ),
            "colour": [*("red", "blue", "green") * 8],
            "age": [float(k) for k in range(24)],
        }
    )
    kinds = {"size": ["S", "M", "L", "X"]}
    y = [int((k % 4 in (1, 2)) ^ (k % 3 == 0) ^ (k > 11)) for k in range(24)]
    rules = tw.CARTClassifier(feature_kinds=kinds).fit(X, y).rules()
    parts = [part for one in json.loads(rules.to_json())["rules"] for part in one["if"]]
    assert {key for part in parts for key in part} >= {"above", "at_most", "in", "text"}
    for part in parts:
        if part["feature"] == "size":
            assert {part.get("above", "S"), part.get("at_most", "S")} <= set("SMLX")
        if part["feature"] == "colour":
            assert set(part["in"]) <= {"red", "blue", "green"}


def test_intervals_side_by_side_are_one():
    X = {"age": [float(k) for k in range(40)]}
    y = [int(10 <= k < 30) for k in range(40)]
    model = tw.TreeClassifier(discretize={"age": [4.5, 9.5, 19.5, 29.5]}).fit(X, y)
    assert set(model.rules().to_frame()["conditions"]) >= {"9.5 < age <= 29.5"}


def test_dates_are_written_as_dates():
    days = pd.date_range("2020-01-01", periods=8)
    model = tw.CARTClassifier().fit(pd.DataFrame({"day": days}), [0] * 4 + [1] * 4)
    first, second = model.rules().to_frame()["conditions"]
    assert first.startswith("day <= 2020-01-04")
    assert second.startswith("day > 2020-01-04")
