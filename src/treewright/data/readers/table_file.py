"""What a reader gives back: the table, and for each column a line of facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from treewright.data.complaints import counted
from treewright.data.schema import FeatureKind

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class ColumnReport:
    """The facts about one column of a file."""

    name: str
    kind: FeatureKind | Literal["left out"]  # what it was found to be
    n_values: int  # number of different values, missing not counted
    n_missing: int  # number of missing cells
    # what a reader should know: cells read as missing, doubtful numbers, ...
    remark: str = ""

    def __str__(self) -> str:
        facts = [self.kind, counted(self.n_values, "value")]
        if self.n_missing:
            facts.append(f"{self.n_missing:,} missing")
        if self.remark:
            facts.append(self.remark)
        return f"{self.name}: {', '.join(facts)}"


@dataclass(frozen=True, eq=False)
class TableFile:
    """A table that was read from a file."""

    frame: pl.DataFrame
    # one per column of the file, left-out ones included
    report: tuple[ColumnReport, ...]
    target: str | None = None  # the target column, where the format says which it is


def describe(series: pl.Series, remark: str = "") -> ColumnReport:
    """Return the facts about a column whose type is final."""
    kind: FeatureKind = "nominal"
    if series.dtype.is_numeric() or series.dtype.is_temporal():
        kind = "numeric"
    n_missing = series.null_count()
    n_values = 0 if series.dtype.is_nested() else series.drop_nulls().n_unique()
    if not remark and n_missing == len(series):
        remark = "all cells are missing"
    return ColumnReport(series.name, kind, n_values, n_missing, remark)
