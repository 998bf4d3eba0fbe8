"""The blackboard's table: the books' gains, their order, and a width that holds."""

from __future__ import annotations

import pytest

from treewright.data import datasets, encode
from treewright.errors import SettingError
from treewright.learners.id3 import ID3
from treewright.learners.recipe import grow_tree
from treewright.render.gain_table import gain_table, root_gains
from treewright.render.words import display_width


def columns_of(name, **options):
    table, target = datasets.split(name)
    return encode(table, target, task="classes", **options)


def test_tennis_is_the_table_on_the_blackboard():
    # Mitchell: 0.247, 0.152 (printed 0.151), 0.048, 0.029
    assert gain_table(columns_of("tennis")) == (
        "root   14 rows   No 5  Yes 9   entropy 0.9403 bits\n"
        "\n"
        "  feature      branches (No/Yes)                  remainder    gain\n"
        "> Outlook      Overcast 0/4  Rain 2/3  Sunny 3/2     0.6935  0.2467"
        "  <- largest\n"
        "  Humidity     High 4/3  Normal 1/6                  0.7885  0.1518\n"
        "  Wind         Strong 3/3  Weak 2/6                  0.8922  0.0481\n"
        "  Temperature  Cool 1/3  Hot 2/2  Mild 2/4           0.9111  0.0292"
    )


@pytest.mark.parametrize(
    ("name", "gains"),
    [
        ("six_rows", {"x2": 0.252, "x3": 0.126, "x1": 0.044}),
        ("dungeon", {"Distanz": 1.000, "HP": 0.792, "Mana": 0.541}),
        ("patients", {"Fieber": 0.420, "Husten": 0.020}),
        # numeric: the best midpoint
        ("cars", {"PS": 0.971, "blau": 0.571}),
        # missing values: times the known part
        (
            "watermelon_missing",
            {
                "纹理": 0.424,
                "脐部": 0.289,
                "色泽": 0.252,
                "根蒂": 0.171,
                "敲声": 0.145,
                "触感": 0.006,
            },
        ),
    ],
)
def test_gains_of_the_lectures(name, gains):
    found = {one.name: round(one.gain, 3) for one in root_gains(columns_of(name))}
    assert found == gains
    assert list(found) == list(gains)


@pytest.mark.parametrize("name", ["tennis", "restaurant", "dungeon", "six_rows"])
def test_the_largest_is_what_the_engine_takes(name):
    columns = columns_of(name)
    model, best = grow_tree(columns, ID3), root_gains(columns)[0]
    assert model.schema.names[model.trees[0].feature[0]] == best.name
    assert model.trees[0].gain[0] == pytest.approx(best.gain, abs=1e-12)


def test_equal_gains_stay_in_column_order_and_say_so():
    table = {"b": ["u", "u", "v", "v"], "a": ["x", "x", "y", "y"]}
    columns = encode(table, ["p", "p", "q", "q"], task="classes")
    lines = gain_table(columns).splitlines()
    assert lines[3].startswith("> b")
    assert lines[4].endswith("tie with b")


def test_weights_count_and_a_single_value_is_left_out():
    table = {"a": ["x", "x", "y"], "same": ["k", "k", "k"]}
    columns = encode(table, ["p", "q", "q"], task="classes", sample_weight=[2, 1, 0.5])
    (only,) = root_gains(columns)
    assert only.branches == (("x", (2.0, 1.0)), ("y", (0.0, 0.5)))
    assert "y 0/0.50" in gain_table(columns)


def test_missing_values_have_a_branch_of_their_own():
    columns = encode({"a": ["x", None, "y"]}, ["p", "q", "q"], task="classes")
    assert ("missing", (0.0, 1.0)) in root_gains(columns)[0].branches


def test_without_a_feature_only_the_root_is_shown():
    columns = encode({"a": ["x", "x"]}, ["p", "q"], task="classes")
    assert gain_table(columns) == "root   2 rows   p 1  q 1   entropy 1.0000 bits"


def test_numbers_as_target_are_refused():
    columns = encode({"a": ["x", "y"]}, [1.0, 2.0], task="numbers")
    with pytest.raises(SettingError, match="one target of classes only"):
        gain_table(columns)


@pytest.mark.parametrize("name", ["tennis", "restaurant", "watermelon_missing", "cars"])
@pytest.mark.parametrize("width", [20, 30, 40, 60, 80])
@pytest.mark.parametrize("ascii", [False, True])
def test_no_line_is_longer_than_asked(name, width, ascii):
    text = gain_table(columns_of(name), width=width, ascii=ascii)
    assert max(map(display_width, text.splitlines())) <= width
    assert text.isascii() or not ascii
