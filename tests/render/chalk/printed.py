"""What can be read off a printed page, whatever its format."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class PrintedRow:
    cells: list[list[str]]  # each with its pieces
    marked: bool = False
    remark: str = ""


@dataclass
class PrintedTable:
    titles: list[str]
    rows: list[PrintedRow]
    about: str = ""  # the sentence before it


@dataclass
class PrintedFormula:
    about: str
    label: str
    text: str


@dataclass
class PrintedPart:
    """What stands under one heading."""

    heading: list[str]
    tables: list[PrintedTable] = field(default_factory=list)
    formulas: list[PrintedFormula] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)

    @property
    def comparison(self) -> PrintedTable | None:
        found = [one for one in self.tables if one.titles[0] == "feature"]
        return found[0] if found else None

    @property
    def cuts(self) -> list[PrintedTable]:
        return [one for one in self.tables if one.titles[0] == "cut"]
