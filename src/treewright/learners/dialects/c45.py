"""C4.5: gain ratio, cuts of numeric features, fractional rows, error-based pruning.

    grow(rows):
        one class, or too few rows          -> a leaf
        numeric features: the cut that gains most, its gain less the bits to name it
        nominal features: one branch per value
        among the features that gain at least the average, the one with the largest
        gain / split information;  a row without a value goes down every branch,
        in proportion to the rows that have one
    a subtree that makes no fewer training errors than a leaf becomes one
    bottom up: a leaf, the subtree, or its largest branch, whichever is estimated best

Three dialects: `C45` is Quinlan's Release 8, `J48` is Weka's, `LECTURE` is what courses
mean by C4.5: gain ratio alone, midpoints, no guard, no cost. The loop is
`grow/grower.py`; the pruning is `prune/methods/error_based.py`.

References
----------
Quinlan, J. R. (1993). C4.5: Programs for Machine Learning.
Quinlan, J. R. (1996). Improved use of continuous attributes in C4.5. JAIR 4, 77-90.
"""

from __future__ import annotations

import dataclasses

from treewright.grow.dialect import Dialect

C45 = Dialect(
    name="c45",
    criterion="gain_ratio",
    nominal_splits="multiway",
    numeric_splits="training_value",
    reuse_features=False,
    missing="fractional",
    unseen="missing",
    gain_guard="c45",
    threshold_cost="evaluated_cuts",
    count_by="weight",
    min_samples_leaf=2,
    large_branches="two",
    cut_minimum="tenth_per_class",
    min_gap=1e-5,
    single_precision=True,
    zero_gain=True,
    min_split_information=1e-3,
    empty_branch="parent_class",
    label_ties="first",
    collapse=1e-3,
    pruning="error_based",
    confidence_limit="table",
    mostly_wrong="two_thirds",
)
J48 = dataclasses.replace(
    C45,
    name="j48",
    reuse_features=True,
    single_precision=False,
    zero_gain=False,
    min_split_information=0.0,
    tolerance=1e-6,
    empty_branch="parent_distribution",
    confidence_limit="normal",
    mostly_wrong="rest",
)
LECTURE = Dialect(
    name="lecture",
    criterion="gain_ratio",
    nominal_splits="multiway",
    numeric_splits="midpoint",
    reuse_features=False,
    missing="fractional",
    unseen="missing",
)
