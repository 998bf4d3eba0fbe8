"""The most common value of each feature, for rows that have none.

Growing sees a table without holes; in the tree, a missing value takes the branch that
the most common one takes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Column, Columns, DenseColumn
from treewright.tree.structure.tree import NodeKind, Tree

Codes = npt.NDArray[np.int64]  # one per feature


def common_codes(columns: Columns) -> Codes:
    """The code of each feature's most common value; -1 if it has none at all.

    Numeric and ordinal features: the middle one, by weight. Equals: the lowest code.
    """
    weights = columns.weights
    return np.array(
        [
            _common_code(column, weights, ordered=feature.kind != "nominal")
            for feature, column in zip(
                columns.schema.features, columns.features, strict=True
            )
        ],
        np.int64,
    )


def _common_code(
    column: Column, weights: npt.NDArray[np.float64] | None, *, ordered: bool
) -> int:
    amounts = np.bincount(column.codes, weights, minlength=column.n_codes + 1)
    amounts = amounts[: column.n_codes]
    if not amounts.any():
        return -1
    if not ordered:
        return int(np.argmax(amounts))
    total = np.cumsum(amounts)
    return int(np.argmax(2 * total >= total[-1]))


def filled(columns: Columns, codes: Codes) -> Columns:
    """The table with a value in every cell, where the feature has one at all."""
    pairs = zip(columns.features, codes.tolist(), strict=True)
    features = tuple(_filled(column, code) for column, code in pairs)
    return dataclasses.replace(columns, features=features)


def _filled(column: Column, code: int) -> Column:
    if not column.has_missing or code < 0:
        return column
    full = column.codes.copy()
    full[full == column.n_codes] = code
    return DenseColumn(full, column.n_codes, column.values, has_missing=False)


def with_common_branches(tree: Tree, cells: Sequence[float]) -> Tree:
    """The tree whose missing values follow the row `cells`, one cell per feature."""
    missing_branch = tree.missing_branch.copy()
    for node in np.flatnonzero(tree.n_children).tolist():
        cell = cells[tree.feature[node]]
        if np.isnan(cell):
            continue
        kind = tree.kind_of(node)
        if kind == NodeKind.MULTIWAY:
            missing_branch[node] = int(cell)
        elif kind == NodeKind.GROUPS:
            missing_branch[node] = int(tree.subset(node)[int(cell)])
        elif kind == NodeKind.SUBSET:
            missing_branch[node] = int(cell not in tree.subset(node))
        elif kind != NodeKind.KNOWN:
            missing_branch[node] = int(cell > tree.threshold[node])
    return dataclasses.replace(tree, missing_branch=missing_branch)
