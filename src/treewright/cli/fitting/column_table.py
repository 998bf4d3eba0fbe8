"""The columns of a table, one line each: kind, values, missing cells, remarks."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from treewright.cli.console import Console
from treewright.cli.options.roles import Roles
from treewright.cli.wording import on_the_command_line
from treewright.data.complaints import counted, short
from treewright.data.readers.table_file import ColumnReport, TableFile
from treewright.data.schema import Schema
from treewright.render.fitting.safe_text import clip, display_width, pad, visible
from treewright.render.fitting.wrapping import wrapped

if TYPE_CHECKING:
    import polars as pl

MOST_LINES = 20  # a longer table is shortened to the columns that need a look
_SHORT_LINES = 18
_MIN_NAME = 12
_MIN_REMARK = 20
_FEW_ROWS = 10  # so few may be in order by chance
_GAP = "  "
# no news: the number of missing cells stands beside it
_ONLY_EMPTY = re.compile(r"[\d,]+ empty cells? read as missing")


@dataclass(frozen=True)
class _Line:
    """One column of the data, as it is listed."""

    name: str
    kind: str
    n_values: str
    n_missing: str
    remark: str
    is_feature: bool = True


_TITLES = _Line("column", "kind", "values", "missing", "remark")


def column_lines(
    table: TableFile, schema: Schema, roles: Roles, console: Console
) -> Iterator[str]:
    """Yield the table of columns, shortened if there are many."""
    lines = [
        _with_identifier(_line(column, schema, roles), table) for column in table.report
    ]
    shown = _worth_showing(lines)
    yield from _table(shown, console)
    hidden = Counter(line.kind for line in lines if line not in shown)
    if hidden:
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in hidden.items())
        yield console.cut(f"{_GAP}and {hidden.total():,} more: {kinds}")


def _line(column: ColumnReport, schema: Schema, roles: Roles) -> _Line:
    """Return a column's facts, with what it is used for."""
    kind: str = column.kind
    remarks = []
    if column.remark and not _ONLY_EMPTY.fullmatch(column.remark):
        remarks.append(on_the_command_line(column.remark))
    if column.name in schema.names:
        feature = schema.features[schema.names.index(column.name)]
        kind = "numeric" if feature.holds_numbers else feature.kind
        if feature.intervals is not None:
            remarks.insert(0, f"in {counted(len(feature.categories), 'interval')}")
        if feature.not_applicable is not None:
            remarks.insert(0, f"{short(feature.not_applicable)} is not applicable")
    elif column.name in roles.targets:
        kind = "nominal" if schema.target.kind == "classes" else "numeric"
        remarks.insert(0, "target")
    elif column.name in roles.texts:
        kind = "text"
        n_words = sum(
            one.word is not None and one.word.column == column.name
            for one in schema.features
        )
        remarks.insert(0, counted(n_words, "different word"))
    elif column.name == roles.weights:
        remarks.insert(0, "weight of the row")
    else:
        kind = "left out"
        if column.name in roles.ignored:
            remarks = []  # no advice on what nobody wants
    values = "" if column.kind == "left out" else f"{column.n_values:,}"
    return _Line(
        column.name,
        kind,
        values,
        f"{column.n_missing:,}",
        "; ".join(remarks),
        is_feature=column.name in schema.names,
    )


def _with_identifier(line: _Line, table: TableFile) -> _Line:
    """Return the line, with a remark if the feature only numbers the rows."""
    if not line.is_feature or line.kind != "numeric":
        return line
    if not _numbers_the_rows(table.frame[line.name]):
        return line
    option = f"--ignore {shlex.quote(line.name)}"
    remark = f"one value per row: an identifier? ({option})"
    return replace(line, remark="; ".join(filter(None, [line.remark, remark])))


def _numbers_the_rows(column: pl.Series) -> bool:
    """Return whether each row has the whole number after that of the row before."""
    if len(column) < _FEW_ROWS or not column.dtype.is_numeric():
        return False
    if column.null_count() or not float(column[0]).is_integer():
        return False
    return bool((column.diff().drop_nulls() == 1).all())


def _worth_showing(lines: list[_Line]) -> list[_Line]:
    """Return all lines, or of too many the target, remarks, and then the first ones."""
    if len(lines) <= MOST_LINES:
        return lines

    def dullness(place: int) -> tuple[bool, bool, int]:
        return lines[place].is_feature, not lines[place].remark, place

    dull_last = sorted(range(len(lines)), key=dullness)
    return [lines[place] for place in sorted(dull_last[:_SHORT_LINES])]


def _table(lines: list[_Line], console: Console) -> Iterator[str]:
    """Yield titles and lines; a long remark goes on below itself."""
    lines = [_TITLES, *lines]
    facts = [[line.kind, line.n_values, line.n_missing] for line in lines]
    widths = [max(map(len, cells)) for cells in zip(*facts, strict=True)]
    remarks = [visible(line.remark, ascii=console.ascii) for line in lines]
    remark_room = min(max(map(display_width, remarks)), _MIN_REMARK)
    others = sum(widths) + len(_GAP) * (len(widths) + 2) + remark_room
    room = console.width - others
    if room < _MIN_NAME:
        for line in lines[1:]:
            yield console.cut(f"{line.name}: {line.kind} {line.remark}".rstrip())
        return
    names = [
        clip(visible(line.name, ascii=console.ascii), room, ascii=console.ascii)
        for line in lines
    ]
    name_width = max(map(display_width, names))
    start = name_width + others - remark_room
    for name, cells, remark in zip(names, facts, remarks, strict=True):
        left = [pad(name, name_width), f"{cells[0]:{widths[0]}}"]
        left += [f"{cells[k]:>{widths[k]}}" for k in (1, 2)]
        first, *more = wrapped(remark, console.width - start)
        yield (_GAP + _GAP.join([*left, first])).rstrip()
        for part in more:
            yield " " * start + part
