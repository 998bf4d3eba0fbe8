"""Numbers to intervals, for learners that split nominal features only.

`plan.py` reads what the user asked for, `into_intervals.py` does it to a table;
`equal_width.py`, `quantiles.py` and `mdl.py` find borders, `choose.py` picks among
them by cross-validation, `given.py` takes borders and ranges as they are.
"""

from treewright.discretize.into_intervals import into_intervals
from treewright.discretize.plan import Plan, read_plan

__all__ = ["Plan", "into_intervals", "read_plan"]
