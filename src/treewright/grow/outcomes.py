"""Reading what people type: labels, counts, probabilities and weights into arrays.

The measures in `measures.py` work on the arrays that are made and checked here. Labels
become codes in order of appearance; -1 stands for a missing value (None or NaN).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Set
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treewright.errors import DataError, DataTypeError, SettingError

Values = Iterable[Any]
Codes = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

SUM_TOLERANCE = 1e-9


class MeasuredRows(NamedTuple):
    """A target and a split, row by row: class code or number, branch, weight."""

    target: npt.NDArray[Any]
    branch: Codes
    weight: Floats

    @property
    def is_known(self) -> npt.NDArray[np.bool_]:
        """Which rows have a known branch and count at all."""
        return (self.branch >= 0) & (self.weight > 0)

    def at(self, chosen: npt.NDArray[np.bool_] | Codes) -> MeasuredRows:
        """Return the rows that a mask or their numbers choose."""
        return MeasuredRows(
            self.target[chosen], self.branch[chosen], self.weight[chosen]
        )


def read_rows(
    y: Values,
    x: Values,
    *,
    threshold: float | None,
    weights: Values | None,
    read_y: Callable[[Values, str], npt.NDArray[Any]],
) -> MeasuredRows:
    """Return target, branches and weights, of equal length."""
    target = read_y(y, "y")
    branch = read_branches(x, threshold)
    if len(target) != len(branch):
        raise DataError(
            f"y has {len(target)} rows and x has {len(branch)}: give one x per y"
        )
    return MeasuredRows(target, branch, read_weights(weights, len(target)))


def read_branches(x: Values, threshold: float | None) -> Codes:
    """Return the branch of each row: its value's code, or the side of the threshold."""
    if threshold is None:
        return read_labels(x, "x")
    if np.isnan(threshold):
        raise SettingError("threshold is NaN: give a number")
    numbers = read_numbers(x, "x")
    return np.where(np.isnan(numbers), -1, numbers > threshold).astype(np.intp)


def read_labels(values: Values, name: str) -> Codes:
    """Return codes in order of appearance, -1 for missing."""
    codes: dict[Hashable, int] = {}
    out = []
    for row, value in enumerate(_as_list(values, name)):
        try:
            hash(value)
        except TypeError:
            raise DataTypeError(
                f"{name} has {value!r} in row {row}, which is not hashable: give one "
                "plain value (text, number, bool, tuple) per row"
            ) from None
        out.append(-1 if _is_missing(value) else codes.setdefault(value, len(codes)))
    return np.asarray(out, np.intp)


def read_classes(values: Values, name: str) -> Codes:
    """Return codes like `read_labels`, but refuse missing values."""
    codes = read_labels(values, name)
    return _refuse(codes, codes < 0, f"{name} has a missing value")


def read_numbers(values: Values, name: str) -> Floats:
    """Return floats, NaN for missing."""
    out = []
    for row, value in enumerate(_as_list(values, name)):
        try:
            # float() would read text too, and text is a label
            number = np.nan if _is_missing(value) else float(value + 0)
        except (TypeError, ValueError):
            raise DataTypeError(
                f"{name} has {value!r} in row {row}: give numbers only"
            ) from None
        out.append(number)
    return np.asarray(out, np.float64)


def read_finite(values: Values, name: str) -> Floats:
    """Return floats like `read_numbers`, but refuse missing and infinite ones."""
    numbers = read_numbers(values, name)
    return _refuse(
        numbers, ~np.isfinite(numbers), f"{name} has a missing or infinite value"
    )


def read_weights(weights: Values | None, n_rows: int) -> Floats:
    """Return one weight per row; 1 each if none are given."""
    if weights is None:
        return np.ones(n_rows)
    out = read_amounts(weights, "weights")
    if len(out) != n_rows:
        raise DataError(
            f"there are {len(out)} weights for {n_rows} rows: give one weight per row"
        )
    return out


def read_amounts(values: Values, name: str) -> Floats:
    """Return numbers of which none is negative and some is not zero."""
    # a Counter, or any other mapping from outcomes to amounts, is as good as a list
    listed = values.values() if isinstance(values, Mapping) else values
    amounts = read_finite(listed, name)
    _refuse(amounts, amounts < 0, f"{name} has a negative value")
    if not amounts.any():
        raise DataError(f"{name} has only zeros: at least one must be positive")
    return amounts


def read_outcomes(
    labels: Values | None,
    *,
    counts: Values | None,
    probabilities: Values | None,
    weights: Values | None,
) -> Floats:
    """Return the weight of each outcome, however it was given."""
    given = [option is not None for option in (labels, counts, probabilities)]
    if sum(given) != 1:
        raise SettingError(
            "give either labels, or counts=, or probabilities=: "
            f"{sum(given)} of them are given"
        )
    if labels is not None:
        codes = read_classes(labels, "labels")
        counts = np.bincount(codes, weights=read_weights(weights, len(codes)))
        return counts.astype(np.float64)
    if weights is not None:
        raise SettingError("weights= belong to labels: multiply the counts instead")
    if counts is not None:
        return read_amounts(counts, "counts")
    assert probabilities is not None
    return read_probabilities(probabilities)


def read_probabilities(values: Values) -> Floats:
    """Return numbers that sum to 1."""
    shares = read_amounts(values, "probabilities")
    if abs(shares.sum() - 1) > SUM_TOLERANCE:
        raise DataError(
            f"probabilities sum to {shares.sum():.6g}, not to 1: correct them, or give "
            "them as counts= to have them divided by their sum"
        )
    return shares


def _as_list(values: Values, name: str) -> list[Any]:
    """Return the values as a list; refuse what is no plain, filled column."""
    if isinstance(values, (Mapping, Set)):
        raise DataTypeError(
            f"{name} is a {type(values).__name__}, which does not say how often each "
            "value occurs, row by row: give a list, or counts="
        )
    if len(getattr(values, "shape", (0,))) != 1:
        raise DataTypeError(
            f"{name} has the shape {values.shape}: give one column"  # type: ignore[attr-defined]
        )
    try:
        listed = list(values)
    except TypeError:
        raise DataTypeError(
            f"{name} is {values!r}: give a list, an array or a column"
        ) from None
    if not listed:
        raise DataError(f"{name} has no value: give at least one")
    return listed


def _is_missing(value: Any) -> bool:
    """Whether a value is None, NaN or the like."""
    try:
        return value is None or bool(value != value)  # noqa: PLR0124 - this is NaN
    except TypeError:  # pandas.NA: it does not know whether it differs from itself
        return True


def _refuse(
    values: npt.NDArray[Any], bad: npt.NDArray[np.bool_], complaint: str
) -> npt.NDArray[Any]:
    """Return the values if none is bad; else say which is the first."""
    if bad.any():
        row = int(np.argmax(bad))
        raise DataError(f"{complaint} in row {row}: leave it out or correct it")
    return values
