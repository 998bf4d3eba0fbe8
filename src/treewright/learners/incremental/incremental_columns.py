"""Columns to which rows are added: cells become keys that stay as they are.

A key is a 64-bit number. Those of numbers and dates are in the order of the values;
those of labels count from 0 as the labels come, and the core is told their order. (The
codes of `Columns` would change with every new value.) What a column is shows in its
first cell with a value, and does not change after that.

Reading keeps nothing: what is new waits in a `Read` until all columns of a table are
read, so that a table with a fault in its last column leaves no trace.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import quoted, row_name, short
from treewright.data.encoding.feature_kinds import encode_feature
from treewright.data.labels import family, family_words, sorted_order
from treewright.data.schema import Feature, FeatureKind, Label
from treewright.data.tables.raw import LARGEST_EXACT, Labels, Numbers, RawColumn
from treewright.errors import DataError

Keys = npt.NDArray[np.uint64]
NO_VALUE = 2**64 - 1
_SIGN = 2**63
_REMEDY = "give the same kind of cells, or learn all rows anew with fit"


@dataclass(frozen=True, eq=False)
class Read:
    """The cells of a column as keys, and what becomes known with them.

    `feature` says what the column is, if that is not yet known.
    """

    keys: Keys
    new_labels: tuple[Label, ...] = ()
    feature: Feature | None = None
    declared: bool = False

    @property
    def has_values(self) -> bool:
        """Whether some cell has a value."""
        return bool((self.keys != NO_VALUE).any())


@dataclass(eq=False)
class KeptColumn:
    """What is known of a column."""

    name: str
    said: FeatureKind | Sequence[Label] | None  # the kind, if the user has said it
    # kind and storage; may still change as long as all cells are missing
    feature: Feature | None = None
    has_values: bool = False  # whether a cell had a value
    # nominal and ordinal: the label of each key
    labels: list[Label] = field(default_factory=list)
    declared: bool = False  # the labels were listed beforehand, in their order

    def __post_init__(self) -> None:
        self.keys_by_label = {label: key for key, label in enumerate(self.labels)}

    def read(self, raw: RawColumn) -> Read:
        """Read some cells; nothing is kept of them yet."""
        declared = isinstance(raw, Labels) and raw.declared
        if isinstance(raw, Labels):
            refuse_mixture(f"feature {self.name!r}", raw.labels)
        one = encode_feature(self.name, raw, kind=self.said, strict=False)
        missing = raw.is_missing()
        if self.has_values and not missing.all():
            self._refuse_other(one.feature, raw)
        settled = one.feature if not self.has_values else None
        storage = one.feature.storage
        if one.feature.kind == "numeric":
            assert one.column.values is not None
            if self.has_values and self.feature is not None:
                storage = self.feature.storage
            table = number_keys(self.name, one.column.values, storage)
            keys = np.append(table, np.uint64(NO_VALUE))[one.column.codes]
            return Read(keys, (), settled)
        labels = one.feature.categories
        new = tuple(each for each in labels if each not in self.keys_by_label)
        known = {label: len(self.labels) + number for number, label in enumerate(new)}
        known |= self.keys_by_label
        table = np.array([*(known[each] for each in labels), NO_VALUE], np.uint64)
        declared |= not isinstance(self.said, str | None)
        return Read(table[one.column.codes], new, settled, declared)

    def keep(self, read: Read) -> None:
        """Keep what was read."""
        if read.feature is not None:
            self.feature, self.declared = read.feature, read.declared
        self.has_values |= read.has_values or read.declared
        for label in read.new_labels:
            self.keys_by_label[label] = len(self.labels)
            self.labels.append(label)

    def quick_key(self, cell: object) -> int | None:
        """Return the key of a plain number or a known text; None: `read` must look."""
        if isinstance(cell, str):
            return self.keys_by_label.get(cell)
        if not self.has_values:
            return None
        if cell is None:
            return NO_VALUE
        if self.labels or type(cell) not in (int, float):
            return None
        assert self.feature is not None
        number: Any = cell
        if self.feature.storage != "float64" or not abs(number) <= LARGEST_EXACT:
            return None  # also if it is not a number
        bits: int = struct.unpack("<Q", struct.pack("<d", number + 0.0))[0]
        return bits ^ (NO_VALUE if bits >= _SIGN else _SIGN)

    def ranks(self) -> npt.NDArray[np.uint32]:
        """Return the place of each key in the order of the labels."""
        n_labels = len(self.labels)
        ranks = np.arange(n_labels, dtype=np.uint32)
        if not self.declared:
            ranks[sorted_order(self.labels)] = np.arange(n_labels, dtype=np.uint32)
        return ranks

    def _refuse_other(self, other: Feature, raw: RawColumn) -> None:
        """Raise if cells are not of the kind that the column has."""
        own = self.feature
        assert own is not None
        row = row_name(int(np.argmax(~raw.is_missing())))
        words = f"feature {self.name!r} has been {_kind_words(own, self.labels)}"
        now = _kind_words(other, other.categories)
        if other.kind != own.kind:
            raise DataError(f"{words}, and {row} has {now}; {_REMEDY}")
        if own.kind == "numeric":
            whole = isinstance(raw, Numbers) and raw.values.dtype.kind in "iu"
            widens = own.storage in ("int64", "uint64") and whole
            if (other.storage, other.zoned) != (own.storage, own.zoned) and not widens:
                raise DataError(f"{words}, and these rows have {now}; {_REMEDY}")
            return
        declares = isinstance(raw, Labels) and raw.declared
        if declares and not (self.declared and other.categories == (*self.labels,)):
            raise DataError(
                f"feature {self.name!r} declares the categories "
                f"{quoted(other.categories)} here and did not before; {_REMEDY}"
            )
        new = [each for each in other.categories if each not in self.keys_by_label]
        if self.declared and new:
            raise DataError(
                f"feature {self.name!r} has {short(new[0])}, which is not among the "
                f"categories that were declared, {quoted(self.labels)}; {_REMEDY}"
            )
        if new and self.labels and family(new[0]) is not family(self.labels[0]):
            raise DataError(f"{words}, and {row} has {now}; {_REMEDY}")


def refuse_mixture(what: str, labels: Sequence[Label]) -> None:
    """Raise if labels are of several types."""
    families = {family(label) for label in labels}
    if len(families) > 1:
        types = ", ".join(sorted(one.__name__ for one in families))
        raise DataError(
            f"{what} mixes cells of the types {types}; convert them to one type, "
            "because rows are compared with all that come later"
        )


def _kind_words(feature: Feature, labels: Sequence[Label]) -> str:
    """Say what a column is, for a message."""
    if feature.kind == "numeric":
        zone = " with a time zone" if feature.zoned else ""
        return "numbers" if feature.storage == "float64" else feature.storage + zone
    if not labels:
        return f"{feature.kind} cells"
    words = family_words(labels[0])
    own = {float: " as names", str: "", bool: ""}
    return words + own.get(family(labels[0]), " cells")


def number_keys(name: str, values: npt.NDArray[Any], storage: str) -> Keys:
    """Return 64-bit numbers in the order of the values, none of them missing."""
    sign = np.uint64(_SIGN)
    if storage == "float64":
        bits = (values.astype(np.float64) + 0.0).view(np.uint64)  # -0.0 becomes 0.0
        return np.asarray(np.where(bits >= sign, ~bits, bits | sign))
    signed = storage != "uint64"
    misfits = (
        (values.dtype.kind == "u" and (values >= _SIGN).any())
        if signed
        else (values.dtype.kind != "u" and (values < 0).any())
    )
    keys = values.astype(np.int64 if signed else np.uint64).view(np.uint64)
    keys = keys ^ sign if signed else keys
    if misfits or (keys == NO_VALUE).any():
        extreme = values.min() if not signed and misfits else values.max()
        raise DataError(
            f"feature {name!r} has {int(extreme)}, which does not fit into {storage} "
            "(its largest number stands for missing values); use smaller numbers, or "
            "floats"
        )
    return keys


def numbers_of(keys: Keys, storage: str) -> npt.NDArray[Any]:
    """Return the values of keys, none of them missing."""
    sign = np.uint64(_SIGN)
    if storage == "float64":
        return np.where(keys >= sign, keys ^ sign, ~keys).view(np.float64)
    return keys if storage == "uint64" else (keys ^ sign).view(np.int64)
