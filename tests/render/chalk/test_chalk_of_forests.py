"""Chalk of one tree of a forest: its rows, its features, its numbers."""

from __future__ import annotations

import json

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError
from treewright.learners.forest.bags import Bagging, tree_keys


def forest(**parameters):
    X, y = tw.datasets.tennis()
    return tw.RandomForestClassifier(4, random_state=3, **parameters).fit(X, y)


@pytest.mark.parametrize("dialect", ["cart", "id3", "c45"])
@pytest.mark.parametrize("tree", [0, 2])
def test_the_page_is_about_the_rows_and_features_that_were_drawn(dialect, tree):
    X, y = tw.datasets.tennis()
    grown = forest(dialect=dialect)
    chalk = grown.chalk(tree)
    counts = Bagging(14, 14, replace=True).counts(
        tree_keys(3, range(tree, tree + 1))[0]
    )
    drawn = chalk.record.drawn
    assert list(drawn.rows) == [row + 1 for row in range(14) if counts[row]]
    assert list(drawn.times) == [int(one) for one in counts if one]
    # the root's class weights are those of the bag
    weights = [int(counts[np.array(y) == one].sum()) for one in ("No", "Yes")]
    assert list(chalk[0].step.rows.counts[0]) == weights
    text = chalk.to_text()
    assert f"tree {tree + 1} of a forest; each node looks at 2 of 4 features" in text
    assert f"rows drawn, {len(drawn.rows)} of 14" in text
    for step in chalk.record.steps:
        if not step.candidates:
            continue
        compared = {one.feature for one in step.candidates}
        why = {one.feature: one.why for one in step.left_out}
        assert compared | why.keys() == set(X.columns)
        n_looked_at = 4 - list(why.values()).count("not_drawn")
        n_looked_at -= list(why.values()).count("used_above")
        assert n_looked_at >= 1
        if "used_above" not in why.values() and "one_value" not in why.values():
            assert n_looked_at == 2
        best = grown.trees_[tree].feature[step.node]
        if best >= 0:
            assert step.candidates[step.best].feature == X.columns[best]


def test_an_ordinary_tree_has_no_word_of_draws():
    X, y = tw.datasets.tennis()
    chalk = tw.ID3Classifier().fit(X, y).chalk()
    assert "drawn" not in chalk.to_text()
    assert "drawn" not in json.loads(chalk.to_json())


@pytest.mark.parametrize("language", ["de", "zh", "ko"])
def test_other_languages_and_formats(language):
    chalk = forest().chalk(1)
    assert "not drawn" not in chalk.to_text(language=language)
    for page in (chalk.to_html(), chalk.to_latex(), chalk.to_markdown()):
        assert "not drawn" in page
    assert json.loads(chalk.to_json())["drawn"]["tree"] == 2


def test_chalk_of_a_loaded_forest_needs_its_table(tmp_path):
    grown = forest()
    grown.save(tmp_path / "f.tw")
    loaded = tw.load(tmp_path / "f.tw")
    with refused(SettingError, "chalk", "X=...", "y=...", "sample_weight=..."):
        loaded.chalk(1)
    X, y = tw.datasets.tennis()
    assert loaded.chalk(1, X, y).to_text() == grown.chalk(1).to_text()
    with refused(DataError, "tree 1", "warm_start=False"):
        loaded.chalk(1, X[::-1], y)
    with refused(SettingError, "tree 4", "0 to 3"):
        grown.chalk(4)
