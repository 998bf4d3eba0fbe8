"""How a file is to be read: what its format leaves open."""

from __future__ import annotations

from dataclasses import dataclass

from treewright.errors import SettingError

DEFAULT_MISSING = ("", "?", "NA", "NaN")


@dataclass(frozen=True)
class ReadOptions:
    """How a text file is to be read."""

    # CSV cells to read as missing, spaces around them aside; empty cells always are
    missing_values: tuple[str, ...] = DEFAULT_MISSING
    encoding: str = "utf-8"  # how the file encodes its characters
    # the sign between the cells of a CSV file; None: a tab for `.tsv`, else a comma
    separator: str | None = None
    decimal: str = "."  # the decimal sign of numbers in a CSV file
    # the sign between groups of three digits in a CSV file; empty for none
    thousands: str = ""
    # columns of categories: where numbers would lose how a CSV file writes them, as
    # with leading zeros, their cells stay text
    nominal: frozenset[str] = frozenset()
    # cells that mean not applicable, so not missing; of None: in every column
    not_applicable: tuple[tuple[str | None, str], ...] = ()

    def missing_in(self, column: str) -> list[str]:
        """Return the cells of a CSV column that are missing."""
        others = {mark for name, mark in self.not_applicable if name in (None, column)}
        return ["", *(cell for cell in self.missing_values if cell not in others)]

    def __post_init__(self) -> None:
        if self.separator is not None and (
            len(self.separator) != 1
            or not self.separator.isascii()
            or self.separator in '"\r\n'
        ):
            raise SettingError(
                f"separator {self.separator!r} cannot be used; give one ASCII sign "
                "that is neither a quote nor a line end"
            )
        if len(self.decimal) != 1 or self.decimal == self.thousands:
            raise SettingError(
                f"decimal {self.decimal!r} cannot be used with thousands "
                f"{self.thousands!r}; give one sign, and another one for thousands"
            )
