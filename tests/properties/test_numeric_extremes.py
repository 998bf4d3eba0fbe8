"""Numbers, targets and weights at the ends of their range, through the engine."""

from __future__ import annotations

import datetime
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from engine_as_textbook import as_textbook
from refusals import refused
from textbook import grow_cart
from textbook_compare import first_difference
from treewright import CARTClassifier, CARTRegressor
from treewright.data.encoding.encode import encode
from treewright.errors import DataError
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.recipe import grow_tree
from treewright.tree.file.save import from_bytes, to_bytes
from treewright.tree.structure.tree import NodeKind

INF = float("inf")
MAX = sys.float_info.max
TINY = 5e-324  # the smallest number above 0
NUMBER_CRITERIA = ["squared_error", "absolute_error"]


def grow(x, y, dialect=CART, weights=None, **settings):
    """Grow a tree from one column; the model survives saving."""
    dialect = dialect.change(**settings)
    columns = encode({"x": x}, y, task=dialect.task, sample_weight=weights)
    model = grow_tree(columns, dialect, n_jobs=1)
    assert to_bytes(from_bytes(to_bytes(model))) == to_bytes(model)
    return model


def shape(model):
    """Return what the tree asks of how many rows."""
    tree = model.trees[0]
    return tree.feature.tolist(), tree.threshold.tolist(), tree.n_rows.tolist()


def same_shape(first, second):
    return str(shape(first)) == str(shape(second))  # NaN equals NaN as text


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (-INF, INF),
        (-INF, -1e308),
        (-INF, 0.0),
        (0.0, INF),
        (MAX, INF),
        (-MAX, MAX),
        (1e300, 1.5e308),
        (0.0, TINY),
        (-TINY, 0.0),
        (-TINY, TINY),
        (TINY, 2 * TINY),
        (1.0, np.nextafter(1.0, 2.0)),
        (np.nextafter(1.0, 0.0), 1.0),
        (1e300, np.nextafter(1e300, INF)),
        (-MAX, np.nextafter(-MAX, 0.0)),
        (2.2250738585072014e-308, 2.225073858507201e-308)[::-1],
    ],
)
def test_finite_cut_separates_any_two_numbers(low, high):
    model = grow([high, low], ["high", "low"])
    cut = model.trees[0].threshold[0]
    assert np.isfinite(cut)
    assert low <= cut < high
    assert model.predict({"x": [low, high]}).tolist() == ["low", "high"]


def test_infinities_are_the_extreme_values():
    x = [-INF, -1.0, 2.0, INF, INF]
    model = grow(x, list("abcdd"))
    assert model.predict({"x": x}).tolist() == list("abcdd")
    assert np.isfinite(model.trees[0].threshold[model.trees[0].feature >= 0]).all()


NUMERIC_SPLITS = ["midpoint", "below_midpoint", "training_value", "lower_value"]


@pytest.mark.slow
@pytest.mark.parametrize("numeric_splits", NUMERIC_SPLITS)
@pytest.mark.parametrize("single_precision", [False, True])
@pytest.mark.parametrize(
    "x",
    [
        [-INF, -INF, -INF, 1, 2, 3],
        [1, 2, 3, INF, INF, INF],
        [-INF, -INF, -INF, INF, INF, INF],
        [-MAX, 0, 1, INF, INF, INF],
        [-INF, -INF, -1e308, MAX, INF, INF],
        [-INF, -INF, -INF, -1e308, 1, INF],
    ],
)
def test_no_way_to_cut_has_an_infinite_threshold(numeric_splits, single_precision, x):
    settings = {"numeric_splits": numeric_splits, "single_precision": single_precision}
    model = grow(x, list("aaabbb"), **settings)
    tree = model.trees[0]
    assert np.isfinite(tree.threshold[tree.feature >= 0]).all()
    assert model.predict({"x": x}).tolist() == list("aaabbb")


@pytest.mark.parametrize("numeric_splits", NUMERIC_SPLITS)
@pytest.mark.parametrize("other", [[-INF] * 3 + [1, 2, 3], [1, 2, 3] + [INF] * 3])
def test_no_surrogate_has_an_infinite_threshold(numeric_splits, other):
    dialect = CART.change(missing="surrogates", numeric_splits=numeric_splits)
    x = [-INF, -INF, -INF, 4, 5, INF]
    columns = encode({"x": x, "other": other}, list("aaabbb"), task="classes")
    model = grow_tree(columns, dialect, n_jobs=1)
    assert to_bytes(from_bytes(to_bytes(model))) == to_bytes(model)
    assert len(model.trees[0].surrogates.threshold) == 1
    assert np.isfinite(model.trees[0].surrogates.threshold).all()
    nothing = [float("nan")] * 6
    assert model.predict({"x": x, "other": nothing}).tolist() == list("aaabbb")
    assert model.predict({"x": nothing, "other": other}).tolist() == list("aaabbb")


@pytest.mark.parametrize("numeric_splits", NUMERIC_SPLITS)
def test_cut_between_minus_infinity_and_the_lowest_float_is_finite(numeric_splits):
    model = grow([-INF, -MAX, 0.0], ["a", "b", "b"], numeric_splits=numeric_splits)
    assert np.isfinite(model.trees[0].threshold[0])


def test_negative_zero_is_zero():
    assert grow([-0.0, 0.0], [0, 1]).trees[0].node_count == 1
    model = grow([-0.0, 0.0, 1.0], [0, 0, 1])
    assert model.predict({"x": [-0.0, 0.0, 1.0]}).tolist() == [0, 0, 1]
    signs = [grow([zero, 1.0], [0, 1]) for zero in (0.0, -0.0)]
    assert signs[0].fingerprint() == signs[1].fingerprint()


@pytest.mark.slow
@given(
    arrays.arrays(np.float64, st.integers(2, 8), elements=st.floats(allow_nan=False)),
    st.data(),
)
def test_any_numbers_are_told_apart(x, data):
    x = np.where(x == -MAX, 0.0, x)  # no number lies between -inf and -MAX
    y = data.draw(st.lists(st.integers(0, 2), min_size=len(x), max_size=len(x)))
    # equal numbers have equal classes
    y = [y[np.flatnonzero(x == value)[0]] for value in x]
    assert grow(x, y).predict({"x": x}).tolist() == y


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(st.floats(-1e300, 1e300), st.sampled_from("pqr")),
        min_size=1,
        max_size=10,
    ),
    st.sampled_from(["entropy", "gini", "classification_error"]),
)
def test_thresholds_are_midpoints_to_the_last_bit(pairs, criterion):
    x, y = zip(*pairs, strict=True)
    rows = [{"x": value} for value in x]
    wanted = grow_cart(rows, {"x": None}, y, criterion=criterion, missing="majority")
    found = as_textbook(grow(list(x), list(y), criterion=criterion))
    assert first_difference(found, wanted) is None


@pytest.mark.parametrize(
    ("dtype", "start"),
    [
        ("int64", 2**53),
        ("int64", -(2**63)),
        ("int64", 2**63 - 4),
        ("uint64", 2**64 - 4),
    ],
)
def test_neighbouring_integers_above_2_to_53_are_told_apart(dtype, start):
    x = np.array([start + k for k in range(4)], dtype)
    assert grow(x, [0, 1, 0, 1]).predict({"x": x}).tolist() == [0, 1, 0, 1]


@pytest.mark.slow
@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, unique=True, max_size=8))
def test_any_int64_are_told_apart(x):
    y = [k % 3 for k in range(len(x))]
    x = np.array(x, np.int64)
    assert grow(x, y).predict({"x": x}).tolist() == y


@pytest.mark.slow
@given(st.lists(st.integers(0, 2**64 - 1), min_size=2, unique=True, max_size=8))
def test_any_uint64_are_told_apart(x):
    y = [k % 3 for k in range(len(x))]
    x = np.array(x, np.uint64)
    assert grow(x, y).predict({"x": x}).tolist() == y


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_neighbouring_moments_are_told_apart(unit):
    x = np.array(["2024-02-29", "1677-09-22"], f"datetime64[{unit}]")
    x = np.concatenate([x, x + np.timedelta64(1, unit)])
    model = grow(x, [0, 1, 2, 3])
    assert model.predict({"x": x}).tolist() == [0, 1, 2, 3]


def test_dates_are_cut_half_way():
    days = [datetime.date(2024, 1, 1), datetime.date(2024, 1, 3)]
    model = grow(days, ["first", "last"])
    later = [*days, datetime.date(1066, 10, 14), datetime.date(2525, 1, 1)]
    answers = ["first", "last", "first", "last"]
    assert model.predict({"x": later}).tolist() == answers


@pytest.mark.parametrize("criterion", NUMBER_CRITERIA)
@pytest.mark.parametrize("offset", [1e9, -1e12, 2.0**50])
def test_offset_of_the_target_does_not_matter(criterion, offset):
    random = np.random.default_rng(3)
    x = random.normal(size=300)
    noise = random.normal(size=300) + (x > 0.5)
    far = noise + offset
    near = far - offset  # the noise as the sum has rounded it, exactly
    settings = {"criterion": criterion, "min_samples_leaf": 5}
    first, second = (grow(x, y, CART_NUMBERS, **settings) for y in (near, far))
    assert same_shape(first, second)
    np.testing.assert_allclose(first.trees[0].gain, second.trees[0].gain, rtol=1e-9)


@pytest.mark.parametrize(
    ("criterion", "power"),
    [
        *[("squared_error", power) for power in (-440, -300, 100, 490)],
        *[("absolute_error", power) for power in (-1000, -300, 100, 490)],
    ],
)
def test_scale_of_the_target_does_not_matter(criterion, power):
    random = np.random.default_rng(4)
    x, y = random.normal(size=(2, 200))
    settings = {"criterion": criterion, "min_samples_leaf": 5}
    first, second = (
        grow(x, target, CART_NUMBERS, **settings) for target in (y, np.ldexp(y, power))
    )
    assert same_shape(first, second)
    np.testing.assert_allclose(
        np.ldexp(first.trees[0].value, power), second.trees[0].value, rtol=1e-12
    )


def test_target_over_the_whole_range_of_floats():
    y = [-MAX, MAX, MAX, 0.0]
    model = grow([1, 2, 3, 4], y, CART_NUMBERS, criterion="absolute_error")
    assert model.predict({"x": [1, 2, 3, 4]}).tolist() == y
    with refused(DataError, "'target'", "1e150", "criterion='absolute_error'"):
        grow([1, 2, 3, 4], y, CART_NUMBERS)


@pytest.mark.parametrize("scale", [1e-162, 1e-140, TINY])
def test_target_with_a_spread_too_small_to_square(scale):
    x, y = np.arange(8), np.repeat([0.0, 1.0], 4) * scale
    model = grow(x, y, CART_NUMBERS, criterion="absolute_error")
    assert model.predict({"x": x}).tolist() == y.tolist()
    with refused(DataError, "'target'", "1e-135", "criterion='absolute_error'"):
        grow(x, y, CART_NUMBERS)
    # beside a second output that is constant its squares are no larger
    with refused(DataError, "'target0'", "1e-135"):
        grow(x, np.column_stack([np.full(8, 3.0), y]), CART_NUMBERS)


def test_smallest_spread_that_is_not_refused_survives_pruning():
    x, y = np.arange(8), np.repeat([0.0, 1.0], 4) * 1e-134
    model = grow(x, y, CART_NUMBERS, pruning="cost_complexity", ccp_alpha=0.0)
    assert model.predict({"x": x}).tolist() == y.tolist()
    assert model.trees[0].impurity[0] == pytest.approx(np.var(y), abs=0)


def test_constant_target_of_any_size():
    for number in (0.0, TINY, 1e-200, MAX):
        model = grow(np.arange(3), [number] * 3, CART_NUMBERS)
        assert model.predict({"x": [1]}).tolist() == [number]


@pytest.mark.parametrize("criterion", NUMBER_CRITERIA)
def test_small_spread_beside_a_large_step_is_still_split(criterion):
    # the step takes the root; below it the spread is a billionth of it
    x = np.arange(8)
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1]) * 1e9 + np.array([0, 0, 1, 1] * 2)
    model = grow(x, y, CART_NUMBERS, criterion=criterion)
    assert model.predict({"x": x}).tolist() == y.tolist()
    assert sorted(model.trees[0].threshold[[0, 1, 2]].tolist()) == [1.5, 3.5, 5.5]


def test_impurity_of_a_small_spread_beside_a_large_step():
    y = np.array([0.0, 0.0, 1e-6, 1e-6, 1.0, 1.0])
    tree = grow(np.arange(6), y, CART_NUMBERS).trees[0]
    assert tree.impurity[1] == pytest.approx(np.var(y[:4]), rel=1e-3)


WEIGHTS = [1e-300, 1e-9, 1.0, 3.0, 1e300, 2e300, 1e299, 1e-300]


@pytest.mark.slow
@pytest.mark.parametrize("power", [-900, -64, 0, 20])
@pytest.mark.parametrize(
    "criterion", ["entropy", "gini", "classification_error", *NUMBER_CRITERIA]
)
def test_weights_of_all_sizes(criterion, power):
    x, y = np.arange(8), [0, 1, 0, 1, 0, 1, 1, 0]
    first, second = (
        grow(x, y, CART, weights=weights, criterion=criterion)
        for weights in (WEIGHTS, np.ldexp(WEIGHTS, power))
    )
    assert same_shape(first, second)
    for model in (first, second):
        tree = model.trees[0]
        for name in ("value", "weight", "impurity", "gain"):
            assert np.isfinite(getattr(tree, name)).all(), name
        assert tree.node_count > 1
        assert model.predict({"x": [4, 5, 6]}).tolist() == [0, 1, 1]


@pytest.mark.parametrize("criterion", ["entropy", "squared_error", "absolute_error"])
@pytest.mark.parametrize("power", [-900, -10, 10, 900])
def test_scale_of_the_weights_does_not_matter(criterion, power):
    random = np.random.default_rng(5)
    x, y = random.normal(size=200), random.integers(0, 3, 200)
    weights = random.random(200) + 0.01
    first, second = (
        grow(x, y, CART, weights=w, criterion=criterion, min_samples_leaf=4)
        for w in (weights, np.ldexp(weights, power))
    )
    assert same_shape(first, second)
    np.testing.assert_allclose(
        first.trees[0].weight, np.ldexp(second.trees[0].weight, -power)
    )
    np.testing.assert_allclose(
        first.trees[0].gain, second.trees[0].gain, rtol=1e-9, atol=1e-12
    )


def test_kinds_of_numbers_do_not_matter():
    wanted = grow(np.array([3.0, 1.0, 2.0, 5.0]), [0, 1, 0, 1])
    for dtype in ("int8", "uint16", "int64", "uint64", "float16", "float32", ">f8"):
        found = grow(np.array([3, 1, 2, 5], dtype), [0, 1, 0, 1])
        assert found.fingerprint() == wanted.fingerprint(), dtype
        assert found.trees[0].kind_of(0) == NodeKind.CUT


@pytest.mark.parametrize("criterion", ["gini", "entropy", "classification_error"])
@pytest.mark.parametrize("weight", [1.0, 1e6, 1e12, 1e14])
def test_a_heavy_row_does_not_hide_the_others(weight, criterion):
    x = np.arange(9.0).reshape(-1, 1)
    tree = CARTClassifier(criterion=criterion)
    tree.fit(x, list("aaaabbbbc"), sample_weight=[1.0] * 8 + [weight])
    assert tree.get_n_leaves() == 3


@pytest.mark.parametrize("outlier", [1e3, 1e6, 1e9, 1e12])
def test_an_outlier_leaves_the_spread_of_other_nodes_as_it_is(outlier):
    x = np.arange(9.0).reshape(-1, 1)
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1, outlier])
    assert CARTRegressor().fit(x, y).tree_.impurity[1:].tolist() == [0.25, 0, 0, 0]
    for setting in (
        {"pruning": "cost_complexity", "ccp_alpha": 0.01},
        {"min_impurity": 0.1},
    ):
        assert CARTRegressor(**setting).fit(x, y).get_n_leaves() == 3
