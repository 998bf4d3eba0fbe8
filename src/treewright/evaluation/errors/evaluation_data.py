"""An evaluation as plain data, for JSON."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from treewright.evaluation.errors.evaluation import Evaluation


_OF_CLASSES = (
    "confusion",
    "classes",
    "roc_area",
    "brier",
    "baseline_brier",
    "reliability",
)
_OF_NUMBERS = ("absolute_error", "baseline_absolute_error", "r_squared")


def evaluation_data(found: Evaluation) -> dict[str, Any]:
    """Return all figures as plain dicts, lists, texts and numbers."""
    outcomes = found.outcomes
    data: dict[str, Any] = {
        "name": found.name,
        "how": found.how,
        "target": outcomes.target.names[0],
        "task": outcomes.target.kind,
        "n_rows": outcomes.columns.n_rows,
        "n_splits": len(outcomes.splits),
        "level": found.level,
        "error": found.error,
        "errors": found.errors,
        "training_error": found.training_error,
        "baseline": found.baseline,
    }
    if outcomes.is_classes:
        data["labels"] = outcomes.target.classes[0]
    own = _OF_CLASSES if outcomes.is_classes else _OF_NUMBERS
    data |= {name: getattr(found, name) for name in own}
    data |= {
        "n_leaves": found.n_leaves,
        "depths": found.depths,
        "places": [
            {**dataclasses.asdict(place), "is_fragile": place.is_fragile}
            for place in found.places
        ],
        "curves": found.curves,
        "notes": found.notes,
    }
    return plain_dict(data)


def plain_dict(data: dict[str, Any]) -> dict[str, Any]:
    """Return figures by name, as JSON has them."""
    return {name: plain_data(value) for name, value in data.items()}


def plain_data(value: Any) -> Any:
    """Return a value as JSON has it; what is no finite number becomes None."""
    if isinstance(value, dict):
        return plain_dict(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain_data(dataclasses.asdict(value))
    if isinstance(value, np.ndarray | list | tuple):
        return [plain_data(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | None) else str(value)
