"""The options that say how a table is written, shared by the commands that read one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import click

from treewright.cli.model_file import is_model
from treewright.cli.options.common import gathered
from treewright.cli.program import program
from treewright.data import datasets
from treewright.data.complaints import short
from treewright.data.readers.c45_reader import find_names
from treewright.data.readers.read import column_names, read_with_report
from treewright.data.readers.read_options import DEFAULT_MISSING, ReadOptions
from treewright.data.readers.table_file import TableFile
from treewright.errors import DataError, FileReadError
from treewright.render.sign_of_life import busy

_SIGNS = ";\t|,"  # between cells
_MOST_HEADER = 100_000

_OPTIONS = (
    click.option(
        "--missing-values",
        metavar="A,B",
        help="CSV cells that mean missing, besides empty ones.  [default: ?,NA,NaN]",
    ),
    click.option(
        "--separator", metavar="SIGN", help="Sign between the cells of a CSV."
    ),
    click.option(
        "--decimal",
        metavar="SIGN",
        default=".",
        help="Decimal sign of a CSV's numbers.",
    ),
    click.option(
        "--thousands",
        metavar="SIGN",
        default="",
        help="Sign between groups of digits in a CSV's numbers.",
    ),
    click.option(
        "--encoding",
        default="utf-8",
        help="How a text file encodes its characters.  [default: utf-8]",
    ),
)


def _how(
    missing_values: str | None,
    separator: str | None,
    decimal: str,
    thousands: str,
    encoding: str,
) -> ReadOptions:
    cells: tuple[str, ...] = DEFAULT_MISSING
    if missing_values is not None:
        cells = tuple(cell.strip() for cell in missing_values.split(","))
    tab = "\t" if separator == "\\t" else separator
    return ReadOptions(cells, encoding, tab, decimal, thousands)


reading_options = gathered("how", _how, _OPTIONS)


def reading_words(how: ReadOptions) -> Iterator[str]:
    """Yield the options that were typed, to be typed again."""
    usual = ReadOptions()
    if how.missing_values != usual.missing_values:
        yield from ("--missing-values", ",".join(how.missing_values))
    for name in ("separator", "decimal", "thousands", "encoding"):
        if getattr(how, name) != getattr(usual, name):
            yield from (f"--{name}", getattr(how, name).replace("\t", "\\t"))


def read(
    data: str,
    how: ReadOptions,
    *,
    nominal: Iterable[str],
    not_applicable: Iterable[tuple[str | None, str]] = (),
) -> TableFile:
    """Read a table, in which these columns hold categories, if it has them."""
    how = replace(how, not_applicable=tuple(not_applicable))
    _refuse_what_is_no_table(data)
    try:
        with busy(f"reading {data}"):
            return read_with_report(data, replace(how, nominal=frozenset(nominal)))
    except FileReadError as error:
        sign = _sign_in_header(data, how)
        if sign is None or "but the header has" not in str(error):
            raise
        raise FileReadError(f"{error} ({_hint(sign)})") from None


def columns_in(data: str, how: ReadOptions) -> list[str] | None:
    """Return the names of a table's columns before it is read, or None if unsure.

    So that a wrong name is noticed before a large file is read.
    """
    return None if is_model(data) else column_names(data, how)


def input_files(data: str) -> list[str]:
    """Return the files that a table is read from: itself, or C4.5's two."""
    names = find_names(Path(data))
    return (
        [data] if names is None else [data, str(names), f"{names.with_suffix('.data')}"]
    )


def refuse_other_separator(columns: Sequence[str]) -> None:
    """Refuse a table of one column whose name looks like many, cut at another sign."""
    if len(columns) != 1:
        return
    sign = max(_SIGNS, key=columns[0].count)
    if sign in columns[0]:
        raise DataError(f"the table has 1 column, {short(columns[0])}; {_hint(sign)}")


def _hint(sign: str) -> str:
    written = "\\t" if sign == "\t" else sign
    return f"if '{written}' stands between the cells, add --separator '{written}'"


def _sign_in_header(data: str, how: ReadOptions) -> str | None:
    """Return the sign that a header has most of, if it is not the one it was cut at."""
    if not os.path.isfile(data):
        return None  # a pipe can be read only once
    try:
        with open(data, encoding=how.encoding, errors="replace") as file:
            header = file.readline(_MOST_HEADER)
    except (OSError, LookupError):
        return None
    if header.startswith("\x1f"):
        return None  # compressed
    used = how.separator or ("\t" if data.lower().endswith(".tsv") else ",")
    sign = max(_SIGNS, key=header.count)
    return sign if header.count(sign) > header.count(used) else None


def _refuse_what_is_no_table(data: str) -> None:
    """Refuse a model, and the name of a built-in table with a slip in it."""
    if is_model(data):
        raise DataError(
            f"{data} is a treewright model, not a table; '{program()} show {data}' "
            f"prints it, '{program()} predict {data} DATA' uses it on a table"
        )
    is_known = os.path.exists(data) or find_names(Path(data)) is not None
    if is_known or data in datasets.names() or os.path.basename(data) != data:
        return
    near = get_close_matches(data.lower(), datasets.names(), n=1)
    if near and not os.path.splitext(data)[1]:
        raise FileReadError(
            f"there is no file {data!r}, nor a built-in table of that name; "
            f"did you mean {near[0]!r}?"
        )
