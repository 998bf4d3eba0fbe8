"""A dialect: the row of switches that makes an algorithm.

ID3, AIMA and CART are values of this one type; `learners/` has a file for each. Every
switch can be set on its own (`dialect.change(min_samples_leaf=5)`), is checked where it
is set, and travels with the model.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treewright.errors import SettingError
from treewright.sources.node_statistics import CLASS_CRITERIA, NUMBER_CRITERIA


@dataclass(frozen=True)
class Dialect:
    """The switches of a tree learner.

    Attributes
    ----------
    name : str
        What the algorithm is called.
    criterion : str
        "entropy", "gini", "classification_error" for classes; "squared_error",
        "absolute_error" for numbers.
    nominal_splits : {"multiway", "subset"}
        One branch per value, or the best two sets of values.
    numeric_splits : {"refuse", "midpoint"}
        Numeric features are an error, or are cut half way between two values.
    reuse_features : bool
        Whether a nominal feature may be asked about again further down a path.
    missing : {"error", "own_branch", "majority"}
        Rows without a value: refused; a branch of their own; with the heaviest branch.
    unseen : {"stop", "missing", "error"}
        A category at prediction that training never saw.
    max_depth, min_samples_split, min_samples_leaf, max_leaf_nodes
        As in scikit-learn; a fraction is a share of the training rows.
    min_weight_leaf : float
        Least row weight of a branch.
    min_weight_fraction_leaf : float
        The same as a share of the whole weight.
    min_impurity : float
        A node at most this impure is a leaf.
    min_gain : float
        Least gain of a split, per row of the node.
    min_impurity_decrease : float
        Least gain of a split times the node's share of the whole weight.
    """

    name: str
    criterion: str
    nominal_splits: str
    numeric_splits: str
    reuse_features: bool
    missing: str
    unseen: str = "stop"
    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_weight_leaf: float = 0.0
    min_weight_fraction_leaf: float = 0.0
    min_impurity: float = 0.0
    min_gain: float = 0.0
    min_impurity_decrease: float = 0.0
    max_leaf_nodes: int | None = None

    def __post_init__(self) -> None:
        for name, check in _CHECKS.items():
            check(name, getattr(self, name))

    @property
    def task(self) -> str:
        """Whether the criterion is about "classes" or "numbers"."""
        return "classes" if self.criterion in CLASS_CRITERIA else "numbers"

    def change(self, **settings: Any) -> Dialect:
        """Return the same dialect with other settings; unknown names are refused."""
        known = [
            field.name for field in dataclasses.fields(self) if field.name != "name"
        ]
        for name in settings:
            if name not in known:
                raise SettingError(unknown_name("setting", name, known))
        return dataclasses.replace(self, **settings)

    def settings(self) -> dict[str, Any]:
        """Every switch but the name, as plain values."""
        values = dataclasses.asdict(self)
        del values["name"]
        return {name: _plain(value) for name, value in values.items()}


def unknown_name(what: str, name: str, known: list[str]) -> str:
    """One line for a name that does not exist, with the nearest that does."""
    near = difflib.get_close_matches(name, known, n=1)
    hint = (
        f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}"
    )
    return f"unknown {what} {name!r}; {hint}"


def _plain(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    return float(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def _is_real(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return False
    return math.isfinite(float(value))


class _OneOf:
    def __init__(self, *choices: object) -> None:
        self.choices = choices

    def __call__(self, name: str, value: object) -> None:
        if not any(value is c or value == c for c in self.choices):
            wanted = ", ".join(repr(choice) for choice in self.choices)
            raise SettingError(f"{name} is {value!r}; it must be one of {wanted}")


class _Whole:
    """A whole number from `least` up, or None."""

    def __init__(self, least: int) -> None:
        self.least = least

    def __call__(self, name: str, value: Any) -> None:
        if value is None or (_is_whole(value) and value >= self.least):
            return
        raise SettingError(
            f"{name} is {value!r}; it must be None or a whole number "
            f"from {self.least} up"
        )


class _Rows:
    """A number of rows from `least` up, or a share of them in (0, 1]."""

    def __init__(self, least: int) -> None:
        self.least = least

    def __call__(self, name: str, value: Any) -> None:
        if _is_whole(value) and value >= self.least:
            return
        if not _is_whole(value) and _is_real(value) and 0.0 < value <= 1.0:
            return
        raise SettingError(
            f"{name} is {value!r}; it must be a whole number from {self.least} up, "
            "or a share of the rows between 0 and 1"
        )


class _Real:
    """A finite number in a closed range."""

    def __init__(self, low: float, high: float = math.inf) -> None:
        self.low, self.high = low, high

    def __call__(self, name: str, value: Any) -> None:
        if _is_real(value) and self.low <= value <= self.high:
            return
        upto = "up" if math.isinf(self.high) else f"to {self.high:g}"
        raise SettingError(
            f"{name} is {value!r}; it must be a number from {self.low:g} {upto}"
        )


_CHECKS: Mapping[str, Any] = {
    "criterion": _OneOf(*CLASS_CRITERIA, *NUMBER_CRITERIA),
    "nominal_splits": _OneOf("multiway", "subset"),
    "numeric_splits": _OneOf("refuse", "midpoint"),
    "reuse_features": _OneOf(True, False),
    "missing": _OneOf("error", "own_branch", "majority"),
    "unseen": _OneOf("stop", "missing", "error"),
    "max_depth": _Whole(1),
    "min_samples_split": _Rows(2),
    "min_samples_leaf": _Rows(1),
    "min_weight_leaf": _Real(0.0),
    "min_weight_fraction_leaf": _Real(0.0, 0.5),
    "min_impurity": _Real(0.0),
    "min_gain": _Real(0.0),
    "min_impurity_decrease": _Real(0.0),
    "max_leaf_nodes": _Whole(2),
}
