"""`--costs`: what wrong classes cost, as a table in a CSV file.

actual,no,yes       the first line names the predicted classes
no,0,1              each other line an actual class and what each answer costs
yes,5,0
"""

from __future__ import annotations

import csv
from typing import Any

import click

from treewright.cli.options.algorithm import parse_value
from treewright.data.complaints import counted, short
from treewright.errors import FileReadError, SettingError

_FORM = "'actual,no,yes', then 'no,0,1', then 'yes,5,0'"


costs_option = click.option(
    "--costs",
    metavar="FILE.csv",
    help="What wrong classes cost: predicted classes in the first line, then a line "
    "for each actual class. With --set costs_in_growing=true also in growing.",
)


def read_cost_file(path: str | None) -> dict[str, dict[str, Any]] | None:
    """Return the costs in a file as `cost_matrix=` takes them, or None if none is."""
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            lines = [line for line in csv.reader(file) if any(map(str.strip, line))]
    except OSError as error:
        reason = error.strerror or error
        raise FileReadError(f"cannot read {path!r}: {reason}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise FileReadError(f"{path!r} is not a CSV file: {error}") from error
    if len(lines) < 2:
        raise SettingError(
            f"{path!r} has {counted(len(lines), 'line')}; the first one names the "
            f"predicted classes, and each other an actual class and its costs: {_FORM}"
        )
    (_, *predicted), *rows = [[cell.strip() for cell in line] for line in lines]
    if all(isinstance(parse_value(row[0]), int | float) for row in rows) and not all(
        isinstance(parse_value(name), int | float) for name in predicted
    ):
        raise SettingError(
            f"{path!r}: the lines begin with numbers and not with their actual class; "
            f"write {_FORM}"
        )
    costs: dict[str, dict[str, Any]] = {}
    for actual, *cells in rows:
        if len(cells) != len(predicted) or actual in costs:
            what = (
                "stands twice"
                if actual in costs
                else f"has {counted(len(cells), 'cost')} for "
                f"{len(predicted)} predicted classes"
            )
            raise SettingError(
                f"{path!r}: the class {short(actual)} {what}; write {_FORM}"
            )
        costs[actual] = dict(zip(predicted, map(parse_value, cells), strict=True))
    return costs
