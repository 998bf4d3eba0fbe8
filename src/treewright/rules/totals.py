"""What a list of rules did on all rows together, those included that met no rule."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.rules.ruleset import NO_RULE, RuleSet


@dataclass(frozen=True)
class Totals:
    """Counts of all rows.

    Attributes
    ----------
    n_rows : int
        The rows.
    weight : float
        Their weight.
    wrong : float or None
        The weight of those that are answered wrongly; None for numbers, and if it is
        not known.
    uncovered : float
        The weight of those that met no rule, which get the default.
    error : float or None
        Numbers: the root of the mean squared error of the answers.
    of : str
        What the rows are called.
    """

    n_rows: int
    weight: float
    wrong: float | None
    uncovered: float
    error: float | None = None
    of: str = "rows"


def totals_on(
    rule_set: RuleSet,
    fired: npt.NDArray[np.int64],
    target: npt.NDArray[Any],
    weights: npt.NDArray[np.float64],
    of: str = "rows",
) -> Totals:
    """Return the totals of rows.

    Parameters
    ----------
    rule_set : RuleSet
        The rules.
    fired : ndarray of int64, shape (n_rows,)
        The rule that answers for each row, or NO_RULE.
    target : ndarray, shape (n_rows,)
        Class codes, or numbers.
    weights : ndarray of float64, shape (n_rows,)
        Row weights.
    of : str
        What the rows are called.
    """
    said, weight = rule_set.answers_of(fired), float(weights.sum())
    uncovered = float(weights[fired == NO_RULE].sum())
    if rule_set.schema.target.kind == "numbers":
        squares = float((weights * (said - target) ** 2).sum())
        error = math.sqrt(squares / weight) if weight > 0 else None
        return Totals(len(fired), weight, None, uncovered, error, of)
    # a class that training never saw is wrong, also where no class is answered
    wrong = float(weights[(said != target) | (target < 0)].sum())
    return Totals(len(fired), weight, wrong, uncovered, None, of)
