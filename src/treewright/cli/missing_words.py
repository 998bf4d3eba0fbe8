"""What becomes of missing values, in a sentence for each rule."""

from __future__ import annotations

MISSING_WORDS = {
    "error": "missing values are refused",
    "own_branch": "missing values have a branch of their own",
    "majority": "missing values follow the heavier branch",
    "fractional": "missing values go down all branches, in shares",
    "learned": "missing values all take the branch that makes the best split",
    "most_common": "missing values count as the most common one of the table "
    "(of numbers, the middle one)",
    "most_common_in_node": "missing values count as the most common one at the node "
    "(of numbers, the middle one)",
    "most_common_in_class": "missing values count as the most common one of their "
    "class at the node (of numbers, the middle one)",
    "surrogates": "missing values take the branch that another feature points to",
}
