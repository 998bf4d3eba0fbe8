"""How a model answers, in a model file's header: costs, and corrected shares.

A section of its own, which is only there if the answers are not the plain ones: the
heaviest class, and the shares of the classes at a leaf.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treewright.data.schema import Target
from treewright.errors import ModelFileError
from treewright.tree.model import Model
from treewright.tree.strict_json import take
from treewright.tree.vote import Smoothing


def answers_data(model: Model) -> dict[str, Any]:
    """Return what is not plain about a model's answers, as JSON data."""
    data: dict[str, Any] = {}
    if model.schema.target.costs is not None:
        data["costs"] = [list(map(float, row)) for row in model.schema.target.costs]
    if model.smoothing != Smoothing():
        data["probabilities"] = model.smoothing.kind
        data["prior_weight"] = float(model.smoothing.prior_weight)
    return data


def with_costs(target: Target, section: Mapping[str, Any]) -> Target:
    """Return the target with the costs that a section has; they are checked later."""
    if "costs" not in section:
        return target
    rows = take(section, "costs", list)
    for row in rows:
        if type(row) is not list or any(type(cost) is not float for cost in row):
            raise ModelFileError("not a treewright model: costs that are not numbers")
    return replace(target, costs=tuple(map(tuple, rows)))


def smoothing_of_header(header: Mapping[str, Any]) -> Smoothing:
    """Return how shares become probabilities."""
    section = take({"answers": {}, **header}, "answers", dict)
    if "probabilities" not in section:
        return Smoothing()
    kind = take(section, "probabilities", str)
    return Smoothing(kind, take(section, "prior_weight", float))
