"""A part of a table, as if the other rows had never been read.

Folds share the table that was encoded once. A value, a category or a class that only
the other rows have is no longer in the part, so that nothing which is learned from it
can know of them: a threshold between values, the number of branches, a class.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Codes, Column, Columns, DenseColumn
from treewright.data.encoding.feature_kinds import smallest_codes
from treewright.data.schema import Feature, Schema, Target
from treewright.data.sparse.sparse_columns import SparseBlock, SparseColumn

Rows = npt.NDArray[np.intp]


def part_of(columns: Columns, rows: Rows) -> Columns:
    """Return some of the rows, encoded as if they were the whole table.

    `columns`: the whole table. Numbers are not yet divided into intervals. `rows`:
    which rows.

    Notes
    -----
    The kinds of the columns, the order of ordinal categories and the text for cells
    that are not applicable are those of the whole table: they are read, not learned.
    """
    features: list[Feature] = []
    encoded: list[Column] = []
    taken: dict[int, SparseBlock] = {}
    for feature, column in zip(columns.schema.features, columns.features, strict=True):
        if isinstance(column, SparseColumn):
            encoded.append(column.part(rows, taken))
            features.append(feature)
            continue
        short, kept = _part_of_column(feature, column, column.codes.take(rows))
        encoded.append(short)
        features.append(_with_categories(feature, kept))
    target, codes = _part_of_target(columns.schema.target, columns.target[rows])
    weights = None if columns.weights is None else columns.weights[rows]
    schema: Schema = dataclasses.replace(
        columns.schema, features=tuple(features), target=target
    )
    return Columns(schema, tuple(encoded), codes, weights=weights)


def _part_of_column(
    feature: Feature, column: Column, codes: Codes
) -> tuple[Column, Rows | None]:
    """Return the column over the codes that occur, and these; None if all are kept."""
    n_codes = column.n_codes
    occurs = np.zeros(n_codes + 1, bool)
    occurs[codes] = True
    has_missing = bool(occurs[n_codes])
    if feature.kind == "ordinal":
        occurs[:] = True  # its order was said, with all its categories
    if feature.not_applicable is not None:
        occurs[n_codes - 1] = True
    kept = np.flatnonzero(occurs[:n_codes])
    if len(kept) == n_codes:
        return DenseColumn(codes, n_codes, column.values, has_missing), None
    new_code = np.full(n_codes + 1, len(kept))
    new_code[kept] = np.arange(len(kept))
    table = smallest_codes(new_code, len(kept))
    values = None if column.values is None else column.values[kept]
    return DenseColumn(table.take(codes), len(kept), values, has_missing), kept


def _with_categories(feature: Feature, kept: Rows | None) -> Feature:
    if kept is None or feature.kind == "numeric":
        return feature
    categories = tuple(feature.categories[code] for code in kept.tolist())
    return dataclasses.replace(feature, categories=categories)


def _part_of_target(
    target: Target, codes: npt.NDArray[np.int32]
) -> tuple[Target, npt.NDArray[np.int32]]:
    """Return the target over the classes that occur."""
    if target.kind != "classes" or target.costs is not None:
        return target, codes
    classes, columns = [], []
    for labels, output in zip(target.classes, codes.T, strict=True):
        kept, new_codes = np.unique(output, return_inverse=True)
        classes.append(tuple(labels[code] for code in kept.tolist()))
        columns.append(new_codes.astype(codes.dtype))
    short = dataclasses.replace(target, classes=tuple(classes))
    return short, np.ascontiguousarray(np.column_stack(columns))
