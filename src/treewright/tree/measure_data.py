"""What out-of-bag rows say of a forest, in a model file's header.

A section of its own, which a reader may leave out: answers do not depend on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Schema
from treewright.errors import ModelFileError
from treewright.tree.measures import Measures
from treewright.tree.strict_json import take

MEASURES = "measures"

Floats = npt.NDArray[np.float64]


def measures_data(measures: Measures) -> dict[str, Any]:
    """Return the figures as JSON data; null for one that is not known."""
    return {
        "error": _plain(measures.error),
        "importances": _list(measures.importances),
        "standard_errors": _list(measures.standard_errors),
        "class_importances": _tables(measures.class_importances),
        "class_standard_errors": _tables(measures.class_standard_errors),
        "strength": _list(measures.strength),
        "correlation": _list(measures.correlation),
    }


def measures_of_header(header: Mapping[str, Any], schema: Schema) -> Measures | None:
    """Return the figures that a header has, checked against the schema."""
    if MEASURES not in header:
        return None
    data = take(header, MEASURES, dict)
    n_features = len(schema.features)
    is_classes = schema.target.kind == "classes"
    widths = [len(labels) for labels in schema.target.classes] if is_classes else []
    numbers = {
        name: _numbers(data, name, n)
        for name, n in (
            ("importances", n_features),
            ("standard_errors", n_features),
            ("strength", len(widths)),
            ("correlation", len(widths)),
        )
    }
    return Measures(
        float(_array([data.get("error", "")], 1, "error")[0]),
        numbers["importances"],
        numbers["standard_errors"],
        _read_tables(data, "class_importances", n_features, widths),
        _read_tables(data, "class_standard_errors", n_features, widths),
        tuple(numbers["strength"].tolist()),
        tuple(numbers["correlation"].tolist()),
    )


def _plain(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None


def _list(numbers: Iterable[float]) -> list[float | None]:
    return [_plain(number) for number in numbers]


def _tables(tables: tuple[Floats, ...]) -> list[list[list[float | None]]]:
    return [[_list(row) for row in table] for table in tables]


def _numbers(data: Mapping[str, Any], name: str, n: int) -> Floats:
    return _array(take(data, name, list), n, name)


def _read_tables(
    data: Mapping[str, Any], name: str, n_rows: int, widths: list[int]
) -> tuple[Floats, ...]:
    tables = take(data, name, list)
    if len(tables) != len(widths) or not all(
        type(table) is list
        and len(table) == n_rows
        and all(type(row) is list for row in table)
        for table in tables
    ):
        raise _misshapen(name)
    return tuple(
        np.array([_array(row, width, name) for row in table]).reshape(n_rows, width)
        for table, width in zip(tables, widths, strict=True)
    )


def _array(numbers: list[Any], n: int, name: str) -> Floats:
    if len(numbers) != n or any(
        number is not None and type(number) is not float for number in numbers
    ):
        raise _misshapen(name)
    return np.array([np.nan if each is None else each for each in numbers], np.float64)


def _misshapen(name: str) -> ModelFileError:
    return ModelFileError(
        f"not a treewright model: {name!r} of its measures is not the numbers that its "
        "features and classes ask for"
    )
