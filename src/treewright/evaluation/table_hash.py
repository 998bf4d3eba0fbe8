"""Hashes of a table and of how it is divided: whether two are the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.sparse.sparse_columns import SparseBlock, SparseColumn
from treewright.evaluation.errors.held_out_answers import Split


def hash_of_table(columns: Columns) -> str:
    """Return a hash of a table: its columns, target and weights, in their order."""
    digest = hashlib.sha256()
    seen: list[SparseBlock] = []
    digest.update(repr((columns.schema.target, columns.schema.has_names)).encode())
    for feature, column in zip(columns.schema.features, columns.features, strict=True):
        words = (feature.name, feature.kind, feature.categories, feature.storage)
        digest.update(repr((*words, feature.not_applicable, column.n_codes)).encode())
        if isinstance(column, SparseColumn):
            _add_sparse(digest, column, seen)
            continue
        _add(digest, column.codes)
        if column.values is not None:
            _add(digest, column.values)
    _add(digest, columns.target)
    if columns.weights is not None:
        _add(digest, columns.weights)
    return digest.hexdigest()


def _add_sparse(digest: Any, column: SparseColumn, seen: list[SparseBlock]) -> None:
    """Add a sparse column: the arrays of its block once, then its place there."""
    block = column.block
    if not any(block is one for one in seen):
        seen.append(block)
        for array in (block.starts, block.rows, block.codes, block.values):
            _add(digest, array)
    digest.update(f"{len(seen)} {column.number} ".encode())


def hash_of_splits(splits: Iterable[Split]) -> str:
    """Return a hash of how rows are divided."""
    digest = hashlib.sha256()
    for split in splits:
        _add(digest, split.train.astype("<i8"))
        _add(digest, split.test.astype("<i8"))
    return digest.hexdigest()


def _add(digest: Any, array: npt.NDArray[Any]) -> None:
    digest.update(f"{array.dtype.str}{array.shape}".encode())
    digest.update(np.ascontiguousarray(array).data)
