"""ID3: one branch per value, the feature with the largest information gain first.

    grow(rows, features):
        all rows of one class           -> a leaf
        no feature left                 -> a leaf with the majority
        otherwise ask the feature that tells most about the class, and
        for each of its values: grow(the rows with that value, the other features)
        (a value without rows: a leaf with the majority of the parent)

The loop is `grow/grower.py`; this file only sets its switches. Read that next.

References
----------
Quinlan, J. R. (1986). Induction of decision trees. Machine Learning 1, 81-106.
"""

from __future__ import annotations

from treewright.grow.dialect import Dialect

ID3 = Dialect(
    name="id3",
    criterion="entropy",
    nominal_splits="multiway",
    numeric_splits="refuse",
    reuse_features=False,
    missing="own_branch",
)
