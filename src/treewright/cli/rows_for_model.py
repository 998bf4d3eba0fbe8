"""Reading a table for a model: its columns as the model knows them."""

from __future__ import annotations

from treewright.cli.reading import read, refuse_other_separator
from treewright.data.readers.read_options import ReadOptions
from treewright.data.readers.table_file import TableFile
from treewright.errors import DataError
from treewright.tree.model import Model


def read_for_model(model: Model, data: str, how: ReadOptions) -> TableFile:
    """Read a table whose columns are matched with the features of a model."""
    features = model.schema.features
    table = read(
        data,
        how,
        nominal=[each.name for each in features if not each.holds_numbers],
        not_applicable=[
            (each.name, each.not_applicable)
            for each in features
            if each.not_applicable is not None
        ],
    )
    texts = {each.word.column for each in features if each.word is not None}
    if not {*table.frame.columns} & {*model.schema.names, *texts}:
        refuse_other_separator(table.frame.columns)
    _refuse_text_for_numbers(model, table, data)
    return table


def _refuse_text_for_numbers(model: Model, table: TableFile, data: str) -> None:
    """Refuse cells that keep a column from being the numbers that the model asks for.

    The reader knows their lines, and which option would read them.
    """
    numeric = {each.name for each in model.schema.features if each.holds_numbers}
    for column in table.report:
        if column.name in numeric and "not numeric because" in column.remark:
            found = column.remark[column.remark.index("not numeric because") :]
            raise DataError(
                f"feature {column.name!r} is numeric in the model, and in {data} "
                f"{found}"
            )
