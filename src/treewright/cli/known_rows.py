"""Rows of a table with their answers, as a saved model reads them."""

from __future__ import annotations

import warnings

from treewright.cli.console import remark
from treewright.cli.rows_for_model import read_for_model
from treewright.cli.wording import on_the_command_line
from treewright.data.complaints import counted, quoted
from treewright.data.readers.options import ReadOptions
from treewright.errors import DataError
from treewright.prune.labelled_rows import LabelledRows
from treewright.tree.model import Model


def known_rows(model: Model, data: str, how: ReadOptions) -> LabelledRows:
    """Read the rows of a table that have a target, and say what is left out."""
    frame = read_for_model(model, data, how).frame
    names = list(model.schema.target.names)
    absent = [name for name in names if name not in frame.columns]
    if absent:
        raise DataError(
            f"{data} lacks the target {quoted(absent)}; rules are counted right or "
            "wrong by it"
        )
    known = frame.drop_nulls(names)
    if known.height < frame.height:
        lost = counted(frame.height - known.height, "row")
        remark(f"note: {lost} without a target left out", indent=6)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rows = LabelledRows.of_table(
            model,
            known.drop(names),
            known[names[0]] if len(names) == 1 else known.select(names),
            use="with a target",
        )
    for warning in caught:
        remark(f"note: {on_the_command_line(str(warning.message))}", indent=6)
    return rows
