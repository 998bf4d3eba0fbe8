"""C4.5 in plain steps, with exact and with 32-bit sums of the shares of rows."""

from __future__ import annotations

import numpy as np
import pytest

from conformance import datasets
from conformance.figures import grow
from conformance.programs import PROGRAMS
from conformance.rounding.__main__ import main
from conformance.rounding.answers import Comparison
from conformance.rounding.prune import more_errors
from conformance.rounding.splits import Training
from conformance.rounding.sums import EXACT, Members, Sums, Table, bits, single

needs_shared = pytest.mark.skipif(
    not (datasets.DATA / "datasets.json").is_file(),
    reason="the shared data sets are not beside the repository",
)


def test_single_sums_depend_on_the_order():
    # 2^24 is where 32-bit floats begin to leave numbers out: 2^24 + 1 is 2^24
    weights = np.array([2.0**24, 1, 1], np.float32)
    sums = Sums(np.float32)
    assert sums.total(weights) == 2.0**24
    assert sums.total(weights[::-1]) == 2.0**24 + 2
    assert EXACT.total(weights) == 2.0**24 + 2


def test_whole_rows_are_not_put_in_another_order():
    members = Members(np.arange(9), np.ones(9, np.float32))
    assert single(0).arranged(members) is members


def test_bits_of_weather():
    # 9 and 5 of 14: 14 x 0.940286 bits
    assert bits(EXACT, np.array([9.0, 5.0])) == pytest.approx(14 * 0.940286, rel=1e-6)


@pytest.mark.parametrize(
    ("n", "e", "more"),  # of the table in the semantics of Release 8
    [(6, 0, 1.2378), (6, 0.5, 1.2821), (16, 1, 1.5069), (5, 4.6, 0.2680)],
)
def test_more_errors_as_release_8(n, e, more):
    assert more_errors(n, e) == pytest.approx(more, abs=5e-5)


def upper_side(shares, n_whole):
    """A column that parts some shares of rows (class 0) from whole rows (class 1)."""
    n_shares = len(shares)
    values = np.repeat([0.0, 1.0], [n_shares, n_whole]).astype(np.float32)
    labels = np.repeat([0, 1], [n_shares, n_whole])
    rows = np.arange(len(values))
    weights = np.concatenate([shares, np.ones(n_whole)])
    table = Table(("x",), (values,), (0,), labels, 2)
    return table, rows, weights


def cut_of(sums, shares, n_whole):
    table, rows, weights = upper_side(shares, n_whole)
    members = Members(rows, weights.astype(sums.number))
    return Training(table, sums, rows).numeric(members, 0)


def test_side_of_exactly_two_rows_may_be_too_small_in_32_bits():
    shares = np.full(7, 0.7)
    assert cut_of(EXACT, shares, 2) is not None
    found = {cut_of(single(seed), shares, 2) is not None for seed in range(30)}
    assert found == {True, False}
    assert all(cut_of(single(seed), shares, 3) is not None for seed in range(30))


def ours(dataset, fold):
    """Size and errors pruned, errors not pruned, of the engine's trees."""
    is_test = dataset.folds == fold
    train, test = np.flatnonzero(~is_test), np.flatnonzero(is_test)
    pruned, grown = (
        grow(PROGRAMS[name], dataset, train, test=test).figures
        for name in ("c45r8", "c45r8_unpruned")
    )
    return pruned["size"], pruned["test_errors"], grown["test_errors"]


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize(
    ("name", "fold"), [("breast-w", 1), ("breast-w", 2), ("hepatitis", 2), ("labor", 0)]
)
def test_exact_sums_give_the_tree_of_the_engine(name, fold):
    dataset = datasets.load(name)
    comparison = Comparison(dataset, f"fold {fold}")
    assert comparison.figures(EXACT) == ours(dataset, fold)


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize(
    ("name", "place", "seeds"),
    [
        ("breast-w", "fold 1", 5),
        ("breast-w", "fold 2", 15),
        ("labor", "all rows", 15),
        ("hepatitis", "fold 2", 5),
    ],
)
def test_an_order_of_32_bit_sums_gives_the_recorded_figures(name, place, seeds):
    comparison = Comparison(datasets.load(name), place)
    found = (comparison.figures(single(seed)) for seed in range(seeds))
    assert comparison.figures(EXACT) != comparison.recorded
    assert any(figures == comparison.recorded for figures in found)


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize("fold", [2, 5])
def test_one_of_the_equal_splits_of_soybean_gives_the_recorded_figures(fold):
    comparison = Comparison(datasets.load("soybean"), f"fold {fold}")
    assert comparison.figures(EXACT) != comparison.recorded
    assert comparison.figures(EXACT, "canker-lesion") == comparison.recorded


@pytest.mark.slow
@needs_shared
def test_command_counts_the_orders(capsys):
    assert main(["--set", "labor", "--place", "fold 0", "--orders", "2"]) == 0
    assert capsys.readouterr().out == (
        "labor, fold 0: recorded (7, 3, 1), exact sums (7, 3, 1)\n"
        "    recorded in 2 of 2 orders: {(7, 3, 1): 2}\n"
    )
