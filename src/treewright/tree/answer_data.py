"""How a model answers, in a model file's header: costs, corrected shares, votes.

A section of its own, which is only there if the answers are not the plain ones: the
heaviest class, and the shares of the classes at a leaf. Another one says how trees
vote, if not all alike and with their shares.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treewright.data.schema import Target
from treewright.errors import ModelFileError
from treewright.tree.model import Model
from treewright.tree.strict_json import take, take_list
from treewright.tree.vote import Smoothing
from treewright.tree.voting import Voting


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


def voting_data(model: Model) -> dict[str, Any]:
    """Return how the trees vote, as JSON data; nothing if as ever."""
    voting = model.voting
    if voting == Voting():
        return {}
    data: dict[str, Any] = {"kind": voting.kind}
    if voting.weights is not None:
        data["weights"] = [float(weight) for weight in voting.weights]
    return data


def voting_of_header(header: Mapping[str, Any]) -> Voting:
    """Return how the trees vote; kind and weights are checked later."""
    if "voting" not in header:
        return Voting()
    section = take(header, "voting", dict)
    weights = None
    if "weights" in section:
        weights = tuple(take_list(section, "weights", float))
    return Voting(take(section, "kind", str), weights)
