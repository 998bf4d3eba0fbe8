"""C4.5's format: `stem.names` declares, `stem.data` or `stem.test` holds the rows.

The first statement of the names file lists the classes, or names the feature that is
the target; then comes a statement per feature. `|` begins a comment, a backslash takes
the next sign as it is, a statement ends with a period or at the end of its line; a
comma at the end of a line continues it. A fault is named by its line and token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from treewright.data.complaints import counted, quoted
from treewright.data.readers.byte_blocks import read_lines
from treewright.data.readers.read_options import ReadOptions
from treewright.data.readers.table_file import ColumnReport, TableFile, describe
from treewright.data.tables.frames import refuse_duplicates
from treewright.errors import FileReadError

if TYPE_CHECKING:
    import polars as pl

_CLASS_NAME = "class"
_SIGN = re.compile(r"\\.|[^\\]", re.DOTALL)


@dataclass(frozen=True)
class _Feature:
    """One statement of the names file.

    `kind` is "continuous", "discrete", "ignore" or "label"; `values` are the declared
    values of a discrete feature, empty if only their number was declared.
    """

    name: str
    kind: str
    values: tuple[str, ...] = ()


def find_names(file: Path) -> Path | None:
    """Return the names file that belongs to a stem or to one of its files."""
    if file.suffix in (".names", ".data", ".test"):
        names = file.with_suffix(".names")
    elif file.exists():
        return None
    else:
        names = file.with_name(f"{file.name}.names")
    return names if names.is_file() else None


def read_c45(file: Path, names: Path, options: ReadOptions) -> TableFile:
    """Read the rows of `file`, or of the `.data` file beside the names file."""
    data = file if file.suffix == ".test" else names.with_suffix(".data")
    features, target = _read_names(names, options)
    columns: list[list[str | None]] = [[] for _ in features]
    for line, cells in _statements(data, options):
        _check_row(f"{data}, line {line}", cells, features)
        for column, cell in zip(columns, cells, strict=True):
            column.append(None if cell == "?" else cell)
    if not columns[0]:
        raise FileReadError(f"{data} has 0 rows; at least 1 is needed")
    return _table(features, columns, target)


def _read_names(path: Path, options: ReadOptions) -> tuple[list[_Feature], str]:
    """Return the columns of the data file and the name of the target."""
    statements = list(_statements(path, options, colon=True))
    if len(statements) < 2:
        raise FileReadError(
            f"{path} declares no features; list the classes, then a feature per line"
        )
    features = [_feature(f"{path}, line {n}", cells) for n, cells in statements[1:]]
    classes = tuple(statements[0][1])
    names = [feature.name for feature in features]
    if len(classes) == 1 and classes[0] in names:
        refuse_duplicates(names)
        return features, classes[0]
    refuse_duplicates([*names, _CLASS_NAME])
    return [*features, _Feature(_CLASS_NAME, "discrete", classes)], _CLASS_NAME


def _feature(where: str, cells: list[str]) -> _Feature:
    """Return the feature that a statement declares: its name, then its values."""
    name, values = cells[0], tuple(cells[1:])
    if not values:
        raise FileReadError(
            f"{where}: {name!r} has no type; write 'continuous', 'ignore', 'label', "
            "'discrete' with a number, or its values behind a colon"
        )
    if len(values) == 1 and values[0] in ("continuous", "ignore", "label"):
        return _Feature(name, values[0])
    if len(values) == 1 and values[0].split()[0] == "discrete":
        return _Feature(name, "discrete")
    if len(set(values)) != len(values):
        raise FileReadError(
            f"{where}: {name!r} declares a value twice: {quoted(values, 20)}; "
            "declare each once"
        )
    return _Feature(name, "discrete", values)


def _statements(
    path: Path, options: ReadOptions, *, colon: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Yield for each statement its first line and its cells."""
    start, cells = 0, [""]
    for number, line in enumerate(read_lines(path, options.encoding), start=1):
        start = start or number
        more = _cells(line, colon=colon)
        cells = [*cells[:-1], *more] if cells[-1] == "" else [*cells, *more]
        continued = cells[-1] == "" and len(cells) > 1 and colon
        if any(cells) and not continued:
            yield start, cells
        if not continued:
            start, cells = 0, [""]
    if any(cells):
        yield start, cells[:-1]


def _cells(line: str, *, colon: bool) -> list[str]:
    """Return the cells of a line without comment, final period and outer spaces."""
    cells = [""]
    for sign in _SIGN.findall(line.rstrip()):
        if sign == "|":
            break
        if sign == "," or (sign == ":" and colon and len(cells) == 1):
            cells.append("")
        else:
            cells[-1] += sign
    cells[-1] = re.sub(r"(?<!\\)\.\s*$", "", cells[-1])
    return [re.sub(r"\\(.)", r"\1", " ".join(cell.split())) for cell in cells]


def _check_row(where: str, cells: Sequence[str], features: Sequence[_Feature]) -> None:
    if len(cells) != len(features):
        raise FileReadError(
            f"{where}: {counted(len(cells), 'value')} where {len(features)} are "
            f"declared, the last one is {cells[-1]!r}; give one value per feature, "
            "? if it is missing"
        )
    for feature, cell in zip(features, cells, strict=True):
        if cell != "?" and feature.values and cell not in feature.values:
            raise FileReadError(
                f"{where}: {cell!r} is not a declared value of {feature.name!r}; "
                f"declared are {quoted(feature.values, 20)}"
            )
        if cell != "?" and feature.kind == "continuous" and not _is_number(cell):
            raise FileReadError(
                f"{where}: {cell!r} is not a number, as {feature.name!r} declares; "
                "correct it, or write ? if it is missing"
            )


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _table(
    features: Sequence[_Feature], columns: list[list[str | None]], target: str
) -> TableFile:
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    kept, report = [], []
    for feature, cells in zip(features, columns, strict=True):
        series = _series(feature, cells)
        missing = f"{series.null_count():,} '?' read as missing" * series.has_nulls()
        facts = describe(series, missing)
        if feature.kind in ("ignore", "label"):
            remark = f"left out: declared as {feature.kind}"
            facts = ColumnReport(
                feature.name, "left out", facts.n_values, facts.n_missing, remark
            )
        else:
            kept.append(series)
        report.append(facts)
    return TableFile(pl.DataFrame(kept), tuple(report), target)


def _series(feature: _Feature, cells: list[str | None]) -> pl.Series:
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    if feature.values:
        return pl.Series(feature.name, cells, dtype=pl.Enum(feature.values))
    series = pl.Series(feature.name, cells, dtype=pl.String)
    return series.cast(pl.Float64) if feature.kind == "continuous" else series
