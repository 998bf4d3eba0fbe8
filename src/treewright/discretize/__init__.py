"""Numbers to intervals, for learners that split nominal features only.

`plan.py` reads what the user asked for, `into_intervals.py` does it to a table;
`borders.py` and `mdl.py` find borders in a `tally.py`, `chosen_way.py` picks among
them by cross-validation, `given.py` takes borders and ranges as they are. The names
below are what others use.
"""

from treewright.discretize.into_intervals import into_intervals
from treewright.discretize.plan import IntervalPlan, read_plan

__all__ = ["IntervalPlan", "into_intervals", "read_plan"]
