"""What the 32-bit floats of C4.5 Release 8 decide: which of nearly equal splits."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw


def root(table, target, weights=None, **settings):
    """Return the feature and the threshold that the root asks about."""
    model = tw.C45Classifier(pruning=None, **settings)
    model.fit(table, target, sample_weight=weights)
    return int(model.tree_.feature[0]), float(model.tree_.threshold[0])


@pytest.mark.parametrize(
    ("settings", "threshold"),
    [({"dialect": "c45"}, 0), ({"dialect": "c45", "single_precision": False}, 1)],
)
def test_first_of_the_cuts_that_gain_the_same_in_32_bits(settings, threshold):
    # below 1 the cut leaves 1018.91 bits, below 2 it leaves 1018.90; per row, taken off
    # 0.998 bits, both are 0.98382002 in 32 bits. So it is in kddcup99.
    table = {"x": [0.0, 1.0, 1.0, 2.0]}
    weights = np.array([21000.0, 59.0, 58.0, 19000.0])
    assert root(table, list("ppqq"), weights, **settings) == (0, threshold)


@pytest.mark.parametrize(("dialect", "feature"), [("c45", 1), ("j48", 0)])
def test_nominal_split_starts_from_a_sum_that_is_not_rounded(dialect, feature):
    # 41 and 6 rows, parted by both: 0.55098432 bits before the cut, 0.55098456 before
    # the nominal split. So it is at a node of anneal-na.
    is_few = np.arange(47) >= 41
    table = {"strength": is_few * 300.0, "exptl": np.where(is_few, "Y", "-")}
    target = np.where(is_few, "q", "p")
    assert root(table, target, dialect=dialect)[0] == feature
