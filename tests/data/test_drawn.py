"""The drawn problems: their definitions, checked by the best possible classifier.

`BAYES` names, for each problem, the class with the larger density, straight from the
definition in the papers; nothing of it is shared with the generators. If rows are drawn
as defined, it errs as often as the papers say, on our rows as on those of R's mlbench.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import treewright as tw
from conformance.datasets import DATA
from refusals import refused
from treewright.errors import SettingError

A = 2 / np.sqrt(20)
N_FEATURES = {"waveform": 21, "twonorm": 20, "threenorm": 20, "ringnorm": 20}
# Per cent. Ringnorm's is that of mlbench's centres, Breiman quotes 1.3. The CART book
# says 14 for waveform; the exact rule errs less often, also on the rows of mlbench, and
# none can err less often than the best.
ERRORS = {"waveform": 13.3, "twonorm": 2.28, "threenorm": 10.5, "ringnorm": 1.47}
# mlbench numbers the classes of waves from the other end
THEIR_CODES = {"waveform": [2, 1, 0]}
N_ROWS = 40_000


def log_normal(rows, centre, variance=1.0):
    """Log density of a round cloud, but for a constant of the dimension."""
    squares = ((rows - centre) ** 2).sum(axis=1)
    return -squares / (2 * variance) - rows.shape[1] / 2 * np.log(variance)


def bayes_waveform(rows):
    place = np.arange(1, 22)
    h = [np.maximum(6 - abs(place - 11 + move), 0) for move in (0, -4, 4)]
    shares = (np.arange(100) + 0.5) / 100
    densities = []
    for first, second in ((0, 1), (0, 2), (1, 2)):
        waves = np.outer(shares, h[first]) + np.outer(1 - shares, h[second])
        logs = rows @ waves.T - (waves**2).sum(axis=1) / 2
        densities.append(np.logaddexp.reduce(logs, axis=1))
    return np.argmax(densities, axis=0)


def bayes_twonorm(rows):
    return np.argmax([log_normal(rows, A), log_normal(rows, -A)], axis=0)


def bayes_threenorm(rows):
    alternating = A * np.array([1, -1] * 10)
    first = np.logaddexp(log_normal(rows, A), log_normal(rows, -A)) - np.log(2)
    return np.argmax([first, log_normal(rows, alternating)], axis=0)


def bayes_ringnorm(rows, centre=A / 2):
    return np.argmax([log_normal(rows, 0, 4.0), log_normal(rows, centre)], axis=0)


BAYES = {
    "waveform": bayes_waveform,
    "twonorm": bayes_twonorm,
    "threenorm": bayes_threenorm,
    "ringnorm": bayes_ringnorm,
}


def draw(name, *arguments, **named):
    features, target = getattr(tw.datasets, name)(*arguments, **named)
    return features.to_numpy(), target.cast(pl.Int64).to_numpy() - 1


def is_near(error, expected, n_rows):
    """Whether a share of wrong rows, in per cent, is what chance allows."""
    deviation = np.sqrt(expected * (100 - expected) / n_rows)
    return abs(error - expected) < 4 * deviation + 0.05  # of which they are rounded


@pytest.mark.slow
@pytest.mark.parametrize("name", BAYES)
def test_best_classifier_errs_as_often_as_published(name):
    rows, codes = draw(name, N_ROWS, random_state=0)
    error = 100 * np.mean(BAYES[name](rows) != codes)
    assert is_near(error, ERRORS[name], N_ROWS)


def test_ringnorm_of_delve_is_farther_apart():
    rows, codes = draw("ringnorm", N_ROWS, distance=2.0, random_state=0)
    error = 100 * np.mean(bayes_ringnorm(rows, A) != codes)
    assert is_near(error, 1.22, N_ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("name", BAYES)
def test_rows_are_those_of_mlbench_in_distribution(name):
    path = DATA / f"{name}.csv.gz"
    if not path.is_file():
        pytest.skip("the shared data sets are not beside the repository")
    table = pl.read_csv(path)
    theirs = table[:, :-1].to_numpy()
    numbers = table[:, -1].rank("dense").to_numpy() - 1
    their_codes = np.array(THEIR_CODES.get(name, [0, 1]))[numbers]
    error = 100 * np.mean(BAYES[name](theirs) != their_codes)
    assert is_near(error, ERRORS[name], len(theirs))
    rows, codes = draw(name, N_ROWS, random_state=1)
    for code in np.unique(codes):
        check_moments(rows[codes == code], theirs[their_codes == code])


def check_moments(ours, theirs):
    """Means and all products of two features agree as far as chance allows."""
    for one, other in ((ours, theirs), (products(ours), products(theirs))):
        spread = np.sqrt(one.var(axis=0) / len(one) + other.var(axis=0) / len(other))
        assert (abs(one.mean(axis=0) - other.mean(axis=0)) / spread).max() < 5


def products(rows):
    first, second = np.triu_indices(rows.shape[1])
    return rows[:, first] * rows[:, second]


@pytest.mark.parametrize("name", BAYES)
def test_table_has_features_classes_and_a_row_for_each(name):
    features, target = getattr(tw.datasets, name)(random_state=0)
    assert features.columns == [f"x{k}" for k in range(1, N_FEATURES[name] + 1)]
    assert len(features) == len(target) == 300
    classes = ["1", "2", "3"] if name == "waveform" else ["1", "2"]
    assert target.unique().sort().to_list() == classes
    assert target.name == "class"
    counts = target.value_counts()["count"]
    assert counts.min() > 300 / len(classes) - 40


@pytest.mark.parametrize("name", BAYES)
def test_seed_decides_the_rows(name):
    function = getattr(tw.datasets, name)
    first, again = (function(20, random_state=7) for _ in range(2))
    other = function(20, random_state=8)
    assert first[0].equals(again[0])
    assert first[1].equals(again[1])
    assert not first[0].equals(other[0])
    assert not function(20)[0].equals(function(20)[0])


def test_generator_goes_on_where_it_stopped():
    random = np.random.default_rng(3)
    first = tw.datasets.twonorm(10, random_state=random)[0]
    second = tw.datasets.twonorm(10, random_state=random)[0]
    assert not first.equals(second)
    assert tw.datasets.twonorm(0, random_state=random)[0].shape == (0, 20)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("n_rows", -1, 0),
        ("n_rows", 2.5, 0),
        ("random_state", "x", "Generator"),
        ("distance", float("nan"), "finite"),
    ],
)
def test_wrong_arguments_are_refused(name, value, allowed):
    with refused(SettingError, name, repr(value), allowed):
        tw.datasets.ringnorm(**{name: value})
