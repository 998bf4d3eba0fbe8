"""What a forest gives to the table: columns from its two numbers of features."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

Errors = dict[str, float]  # in per cent, by column


@dataclass(frozen=True)
class Grown:
    """What one forest says of itself, and its errors in per cent.

    `one_tree` is of the single trees, each on the rows that it has not seen;
    `one_tree_test` of the single trees on the test rows.
    """

    out_of_bag: float
    forest: float
    one_tree: float
    one_tree_test: float


def forest_columns(single: Grown, several: Grown) -> Errors:
    """Return the columns of a trial from its forests with F = 1 and a larger F."""
    # of equal out-of-bag errors the fewer features, as `max_features="oob"` has it
    chosen = single if single.out_of_bag <= several.out_of_bag else several
    return {
        "selection": chosen.forest,
        "single": single.forest,
        "several": several.forest,
        "one_tree": chosen.one_tree,
        "one_tree_single": single.one_tree,
        "one_tree_several": several.one_tree,
        "one_tree_test": chosen.one_tree_test,
        "chose_single": 100.0 * float(chosen is single),
    }


def mean_of(errors: Iterable[float]) -> float:
    """Return the plain mean."""
    return float(np.mean(list(errors)))
