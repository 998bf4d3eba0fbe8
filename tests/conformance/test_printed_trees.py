"""Printed trees of each program, read from small snippets in their formats."""

from __future__ import annotations

import pytest

from conformance.neutral_tree import UNCLASSIFIED, Amount, to_decimals, to_digits
from conformance.outline_builder import PrintError
from conformance.printed_trees import read_tree
from refusals import refused

FEATURES = {
    "width": (),
    "sky": ("clear", "clear: cold", ">=200"),
    "sky measured": ("t", "f"),
}
CLASSES = ("no", "yes", "yes and no")


def read(program, text, *, features=FEATURES, classes=CLASSES):
    return read_tree(text, program, features=features, classes=classes)


def test_j48_tree_has_nested_tests_and_counts():
    root, low, high, yes, no = read(
        "j48",
        "J48 pruned tree\n------------------\n\n"
        "width <= 0.6: no (50.0/1.5)\n"
        "width > 0.6\n"
        "|   sky measured = t: yes (3.0)\n"
        "|   sky measured = f: no (0.0)\n",
    )
    assert (root.feature, root.cut.value) == ("width", 0.6)
    assert [branch.says for branch in root.branches] == ["<= 0.6", "> 0.6"]
    assert (low.answer, low.weight.value, low.errors.value) == ("no", 50.0, 1.5)
    assert high.feature == "sky measured"
    assert [branch.values for branch in high.branches] == [{"t"}, {"f"}]
    assert (yes.answer, yes.errors.value) == ("yes", 0.0)
    assert no.weight.value == 0.0


def test_values_and_classes_may_hold_colons_blanks_and_signs():
    root, *leaves = read(
        "j48",
        "J48 unpruned tree\n------------------\n\n"
        "sky = clear: yes (1.0)\n"
        "sky = clear: cold: yes and no (2.0)\n"
        "sky = >=200: no (3.0)\n",
    )
    values = [branch.values for branch in root.branches]
    assert values == [{"clear"}, {"clear: cold"}, {">=200"}]
    assert [leaf.answer for leaf in leaves] == ["yes", "yes and no", "no"]


def test_binary_test_of_a_value_has_a_branch_for_the_rest():
    root, *_ = read(
        "j48_binary_splits",
        "J48 pruned tree\n------------------\n\n"
        "sky = clear: yes (1.0)\n"
        "sky != clear: no (2.0)\n",
    )
    assert [branch.values for branch in root.branches] == [{"clear"}, None]


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("j48", "J48 pruned tree\n------------------\n: no (601.0/206.0)"),
        ("c45r8", " no (601.0/214.6)"),
        ("id3", "Id3\n\n\n: no"),
        ("rpart", "n= 3\n\nnode), split, n\n\n1) root 601 206 no (0.7 0.2 0.1) *"),
    ],
)
def test_tree_may_be_one_leaf(program, text):
    (leaf,) = read(program, text)
    assert leaf.is_leaf
    assert leaf.answer == "no"


def test_c45_prints_the_leaf_first_and_parts_of_wide_trees_apart():
    text = (
        "width > 2 : no (4.0/1.2)\n"
        "width <= 2 :[S1]\n"
        "\n"
        "Subtree [S1]\n"
        "\n"
        "sky measured = t: yes (3.0/0.9)\n"
        "sky measured = f:\n"
        "|   width <= 1 : no (1.0/0.8)\n"
        "|   width > 1 : yes (2.0/1.0)\n"
    )
    outline = read("c45r8", text)
    root = outline[0]
    assert [branch.says for branch in root.branches] == ["<= 2", "> 2"]
    low, high = (outline[branch.child] for branch in root.branches)
    assert low.feature == "sky measured"
    assert high.answer == "no"
    assert len(outline) == 7


def test_second_number_of_a_pruned_c45_leaf_is_no_count():
    text = "width <= 2 : no (4.0/1.2)\nwidth > 2 : yes (3.0)\n"
    _, pruned, _ = read("c45r8", text)
    _, unpruned, pure = read("c45r8_unpruned", text)
    assert pruned.errors is None
    assert (unpruned.errors.value, pure.errors.value) == (1.2, 0.0)


def test_large_counts_have_an_exponent():
    text = "width <= 2: no (3.0E7/1.5)\nwidth > 2: yes (1.000003E7)\n"
    _, low, high = read("j48", text)
    assert (low.weight.value, low.errors.value) == (3e7, 1.5)
    assert high.weight.value == 10000030


def test_id3_leaf_without_rows_is_unclassified():
    root, yes, inner, *leaves = read(
        "id3",
        "Id3\n\n\n"
        "sky measured = t: yes\n"
        "sky measured = f\n"
        "|  sky = clear: no\n"
        "|  sky = clear: cold: null\n"
        "|  sky = >=200: yes\n",
    )
    assert (root.feature, inner.feature) == ("sky measured", "sky")
    assert [leaf.answer for leaf in leaves] == ["no", UNCLASSIFIED, "yes"]
    assert yes.weight is None


def test_rpart_inputs_are_called_by_position():
    outline = read(
        "rpart",
        "n= 9 \n\n"
        "node), split, n, loss, yval, (yprob)\n"
        "      * denotes terminal node\n\n"
        "1) root 9 4 no (0.5555556 0.3333333 0.1111111)  \n"
        "  2) x1>=2.5 4  1 yes and no (0.0 0.25 0.75) *\n"
        "  3) x1< 2.5 5  0 no (1.0 0.0 0.0)  \n"
        "    6) x2=clear: cold,>=200 3  0 no (1.0 0.0 0.0) *\n"
        "    7) x2=clear 2  0 no (1.0 0.0 0.0) *\n",
    )
    root = outline[0]
    assert (root.feature, root.cut.value, root.weight.value) == ("width", 2.5, 9)
    low, high = (outline[branch.child] for branch in root.branches)
    assert (high.answer, high.errors.value) == ("yes and no", 1)
    assert [branch.values for branch in low.branches] == [
        {"clear: cold", ">=200"},
        {"clear"},
    ]


def test_rpart_tree_of_numbers_has_no_classes():
    _, low, high = read(
        "rpart",
        "1) root 4 8.5e+11 3932.800  \n"
        "  2) x1< 0.995 3 43459420000 1632.641 *\n"
        "  3) x1>=0.995 1 0 12323.300 *\n",
        classes=(),
    )
    assert (low.number.value, high.number.value) == (1632.641, 12323.3)
    assert low.answer is None


@pytest.mark.parametrize(
    ("program", "text", "names"),
    [
        ("j48", "width <= 1: no\nwidth > 1: no (1.0)", ("counts", "leaf", "'no'")),
        ("j48", "width <= 1: maybe (1.0)\nwidth > 1: no (1.0)", ("'maybe'", "class")),
        ("j48", "sky = cloudy: no (1.0)", ("'sky'", "'sky = cloudy: no (1.0)'")),
        ("j48", "width <= 1: no (1.0)", ("'width'", "branch")),
        (
            "j48",
            "|   |   width <= 1: no (1.0)",
            ("'|   |   width <= 1: no (1.0)'", "open"),
        ),
        ("j48", "width <= 1: no (1.0)\nsky = clear: no (1.0)", ("'width'", "'sky'")),
        ("j48", "width <= 1: no (1.0)\nwidth > 1", ("branch", "answer")),
        (
            "rpart",
            "1) root nine 4 no (0.5 0.5) *",
            ("'1) root nine 4 no (0.5 0.5) *'", "understood"),
        ),
        ("c50", "width <= 1: no (1.0)", ("trees", "'c50'")),
    ],
)
def test_text_that_is_no_tree_is_refused(program, text, names):
    with refused(PrintError, *names):
        read(program, text)


def test_printed_numbers_agree_with_what_was_rounded():
    # 0.1234567 to six decimals is 0.123457; 15.34 to one is 15.3; 6 digits of 1234567
    assert to_decimals("0.123457", 6).agrees(Amount(0.1234567))
    assert not to_decimals("0.123457", 6).agrees(Amount(0.123458))
    assert to_decimals("15.3", 1).agrees(Amount(15.34))
    assert to_digits("1.23457e+06", 6).agrees(Amount(1234567))
    assert not to_digits("2.65", 7).agrees(Amount(2.6501))
