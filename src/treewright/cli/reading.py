"""The options that say how a table is written, shared by the commands that read one."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import click

from treewright.cli.progress import busy
from treewright.data.read import read_with_report
from treewright.data.readers.options import DEFAULT_MISSING, ReadOptions
from treewright.data.readers.report import TableFile

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


def reading_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command, which gets them as `how`, a `ReadOptions`."""

    @functools.wraps(function)
    def command(
        missing_values: str | None,
        separator: str | None,
        decimal: str,
        thousands: str,
        encoding: str,
        **others: Any,
    ) -> None:
        cells: tuple[str, ...] = DEFAULT_MISSING
        if missing_values is not None:
            cells = tuple(cell.strip() for cell in missing_values.split(","))
        tab = "\t" if separator == "\\t" else separator
        how = ReadOptions(cells, encoding, tab, decimal, thousands)
        function(how=how, **others)

    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read(data: str, how: ReadOptions, *, nominal: Iterable[str]) -> TableFile:
    """Read a table, in which these columns hold categories, if it has them."""
    with busy(f"reading {data}"):
        return read_with_report(data, replace(how, nominal=frozenset(nominal)))
