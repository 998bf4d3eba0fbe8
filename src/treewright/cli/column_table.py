"""The columns of a table, one line each: kind, values, missing cells, remarks."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from treewright.cli.console import Console
from treewright.cli.roles import Roles
from treewright.cli.wording import on_the_command_line
from treewright.data.readers.report import ColumnReport
from treewright.data.schema import Schema
from treewright.render.words import clip, display_width, pad, visible

MOST_LINES = 20  # a longer table is shortened to the columns that need a look
_SHORT_LINES = 12
_MAX_NAME = 24
_MIN_REMARK = 20
_GAP = "  "


@dataclass(frozen=True)
class _Line:
    """One column of the data, as it is listed."""

    name: str
    kind: str
    n_values: str
    n_missing: str
    remark: str

    @property
    def facts(self) -> tuple[str, str, str, str]:
        return self.name, self.kind, self.n_values, self.n_missing


_TITLES = _Line("column", "kind", "values", "missing", "remark")


def column_lines(
    report: Sequence[ColumnReport], schema: Schema, roles: Roles, console: Console
) -> Iterator[str]:
    """Yield the table of columns, shortened if there are many."""
    lines = [_line(column, schema, roles) for column in report]
    shown = _worth_showing(lines)
    yield from _table(shown, console)
    hidden = Counter(line.kind for line in lines if line not in shown)
    if hidden:
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in hidden.items())
        yield console.cut(f"{_GAP}and {hidden.total():,} more: {kinds}")


def _line(column: ColumnReport, schema: Schema, roles: Roles) -> _Line:
    """Return a column's facts, with what it is used for."""
    kind: str = column.kind
    remarks = [on_the_command_line(column.remark)] if column.remark else []
    if column.name in schema.names:
        kind = schema.features[schema.names.index(column.name)].kind
    elif column.name in roles.targets:
        kind = "nominal" if schema.target.kind == "classes" else "numeric"
        remarks.insert(0, "target")
    elif column.name == roles.weights:
        remarks.insert(0, "weight of the row")
    else:
        kind = "left out"
    values = "" if column.kind == "left out" else f"{column.n_values:,}"
    missing = f"{column.n_missing:,}"
    return _Line(column.name, kind, values, missing, "; ".join(remarks))


def _worth_showing(lines: list[_Line]) -> list[_Line]:
    """Return all lines, or of too many those with remarks and then the first ones."""
    if len(lines) <= MOST_LINES:
        return lines
    dull_last = sorted(range(len(lines)), key=lambda k: (not lines[k].remark, k))
    return [lines[k] for k in sorted(dull_last[:_SHORT_LINES])]


def _table(lines: list[_Line], console: Console) -> Iterator[str]:
    """Yield titles and lines; a long remark goes on below itself."""
    lines = [_TITLES, *lines]
    facts = [_fact_cells(line, console) for line in lines]
    widths = [max(map(display_width, cells)) for cells in zip(*facts, strict=True)]
    start = sum(widths) + len(_GAP) * (len(widths) + 1)
    if start + _MIN_REMARK > console.width:
        for line in lines[1:]:
            yield console.cut(f"{line.name}: {line.kind} {line.remark}".rstrip())
        return
    for line, cells in zip(lines, facts, strict=True):
        left = [
            pad(cell, width, right=place >= 2)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        remark = visible(line.remark, ascii=console.ascii)
        first, *more = textwrap.wrap(
            remark, console.width - start, break_on_hyphens=False
        ) or [""]
        yield (_GAP + _GAP.join([*left, first])).rstrip()
        for part in more:
            yield " " * start + part


def _fact_cells(line: _Line, console: Console) -> list[str]:
    name, *rest = line.facts
    shown = visible(name, ascii=console.ascii)
    return [clip(shown, _MAX_NAME, ascii=console.ascii), *rest]
