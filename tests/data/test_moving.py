"""The streams that change, against their definitions."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import SettingError


def test_sea_is_a_sum_against_four_thresholds():
    X, y = tw.datasets.sea(4000, noise=0.0, random_state=0)
    assert X.columns == ["x1", "x2", "x3"]
    rows = X.to_numpy()
    assert rows.min() >= 0
    assert rows.max() <= 10
    for part, threshold in enumerate((8, 9, 7, 9.5)):
        own = slice(1000 * part, 1000 * (part + 1))
        first = rows[own, 0] + rows[own, 1] <= threshold
        assert (y.to_numpy()[own] == np.where(first, "1", "2")).all()


def test_sea_without_drift_has_the_share_of_its_triangle():
    # x1 + x2 <= 8 in a square of side 10: 32 of 100
    _, y = tw.datasets.sea(100_000, thresholds=[8], noise=0.0, random_state=1)
    assert (y == "1").mean() == pytest.approx(0.32, abs=0.006)


def test_noise_exchanges_so_many_classes():
    kept, clean = tw.datasets.sea(50_000, noise=0.0, random_state=2)
    same, noisy = tw.datasets.sea(50_000, noise=0.1, random_state=2)
    assert kept.equals(same)
    assert (clean != noisy).mean() == pytest.approx(0.1, abs=0.005)


CONCEPTS = {
    1: lambda size, colour, shape: size == "small" and colour == "red",
    2: lambda size, colour, shape: colour == "green" or shape == "circular",
    3: lambda size, colour, shape: size in ("medium", "large"),
}


def test_stagger_has_three_concepts_one_after_the_other():
    X, y = tw.datasets.stagger(120, random_state=0)
    for number, (row, label) in enumerate(zip(X.iter_rows(), y, strict=True)):
        truth = CONCEPTS[number // 40 + 1](*row)
        assert label == ("true" if truth else "false")


def test_stagger_takes_any_concepts():
    X, y = tw.datasets.stagger(100, concepts=[3, 1], random_state=0)
    truth = [CONCEPTS[3](*r) for r in X[:50].iter_rows()]
    truth += [CONCEPTS[1](*r) for r in X[50:].iter_rows()]
    assert [label == "true" for label in y] == truth
    # 1/9, 5/9 and 2/3 of all things
    for concept, share in ((1, 1 / 9), (2, 5 / 9), (3, 2 / 3)):
        _, labels = tw.datasets.stagger(20_000, concepts=[concept], random_state=1)
        assert (labels == "true").mean() == pytest.approx(share, abs=0.012)


def test_a_plane_that_stands_still_divides_the_cube_in_halves():
    X, y = tw.datasets.hyperplane(20_000, noise=0.0, random_state=0)
    assert X.shape == (20_000, 10)
    assert (y == "1").mean() == pytest.approx(0.5, abs=0.01)
    # a linear rule through the middle of the cube is right about every row
    from sklearn.linear_model import LogisticRegression

    middle = X.to_numpy() - 0.5
    linear = LogisticRegression(C=1e6, max_iter=5000).fit(middle, y.to_numpy())
    assert linear.score(middle, y.to_numpy()) > 0.995
    assert abs(linear.intercept_[0]) < 0.02 * np.abs(linear.coef_).sum()


def test_a_plane_that_moves_is_another_in_the_end():
    from sklearn.linear_model import LogisticRegression

    X, y = tw.datasets.hyperplane(
        20_000, noise=0.0, speed=0.001, turning=0.0, random_state=0
    )
    rows, labels = X.to_numpy() - 0.5, y.to_numpy()
    weights = []
    for part in (slice(0, 1000), slice(19_000, 20_000)):
        own = LogisticRegression(C=100, max_iter=5000).fit(rows[part], labels[part])
        weights.append(own.coef_[0] / np.abs(own.coef_[0][2:]).sum())
    # two weights have moved by about 20, the others not at all
    assert np.abs(weights[1][:2]).min() > 5 * np.abs(weights[0]).max()


def test_the_same_seed_gives_the_same_stream():
    for make in (tw.datasets.sea, tw.datasets.stagger, tw.datasets.hyperplane):
        one, other = make(50, random_state=4), make(50, random_state=4)
        assert one[0].equals(other[0])
        assert one[1].equals(other[1])
        assert len(make(0, random_state=0)[1]) == 0


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda d: d.sea(thresholds=[]), [[], "list"]),
        (lambda d: d.sea(noise=2), ["noise", 2]),
        (lambda d: d.sea(thresholds=["a"]), ["thresholds", "'a'"]),
        (lambda d: d.stagger(concepts=[4]), ["concepts", [4], 1, 2, 3]),
        (lambda d: d.hyperplane(n_moving=11), ["n_moving", 11, 10]),
        (lambda d: d.hyperplane(n_features=0), ["n_features", 0, 1]),
        (lambda d: d.hyperplane(speed=float("inf")), ["speed", "inf"]),
    ],
)
def test_settings_that_cannot_be_are_refused(call, names):
    with refused(SettingError, *names):
        call(tw.datasets)
