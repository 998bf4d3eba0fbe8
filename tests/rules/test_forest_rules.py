"""The rules of a forest: figures against brute force, and laws of the choice."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from refusals import refused
from treewright.errors import SettingError
from treewright.learners.forest.rules_of_forest import forest_rules
from treewright.prune.labelled_rows import LabelledRows
from treewright.rules import Condition, Rule
from treewright.rules.from_forest import RuleChoice


def table(n_rows=300, *, seed=0, noise=0.05):
    """Three classes that follow from two of four columns."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 4)).round(2)
    y = np.where(X[:, 0] > 0.5, 2, np.where(X[:, 1] > 0, 1, 0))
    drawn = random.random(n_rows) < noise
    y[drawn] = random.integers(0, 3, drawn.sum())
    return X, y


def forest(n_trees=20, **table_options):
    X, y = table(**table_options)
    return tw.RandomForestClassifier(n_trees, random_state=0).fit(X, y), X, y


def answers_by_hand(rules, cells):
    """The answer of the first rule that each row meets, row by row."""
    answers = []
    for row in cells:
        said = rules.rule_set.default
        for rule in rules.rule_set:
            if all(one.holds(row[None, :])[0] for one in rule.conditions):
                said = rule.answer
                break
        answers.append(said)
    return np.array(answers)


def test_agreement_and_errors_are_those_counted_one_by_one():
    model, X, y = forest()
    rules = model.rules()
    said, wanted = answers_by_hand(rules, X), model.predict(X)
    assert rules.likeness.agreement == pytest.approx((said == wanted).mean())
    assert rules.likeness.error == pytest.approx((said != y).mean())
    assert rules.likeness.forest_error == pytest.approx((wanted != y).mean())
    for k, rule in enumerate(rules.rule_set):
        covered = rule.covers(X)
        assert rules.figures.n_rows[k] == covered.sum()
        assert rules.figures.right[k] == (y[covered] == rule.answer).sum()


def test_rules_find_what_the_classes_follow_from():
    model, _, _ = forest(n_trees=50, noise=0.0, n_rows=1000)
    rules = model.rules()
    assert len(rules) <= 4
    assert rules.likeness.agreement > 0.98
    assert rules.likeness.agreement_new > 0.95
    asked = {c.feature for rule in rules for c in rule.conditions}
    assert asked == {0, 1}


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 1000),
    max_rules=st.integers(1, 8),
    least=st.sampled_from([0.6, 0.8, 0.95]),
    missing=st.booleans(),
)
def test_rules_are_few_sure_and_none_of_them_idle(seed, max_rules, least, missing):
    X, y = table(150, seed=seed)
    if missing:
        X[np.random.default_rng(seed).random(X.shape) < 0.1] = np.nan
    model = tw.RandomForestClassifier(8, random_state=seed).fit(X, y)
    rules = model.rules(max_rules=max_rules, min_agreement=least)
    wanted = model.predict(X)
    assert len(rules) <= max_rules
    fired = rules.rule_set.fires(X)
    for k, rule in enumerate(rules.rule_set):
        covered = rule.covers(X)
        assert rule.conditions
        assert (wanted[covered] == rule.answer).mean() >= least - 1e-9
        # without it, rows that it answers as the forest are answered otherwise
        others = [*range(k), *range(k + 1, len(rules))]
        without = rules.rule_set.taking(others)
        right = (fired >= 0) & (rules.rule_set.answers_of(fired) == wanted)
        other = without.fires(X)
        still = (other >= 0) & (without.answers_of(other) == wanted)
        assert right.sum() > still.sum()
    assert len({(frozenset(rule.conditions), rule.answer) for rule in rules}) == len(
        rules
    )


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000))
def test_no_condition_can_be_taken_off_the_first_rule(seed):
    X, y = table(150, seed=seed)
    model = tw.RandomForestClassifier(6, random_state=seed).fit(X, y)
    rules = model.rules(max_rules=1)
    if not len(rules):
        return
    wanted = model.predict(X)

    def gain(rule: Rule) -> float:
        """Rows answered as the forest less four times the others."""
        covered = rule.covers(X)
        same = (wanted[covered] == rule.answer).sum()
        sure = same >= 0.8 * covered.sum()
        return same - 4 * (covered.sum() - same) if sure else -np.inf

    rule = rules[0]
    for place in range(len(rule) if len(rule) > 1 else 0):
        assert gain(rule.without(place)) < gain(rule) - 0.5 + 1e-9


def test_numbers_are_explained_by_rules():
    random = np.random.default_rng(0)
    X = random.uniform(size=(500, 3)).round(2)
    y = np.where(X[:, 0] > 0.5, 10.0, 0.0) + random.normal(size=500)
    model = tw.RandomForestRegressor(20, random_state=0).fit(X, y)
    rules = model.rules(max_rules=4)
    said, wanted = answers_by_hand(rules, X), model.predict(X)
    r2 = 1 - ((said - wanted) ** 2).mean() / wanted.var()
    assert rules.likeness.agreement == pytest.approx(r2)
    assert r2 > 0.9
    assert rules.likeness.error == pytest.approx(((said - y) ** 2).mean() ** 0.5)
    assert rules[0].conditions[0].feature == 0
    assert "R squared" in str(rules)


@pytest.mark.slow
@pytest.mark.parametrize(("shift", "scale"), [(0.0, 1e-9), (1e9, 1.0), (-5.0, 1e6)])
def test_numbers_of_any_size_have_the_same_rules(shift, scale):
    random = np.random.default_rng(0)
    X = random.uniform(size=(300, 3)).round(2)
    y = np.where(X[:, 0] > 0.5, 8.0, 0.0) + 4.0 * (X[:, 1] > 0.3)

    def rules_of(target):
        model = tw.RandomForestRegressor(10, random_state=0, max_features=2)
        return model.fit(X, target).rules(max_rules=4)

    usual, other = rules_of(y), rules_of(y * scale + shift)
    assert [one.conditions for one in other] == [one.conditions for one in usual]
    np.testing.assert_allclose(
        [one.answer for one in other], [one.answer * scale + shift for one in usual]
    )


def test_a_forest_that_answers_nothing_has_no_rule():
    model = tw.RandomForestRegressor(3, random_state=0).fit([[1.0], [2.0]], [3.0, 3.0])
    rules = model.rules()
    assert len(rules) == 0
    assert rules.predict([[1.0]]).tolist() == [3.0]


def test_the_answer_does_not_depend_on_threads_or_runs():
    first, X, y = forest()
    again = tw.RandomForestClassifier(20, random_state=0, n_jobs=1).fit(X, y)
    assert first.rules().to_json() == again.rules().to_json()


@pytest.mark.slow
def test_a_loaded_forest_is_asked_about_rows(tmp_path):
    model, X, y = forest()
    model.save(tmp_path / "forest.tw")
    loaded = tw.load(tmp_path / "forest.tw")
    with refused(SettingError, "rules", "X=...", "y=...", "sample_weight=..."):
        loaded.rules()
    assert loaded.rules(X, y).to_frame().equals(model.rules().to_frame())
    small = model.compact()
    assert small.rules(X, y).to_frame().equals(model.rules().to_frame())


def test_progress_is_told_rule_by_rule():
    model, _, _ = forest()
    told = []
    rules = model.rules(max_rules=3, progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (len(told), 3)
    assert len(told) >= len(rules)


@pytest.mark.parametrize(
    ("wrong", "names"),
    [
        ({"max_rules": 0}, ("max_rules", 0)),
        ({"max_rules": 2.5}, ("max_rules", 2.5)),
        ({"min_agreement": 0}, ("min_agreement", 0)),
        ({"min_agreement": "x"}, ("min_agreement", "'x'")),
        ({"sort": "mean"}, ("'mean'", "confidence", "lift", "class")),
        ({"progress": 3}, ("progress", 3, "True", "False")),
    ],
)
def test_what_makes_no_sense_is_refused(wrong, names):
    model, _, _ = forest(n_trees=2)
    with refused(SettingError, *names):
        model.rules(**wrong)


def test_several_outputs_are_refused():
    X, y = table(60)
    model = tw.RandomForestClassifier(3, random_state=0).fit(X, np.stack([y, y], 1))
    with refused(SettingError, "rule", "2 outputs"):
        model.rules()


def test_a_forest_of_leaves_has_no_rule():
    X = np.ones((10, 1))
    model = tw.RandomForestClassifier(3, random_state=0).fit(X, [0] * 6 + [1] * 4)
    rules = model.rules()
    assert len(rules) == 0
    assert "no rules for target: every row gets 0" in str(rules)
    assert rules.predict(X[:2]).tolist() == model.predict(X[:2]).tolist()


def test_deep_trees_and_weights():
    random = np.random.default_rng(0)
    X = np.arange(400.0)[:, None]
    y = random.integers(0, 2, 400)
    weights = random.integers(1, 5, 400).astype(float)
    model = tw.ExtraTreesClassifier(5, random_state=0).fit(X, y, weights)
    rules = model.rules()
    assert max(tree.depth for tree in model.trees_) > 9
    covered = rules[0].covers(X)
    assert rules.figures.weight[0] == weights[covered].sum()
    assert len(rules[0].conditions) == 1


def test_weighted_sums_become_conditions():
    X, y = table(300)
    model = tw.RandomForestClassifier(10, combined_features=2, random_state=0)
    rules = model.fit(X, y).rules()
    conditions: list[Condition] = [c for rule in rules for c in rule.conditions]
    assert all(len(one.terms) == 2 for one in conditions)
    assert (answers_by_hand(rules, X) == rules.predict(X)).all()


@pytest.mark.slow
def test_many_trees_and_rows_take_seconds():
    X, y = table(10_000, noise=0.2)
    model = tw.RandomForestClassifier(100, random_state=0, max_depth=12).fit(X, y)
    rows = LabelledRows(X, y[:, None].astype(np.int64), np.ones(len(y)))
    begin = time.process_time()
    forest_rules(model.model_, rows, RuleChoice())
    assert time.process_time() - begin < 20  # 2 here


def test_rules_of_a_forest_promise_nothing_for_new_rows():
    X, y = tw.datasets.tennis()
    forest = tw.RandomForestClassifier(20, random_state=0).fit(X, y).rules()
    tree = tw.ID3Classifier().fit(X, y).rules()
    for listing, promises in ((forest, False), (tree, True)):
        assert (" new " in str(listing).split("\n1 ")[0]) == promises
        assert ("new %" in listing.to_markdown()) == promises
