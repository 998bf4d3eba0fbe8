"""What the 32-bit floats of C4.5 Release 8 decide: which of nearly equal splits."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw


def root(table, target, **settings):
    """Return the feature and the threshold that the root asks about."""
    model = tw.C45Classifier(pruning=None, **settings)
    model.fit(table, target)
    return int(model.tree_.feature[0]), float(model.tree_.threshold[0])


def test_first_of_the_cuts_that_gain_the_same_in_32_bits():
    # the same from both ends; one cut leaves 24.164799 bits in 32 bits and the other
    # 24.164797, but both gain 0.19949365 per row
    counts = {0.0: (2, 4, 0), 1.0: (1, 1, 4), 2.0: (4, 2, 0)}
    rows = [(x, label) for x, n in counts.items() for label in np.repeat([*"pqr"], n)]
    values, labels = zip(*rows, strict=True)
    assert root({"x": values}, labels, dialect="c45") == (0, 0.0)


@pytest.mark.parametrize(("dialect", "feature"), [("c45", 1), ("j48", 0)])
def test_nominal_split_starts_from_a_sum_that_is_not_rounded(dialect, feature):
    # 41 and 6 rows, parted by both: 0.55098432 bits before the cut, 0.55098456 before
    # the nominal split. So it is at a node of anneal-na.
    is_few = np.arange(47) >= 41
    table = {"strength": is_few * 300.0, "exptl": np.where(is_few, "Y", "-")}
    target = np.where(is_few, "q", "p")
    assert root(table, target, dialect=dialect)[0] == feature
