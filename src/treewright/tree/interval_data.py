"""The intervals of features in a model file's header.

A section of its own, a list with an entry for each feature that has intervals. The
borders are JSON numbers, which say a float or an integer exactly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from treewright.data.intervals import Intervals
from treewright.data.schema import Feature
from treewright.errors import ModelFileError
from treewright.tree.strict_json import take, take_list

# the types in which numbers are compared
STORAGE = re.compile(
    r"float64|int64|uint64|(datetime64|timedelta64)\[\d{0,6}(Y|M|W|D|h|m|s|ms|us|ns)\]"
)


def intervals_data(features: Sequence[Feature]) -> list[dict[str, Any]]:
    """Return the intervals of the features that have some, as JSON data."""
    return [
        {
            "feature": number,
            "borders": list(feature.intervals.borders),
            "codes": list(feature.intervals.codes),
            "storage": feature.intervals.storage,
            "zoned": feature.intervals.zoned,
            "named": feature.intervals.named,
        }
        for number, feature in enumerate(features)
        if feature.intervals is not None
    ]


def with_intervals(
    features: Sequence[Feature], section: Sequence[dict[str, Any]]
) -> list[Feature]:
    """Return the features with the intervals that a section describes."""
    out = list(features)
    for entry in section:
        number = take(entry, "feature", int)
        if not 0 <= number < len(out) or out[number].intervals is not None:
            raise ModelFileError(
                f"not a treewright model: intervals of feature {number}, which is not "
                "there or has some already"
            )
        out[number] = replace(out[number], intervals=_intervals(entry))
    return out


def _intervals(entry: dict[str, Any]) -> Intervals:
    """Intervals from JSON data; `validate_schema` checks what they say."""
    storage = take(entry, "storage", str)
    borders: list[float] | list[int]
    if storage == "float64":
        borders = take_list(entry, "borders", float)
    else:
        borders = take_list(entry, "borders", int)
        low, high = (0, 2**64) if storage == "uint64" else (-(2**63), 2**63)
        held = all(low <= border < high for border in borders)
        if not held or not STORAGE.fullmatch(storage):
            raise ModelFileError(
                f"not a treewright model: borders that are not stored as {storage!r}"
            )
    return Intervals(
        tuple(borders),
        tuple(take_list(entry, "codes", int)),
        storage,
        take(entry, "zoned", bool),
        take(entry, "named", bool),
    )
