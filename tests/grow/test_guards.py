"""What a feature must gain before its ratio counts, on gains worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import SettingError
from treewright.grow.choose import Choosing, choose, weigh
from treewright.learners.dialects.c45 import C45
from treewright.sources.source import Candidates, Frontier

EVERY = [True, True, True]
NO_RATIO = [1.0, 1.0, 1.0]  # split information that leaves the gains as they are


def compared(gain, information=NO_RATIO, n_branches=(2, 2, 2), few=EVERY, **switches):
    """Return one node of weight 10 with three candidates, and how they compare."""
    table = np.array([gain])
    nothing = np.zeros((0, 0))
    candidates = Candidates(
        table,
        np.zeros((1, 3), np.int64),
        nothing,
        np.array([information]),
        nothing,
    )
    choosing = Choosing(
        np.zeros(3, bool),
        np.array(few),
        np.array(n_branches, np.int64),
        by_ratio=True,
        **switches,
    )
    return candidates, choosing, np.array([10.0]), np.ones(1)


def passing(gain, *, kind="c50", **switches):
    return weigh(*compared(gain, guard=kind, **switches)).valid[0].tolist()


# the average is 0.2; to name one of 3 features takes 0.9 log2(3) / 10 = 0.1426 bits
@pytest.mark.parametrize(
    ("rows_per_class", "least"),
    [(10, 0.2), (500, 0.2), (750, (0.2 + 0.1426) / 2), (1000, 0.1426), (9e9, 0.1426)],
)
def test_least_gain_of_c50(rows_per_class, least):
    others = 0.6 - least  # the mean stays 0.2
    above = [others, 0.9995 * least, 0.0005 * least]
    below = [others, 0.9975 * least, 0.0025 * least]
    assert passing(above, rows_per_class=rows_per_class) == [True, True, False]
    assert passing(below, rows_per_class=rows_per_class) == [True, False, False]


def test_guards_differ_in_their_slack():
    gain = [0.3, 0.1992, 0.1008]  # the average less 0.0008, which is 0.4 % of it
    assert passing(gain, kind="c45", rows_per_class=10) == [True, True, False]
    assert passing(gain, kind="c50", rows_per_class=10) == [True, False, False]


def test_many_valued_features_are_out_of_the_average_or_out_altogether():
    gain, few = [0.9, 0.2, 0.0], [False, True, True]  # the average is 0.1
    assert passing(gain, kind="c45", rows_per_class=10, few=few) == [True, True, False]
    assert passing(gain, kind="c50", rows_per_class=10, few=few) == [False, True, False]


@pytest.mark.parametrize(
    ("ratio", "gain", "n_branches", "winner"),
    [
        ([0.5, 0.5008, 0.3], [0.1, 0.2, 0.9], [2, 2, 2], 1),  # 0.16 %: not as good
        ([0.5, 0.5004, 0.3], [0.1, 0.2, 0.9], [2, 3, 2], 0),  # 0.08 %: fewer branches
        ([0.5, 0.5004, 0.3], [0.1, 0.2, 0.9], [3, 3, 2], 1),  # then the larger gain
        ([0.5004, 0.5, 0.3], [0.1, 0.2, 0.9], [3, 3, 2], 1),
        ([0.5, 0.5, 0.5], [0.2, 0.2, 0.2], [3, 3, 3], 0),  # then the first
    ],
)
def test_of_near_ratios_the_simplest_split_wins(ratio, gain, n_branches, winner):
    information = (np.array(gain) / np.array(ratio)).tolist()
    node = compared(gain, information, n_branches, guard="c50", rows_per_class=9e9)
    candidates, choosing, weight, per_score = node
    weight = weight * 1e6  # so that naming a feature costs next to nothing
    frontier = Frontier(
        np.zeros(1, np.int64),
        np.zeros((1, 2), np.int64),
        np.zeros(1),
        np.zeros(0, "u1"),
    )
    choice = choose(candidates, frontier, choosing, weight, per_score)
    assert choice.feature.tolist() == [winner]


# Both tell the class. `id` has a value for each row: it gains as much, its ratio is
# smaller; `half` errs once.
ROWS = {
    "id": list("abcdefgh"),
    "half": ["x", "x", "x", "x", "y", "y", "y", "x"],
}
CLASSES = ["no"] * 4 + ["yes"] * 4


def asked(**switches):
    tree = tw.C45Classifier(
        dialect="lecture", gain_guard="c50", min_samples_leaf=1, **switches
    ).fit(ROWS, CLASSES)
    return tree.to_text("lecture").split()[0]


def test_c50_does_not_ask_about_a_value_for_each_row():
    assert asked() == "half"


def test_c50_asks_about_many_values_if_there_is_nothing_else():
    tree = tw.C45Classifier(dialect="lecture", gain_guard="c50")
    text = tree.fit({"id": ROWS["id"]}, CLASSES).to_text("lecture")
    assert text.startswith("id a: no (1)")


def test_the_earlier_name_of_the_guard_is_taken():
    assert C45.change(gain_guard="average") == C45
    assert C45.gain_guard == "c45"


def test_guard_without_the_ratio_is_refused():
    with refused(SettingError, "criterion='gain_ratio'", "gain_guard=None"):
        C45.change(criterion="entropy", gain_guard="c50")
