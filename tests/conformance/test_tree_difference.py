"""Where two trees part, in words."""

from __future__ import annotations

import polars as pl
import pytest

import treewright as tw
from conformance.neutral_tree import UNCLASSIFIED
from conformance.our_trees import outline_of
from conformance.printed_trees import read_tree
from conformance.tree_difference import first_difference

FEATURES = {"width": (), "length": (), "sky": ("a", "b", "c")}
CLASSES = ("no", "yes")
TREE = """
width <= 0.6: no (5.0)
width > 0.6
|   sky = a: no (2.0)
|   sky = b: yes (3.0/1.0)
|   sky = c: yes (0.0)
"""
INNER = ["sky = a: no (2.0)", "sky = b: yes (3.0/1.0)", "sky = c: yes (0.0)"]


def j48(text):
    return read_tree(text, "j48", features=FEATURES, classes=CLASSES)


def difference(old, new):
    assert old in TREE
    return first_difference(j48(TREE), j48(TREE.replace(old, new)))


def test_equal_trees_have_no_difference():
    assert first_difference(j48(TREE), j48(TREE)) is None


def test_threshold_may_differ_by_its_rounding_and_wekas_tolerance():
    assert difference("0.6", "0.600001") is None
    assert difference("0.6", "0.61") == (
        "root: theirs tests width <= 0.6, ours width <= 0.61"
    )


def test_other_feature_is_named_with_the_way_to_it():
    new = "|   length <= 1.5: no (2.0)\n|   length > 1.5: yes (3.0)"
    assert difference("|   " + "\n|   ".join(INNER), new) == (
        "root > width > 0.6: theirs tests sky (= a | = b | = c), ours length <= 1.5"
    )


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("a: no (2.0)", "a: yes (2.0)", "theirs answers no, ours yes"),
        ("a: no (2.0)", "a: no (3.0)", "theirs has 2 rows, ours 3"),
        ("b: yes (3.0/1.0)", "b: yes (3.0)", "theirs has 1 errors, ours 0"),
    ],
)
def test_answers_and_counts_of_leaves_are_compared(old, new, words):
    value = old[0]
    assert difference(old, new) == f"root > width > 0.6 > sky = {value}: {words}"


def test_leaf_beside_a_test_names_both():
    leaf = "width <= 0.6: no (5.0)\nwidth > 0.6: yes (5.0/2.0)\n"
    assert first_difference(j48(TREE), j48(leaf)) == (
        "root > width > 0.6: "
        "theirs tests sky (= a | = b | = c), ours is a leaf yes of 5 rows"
    )
    assert first_difference(j48(leaf), j48(TREE)) == (
        "root > width > 0.6: "
        "theirs is a leaf yes of 5 rows, ours tests sky (= a | = b | = c)"
    )


def test_order_in_which_branches_are_printed_does_not_matter():
    c45 = """
width > 0.6 :
|   sky = b: yes (3.0/1.0)
|   sky = c: yes (0.0)
|   sky = a: no (2.0)
width <= 0.6 : no (5.0)
"""
    theirs = read_tree(c45, "c45r8", features=FEATURES, classes=CLASSES)
    assert first_difference(theirs, j48(TREE)) is None


def test_values_that_rpart_leaves_out_do_not_count():
    lines = ["1) root 4 2 no (0.5 0.5)", "2) x3=a 2 0 no (1 0) *"]
    theirs, ours, others = (
        read_tree(
            "\n".join([*lines, f"3) x3={rest} 2 0 yes (0 1) *"]),
            "rpart",
            features=FEATURES,
            classes=CLASSES,
        )
        for rest in ("b", "b,c", "c")
    )
    assert first_difference(theirs, ours) is None
    assert first_difference(theirs, others) == (
        "root: theirs tests sky (= a | = b), ours sky (= a | = c)"
    )


SKY = pl.Enum(["a", "b", "c"])
TABLE = pl.DataFrame(
    {"sky": ["a", "a", "b", "b"], "width": [1.0, 2.0, 3.0, 4.0]},
    schema={"sky": SKY, "width": pl.Float64},
)
ANSWERS = pl.Series(["no", "no", "yes", "yes"], dtype=pl.Enum(CLASSES))


def test_our_tree_of_values_reads_like_a_printed_one():
    model = tw.ID3Classifier(empty_branch="unclassified")
    model.fit(TABLE.select("sky"), ANSWERS)
    text = "Id3\n\nsky = a: no\nsky = b: yes\nsky = c: null\n"
    theirs = read_tree(text, "id3", features=FEATURES, classes=CLASSES)
    ours = outline_of(model)
    assert first_difference(theirs, ours) is None
    assert ours[3].answer == UNCLASSIFIED
    # as many rows of either class at the parent: the first declared class
    model = tw.ID3Classifier().fit(TABLE.select("sky"), ANSWERS)
    assert outline_of(model)[3].answer == "no"


def test_our_tree_of_cuts_and_sets_reads_like_a_printed_one():
    cut = tw.CARTClassifier().fit(TABLE.select("width"), ANSWERS)
    text = "width <= 2.5: no (2.0)\nwidth > 2.5: yes (2.0)\n"
    assert first_difference(j48(text), outline_of(cut)) is None
    sets = tw.CARTClassifier().fit(TABLE.select("sky"), ANSWERS)
    text = "sky = a: no (2.0)\nsky != a: yes (2.0)\n"
    assert first_difference(j48(text), outline_of(sets)) is None


@pytest.mark.slow
def test_our_tree_of_numbers_reads_like_a_printed_one():
    model = tw.CARTRegressor().fit(TABLE.select("width"), [1.0, 1.0, 5.0, 5.0])
    text = "1) root 4 16 3\n2) x1< 2.5 2 0 1 *\n3) x1>=2.5 2 0 5 *\n"
    theirs = read_tree(text, "rpart", features=FEATURES, classes=())
    assert first_difference(theirs, outline_of(model)) is None
