"""Trees as text."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import handmade
import hostile
import pytest

from refusals import refused
from treewright.errors import SettingError
from treewright.render import to_text
from treewright.render.fitting.safe_text import display_width

GOLDEN = Path(__file__).parents[1] / "golden"

# the listing in the lectures, letter for letter
LECTURE = """\
Outlook Overcast: Yes (4)
Outlook Rain
| Wind Strong: No (2)
| Wind Weak: Yes (3)
Outlook Sunny
| Humidity High: No (3)
| Humidity Normal: Yes (2)"""


def test_tennis_as_the_lecture_prints_it():
    assert to_text(handmade.tennis(), "lecture") == LECTURE


@pytest.mark.parametrize("style", ["box", "lecture"])
@pytest.mark.parametrize("name", handmade.ALL)
def test_listing_is_the_golden_one(name, style):
    text = to_text(handmade.ALL[name](), style) + "\n"
    path = GOLDEN / f"{name}.{style}.txt"
    if os.environ.get("TREEWRIGHT_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_box_has_names_counts_answers_and_reasons():
    lines = to_text(handmade.cart()).splitlines()
    assert lines[0].split() == ["species"]
    assert lines[1].split() == ["rows", "setosa", "versicolor", "virginica"]
    assert lines[2].split() == ["petal", "length", "150", "50", "50", "50"]
    assert lines[3].split() == "├─ ≤ 2.45 → setosa 50 50 0 0 pure".split()
    assert lines[-1] == "3 leaves, depth 2, 150 training rows, 6 wrong"


def test_box_in_ascii():
    lines = to_text(handmade.cart(), ascii=True).splitlines()
    assert lines[3].startswith("|- <= 2.45 -> setosa")
    assert lines[4].startswith("`- > 2.45: petal width")


def test_reasons_are_spelled_out_where_there_is_room():
    assert "no split leaves enough rows" in to_text(handmade.cart(), width=120)
    assert "small leaf" in to_text(handmade.cart(), width=80)


def test_numbers_have_mean_and_spread():
    lines = to_text(handmade.regression()).splitlines()
    assert lines[1].split() == ["rows", "mean", "sd"]
    # the square root of the impurity 2931.81, and of 2.25
    assert lines[2].split() == ["PS", "5", "53.7", "54.146"]
    assert lines[3].split()[:7] == ["├─", "≤", "195", "→", "9.5", "3", "9.5"]
    # (3 * 2.25 + 2 * 0) / 5
    assert lines[-1].endswith("mean squared error 1.35")


def test_absolute_error_speaks_of_medians():
    model = replace(handmade.regression(), settings={"criterion": "absolute_error"})
    lines = to_text(model).splitlines()
    assert lines[1].split() == ["rows", "median", "mad"]
    assert lines[-1].endswith("mean absolute error 1.35")


def test_errors_of_each_output_are_told():
    last = to_text(handmade.several()).splitlines()[-1]
    assert last == "2 leaves, depth 1, 6 training rows, wrong: colour 1, grade 1"


def test_leaf_without_rows_has_no_counts_of_its_own():
    model = handmade.empty_branch()
    tree = model.trees[0]
    value = tree.value.copy()
    value[2] = value[0]  # as grown trees have it
    model = replace(model, trees=(replace(tree, value=value),))
    assert "HP mittel: angreifen (0)" in to_text(model, "lecture")
    line = to_text(model).splitlines()[4].split()
    assert line == "├─ mittel → angreifen 0 0 0 no rows".split()
    assert to_text(model).endswith("4 training rows, 0 wrong")


def test_fractional_weights_have_two_digits():
    target = handmade.Target("classes", ("y",), (("a", "b"),))
    leaves = [handmade.Node([2.5, 0]), handmade.Node([0.25, 1.5])]
    root = handmade.Node([2.75, 1.5], handmade.NodeKind.CUT, 0, 1.0, leaves, 0)
    tree = handmade.build(root, target)
    schema = handmade.Schema((handmade.Feature("x", "numeric"),), target)
    text = to_text(handmade.Model(schema, (tree,), "cart"), "lecture")
    assert text == "x <= 1: a (2.50)\nx > 1: b (1.75/0.25)"


def test_folded_nodes_are_counted():
    text = to_text(handmade.tennis(), max_depth=1)
    assert "├─ Rain: Wind … 2 nodes below" in text
    assert "Strong" not in text
    text = to_text(handmade.tennis(), "lecture", max_depth=1)
    assert "Outlook Rain ... 2 nodes below" in text
    assert to_text(handmade.tennis(), "lecture", max_depth=0) == " ... 7 nodes below"


def test_many_classes_are_told_in_words():
    labels = tuple(f"class {k}" for k in range(9))
    target = handmade.Target("classes", ("y",), (labels,))
    weights = [float(k) for k in range(9)]
    tree = handmade.build(handmade.Node(weights), target)
    schema = handmade.Schema((handmade.Feature("x", "numeric"),), target)
    text = to_text(handmade.Model(schema, (tree,), "cart"))
    assert "class 8 8, class 7 7, class 6 6, +5" in text


def test_class_titles_differ_and_take_the_free_width():
    model = handmade.tennis()
    target = replace(
        model.schema.target, classes=(("tested_negative", "tested_positive"),)
    )
    model = replace(model, schema=replace(model.schema, target=target))
    titles = to_text(model).splitlines()[1].split()
    assert titles == ["rows", "tested_negative", "tested_positive"]
    titles = to_text(model, width=70).splitlines()[1].split()
    assert titles == ["rows", "…negative", "…positive"]


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("style", ["box", "lecture"])
@pytest.mark.parametrize("name", hostile.NAMES, ids=range(len(hostile.NAMES)))
def test_hostile_names_stay_text(name, style, ascii):
    text = to_text(hostile.model(name), style, ascii=ascii)
    plain = to_text(hostile.model("plain"), style, ascii=ascii)
    assert len(text.splitlines()) == len(plain.splitlines())
    assert all(display_width(line) <= 80 for line in text.splitlines())
    assert not ascii or text.isascii()
    text.encode()


@pytest.mark.parametrize("width", [1, 2, 5, 10, 20, 33, 40, 60, 79])
@pytest.mark.parametrize("style", ["box", "lecture"])
@pytest.mark.parametrize("name", handmade.ALL)
def test_no_line_is_wider_than_asked(name, style, width):
    model = handmade.ALL[name]()
    for ascii in (False, True):
        text = to_text(model, style, width=width, ascii=ascii)
        assert all(display_width(line) <= width for line in text.splitlines())
        assert not ascii or text.isascii()


def test_long_name_leaves_the_answer_in_sight():
    text = to_text(hostile.model("x" * 10_000), "lecture")
    assert all("Yes (4)" in line for line in text.splitlines()[:1])
    box = to_text(hostile.model("x" * 10_000)).splitlines()
    assert any("→ Yes" in line for line in box)


def test_deep_indentation_becomes_a_number():
    lines = to_text(handmade.chain(30), "lecture").splitlines()
    assert lines[2].startswith("| x <= 1")
    assert "[30] x <= 29: b (1)" in lines[-2]


def test_chinese_columns_are_aligned():
    lines = to_text(hostile.model("纹理")).splitlines()[1:-2]
    ends = {display_width(line.removesuffix("   pure")) for line in lines}
    assert len(ends) == 1


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"style": "svg"}, ("style", "box, lecture", "'svg'")),
        ({"width": 0}, ("width", 0)),
        ({"max_depth": -1}, ("max_depth", -1)),
        ({"tree": 1}, ("tree", "0 to 0", 1)),
    ],
)
def test_wrong_options_are_refused(options, names):
    with refused(SettingError, *names):
        to_text(handmade.tennis(), **options)
