"""rpart: CART as R's package of that name grows and prunes it.

The gini index chooses the splits of classes, and wrong rows are the risk that prunes;
numbers ("anova") have squared error for both. Complexity is told as a share of the
root's risk (`cp`), and a split that is not worth `cp` is not kept. A node has at least
20 rows, a branch a third of that, and the depth is at most 30. A split must gain more
than 1e-10 of the node's impurity; of equal classes a leaf answers the first.

Missing values follow surrogate splits, up to five, ranked by how much of the weight
they send the same way; nominal ones need two rows that they send elsewhere. As in the
program, and unlike its manual, the gain of a split is that of the rows with a value, so
features with many missing values gain less.

Differences from the original: a row for which no surrogate has a value, where both
branches are equally heavy, takes the first, where rpart lets it stop; equal gains take
the first feature and the lowest cut, where rpart lets rounding decide;
`min_samples_leaf` stays 7 when `min_samples_split` is changed; nominal features with
more than ten values at a node and more than two classes are divided by a heuristic.

References
----------
Therneau, T. and Atkinson, E. (2022). An introduction to recursive partitioning using
the RPART routines (rpart 4.1.19).
"""

from __future__ import annotations

import dataclasses

from treewright.learners.dialects.cart import CART

RPART = dataclasses.replace(
    CART,
    name="rpart",
    missing="surrogates",
    surrogate_sets="two_disagree",
    numeric_splits="below_midpoint",
    label_ties="first",
    pruning="cost_complexity",
    cp=0.01,
    complexity_by="misclassification",
    weakest_links="one_pass",
    max_depth=30,
    min_samples_split=20,
    min_samples_leaf=7,
    min_relative_gain=1e-10,
)
RPART_NUMBERS = dataclasses.replace(
    RPART, criterion="squared_error", complexity_by="impurity"
)
