"""The settings of `--set`, as `treewright fit --help` lists them."""

from __future__ import annotations

from collections.abc import Iterator

from treewright.learners.setting_words import SettingTable, setting_tables
from treewright.render.fitting.wrapping import wrapped

_WIDTH = 76
_NAME_WIDTH = 26


def switch_table() -> str:
    """Return the table as a part of an epilog, whose lines click does not join."""
    return "\n".join(("\b", *(line for t in setting_tables() for line in _lines(t))))


def _lines(table: SettingTable) -> Iterator[str]:
    yield table.title
    for one in table.lines:
        name = one.name
        for line in wrapped(f"{one.takes}  [{one.usual}]", _WIDTH - _NAME_WIDTH):
            yield f"  {name:<{_NAME_WIDTH}}{line}"
            name = ""
