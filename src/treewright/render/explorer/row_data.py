"""What a page is told of rows: sums at the nodes, and rows themselves if asked for."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Feature
from treewright.errors import SettingError
from treewright.render.explorer.bound_rows import BoundRows
from treewright.render.explorer.distributions import distributions_data, short_floats
from treewright.tree.model import Model

MOST_EMBEDDED = 2_000


def rows_data(model: Model, rows: BoundRows, embedded: int) -> dict[str, Any]:
    """Return what is known of the rows, as JSON data.

    `model`: whose page it is. `embedded`: how many of them the page itself has; the
    others are only counted.
    """
    is_classes = model.schema.target.kind == "classes"
    data: dict[str, Any] = {
        "n": len(rows.labelled),
        "areTraining": rows.are_training,
        "nodeWeights": short_floats(rows.node_weights),
        "ranges": [
            _range(feature, rows.labelled.cells[:, number])
            for number, feature in enumerate(model.schema.features)
        ],
        "distributions": distributions_data(model, rows),
    }
    if is_classes:
        data["classWeights"] = short_floats(rows.class_weights.ravel())
        data["confusion"] = rows.confusion
    else:
        data["error"] = _squared_error(rows)
    if embedded:
        data["embedded"] = _embedded(rows, embedded)
    return data


def check_embedded(embedded: Any) -> int:
    """Refuse a number of rows that a page does not take."""
    is_number = isinstance(embedded, int | np.integer) and not isinstance(
        embedded, bool
    )
    if not is_number or not 0 <= embedded <= MOST_EMBEDDED:
        raise SettingError(
            f"rows is {embedded!r}; it must be a whole number from 0 to "
            f"{MOST_EMBEDDED}: how many rows the page itself has"
        )
    return int(embedded)


def _range(feature: Feature, cells: npt.NDArray[np.float64]) -> Any:
    """Least, middle and largest number; the most common category."""
    known = cells[np.isfinite(cells)]
    if len(known) == 0:
        return None
    if feature.kind == "numeric":
        if feature.is_wide:  # the cells are places among the cuts
            return None
        middle = np.quantile(known, 0.5, method="inverted_cdf")
        return [float(known.min()), float(middle), float(known.max())]
    codes = known[known >= 0].astype(np.int64)
    return int(np.bincount(codes).argmax()) if len(codes) else None


def _squared_error(rows: BoundRows) -> float:
    """Mean squared error of the first output."""
    model, own = rows.model, rows.labelled
    answers = model.predict_at(model.ends(own.cells)).reshape(len(own), -1)
    apart = (answers - own.target)[:, 0]
    return float((apart**2 * own.weights).sum() / own.weights.sum())


def _embedded(rows: BoundRows, most: int) -> dict[str, Any]:
    """Some rows from the whole table: encoded cells, and the first output."""
    own = rows.labelled
    n_rows = len(own)
    which = np.unique(np.linspace(0, n_rows - 1, min(most, n_rows)).round().astype(int))
    cells = np.ascontiguousarray(own.cells[which], "<f8").tobytes()
    return {
        "rows": which.tolist(),
        "cells": {"type": "f8", "data": base64.b64encode(cells).decode("ascii")},
        "actual": own.target[which, 0].tolist(),
    }
