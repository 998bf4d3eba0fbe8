"""Edited rules as models: they predict, give shares, are saved, loaded and printed."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from rule_tables import GOLDEN, MODELS

import treewright as tw
from refusals import refused
from treewright.errors import SettingError

LENSES = Path(__file__).parent / "contact_lenses.csv"


def rows_of(name):
    if name == "tennis":
        return tw.datasets.tennis()
    table = tw.read_table(LENSES)
    return table.drop("contact-lenses"), table["contact-lenses"]


def pages(bench):
    """Every page of a workbench, and of one with an edit."""
    edited = bench.drop(2, 1)
    found = [bench, bench.row(3), bench.rows_of(2), bench.conflicts(), bench.worth()]
    found += [bench.unused(), edited, edited.conflicts(), edited.unused()]
    return "\n\n\n".join(map(str, found)) + "\n"


@pytest.mark.parametrize("name", ["tennis", "contact_lenses"])
def test_pages_are_the_golden_ones(name):
    bench = MODELS[name]().rules().workbench(*rows_of(name))
    wanted = (GOLDEN / f"{name}_workbench.txt").read_text(encoding="utf-8")
    assert pages(bench) == wanted


def test_a_model_that_was_not_edited_is_the_one_that_was_fitted():
    X, y = tw.datasets.tennis()
    model = tw.C45RulesClassifier().fit(X, y)
    again = model.rules().workbench(X, y).model()
    np.testing.assert_array_equal(again.class_weights, model.model_.class_weights)
    np.testing.assert_array_equal(again.n_rows, model.model_.n_rows)
    # C4.5's own table of the normal curve is a little rough
    np.testing.assert_allclose(again.rates, model.model_.rates, rtol=0.02)
    assert again.fingerprint() == model.model_.fingerprint()
    np.testing.assert_allclose(again.predict_proba(X), model.predict_proba(X))


def test_edited_rules_are_saved_and_loaded(tmp_path):
    X, y = tw.datasets.tennis()
    edited = tw.ID3Classifier().fit(X, y).rules().workbench(X, y).drop(2).drop(2, 1)
    path = tmp_path / "edited.tw"
    edited.save(path)
    model = tw.load(path)
    assert model.predict(X).tolist() == edited.predict(X).tolist()
    np.testing.assert_allclose(model.predict_proba(X), edited.predict_proba(X))
    assert model.rules_.rules == edited.rule_set.rules
    assert model.model_.notes == (
        "edited by hand: rule 2 dropped",
        "edited by hand: condition 1 of rule 2 dropped",
    )
    assert "Wind = Weak" in str(model.rules())
    assert pickle.loads(pickle.dumps(model)).predict(X).tolist() == [*edited.predict(X)]
    with refused(SettingError, "rules", "edited"):
        model.chalk(X, y)
    assert model.fit(X, y).score(X, y) == 1.0


def test_a_rule_without_rows_has_the_shares_of_the_default(tmp_path):
    X, y = tw.datasets.tennis()
    rules = tw.ID3Classifier().fit(X, y).rules()
    some = [k for k, cell in enumerate(X["Outlook"]) if cell != "Overcast"]
    bench = rules.workbench(X[some], y[some])
    assert bench.unused().unmet == [1]
    bench.save(tmp_path / "some.tw")
    model = tw.load(tmp_path / "some.tw")
    overcast = [k for k in range(14) if k not in some]
    assert {*model.predict(X[overcast])} == {"Yes"}
    # every row of the bench is covered, so the default has all: 5 Yes, 5 No
    np.testing.assert_allclose(model.predict_proba(X[overcast]), 0.5)
    assert "rule 1: Outlook = Overcast" in model.explain(X.row(2, named=True))


def test_conditions_on_missing_values_are_kept(tmp_path):
    X = {"a": [1.0, 2.0, None, None, 3.0, 4.0], "b": list("xyxyxy")}
    y = ["no", "no", "yes", "yes", "no", "no"]
    rules = tw.CARTClassifier(missing="own_branch").fit(X, y).rules()
    assert "a is missing" in str(rules)
    bench = rules.workbench(X, y)
    bench.save(tmp_path / "missing.tw")
    assert tw.load(tmp_path / "missing.tw").predict(X).tolist() == y


def test_rules_of_a_forest_are_edited():
    X, y = tw.datasets.tennis()
    forest = tw.RandomForestClassifier(20, random_state=0).fit(X, y)
    rules = forest.rules(max_rules=4)
    bench = rules.workbench(X, y)
    assert bench.errors == round(14 * rules.likeness.error)
    assert len(bench.drop(1).model().rule_set) == len(rules) - 1


def test_bits_are_those_of_c45rules_where_no_candidate_was_left_out():
    X, y = tw.datasets.tennis()
    model = tw.C45RulesClassifier().fit(X, y)
    subsets = model.chalk().induction.subsets
    assert sum(one.n_candidates for one in subsets) == len(model.rules_)
    bench = model.rules().workbench(X, y)
    assert bench.bench.length.theory == pytest.approx(sum(s.theory for s in subsets))
    assert bench.bits == pytest.approx(sum(one.bits for one in subsets))
