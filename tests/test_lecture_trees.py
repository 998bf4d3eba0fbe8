"""The trees of the lectures and textbooks, grown by `textbook.py`.

They hold the implementation from the pseudo-code to the printed trees, so that it can
stand for the books where the engine is compared with it.
"""

from __future__ import annotations

from typing import Any

import pytest

from textbook import grow_cart, grow_id3
from textbook_compare import as_listing
from treewright.data import datasets
from treewright.grow.measures import information_gain


def read(name: str, *leave_out: str) -> tuple[list[Any], dict[str, Any], list[Any]]:
    """Return rows, features and target as `textbook.py` takes them; values sorted."""
    table, target = datasets.split(name)
    table = table.drop(leave_out)
    features = {
        column.name: None
        if column.dtype.is_numeric()
        else column.drop_nulls().unique().sort().to_list()
        for column in table
    }
    return table.to_dicts(), features, target.to_list()


def listing(name: str) -> list[str]:
    rows, features, target = read(name)
    return as_listing(grow_id3(rows, features, target), features)


@pytest.mark.parametrize(
    ("name", "best"),
    [
        ("six_rows", "x2"),
        ("dungeon", "Distanz"),
        ("patients", "Fieber"),
        ("tennis", "Outlook"),
        ("restaurant", "Patrons"),
        ("watermelon", "纹理"),  # one lecture says 触感, whose gain is the smallest
        ("watermelon_missing", "纹理"),
    ],
)
def test_root_has_the_largest_gain(name, best):
    numeric = {"watermelon": ("编号", "密度", "含糖率")}.get(name, ())
    rows, features, target = read(name, *numeric)
    tree = grow_id3(rows, features, target, missing="majority")
    assert tree["split"] == ("multiway", best)


def test_restaurant_full_has_a_five_way_tie_and_takes_the_first():
    table, y = datasets.restaurant()
    full = table["Patrons"] == "Full"
    for name in ("Hungry", "Price", "Reservation", "Type", "WaitEstimate"):
        gain = information_gain(y.filter(full), table[name].filter(full))
        assert gain == pytest.approx(0.252, abs=5e-4), name
    rows, features, target = read("restaurant")
    tree = grow_id3(rows, features, target)
    assert tree["branches"][0]["split"] == ("multiway", "Hungry")


def test_cars_root_is_the_lowest_of_the_equal_cuts():
    rows, features, target = read("cars")
    tree = grow_cart(rows, features, target)
    assert tree["split"] == ("cut", "PS", 98.5)
    assert tree["gain"] == pytest.approx(0.971, abs=5e-4)


def test_tennis_tree():
    assert listing("tennis") == [
        "Outlook Overcast: Yes (4)",
        "Outlook Rain",
        "| Wind Strong: No (2)",
        "| Wind Weak: Yes (3)",
        "Outlook Sunny",
        "| Humidity High: No (3)",
        "| Humidity Normal: Yes (2)",
    ]


def test_restaurant_tree():
    # Type French is empty and its parent has 2 Yes and 2 No: Patrons Full decides, No
    assert listing("restaurant") == [
        "Patrons Full",
        "| Hungry No: No (2)",
        "| Hungry Yes",
        "| | Type Burger: Yes (1)",
        "| | Type French: No (0)",
        "| | Type Italian: No (1)",
        "| | Type Thai",
        "| | | Friday No: No (1)",
        "| | | Friday Yes: Yes (1)",
        "Patrons None: No (2)",
        "Patrons Some: Yes (4)",
    ]


def test_dungeon_tree_has_an_empty_branch():
    assert listing("dungeon") == [
        "Distanz fern: fliehen (2)",
        "Distanz mittel: angreifen (1)",
        "Distanz nah",
        "| HP hoch: angreifen (2)",
        "| HP mittel: angreifen (0)",
        "| HP niedrig: heilen (1)",
    ]


def test_six_rows_tree():
    # rows 3 and 5 agree in all features and not in their class: one leaf, A and B
    assert listing("six_rows") == [
        "x2 0: A (2)",
        "x2 1",
        "| x1 0",
        "| | x3 0: A (1)",
        "| | x3 1: A (2)",
        "| | x3 2: A (0)",
        "| x1 1: B (1)",
    ]


def test_patient_with_cough_and_no_fever_meets_a_tied_leaf():
    rows, features, target = read("patients")
    tree = grow_id3(rows, features, target)
    without_fever = tree["branches"][features["Fieber"].index("nein")]
    leaf = without_fever["branches"][features["Husten"].index("ja")]
    assert leaf["value"] == [1, 1]
    # its parent, all without fever, has two gesund and one krank
    assert without_fever["value"] == [2, 1]
    assert leaf["label"] == ("gesund",)
