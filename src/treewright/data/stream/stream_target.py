"""The answers of a stream: classes that may come up at any row, or numbers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import row_name
from treewright.data.encoding.target import Outputs, encode_target
from treewright.data.labels import MISSING, plain, sorted_order
from treewright.data.schema import Label, Target
from treewright.data.stream.stream_table import (
    Where,
    in_order_of_rows,
)
from treewright.data.tables.convert import as_labels
from treewright.data.tables.raw import Numbers
from treewright.errors import DataError

LARGEST = 1e140  # its square, times the number of rows, is still a float


@dataclass(frozen=True, eq=False)
class StreamTarget:
    """What is known of the answers."""

    kind: str  # {"classes", "numbers"}: what is predicted
    name: str = "target"  # what the answers are called
    # the code of each class, in the order in which they came up
    codes: dict[Label, int] = field(default_factory=dict)

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        """The classes in class order: sorted."""
        found = list(self.codes)
        return tuple(found[k] for k in sorted_order(found))

    @cached_property
    def rank(self) -> npt.NDArray[np.int32]:
        """The place of each class in class order, by its code."""
        place = {label: k for k, label in enumerate(self.labels)}
        return np.array([place[label] for label in self.codes], np.int32)

    @cached_property
    def order(self) -> npt.NDArray[np.intp]:
        """The codes in class order."""
        return np.argsort(self.rank)

    def called(self, name: str) -> StreamTarget:
        """Return the same under another name."""
        return replace(self, name=name)

    def target(self) -> Target:
        """Return the target as models have it."""
        if self.kind == "numbers":
            return Target("numbers", (self.name,))
        return Target("classes", (self.name,), (self.labels,))

    def encode(
        self, outputs: Outputs, where: Where = row_name
    ) -> tuple[npt.NDArray[Any], StreamTarget]:
        """Return codes or numbers, and what is known after them; see `StreamTable`."""
        if len(outputs.columns) != 1:
            raise DataError(
                f"the target has {len(outputs.columns)} columns; a stream has 1: learn "
                "a tree for each"
            )
        if self.kind == "numbers":
            return self._numbers(outputs, where), self
        return self._classes(outputs, where)

    def _numbers(self, outputs: Outputs, where: Where) -> npt.NDArray[np.float64]:
        numbers = encode_target(outputs, "numbers")[1][:, 0]
        large = np.abs(numbers) > LARGEST
        if large.any():
            row = int(np.argmax(large))
            raise DataError(
                f"the target {self.name!r} holds {numbers[row]:g} in {where(row)}, "
                "whose square is out of range; divide the target"
            )
        return np.ascontiguousarray(numbers)

    def _classes(
        self, outputs: Outputs, where: Where
    ) -> tuple[npt.NDArray[np.int32], StreamTarget]:
        column = outputs.columns[0]
        if isinstance(column, Numbers):
            if column.unit:
                raise DataError(
                    f"the target {self.name!r} holds {column.unit} values; turn them "
                    "into text"
                )
            if column.values.dtype.kind == "f" and np.isinf(column.values).any():
                row = int(np.argmax(np.isinf(column.values)))
                raise DataError(
                    f"the target {self.name!r} is infinite in {where(row)}; remove the "
                    "row, or correct it"
                )
        labels = as_labels(column)
        labels = replace(labels, labels=tuple(map(plain, labels.labels)))
        codes = [self.codes.get(label, MISSING) for label in labels.labels]
        new = [code for code, found in enumerate(codes) if found == MISSING]
        known = dict(self.codes)
        what = f"the target {self.name!r}", "classes"
        for code in in_order_of_rows(what, labels, new, next(iter(known), None), where):
            codes[code] = known[labels.labels[code]] = len(known)
        after = replace(self, codes=known) if new else self
        return np.array(codes, np.int32)[labels.codes], after
