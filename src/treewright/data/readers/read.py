"""Read a table from a file, or take a built-in one by its name.

The format is told by the content where it can be (Parquet, gzip), else by the suffix.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from treewright.data import datasets
from treewright.data.readers.arff_reader import read_arff
from treewright.data.readers.c45_reader import find_names, read_c45
from treewright.data.readers.csv_reader import csv_header, read_csv
from treewright.data.readers.read_options import DEFAULT_MISSING, ReadOptions
from treewright.data.readers.table_file import TableFile, describe
from treewright.errors import FileReadError

if TYPE_CHECKING:
    import polars as pl

_PARQUET_MAGIC = b"PAR1"


def read_table(
    path: str | Path,
    *,
    missing_values: Iterable[str] = DEFAULT_MISSING,
    encoding: str = "utf-8",
    separator: str | None = None,
    decimal: str = ".",
    thousands: str = "",
) -> pl.DataFrame:
    """Read a table from a file.

    Parameters
    ----------
    path : str or Path
        A CSV (or csv.gz), Parquet or ARFF file, the stem of C4.5's `.names` and
        `.data` files, or the name of a built-in table such as "tennis".
    missing_values : iterable of str
        CSV cells to read as missing; empty cells always are.
    encoding : str
        How a text file encodes its characters.
    separator : str, optional
        The sign between the cells of a CSV file; a tab for `.tsv`, else a comma.
    decimal : str
        The decimal sign of numbers in a CSV file.
    thousands : str
        The sign between groups of three digits in a CSV file; empty for none.

    Returns
    -------
    polars.DataFrame
        Numbers, truth values, and text or declared categories.

    Examples
    --------
    >>> read_table("tennis").shape
    (14, 5)
    """
    options = ReadOptions(
        tuple(missing_values), encoding, separator, decimal, thousands
    )
    return read_with_report(path, options).frame


def read_with_report(path: str | Path, options: ReadOptions | None = None) -> TableFile:
    """Read a table as `read_table` does, with the facts about each of its columns."""
    options = options or ReadOptions()
    file = Path(path)
    names = find_names(file)
    if names is not None:
        return read_c45(file, names, options)
    if not file.exists() and str(path) in datasets.names():
        return _built_in(str(path))
    if _is_parquet(file):
        return _read_parquet(file)
    if file.name.lower().removesuffix(".gz").endswith(".arff"):
        return read_arff(file, options)
    return read_csv(file, options)


def is_csv(path: str | Path) -> bool:
    """Tell whether a file would be read as CSV; False for one that is not there."""
    file = Path(path)
    if not file.exists() or find_names(file) is not None:
        return False
    if file.is_file() and _is_parquet(file):  # a pipe can be read only once
        return False
    return not file.name.lower().removesuffix(".gz").endswith(".arff")


def column_names(path: str | Path, options: ReadOptions) -> list[str] | None:
    """Return the names of a file's columns without reading its rows; None if unsure."""
    file = Path(path)
    if not file.is_file() or find_names(file) is not None:
        return None  # a pipe can be read only once
    # later than for a pipe: with polars loaded, a read that waits ignores Ctrl-C
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    try:
        if _is_parquet(file):
            return list(pl.read_parquet_schema(file))
    except (FileReadError, pl.exceptions.PolarsError, OSError):
        return None  # whoever reads all of it says what is wrong
    return csv_header(file, options)


def _built_in(name: str) -> TableFile:
    frame = datasets.frame(name)
    return TableFile(frame, tuple(map(describe, frame)), target=frame.columns[-1])


def _is_parquet(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return stream.read(len(_PARQUET_MAGIC)) == _PARQUET_MAGIC
    except FileNotFoundError:
        known = ", ".join(datasets.names())
        raise FileReadError(
            f"there is no file {str(file)!r}; check the path, or take a built-in "
            f"table: {known}"
        ) from None
    except OSError as error:
        raise FileReadError(
            f"{file} cannot be read: {error.strerror}; check the path"
        ) from None


def _read_parquet(file: Path) -> TableFile:
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    try:
        with file.open("rb") as stream:
            frame = pl.read_parquet(stream)
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0]
        raise FileReadError(f"{file} is damaged: {reason}; write it again") from None
    return TableFile(frame, tuple(map(describe, frame)))
