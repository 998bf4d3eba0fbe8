"""The switches of CAL2 and CAL3, which learn from one row after the other.

They are dialects like the others, so everything that takes a dialect takes these; but
most switches are about growing a node from all of its rows, and are refused here.
"""

from __future__ import annotations

import dataclasses
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treewright.data.complaints import quoted
from treewright.data.schema import Schema
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.grow.switch_checks import Count, OneOf

# switches of all dialects that mean something here, and what they may be
_SHARED: dict[str, Any] = {
    "missing": OneOf("own_branch", "error"),
    "unseen": OneOf("stop", "missing", "error"),
    "probabilities": OneOf("raw", "laplace", "m_estimate"),
    "prior_weight": None,
}
# how folds are made, where trees are compared by cross-validation
_FOLDS = ("n_folds", "random_state")
# how a tree of the CAL family is, whoever asks
CAL_SWITCHES: dict[str, Any] = {
    "criterion": "entropy",  # what listings say of nodes; it decides nothing
    "nominal_splits": "multiway",
    "numeric_splits": "refuse",
    "reuse_features": False,
    "missing": "own_branch",
    "empty_branch": "unclassified",
}


@dataclass(frozen=True)
class CALDialect(Dialect):
    """The switches of CAL2.

    Attributes
    ----------
    max_passes : int
        How often the rows are gone through at most.
    attribute_order : tuple of str or None
        The features in the order in which they are asked about; those that are not
        named come after them, in column order. None: all in column order.
    when_exhausted : {"stop", "go_on"}
        What happens at a row that needs another question where no feature is left:
        learning stops, as in the lectures; or the leaf stays, and answers in the end
        what most of its rows are.
    """

    max_passes: int = 1000
    attribute_order: Sequence[str] | None = None
    when_exhausted: str = "stop"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._refuse_idle()
        for name, check in _SHARED.items():
            if check is not None:
                check(name, getattr(self, name))
        Count(1)("max_passes", self.max_passes)
        OneOf("stop", "go_on")("when_exhausted", self.when_exhausted)
        object.__setattr__(self, "attribute_order", _names(self.attribute_order))

    def _refuse_idle(self) -> None:
        """Refuse the switches of other dialects, which would do nothing."""
        for field in dataclasses.fields(Dialect):
            name = field.name
            if name in ("name", *_SHARED, *_FOLDS):
                continue
            if getattr(self, name) != CAL_SWITCHES.get(name, field.default):
                known = ", ".join([*own_switches(self), *_SHARED])
                raise SettingError(
                    f"{name} changes nothing in {self.name}, which learns from one "
                    f"row after the other; leave it out ({self.name} has {known})"
                )

    def order(self, schema: Schema) -> list[int]:
        """Return the features in the order in which they are asked about."""
        places = {feature.name: k for k, feature in enumerate(schema.features)}
        unknown = [one for one in self.attribute_order or () if one not in places]
        if unknown:
            raise SettingError(
                f"attribute_order names {quoted(unknown)}, which "
                f"{'is' if len(unknown) == 1 else 'are'} no feature; the features are "
                f"{quoted(schema.names, 20)}"
            )
        first = [places[one] for one in self.attribute_order or ()]
        return [*first, *(k for k in range(len(places)) if k not in set(first))]


@dataclass(frozen=True)
class CAL3Dialect(CALDialect):
    """The switches of CAL3.

    Attributes
    ----------
    s1 : int
        How many rows a leaf counts before it is decided about.
    s2 : float
        The share from which on a class closes a leaf; above 0.5, at most 1.
    """

    s1: int = 4
    s2: float = 0.7

    def __post_init__(self) -> None:
        super().__post_init__()
        Count(1)("s1", self.s1)
        share: Any = self.s2
        is_number = isinstance(share, numbers.Real) and not isinstance(share, bool)
        if not is_number or not 0.5 < float(share) <= 1:
            raise SettingError(
                f"s2 is {self.s2!r}; it must be a number above 0.5 (two classes cannot "
                "both have more than half) and at most 1"
            )


def own_switches(dialect: Dialect) -> list[str]:
    """Return the names of the switches that other dialects do not have."""
    shared = {field.name for field in dataclasses.fields(Dialect)}
    every = [field.name for field in dataclasses.fields(dialect)]
    return [name for name in every if name not in shared]


def _names(order: Any) -> tuple[str, ...] | None:
    """Return an order of features; the command line gives it with commas."""
    if order is None:
        return None
    if isinstance(order, str):
        order = [part.strip() for part in order.split(",")]
    if not isinstance(order, Sequence) or not all(isinstance(n, str) for n in order):
        raise SettingError(
            f"attribute_order is {order!r}; it must be None or the names of features "
            "in the order in which they are asked about"
        )
    if len(set(order)) < len(order):
        twice = sorted({one for one in order if list(order).count(one) > 1})
        raise SettingError(
            f"attribute_order names {quoted(twice)} twice; a feature is asked about "
            "once on a path"
        )
    return tuple(order)
