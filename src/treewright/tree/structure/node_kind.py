"""What a node of a tree may ask."""

from __future__ import annotations

from enum import IntEnum


class NodeKind(IntEnum):
    """What a node asks."""

    LEAF = 0
    CUT = 1  # numeric: branch 0 if value <= threshold, else branch 1
    ORDER = 2  # ordinal: branch 0 if code <= threshold, else branch 1
    MULTIWAY = 3  # nominal: the branch is the category's code
    SUBSET = 4  # nominal: branch 0 if the code is in the node's set, else branch 1
    KNOWN = 5  # branch 0 if the value is known, branch 1 if it is missing
    GROUPS = 6  # nominal: the node's table has the branch of each code
    COMBINATION = 7  # branch 0 if a weighted sum of features <= threshold, else 1


HAVE_SETS = (NodeKind.SUBSET, NodeKind.GROUPS)  # of categories
HAVE_CODES = (*HAVE_SETS, NodeKind.COMBINATION)  # kinds with a stretch of `set_codes`
