"""Encode: a table and its target become `Columns`.

Every cell is looked at once, here; the engine sees integer codes only. The steps:
take the table apart (`data/tables/frames.py`), read the target (`target.py`) and the
weights, drop the rows that do not count, then encode feature by feature
(`feature_kinds.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Column, Columns
from treewright.data.complaints import (
    counted,
    missing_values,
    no_column,
    quoted,
)
from treewright.data.encoding.feature_kinds import EncodedFeature, encode_feature
from treewright.data.encoding.target import encode_target, read_target
from treewright.data.encoding.weights import read_weights
from treewright.data.given_rows import GivenRows
from treewright.data.schema import Feature, Schema, TargetKind
from treewright.data.sparse.sparse_table import SparseTable, read_sparse
from treewright.data.tables.convert import judged_again
from treewright.data.tables.frames import read_frame
from treewright.data.tables.not_applicable import NotApplicable, read_settings
from treewright.data.tables.raw import Mask, RawColumn, Table
from treewright.errors import DataError, SettingError

ROWS_FOR_THREADS = 100_000  # a column of fewer is encoded sooner than handed over


def encode(  # noqa: PLR0913 - the one door to the data; these are the user's words
    table: Any,
    y: Any,
    *,
    task: TargetKind,
    sample_weight: Any = None,
    feature_kinds: Mapping[str, Any] | None = None,
    not_applicable: NotApplicable | None = None,
    ignore: Collection[str] = (),
    target_names: Sequence[str] | None = None,
    drop_missing_target: bool = False,
    strict: bool = False,
    refuse_missing: bool = False,
    n_threads: int = 1,
) -> Columns:
    """Encode a table and its target for training.

    - `table`: the features; see `frames.read_frame`.
    - `y`: the target, with one row for each row of the table; several outputs as
      columns.
    - `task` ({"classes", "numbers"}): whether the target is a class or a number.
    - `sample_weight`: a weight per row, 0 or more. A row of weight 0 is as if it were
      not there.
    - `feature_kinds`: kinds that are not as found: "numeric", "nominal", "ordinal", or
      the list of an ordinal feature's categories from small to large. Or a dict with
      such a "kind" and the text that means "not_applicable", each if wanted.
    - `not_applicable`: that text by column; of None: the text of all columns that have
      it.
    - `ignore`: columns to leave out.
    - `target_names`: names of the outputs; else their own, or "target".
    - `drop_missing_target`: leave out rows whose target is missing, rather than refuse
      them.
    - `strict`: refuse columns of mixed types, rather than take their cells as text.
    - `refuse_missing`: refuse missing values in a feature; the rows that are left out
      may have them.
    - `n_threads`: columns that are encoded at the same time.
    - Returns codes, target, weights, and notes on what was found.
    """
    kinds, marks = read_settings(feature_kinds, not_applicable)
    sparse = read_sparse(table)
    features = read_frame(table) if sparse is None else sparse.others
    check_n_rows(features.n_rows)
    outputs = read_target(y, target_names)
    if sparse is None:
        _check_names(features.names, kinds, ignore, marks)
        _check_shape(features, outputs.n_rows, ignore)
    else:
        _check_names(sparse.all_names, kinds, ignore, marks)
        _check_sparse(sparse, outputs.n_rows, {*kinds, *ignore, *marks})
    weights = read_weights(sample_weight, features.n_rows)
    present = np.ones(features.n_rows, bool) if weights is None else weights > 0
    rows = outputs.usable_rows(present, drop_missing=drop_missing_target)
    if refuse_missing:
        _refuse_missing(features, rows, ignore)
    has_all = bool(rows.all())
    target, codes = encode_target(outputs if has_all else outputs.keep(rows), task)
    kept = _kept(features, None if has_all else rows, ignore)

    def encode_one(item: tuple[str, RawColumn]) -> EncodedFeature:
        name, column = item
        kind = kinds.get(name)
        return encode_feature(name, column, kind=kind, strict=strict, marks=marks)

    if n_threads > 1 and features.n_rows >= ROWS_FOR_THREADS:
        # ranking, the bulk of the work, runs without Python's lock
        with ThreadPoolExecutor(n_threads) as pool:
            encoded = list(pool.map(encode_one, kept))
    else:
        encoded = list(map(encode_one, kept))
    own, coded = _with_sparse(encoded, sparse, rows)
    notes = [note for one in encoded for note in one.notes]
    if not has_all and not rows[present].all():
        n_dropped = int((present & ~rows).sum())
        notes.insert(0, f"{counted(n_dropped, 'row')} without a target left out")
    return Columns(
        Schema(own, target, has_names=features.named),
        coded,
        codes,
        weights=_unless_all_one(weights, rows),
        notes=tuple(notes),
        given_rows=None if has_all else GivenRows(np.flatnonzero(rows), len(rows)),
    )


def _with_sparse(
    encoded: Sequence[EncodedFeature], sparse: SparseTable | None, rows: Mask
) -> tuple[tuple[Feature, ...], tuple[Column, ...]]:
    """Return all features and their columns, the sparse ones last."""
    features = tuple(one.feature for one in encoded)
    columns = tuple(one.column for one in encoded)
    if sparse is None:
        return features, columns
    return features + sparse.features, columns + sparse.block(rows).columns()


def _check_sparse(
    sparse: SparseTable, n_target: int, mentioned: Collection[str | None]
) -> None:
    """Refuse another length than the target's, and settings for sparse columns."""
    refuse_other_length(sparse.n_rows, n_target)
    for name in sparse.names if mentioned else ():
        if name in mentioned:
            raise SettingError(
                f"column {name!r} is sparse, and sparse columns are numbers that are "
                "all used; leave the setting for it out, or make the column dense"
            )


def _unless_all_one(
    weights: npt.NDArray[np.float64] | None, rows: Mask
) -> npt.NDArray[np.float64] | None:
    """Return the weights of the rows, or None if they say nothing."""
    if weights is None or (weights[rows] == 1).all():
        return None
    return weights[rows]


def _kept(
    table: Table, rows: Mask | None, ignore: Collection[str]
) -> Iterator[tuple[str, RawColumn]]:
    """Yield the names and the columns that are used, with only these rows, if some."""
    for name, column in zip(table.names, table.columns, strict=True):
        if name not in ignore:
            own = column if rows is None else judged_again(name, column.keep(rows))
            yield name, own


def _refuse_missing(table: Table, rows: Mask, ignore: Collection[str]) -> None:
    """Raise if a feature is missing in one of these rows, named as in the table."""
    for name, column in zip(table.names, table.columns, strict=True):
        missing = column.is_missing() & rows
        if name not in ignore and missing.any():
            what, them = missing_values(name, missing)
            raise DataError(
                f"{what}; missing='error' refuses {them}: fill {them} in, or "
                "choose another way, for example missing='own_branch' "
                "('treewright missing' compares them)"
            )


def _check_names(
    names: Collection[str],
    kinds: Collection[str],
    ignore: Collection[str],
    marks: Collection[str | None],
) -> None:
    """Refuse a setting for a column that is not there."""
    said = [name for name in marks if name is not None]
    for setting, mentioned in (
        ("feature_kinds", kinds),
        ("ignore", ignore),
        ("not_applicable", said),
    ):
        for name in mentioned:
            if not isinstance(name, str):
                raise _name_that_is_no_text(setting, name, names)
            if name not in names:
                raise SettingError(no_column(setting, name, names))


def _name_that_is_no_text(
    setting: str, name: object, names: Collection[str]
) -> SettingError:
    """What to say of a column that is called by its number, say."""
    # columns without names are called x0, x1, ...; numbers as names become text
    meant = [each for each in (str(name), f"x{name}") if each in names]
    hint = f"did you mean {meant[0]!r}?" if meant else f"there are {quoted(names)}"
    return SettingError(
        f"{setting} names the column {name!r}, and columns are named by text; {hint}"
    )


def check_n_rows(n_rows: int) -> None:
    """Refuse more rows than the engine's entries can number, before any work."""
    if n_rows >= 2**31:
        raise DataError(
            f"{n_rows:,} rows; at most {2**31 - 1:,} can be learned from in memory: "
            "take a sample of the rows"
        )


def refuse_other_length(n_rows: int, n_target: int) -> None:
    """Raise if a table and its target have different numbers of rows."""
    if n_rows != n_target:
        raise DataError(
            f"the table has {counted(n_rows, 'row')} and the target has "
            f"{n_target:,}; give each row of the table one target value"
        )


def _check_shape(table: Table, n_target: int, ignore: Collection[str]) -> None:
    """Refuse a table without rows or columns, or of another length than its target."""
    is_empty_list = not table.named and table.n_rows == 0 and not table.names
    if not set(table.names) - set(ignore) and not is_empty_list:
        left_out = f"; left out by ignore: {quoted(table.names)}" if table.names else ""
        raise DataError(
            f"0 columns; at least 1 is needed{left_out}; keep or add a feature"
        )
    refuse_other_length(table.n_rows, n_target)
    if table.n_rows == 0:
        raise DataError("0 rows; at least 1 is needed: pass the rows to learn from")
