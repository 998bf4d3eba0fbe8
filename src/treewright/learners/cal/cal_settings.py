"""The settings of CAL2 and CAL3, which learn from one row after the other."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treewright.data.complaints import quoted
from treewright.data.schema import Schema
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect, TreeSettings
from treewright.settings.kinds import Above, Names, OneOf, Whole
from treewright.settings.row import row, shared

# what a tree of the CAL family is like for those who read it
_SHAPE = Dialect(
    name="cal",
    criterion="entropy",  # what listings say of nodes; it decides nothing
    nominal_splits="multiway",
    numeric_splits="refuse",
    reuse_features=False,
    missing="own_branch",
    empty_branch="unclassified",
)


@dataclass(frozen=True)
class CALSettings(TreeSettings):
    """The settings of CAL2."""

    max_passes: int = row(
        Whole(1),
        "How often the rows are gone through at most.",
        default=1000,
        tries={"cal2": (1, 10, 1000)},
    )
    attribute_order: Sequence[str] | None = row(
        Names(),
        "The features in the order in which they are asked about; those that are not "
        "named come after them in column order. None: all in column order.",
        default=None,
        usually="column order",
    )
    when_exhausted: str = row(
        OneOf("stop", "go_on"),
        "A row needs another question, and no feature is left: learning stops, as in "
        "the lectures; or the leaf stays, answers what most of its rows are, and the "
        "next row comes.",
        default="stop",
        tries={"cal2": ("stop", "go_on")},
    )
    missing: str = row(
        OneOf("own_branch", "error"),
        "A missing value is a value of its own, or an error.",
        default="own_branch",
    )
    unseen: str = shared(Dialect, "unseen")
    probabilities: str = shared(Dialect, "probabilities")
    prior_weight: float = shared(Dialect, "prior_weight", clashes=True)

    def __post_init__(self) -> None:
        if isinstance(self.attribute_order, str):  # as the command line gives it
            names = [part.strip() for part in self.attribute_order.split(",")]
            object.__setattr__(self, "attribute_order", names)
        super().__post_init__()
        if self.attribute_order is not None:
            object.__setattr__(self, "attribute_order", tuple(self.attribute_order))

    def settings(self) -> dict[str, Any]:
        """Every setting, with what the tree is like besides."""
        return {**_SHAPE.settings(), **super().settings()}

    @property
    def shape(self) -> Dialect:
        """What the tree is like for those who read it, as a dialect."""
        return dataclasses.replace(_SHAPE, name=self.name, missing=self.missing)

    def unknown(self, name: str) -> str:
        """Return what is said of a setting that is not among these."""
        if name not in Dialect.rows():
            return super().unknown(name)
        return (
            f"{name} changes nothing in {self.name}, which learns from one row after "
            f"the other; leave it out ({self.name} has {', '.join(self.rows())})"
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
class CAL3Settings(CALSettings):
    """The settings of CAL3."""

    s1: int = row(
        Whole(1),
        "How many rows a leaf counts before it is decided about.",
        default=4,
        tries={"cal3": (2, 4, 8)},
    )
    s2: float = row(
        Above(0.5, 1.0, " (two classes cannot both have more than half)"),
        "The share from which on a class closes a leaf for good; above 0.5, at most 1.",
        default=0.7,
        tries={"cal3": (0.6, 0.7, 0.8, 0.9)},
    )
