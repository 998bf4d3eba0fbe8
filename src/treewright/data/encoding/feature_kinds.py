"""Kinds: raw columns become numeric, nominal or ordinal features.

The kind is found from the form of the column, or said by the user. Read `encode.py`
for the whole table, `data/tables/raw.py` for the forms of a column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Codes, Column, DenseColumn
from treewright.data.complaints import quoted, row_name, short
from treewright.data.labels import MISSING, CategoryTable, family, sorted_order, text
from treewright.data.rank import rank
from treewright.data.schema import Feature, FeatureKind, Label
from treewright.data.tables.convert import as_labels, as_numbers, refuse_objects
from treewright.data.tables.not_applicable import (
    NotApplicable,
    are_numbers,
    cells_with,
    refuse_other_kind,
    with_last_category,
    without_cells,
)
from treewright.data.tables.raw import Labels, Mask, Numbers, RawColumn
from treewright.errors import DataError, DataTypeError, SettingError

_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+").fullmatch
_PLAIN = str | int | float | bool
_Absent = tuple[str, Mask]  # the text that means not applicable, and where it stands
IDENTIFIER_ROWS = 20  # with fewer rows, a category per row is no surprise


@dataclass(frozen=True, eq=False)
class EncodedFeature:
    """A feature, its column and what a reader should know about them."""

    feature: Feature
    column: Column
    notes: tuple[str, ...]


def encode_feature(
    name: str,
    raw: RawColumn,
    *,
    kind: FeatureKind | Sequence[Label] | None,
    strict: bool,
    marks: NotApplicable | None = None,
) -> EncodedFeature:
    """Encode one column, of the kind that was said or else found.

    - `kind` ({"numeric", "nominal", "ordinal"}, sequence of labels or None): a sequence
      means ordinal, from small to large. None: the kind is found.
    - `strict`: refuse a column of mixed types rather than take its cells as text.
    - `marks`: the texts that mean not applicable, by column; of None: in all columns
      that have it.
    """
    if isinstance(kind, str) and kind not in ("numeric", "nominal", "ordinal"):
        raise SettingError(
            f"feature {name!r} cannot be of kind {kind!r}; use 'numeric', 'nominal', "
            "'ordinal' or a list of its categories from small to large"
        )
    raw, absent = _not_applicable(name, raw, marks or {})
    if kind == "numeric" or (kind is None and isinstance(raw, Numbers)):
        _refuse_absent(name, "numeric", absent)
        return _encode_numbers(name, as_numbers(name, raw))
    labels = as_labels(raw)
    refuse_objects(name, labels)
    if kind is None and absent is not None and are_numbers(labels):
        _refuse_absent(name, "numeric", absent)
    if _is_mixed(labels):
        labels, notes = _as_text(name, labels, strict=strict)
    else:
        labels, notes = _tidy(labels), []
    if kind is not None and not isinstance(kind, str):
        _refuse_absent(name, "ordinal", absent)
        return _encode_labels(name, "ordinal", _given_order(name, labels, kind), notes)
    if not labels.declared:
        labels = labels.in_order(sorted_order(labels.labels))
    if kind == "ordinal" and not labels.declared and isinstance(raw, Labels):
        notes.append(
            f"feature {name!r}: ordered as sorted, {quoted(labels.labels)}; "
            "list its categories from small to large to set the order"
        )
    if kind == "ordinal" or (kind is None and labels.ordered):
        _refuse_absent(name, "ordinal", absent)
        return _encode_labels(name, "ordinal", labels, notes)
    if absent is None:
        return _encode_labels(name, "nominal", labels, notes)
    mark, cells = absent
    one = _encode_labels(
        name, "nominal", with_last_category(labels, cells, mark), notes
    )
    return replace(one, feature=replace(one.feature, not_applicable=mark))


def _not_applicable(
    name: str, raw: RawColumn, marks: NotApplicable
) -> tuple[RawColumn, _Absent | None]:
    """Return the column without the cells that are not applicable, and these.

    A text that was declared for the whole table is one for the columns that have it.
    """
    mark = marks.get(name, marks.get(None))
    if mark is None:
        return raw, None
    cells = cells_with(raw, mark)
    if name not in marks and not cells.any():
        return raw, None
    return without_cells(raw, cells), (mark, cells)


def _refuse_absent(name: str, kind: str, absent: _Absent | None) -> None:
    """Raise if cells of a feature that is not nominal are not applicable."""
    if absent is not None:
        mark, cells = absent
        refuse_other_kind(name, kind, cells, mark)


def smallest_codes(codes: npt.NDArray[np.integer], n_codes: int) -> Codes:
    """Return the codes in the smallest type that holds the missing code too."""
    if n_codes >= 2**32:
        raise DataError(
            f"a column has {n_codes:,} different values; at most {2**32 - 1:,} can be "
            "told apart: round the column or take fewer rows"
        )
    small: Codes = codes.astype(np.min_scalar_type(n_codes))
    return small


def _encode_numbers(name: str, numbers: Numbers) -> EncodedFeature:
    # float32 as it is: ranks are the same, at half the memory
    is_short = numbers.values.dtype in (np.float16, np.float32)
    values = numbers.values.astype("f4") if is_short else numbers.comparable()
    codes, distinct, has_missing = rank(values, numbers.missing)
    feature = Feature(name, "numeric", storage=numbers.storage(), zoned=numbers.zoned)
    small = smallest_codes(codes, len(distinct))
    notes = [f"feature {name!r}: {numbers.note}"] if numbers.note else []
    if not len(distinct):
        notes.append(f"feature {name!r}: all values are missing, so it is never used")
    column = DenseColumn(small, len(distinct), distinct, has_missing)
    return EncodedFeature(feature, column, tuple(notes))


def _encode_labels(
    name: str, kind: FeatureKind, labels: Labels, notes: list[str]
) -> EncodedFeature:
    labels = _writable(labels)
    n_codes = len(labels.labels)
    codes, missing = labels.codes, labels.is_missing()
    has_missing = bool(missing.any())
    if has_missing:
        codes = np.where(missing, n_codes, codes)
    column = DenseColumn(smallest_codes(codes, n_codes), n_codes, None, has_missing)
    feature = Feature(name, kind, labels.labels)
    usage = _usage_note(name, labels)
    return EncodedFeature(feature, column, (*notes, *usage))


def _usage_note(name: str, labels: Labels) -> list[str]:
    """Say why the feature cannot help, or may help too well."""
    occurring = int(labels.occur().sum())
    if occurring == 0:
        return [f"feature {name!r}: all values are missing, so it is never used"]
    if occurring == 1:
        only = labels.labels[int(labels.codes.max())]
        return [f"feature {name!r}: its only value is {short(only)}"]
    if all(isinstance(v, str) and _DECIMAL_COMMA(v) for v in labels.labels):
        return [
            f"feature {name!r}: its cells look like numbers with a decimal comma, as "
            f"{short(labels.labels[0])}, and are taken as categories; read the file "
            "with decimal=',' to compare them as numbers"
        ]
    if occurring == len(labels) > IDENTIFIER_ROWS:
        return [
            f"feature {name!r}: each of the {len(labels):,} rows has a category of its "
            "own; if it is an identifier, leave it out"
        ]
    return []


def _is_mixed(labels: Labels) -> bool:
    """Tell whether labels that nobody declared have several types."""
    return not labels.declared and len(set(map(family, labels.labels))) > 1


def _as_text(name: str, labels: Labels, *, strict: bool) -> tuple[Labels, list[str]]:
    """Return labels of several types as text, with a note; refuse them if strict."""
    types = sorted({type(label).__name__ for label in labels.labels})
    if strict:
        raise DataTypeError(
            f"feature {name!r} mixes cells of the types {', '.join(types)}; convert "
            "them to one type, or set strict=False to compare them as text"
        )
    note = f"feature {name!r}: mixes {', '.join(types)}; its cells are compared as text"
    return _relabelled(labels, [text(label) for label in labels.labels]), [note]


def _tidy(labels: Labels) -> Labels:
    """Write whole floats as integers."""
    whole = [int(v) for v in labels.labels if isinstance(v, float) and v.is_integer()]
    if len(whole) == len(labels.labels):
        return replace(labels, labels=tuple(whole))
    return labels


def _writable(labels: Labels) -> Labels:
    """Write labels that a model file cannot hold (bytes, intervals, ...) as text."""
    if all(isinstance(label, _PLAIN) for label in labels.labels):
        return labels
    return _relabelled(
        labels,
        [v if isinstance(v, _PLAIN) else text(v) for v in labels.labels],
    )


def _relabelled(labels: Labels, others: Sequence[Label]) -> Labels:
    """Return the column over other labels, where equal ones become one."""
    different = list(dict.fromkeys(others))
    new_code = {label: code for code, label in enumerate(different)}
    codes = np.array([new_code[label] for label in others], np.int64)
    return labels.relabel(codes, tuple(different))


def _given_order(name: str, labels: Labels, order: Sequence[Label]) -> Labels:
    """Return the column over the categories that the user listed."""
    if len(set(order)) != len(order):
        raise SettingError(
            f"feature {name!r}: the list of its categories names one twice: "
            f"{quoted(order)}; list each once"
        )
    codes = CategoryTable(tuple(order)).codes(labels.labels)
    for code in np.flatnonzero(codes == MISSING).tolist():
        if (labels.codes == code).any():
            raise DataError(
                f"feature {name!r} holds {short(labels.labels[code])} in "
                f"{row_name(labels.first_row(code))}, which is not among its listed "
                f"categories {quoted(order)}; add it to the list or correct the cell"
            )
    return labels.relabel(codes, tuple(order))
