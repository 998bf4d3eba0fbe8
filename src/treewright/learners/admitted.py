"""The rows that a dialect can grow from; what it refuses is said here."""

from __future__ import annotations

import dataclasses
import shlex

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.complaints import quoted
from treewright.errors import DataError
from treewright.grow.dialect import Dialect
from treewright.sources.fixed_point import weights_to_fixed_point

_MOST_NAMES = 12  # in a message


def admitted(columns: Columns, dialect: Dialect) -> Columns:
    """Return the rows that can be grown from; raise if the dialect refuses some."""
    columns = _without_weightless_rows(columns)
    _refuse_what_the_dialect_refuses(columns, dialect)
    return columns


def _without_weightless_rows(columns: Columns) -> Columns:
    """Leave out rows so light that they vanish beside the heaviest.

    Weights are added up as integers of bounded size; a row below their resolution would
    be a row of weight 0, which is no row.
    """
    if columns.weights is None:
        return columns
    _refuse_extreme_weights(columns.weights)
    rows = np.flatnonzero(weights_to_fixed_point(columns.weights).ints)
    if len(rows) == columns.n_rows:
        return columns
    note = (
        f"{columns.n_rows - len(rows)} rows weigh next to nothing beside the heaviest "
        "and were left out"
    )
    return dataclasses.replace(columns.take(rows), notes=(*columns.notes, note))


def _refuse_extreme_weights(weights: npt.NDArray[np.float64]) -> None:
    with np.errstate(over="ignore"):
        total = float(weights.sum())
    if not np.isfinite(total):
        raise DataError(
            "the row weights add up to more than a float can hold (1.8e308); divide "
            "them by a constant"
        )
    if float(weights.max()) < 1e-280:
        raise DataError(
            f"the largest of {len(weights)} row weights is {weights.max():g}, too "
            "small to be told apart from 0; multiply them by a constant"
        )


def _refuse_what_the_dialect_refuses(columns: Columns, dialect: Dialect) -> None:
    if dialect.numeric_splits == "refuse":
        _refuse_numeric(columns, dialect)
    for feature, column in zip(columns.schema.features, columns.features, strict=True):
        name = feature.name
        if column.has_missing and dialect.missing == "error":
            raise DataError(
                f"feature {name!r} has missing values, and missing='error' refuses "
                "them; fill them in, or choose another way, for example "
                "missing='own_branch' ('treewright missing' compares them)"
            )
        in_class = dialect.missing == "most_common_in_class"
        if column.has_missing and in_class and columns.schema.target.n_outputs > 1:
            raise DataError(
                f"feature {name!r} has missing values, and most_common_in_class fills "
                "them in by the class, where a row has several classes here; choose "
                "missing='most_common_in_node', or one output"
            )


def _refuse_numeric(columns: Columns, dialect: Dialect) -> None:
    """Raise if there are numeric features, and name all of them at once."""
    numeric = [one for one in columns.schema.features if one.kind == "numeric"]
    if not numeric:
        return
    texts = dict.fromkeys(one.word.column for one in numeric if one.word is not None)
    if texts:
        raise DataError(
            f"the words of {quoted(texts)} are counted, and {dialect.name} splits "
            "nominal features only; use cart, c45 or forest, or leave the texts out "
            f"(--ignore {shlex.quote(','.join(texts))} instead of --text)"
        )
    names = [one.name for one in numeric]
    is_one = len(names) == 1
    kinds = ", ".join(f"{name!r}: 'nominal'" for name in names[:_MOST_NAMES])
    listed = ",".join(shlex.quote(name) for name in names[:_MOST_NAMES])
    if len(names) > _MOST_NAMES:
        kinds, listed = f"{kinds}, ...", f"{listed},..."
    them = "it" if is_one else "them"
    raise DataError(
        f"feature{'' if is_one else 's'} {quoted(names, _MOST_NAMES)} "
        f"{'is' if is_one else 'are'} numeric, and {dialect.name} splits nominal "
        f"features only; divide {them} into intervals (discretize='quartiles', on the "
        f"command line --discretize quartiles), declare {them} nominal "
        f"(feature_kinds={{{kinds}}}, on the command line --nominal {listed}), leave "
        f"{them} out, or use cart"
    )
