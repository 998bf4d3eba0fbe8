"""C4.5's oracle itself, on the worked examples of the literature; then the engine."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

import treewright as tw
from engine_as_textbook import as_textbook
from textbook_c45 import GUARD_SLACK, average_gain, grow_c45
from textbook_c45_answers import collapse, distribution
from textbook_c45_splits import Node, Rules, Table, by_class, feature_split, info, ratio
from textbook_compare import first_difference
from treewright.data.encoding.encode import encode
from treewright.learners.dialects.c45 import C45, J48, LECTURE
from treewright.learners.recipe import grow_tree

X, Y = tw.datasets.tennis()
FEATURES = {name: sorted(set(X[name])) for name in X.columns}
CLASSES = ["No", "Yes"]


def weather(*, unknown_outlook: bool) -> list[dict[str, Any]]:
    """The weather data; in Quinlan's example one overcast day has no outlook."""
    rows = X.to_dicts()
    if unknown_outlook:
        [day] = [
            row
            for row in rows
            if list(row.values()) == ["Overcast", "Mild", "High", "Strong"]
        ]
        day["Outlook"] = None
    return rows


def split_of(name: str, rows, features=FEATURES, target=None, **rules):
    target = list(Y) if target is None else target
    table = Table(rows, features, target, CLASSES, Rules(**rules))
    members = [(row, Fraction(1)) for row in range(len(rows))]
    return feature_split(table, Node(members), name)


def test_gain_and_split_information_with_an_unknown_value():
    # Quinlan 1993, chapter 3: gain 13/14 x (0.961 - 0.747), ratio 0.199 / 1.809
    rows = weather(unknown_outlook=True)
    table = Table(rows, FEATURES, list(Y), CLASSES, Rules())
    split = split_of("Outlook", rows)
    known = by_class(table, [member for part in split.parts for member in part])
    after = info(known) - split.gain * 14 / 13
    assert info(known) == pytest.approx(0.961, abs=5e-4)
    assert after == pytest.approx(0.747, abs=5e-4)
    assert split.gain == pytest.approx(0.199, abs=5e-4)
    assert split.information == pytest.approx(1.809, abs=5e-4)
    assert ratio(split) == pytest.approx(0.110, abs=5e-4)


def test_average_guard_on_the_weather_data():
    rows = weather(unknown_outlook=False)
    splits = {name: split_of(name, rows) for name in X.columns}
    gains = {name: split.gain for name, split in splits.items()}
    ratios = {name: ratio(split) for name, split in splits.items()}
    assert gains == pytest.approx(
        {"Outlook": 0.2467, "Temperature": 0.0292, "Humidity": 0.1518, "Wind": 0.0481},
        abs=5e-5,
    )
    assert ratios == pytest.approx(
        {"Outlook": 0.1564, "Temperature": 0.0188, "Humidity": 0.1518, "Wind": 0.0488},
        abs=5e-5,
    )
    table = Table(rows, FEATURES, list(Y), CLASSES, Rules())
    average = average_gain(table, list(splits.values()))
    assert average == pytest.approx(0.1190, abs=5e-5)
    passed = [name for name, gain in gains.items() if gain >= average - GUARD_SLACK]
    assert passed == ["Outlook", "Humidity"]


# golf on sunny days: humidity 85 90 95 don't, 70 70 do; another day has 75
SUNNY = [{"humidity": float(h)} for h in (85, 90, 95, 70, 70)]
SUNNY_CLASSES = ["No", "No", "No", "Yes", "Yes"]
TWO_EACH = {"min_samples_leaf": 2, "count_by": "weight", "large_branches": "two"}


@pytest.mark.parametrize(
    ("cost", "bits"),
    # two rows on each side leave 2 of the 3 cuts: log2(2)/5, and log2(4 - 1)/5
    # log2 of 2, and not of the range 25 / the gap 15, is the larger: log2(5/3)/5
    [
        (None, 0.0),
        ("evaluated_cuts", 0.2),
        ("distinct_values", 0.317),
        ("c50", 0.1474),
    ],
)
def test_threshold_cost_of_the_sunny_days(cost, bits):
    rules = {**TWO_EACH, "threshold_cost": cost}
    split = split_of("humidity", SUNNY, {"humidity": None}, SUNNY_CLASSES, **rules)
    assert split.gain == pytest.approx(0.971, abs=5e-4)
    assert split.gain - split.reduced_gain == pytest.approx(bits, abs=5e-4)


@pytest.mark.parametrize(
    ("kind", "threshold"),
    [("midpoint", 77.5), ("training_value", 75.0), ("lower_value", 70.0)],
)
def test_stored_threshold_of_the_sunny_days(kind, threshold):
    rows = [*SUNNY, {"humidity": 75.0}]
    rules = Rules(**TWO_EACH, numeric_splits=kind)
    classes = [*SUNNY_CLASSES, "Yes"]
    table = Table(rows, {"humidity": None}, classes, CLASSES, rules)
    members = [(row, Fraction(1)) for row in range(len(SUNNY))]
    split = feature_split(table, Node(members), "humidity")
    assert split.test == ("cut", "humidity", threshold)


# by ratio the root would ask for the humidity
BY_GAIN = {**TWO_EACH, "criterion": "entropy"}


def test_shares_of_a_row_in_the_weather_data():
    # the day without outlook is divided 3/13, 5/13, 5/13 (Overcast, Rain, Sunny)
    rows = weather(unknown_outlook=True)
    tree = grow_c45(rows, FEATURES, list(Y), classes=CLASSES, **BY_GAIN)
    shares = [branch["weight"] for branch in tree["branches"]]
    assert tree["split"] == ("multiway", "Outlook")
    assert shares == pytest.approx([3 + 3 / 13, 5 + 5 / 13, 5 + 5 / 13])


def test_unknown_outlook_is_answered_by_all_branches():
    rows = weather(unknown_outlook=True)
    tree = grow_c45(rows, FEATURES, list(Y), classes=CLASSES, **BY_GAIN)
    row = {"Outlook": None, "Humidity": "Normal", "Wind": "Weak", "Temperature": "Hot"}
    answers = [distribution(branch, FEATURES, row) for branch in tree["branches"]]
    # 3 + 3/13 of the 14 days are overcast, 5 + 5/13 each are rainy and sunny
    wanted = (42 * answers[0][1] + 70 * answers[1][1] + 70 * answers[2][1]) / 182
    assert distribution(tree, FEATURES, row)[1] == pytest.approx(wanted)


def test_collapse_takes_what_makes_no_fewer_errors():
    leaf = {"rows": 2, "weight": 2.0, "impurity": 0.0, "value": [2.0, 0.0], "label": 0}
    mixed = leaf | {"rows": 3, "weight": 3.0, "value": [2.0, 1.0]}
    root = leaf | {"rows": 5, "weight": 5.0, "value": [4.0, 1.0]}
    tree = root | {"split": (), "gain": 0.1, "missing": None, "branches": [leaf, mixed]}
    assert collapse(tree) == root
    better = tree | {"branches": [leaf, mixed | {"value": [3.0, 0.0]}]}
    assert collapse(better) == better


@pytest.mark.parametrize("dialect", [C45, J48, LECTURE], ids=lambda d: d.name)
@pytest.mark.parametrize("unknown_outlook", [False, True])
def test_engine_grows_the_oracles_tree_of_the_weather(dialect, unknown_outlook):
    rows = weather(unknown_outlook=unknown_outlook)
    # two days in a branch: of single ones, several features say as much
    dialect = dialect.change(pruning=None, collapse=None, **TWO_EACH)
    switches = {name: getattr(dialect, name) for name in vars(Rules())}
    wanted = grow_c45(rows, FEATURES, list(Y), classes=CLASSES, **switches)
    frame = pl.DataFrame(rows, schema={n: pl.Enum(v) for n, v in FEATURES.items()})
    columns = encode(frame, pl.Series("y", list(Y), pl.Enum(CLASSES)), task="classes")
    model = grow_tree(columns, dialect, n_jobs=1)
    assert first_difference(as_textbook(model), wanted) is None
    asked = [*rows, dict.fromkeys(FEATURES)]
    answers = [distribution(wanted, FEATURES, row) for row in asked]
    frame = pl.DataFrame(asked, schema=dict.fromkeys(FEATURES, pl.String))
    np.testing.assert_allclose(model.predict_proba(frame), answers, rtol=0, atol=1e-9)
