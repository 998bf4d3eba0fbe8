"""Validation of combinations: weighted sums of numeric features."""

from __future__ import annotations

import numpy as np

from treewright.data.schema import Schema
from treewright.tree.combination import PER_TERM, is_combination, terms_of
from treewright.tree.tree import EVERY_BRANCH, Tree
from treewright.tree.validate_groups import Checker


def validate_combinations(tree: Tree, schema: Schema, check: Checker) -> None:
    """Refuse sums of what is not there or not a number, or with a weight that is none.

    Parameters
    ----------
    tree : Tree
        A tree whose `set_start` is valid, as are the features of its nodes.
    schema : Schema
        What the features are.
    check : Checker
        Raises the error.
    """
    combined = is_combination(tree)
    if not combined.any():
        return
    size = np.diff(tree.set_start)
    check.refuse(
        combined & ((size == 0) | (size % PER_TERM != 0)),
        f"a combination has {PER_TERM} codes for each term",
        size,
    )
    terms = terms_of(tree)
    plain = [one.kind == "numeric" and not one.is_wide for one in schema.features]
    outside = (terms.feature < 0) | (terms.feature >= len(plain))
    bad = outside | ~np.asarray(plain)[np.where(outside, 0, terms.feature)]
    bad |= ~np.isfinite(terms.weight)
    wrong = np.zeros(tree.node_count, np.bool_)
    wrong[terms.node[bad]] = True
    check.refuse(
        wrong, "a combination adds up numeric features with finite weights", size
    )
    first = tree.set_codes[tree.set_start[:-1][combined]]
    differs = np.zeros(tree.node_count, np.bool_)
    differs[combined] = first != tree.feature[combined]
    check.refuse(
        differs, "the feature of a combination is that of its first term", tree.feature
    )
    check.refuse(
        combined & (tree.missing_branch == EVERY_BRANCH),
        "a combination does not divide rows",
        tree.missing_branch,
    )
