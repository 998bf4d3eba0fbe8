"""C5.0's trees, as far as they are known: C4.5 with the switches of its successor.

Differences from the original: no winnowing, no soft thresholds, and ties between equal
splits go to the first feature. `c50_boosting.py` boosts them.

References
----------
Quinlan, J. R. See5/C5.0: www.rulequest.com/see5-info.html
"""

from __future__ import annotations

import dataclasses

from treewright.learners.dialects.c45 import C45

C50 = dataclasses.replace(
    C45,
    name="c50",
    grouping="c50",
    gain_guard="c50",
    threshold_cost="c50",
    min_branch_weight=0.05,
    pool_small_branches=True,
    global_pruning=True,
)
