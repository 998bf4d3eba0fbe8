"""Labels: how categories and classes are written, ordered and found again."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
import numpy.typing as npt

MISSING = -1  # the code of a missing cell, and of a label that is not in a table


def plain(label: Hashable) -> Hashable:
    """Return a NumPy scalar as the Python scalar that it stands for."""
    if isinstance(label, np.generic):
        value: Hashable = label.item()
        return value
    return label


def text(label: Hashable) -> str:
    """Return how a label is written; whole numbers without a decimal point."""
    if isinstance(label, float) and label.is_integer():
        return str(int(label))
    if isinstance(label, bytes):
        return label.decode("utf-8", "backslashreplace")
    return str(label)


def family(label: Hashable) -> type:
    """Return the type of a label; all numbers are of one, but truth values are not."""
    is_number = isinstance(label, int | float) and not isinstance(label, bool)
    return float if is_number else type(label)


def family_words(label: Hashable) -> str:
    """Return what the labels of a label's family are called in messages."""
    own = family(label)
    words = {str: "text", bool: "truth values", float: "numbers"}
    return words.get(own, own.__name__)


def sorted_order(labels: Iterable[Hashable]) -> list[int]:
    """Return the positions of the labels in ascending order.

    Labels that cannot be compared stand in the order of their type and text, so that
    the result never depends on the order of the rows.
    """
    items = list(labels)
    try:
        return sorted(range(len(items)), key=items.__getitem__)  # type: ignore[arg-type]
    except TypeError:
        return sorted(
            range(len(items)), key=lambda k: (type(items[k]).__name__, repr(items[k]))
        )


class CategoryTable:
    """Finds the code of a label: the equal category, or else the equally written one.

    So the category '1' of a text column is found for the number 1, and the category 1
    for the text '1'.
    """

    def __init__(self, categories: tuple[Hashable, ...]) -> None:
        self._by_label = {label: code for code, label in enumerate(categories)}
        self._by_text = {text(label): code for code, label in enumerate(categories)}

    def code(self, label: Hashable) -> int:
        """Return the label's code, or `MISSING` if there is no such category."""
        found = self._by_label.get(label)
        return self._by_text.get(text(label), MISSING) if found is None else found

    def codes(self, labels: Iterable[Hashable]) -> npt.NDArray[np.int64]:
        """Return the code of each label."""
        return np.array([self.code(label) for label in labels], np.int64)

    def lookalike(self, label: Hashable) -> str | None:
        """Return the category that is equal but for spaces around the label."""
        trimmed = text(label).strip()
        return trimmed if trimmed in self._by_text else None
