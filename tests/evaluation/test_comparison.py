"""Differences between learners, on one table and over several."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError
from treewright.evaluation.comparing.ranks import nemenyi_quantile

IRIS = load_iris(return_X_y=True)
WINE = load_wine(return_X_y=True)
TREES = {
    "stump": tw.CARTClassifier(max_depth=1),
    "tree": tw.CARTClassifier(max_depth=4),
    "scikit": DecisionTreeClassifier(max_depth=4, random_state=0),
}


def test_p_value_is_that_of_the_corrected_t_test():
    found = tw.compare(TREES, *WINE)
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    one, other = (
        1 - cross_val_score(TREES[name], *WINE, cv=folds) for name in ("stump", "tree")
    )
    apart = one - other
    # n2/n1 of ten folds is 1/9; folds of 17 and 18 rows weigh nearly the same
    error = np.sqrt((1 / 10 + 1 / 9) * apart.var(ddof=1))
    pair = found.differences[0]
    assert (pair.first, pair.second) == ("stump", "tree")
    assert pair.p == pytest.approx(2 * stats.t.sf(apart.mean() / error, 9), rel=0.05)
    assert pair.difference.value == pytest.approx(apart.mean(), rel=0.02)
    assert pair.adjusted_p >= pair.p


@pytest.mark.slow
def test_learners_of_noise_are_rarely_told_apart():
    # the target is a coin, so no learner is better; 5 % of tests may say so
    draw = np.random.default_rng(3)
    n_tables, found = 60, 0
    trees = [tw.CARTClassifier(max_depth=1), tw.CARTClassifier(max_depth=3)]
    for _ in range(n_tables):
        X, y = draw.normal(size=(60, 2)), draw.integers(0, 2, 60)
        p = tw.compare(trees, X, y, folds=5, n_jobs=1).differences[0].p
        found += p < 0.05
    assert found <= 0.05 * n_tables + 2 * np.sqrt(0.05 * 0.95 * n_tables)


def test_one_hold_out_is_compared_row_by_row():
    found = tw.compare(TREES, *WINE, hold_out=0.5)
    one, other = (found.evaluations[n].outcomes.losses() for n in (0, 1))
    expected = stats.ttest_rel(one, other)
    assert found.differences[0].p == pytest.approx(expected.pvalue)


@pytest.mark.parametrize(
    ("n_learners", "expected"), [(2, 1.960), (3, 2.343), (5, 2.728), (10, 3.164)]
)
def test_quantiles_are_those_of_demsar(n_learners, expected):
    # Demsar (2006), table 5, cut after three digits
    assert nemenyi_quantile(n_learners) == pytest.approx(expected, abs=1e-3)


@pytest.mark.slow
def test_ranks_over_several_tables():
    draw = np.random.default_rng(0)
    tables = {"iris": IRIS, "wine": WINE}
    for number in range(4):
        X = draw.normal(size=(80, 3))
        y = (X[:, 0] * X[:, 1] > 0).astype(int)
        tables[f"drawn {number}"] = (X, y)
    found = tw.compare(TREES, tables, folds=5)
    assert found.names == ["stump", "tree", "scikit"]
    assert found.ranks.sum(axis=1) == pytest.approx(np.full(6, 6.0))
    assert found.mean_ranks[0] == max(found.mean_ranks)
    chi, _ = stats.friedmanchisquare(*found.errors.T)
    ranks = found.mean_ranks
    own = 12 * 6 / (3 * 4) * (ranks**2).sum() - 3 * 6 * 4
    assert own <= chi + 1e-9  # scipy corrects for ties, which only raises it
    pair = found.pairs[0]
    expected = stats.wilcoxon(np.round(found.errors[:, 0] - found.errors[:, 1], 12))
    assert pair.p == pytest.approx(expected.pvalue)
    assert pair.wins + pair.losses <= 6


def test_pictures_are_well_formed_and_name_every_learner():
    names = {"<stump>": TREES["stump"], "tree": TREES["tree"]}
    one = tw.compare(names, *IRIS, folds=3)
    several = tw.compare(names, {"iris": IRIS, "wine": WINE}, folds=3)
    for picture in (one.to_svg(), several.to_svg()):
        texts = [each.text for each in ET.fromstring(picture).iter() if each.text]
        assert any("<stump>" in text for text in texts)
        assert any("tree" in text for text in texts)


def test_what_cannot_be_compared_is_refused():
    with refused(SettingError, "estimators"):
        tw.compare([], *IRIS)
    with refused(DataError, "target", "y", None):
        tw.compare(TREES, IRIS[0])
    with refused(SettingError, "'CARTClassifier', 'CARTRegressor'"):
        tw.compare([tw.CARTClassifier(), tw.CARTRegressor()], *IRIS)
