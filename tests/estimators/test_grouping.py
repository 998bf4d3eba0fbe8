"""Groups of values as users meet them: examples by hand, switches, what is refused."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.dialects.c45 import C45
from treewright.learners.dialects.cart import CART
from treewright.learners.dialects.id3 import ID3
from treewright.tree.structure.tree import NodeKind

X, Y = tw.datasets.tennis()
ROOT = {"pruning": None, "collapse": None, "max_depth": 1}


def entropy(*counts: float) -> float:
    shares = [count / sum(counts) for count in counts if count]
    return -sum(share * math.log2(share) for share in shares)


def test_outlook_is_overcast_or_not():
    # no 5, yes 9; overcast 0:4, rain 2:3, sunny 3:2
    # apart     gain 0.2467, information 1.5774, ratio 0.156
    # rain with sunny        5:5  0.940 - 10/14 = 0.2260, 0.8631, ratio 0.262
    # overcast with rain     2:7  0.940 - 0.838 = 0.1022, 0.9403, ratio 0.109
    # overcast with sunny    3:6  0.940 - 0.937 = 0.0032, 0.9403, ratio 0.003
    tree = tw.C45Classifier(grouping="c45", **ROOT).fit(X, Y)
    assert tree.to_text("lecture").splitlines() == [
        "Outlook = Overcast: Yes (4)",
        "Outlook in {Rain, Sunny}: No (10/5)",
    ]
    assert tree.tree_.gain[0] == pytest.approx(entropy(5, 9) - 10 / 14)


def test_groups_that_cost_more_than_they_save_are_not_made():
    # log2 S(3, 2) = log2 3 bits for 14 rows: (0.2260 - 0.1132) / 0.8631 = 0.131 < 0.156
    tree = tw.C45Classifier(grouping="c50", **ROOT).fit(X, Y)
    assert tree.tree_.n_children[0] == 3
    assert tree.tree_.gain[0] == pytest.approx(0.2467, abs=5e-5)


def colours(n_times: int) -> tuple[pl.DataFrame, list[str]]:
    """Red and green are mostly bad, blue and grey mostly good; black does not occur."""
    bad = {"red": 3, "green": 4, "blue": 1, "grey": 1}
    rows = [
        (colour, "bad" if k < n_bad else "good")
        for colour, n_bad in bad.items()
        for k in range(5)
    ]
    kind = pl.Enum(["red", "blue", "black", "green", "grey"])
    table = pl.DataFrame({"colour": pl.Series([c for c, _ in rows], dtype=kind)})
    return pl.concat([table] * n_times), [y for _, y in rows] * n_times


@pytest.mark.parametrize(
    ("n_times", "groups"),
    [(1, [[0], [1, 4], [3], [2]]), (10, [[0, 3], [1, 4], [2]])],
)
def test_charge_is_a_smaller_part_of_the_gain_of_more_rows(n_times, groups):
    # bad and good: red 3:2, green 4:1; blue and grey, 1:4 each, are joined at once
    # three groups  gain 0.2086, log2 S(4, 3) = 2.585 bits, information 1.5
    # two groups    gain 0.1912, log2 S(4, 2) = 2.807 bits, information 1
    # 20 rows: 0.0794 / 1.5 = 0.053, 0.0508; 200 rows: 0.1957 / 1.5 = 0.130, 0.1771
    table, y = colours(n_times)
    tree = tw.C45Classifier(grouping="c50", **ROOT).fit(table, y)
    assert tree.tree_.groups(0) == groups


def test_values_that_did_not_occur_share_a_last_branch_without_rows():
    table, y = colours(1)
    tree = tw.C45Classifier(grouping="c45", **ROOT).fit(table, y)
    assert tree.tree_.kind[0] == NodeKind.GROUPS
    assert tree.tree_.groups(0) == [[0, 3], [1, 4], [2]]
    assert tree.tree_.n_rows.tolist() == [20, 10, 10, 0]
    black = pl.DataFrame({"colour": pl.Series(["black"], dtype=table["colour"].dtype)})
    # C4.5: the parent's class alone; J48: the parent's class weights
    assert tree.predict_proba(black).tolist() == [[0.0, 1.0]]
    tree.set_params(empty_branch="parent_distribution").fit(table, y)
    assert tree.predict_proba(black).tolist() == [[9 / 20, 11 / 20]]


def test_rows_find_their_way_and_it_is_told():
    table, y = colours(1)
    tree = tw.C45Classifier(grouping="c45", **ROOT).fit(table, y)
    rows = {"colour": ["green", "grey", None, "pink"]}
    assert tree.predict(rows).tolist() == ["bad", "good", "good", "good"]
    assert tree.decision_path({"colour": ["green", "grey"]}).toarray().tolist() == [
        [1, 1, 0, 0],
        [1, 0, 1, 0],
    ]
    # a row without a value, or with one never seen, is divided: 7/10, 2/10, half each
    shares = tree.predict_proba({"colour": [None, "pink"]})
    np.testing.assert_allclose(shares, [[0.45, 0.55]] * 2)
    assert "colour in {red, green}" in str(tree.explain({"colour": "green"}))


def test_grouped_feature_may_be_asked_again():
    # a and b are q; c and d are p in 24 and 16 of 40, one by u and the other by v:
    # together at the root, and apart below it
    towns = [town for town in "abcd" for _ in range(40)]
    sides = (["u"] * 24 + ["v"] * 16) * 4
    y = [
        "p" if town + side in ("cu", "dv") else "q"
        for town, side in zip(towns, sides, strict=True)
    ]
    table = pl.DataFrame({"town": towns, "side": sides})
    tree = tw.C45Classifier(grouping="c45", pruning=None).fit(table, y)
    assert tree.to_text("lecture").splitlines() == [
        "town in {a, b}: q (80)",
        "town in {c, d}",
        "| town = c",
        "| | side u: p (24)",
        "| | side v: q (16)",
        "| town = d",
        "| | side u: q (24)",
        "| | side v: p (16)",
        "| town in {a, b}: p (0)",  # 40 and 40 at its parent: the first class
    ]


def test_two_values_are_not_grouped():
    tree = tw.C45Classifier(grouping="c45", pruning=None).fit(X[["Wind"]], Y)
    assert NodeKind.GROUPS not in tree.tree_.kind


def test_more_groups_than_a_byte_counts():
    # as many classes as values: every join costs more bits than it saves
    names = [f"v{k:03}" for k in range(300)]
    table = pl.DataFrame({"x": names * 4})
    tree = tw.C45Classifier(grouping="c50", pruning=None).fit(table, names * 4)
    assert tree.get_n_leaves() == 300
    assert (tree.predict(table) == np.array(names * 4)).all()


def test_intervals_are_grouped_by_their_borders():
    x = np.arange(40.0)
    y = ["in" if 10 <= value < 30 else "out" for value in x]
    tree = tw.C45Classifier(grouping="c45", discretize={"x": [9.5, 19.5, 29.5]}, **ROOT)
    text = tree.fit(pl.DataFrame({"x": x}), y).to_text("lecture")
    assert [line.split(":")[1] for line in text.splitlines()] == [
        " out (20)",
        " in (20)",
    ]


CONTRADICTIONS = {
    "nominal_splits='multiway'": [
        (C45, {"nominal_splits": "subset"}),
        (C45, {"nominal_splits": "one_value"}),
        (CART, {"criterion": "gain_ratio"}),
    ],
    "criterion='gain_ratio'": [
        (C45, {"criterion": "entropy", "gain_guard": None}),
        (ID3, {}),
        (CART, {"nominal_splits": "multiway"}),
    ],
    "missing='learned'": [(C45, {"missing": "learned"})],
}


@pytest.mark.parametrize("grouping", ["c45", "c50"])
@pytest.mark.parametrize("what", CONTRADICTIONS)
def test_what_does_not_go_together_is_refused(what, grouping):
    for dialect, change in CONTRADICTIONS[what]:
        with refused(SettingError, what, "grouping=None"):
            dialect.change(grouping=grouping, **change)


def test_binary_splits_and_groups_are_refused():
    tree = tw.C45Classifier(grouping="c45", binary_splits=True)
    with refused(SettingError, "grouping", "binary_splits"):
        tree.fit(X, Y)


def test_unknown_grouping_is_refused():
    with refused(SettingError, "grouping", "'c4'", "'c45', 'c50'"):
        tw.C45Classifier(grouping="c4").fit(X, Y)


@pytest.mark.parametrize("nothing", [None, "none"])
def test_none_is_one_branch_per_value(nothing):
    plain = tw.C45Classifier().fit(X, Y)
    assert tw.C45Classifier(grouping=nothing).fit(X, Y).fingerprint() == (
        plain.fingerprint()
    )


def test_tree_classifier_has_the_switch():
    switches = {"nominal_splits": "multiway", "criterion": "gain_ratio"}
    tree = tw.TreeClassifier(grouping="c45", max_depth=1, **switches).fit(X, Y)
    assert tree.tree_.groups(0) == [[0], [1, 2]]
    assert isinstance(tree.model_.settings["grouping"], str)
    assert Dialect.__dataclass_fields__["grouping"].default is None
