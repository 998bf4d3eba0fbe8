"""Validation of a schema: names, categories, cuts and classes that agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from treewright.data.intervals import OUTSIDE, Intervals
from treewright.data.schema import Feature, Schema, Target
from treewright.errors import ModelFileError
from treewright.tree.values import canonical_label


def validate_schema(schema: Schema) -> None:
    """Raise `ModelFileError` if a schema contradicts itself."""
    _check_unique(schema.names, "feature")
    for feature in schema.features:
        _check_feature(feature)
    _check_target(schema.target)


def _check_feature(feature: Feature) -> None:
    """Categories where they belong, cuts that ascend."""
    name = feature.name
    if feature.kind == "numeric" and feature.categories:
        raise ModelFileError(f"feature {name!r} is numeric and has categories")
    if feature.kind != "numeric" and feature.storage != "float64":
        raise ModelFileError(
            f"feature {name!r} is {feature.kind} and stored as {feature.storage}"
        )
    if feature.zoned and not feature.storage.startswith("datetime64"):
        raise ModelFileError(
            f"feature {name!r} has a time zone and is stored as {feature.storage}"
        )
    # as texts, which tell 1 from True
    texts = [canonical_label(label) for label in feature.categories]
    _check_unique(texts, f"in feature {name!r}, category")
    if feature.not_applicable is not None:
        _check_not_applicable(feature)
    cuts = feature.cuts if feature.is_wide else None
    if feature.intervals is not None:
        _check_intervals(feature, feature.intervals)
    if cuts is not None and (cuts[1:] <= cuts[:-1]).any():
        raise ModelFileError(f"feature {name!r}: its cuts must ascend")


def _check_not_applicable(feature: Feature) -> None:
    """The last category of a nominal feature whose cells are no numbers."""
    is_plain = feature.kind == "nominal" and feature.intervals is None
    if not is_plain or feature.categories[-1:] != (feature.not_applicable,):
        raise ModelFileError(
            f"feature {feature.name!r}: {feature.not_applicable!r} (not applicable) "
            "must be the last category of a nominal feature"
        )


def _check_intervals(feature: Feature, intervals: Intervals) -> None:
    """Borders that ascend, and one piece between them for each category."""
    where = f"the intervals of feature {feature.name!r}"
    if feature.kind != "nominal":
        raise ModelFileError(f"{where}: it is {feature.kind}, not nominal")
    if any(not isinstance(name, str) for name in feature.categories):
        raise ModelFileError(f"{where}: their names must be text")
    if intervals.zoned and not intervals.storage.startswith("datetime64"):
        raise ModelFileError(
            f"{where} have a time zone and are stored as {intervals.storage}"
        )
    borders = intervals.borders
    if not all(map(math.isfinite, borders)):
        raise ModelFileError(f"{where}: a border is not finite")
    if any(high <= low for low, high in pairwise(borders)):
        raise ModelFileError(f"{where}: their borders must ascend")
    inside = [code for code in intervals.codes if code != OUTSIDE]
    if (
        len(intervals.codes) != len(borders) + 1
        or inside != list(range(len(feature.categories)))
        or (not intervals.named and len(inside) < len(intervals.codes))
    ):
        raise ModelFileError(
            f"{where}: {len(borders)} borders do not divide into the "
            f"{len(feature.categories)} categories"
        )


def _check_target(target: Target) -> None:
    """At least one output, and classes if that is what is predicted."""
    wanted = target.n_outputs if target.kind == "classes" else 0
    named = [labels for labels in target.classes if labels]
    # numbers may have an empty entry per output
    if (
        not target.names
        or len(named) != wanted
        or len(target.classes) > len(target.names)
    ):
        raise ModelFileError(
            f"the target has {target.n_outputs} outputs of kind {target.kind} and "
            f"classes for {len(named)}"
        )
    for name, labels in zip(target.names, target.classes, strict=False):
        texts = [canonical_label(label) for label in labels]
        _check_unique(texts, f"in target {name!r}, class")
    if target.costs is not None:
        _check_costs(target, target.costs)


def _check_costs(target: Target, costs: tuple[tuple[float, ...], ...]) -> None:
    """A square of costs for the classes of one output, 0 where the answer is right."""
    if target.kind != "classes" or target.n_outputs != 1:
        raise ModelFileError("costs are for the classes of 1 output")
    n_classes = len(target.classes[0])
    if [len(row) for row in costs] != [n_classes] * n_classes:
        raise ModelFileError(
            f"the costs must be {n_classes} rows of {n_classes} numbers"
        )
    if not all(math.isfinite(cost) and cost >= 0 for row in costs for cost in row):
        raise ModelFileError("costs must be finite and not negative")
    if any(row[code] for code, row in enumerate(costs)):
        raise ModelFileError("the right class must cost 0")


def _check_unique(names: Sequence[str], what: str) -> None:
    """Refuse a name that stands twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ModelFileError(f"{what} {name!r} stands twice")
        seen.add(name)
