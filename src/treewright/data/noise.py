"""Noise: cells and answers that are replaced by those of other rows.

To see how growing and pruning cope with faults in the data, put faults in, at a known
rate: a cell is replaced, with that probability, by the cell of a row that is drawn at
random, and so is an answer (Quinlan 1986). What is put in has the spread of the column,
and may be by chance what was there.

References
----------
Quinlan, J. R. (1986). The effect of noise on concept learning. In Machine Learning: An
Artificial Intelligence Approach, volume 2, 149-166.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.errors import DataTypeError, SettingError


def with_noise(
    table: Any,
    y: Any,
    *,
    cells: float = 0.0,
    answers: float = 0.0,
    random_state: int = 0,
) -> tuple[Any, Any]:
    """Return a table and its target with noise; what is passed stays as it is.

    Parameters
    ----------
    table : data frame, two-dimensional array or mapping of columns
        The features.
    y : series, array or list
        The target.
    cells, answers : float
        The share of cells, and of answers, that are replaced by those of rows drawn at
        random.
    random_state : int
        Where the draws start. The same number replaces more of the same at a higher
        rate.

    Returns
    -------
    table, y
        Of the types that were passed; the columns of a mapping as arrays or lists.

    Examples
    --------
    >>> table, y = {"x": [1, 2, 3, 4, 5, 6]}, ["a", "a", "a", "b", "b", "b"]
    >>> with_noise(table, y, answers=0.5, random_state=1)
    ({'x': [1, 2, 3, 4, 5, 6]}, ['a', 'a', 'a', 'b', 'a', 'b'])
    """
    for name, rate in (("cells", cells), ("answers", answers)):
        if not 0 <= rate <= 1:
            raise SettingError(f"{name} is {rate}; it must be a share from 0 to 1")
    # a stream for each, so that noise in cells does not change that in answers
    of_answers, of_cells = np.random.default_rng(random_state).spawn(2)
    return _noisy_table(table, cells, of_cells), _noisy(y, answers, of_answers)


def rows_with_noise(
    n_rows: int, rate: float, generator: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Return for each row the one whose cell it gets: itself, but for the noise."""
    replaced = generator.random(n_rows) < rate
    drawn = generator.integers(0, max(n_rows, 1), n_rows)
    return np.where(replaced, drawn, np.arange(n_rows))


def _noisy(column: Any, rate: float, generator: np.random.Generator) -> Any:
    """Return one column with noise."""
    rows = rows_with_noise(len(column), rate, generator)
    if isinstance(column, list | tuple):
        return type(column)([column[row] for row in rows.tolist()])
    if isinstance(column, np.ndarray):
        return column[rows]
    import narwhals as nw  # noqa: PLC0415 - the package loads without it

    series = nw.from_native(column, series_only=True)
    taken = series[rows.tolist()]
    if nw.get_native_namespace(taken).__name__ == "pandas":
        native = taken.to_native()
        native.index = column.index
        return native
    return taken.to_native()


def _noisy_table(table: Any, rate: float, generator: np.random.Generator) -> Any:
    """Return a table with noise, column by column."""
    if isinstance(table, Mapping):
        return {name: _noisy(table[name], rate, generator) for name in table}
    if isinstance(table, np.ndarray) and table.ndim == 2:
        columns = [_noisy(column, rate, generator) for column in table.T]
        return np.column_stack(columns) if columns else table.copy()
    import narwhals as nw  # noqa: PLC0415 - the package loads without it

    try:
        frame = nw.from_native(table, eager_only=True)
    except TypeError:
        raise DataTypeError(
            f"a table of type {type(table).__name__} cannot be given noise; pass a "
            "data frame, a two-dimensional array or a dict of columns"
        ) from None
    columns = [
        nw.from_native(
            _noisy(frame[name].to_native(), rate, generator), series_only=True
        )
        for name in frame.columns
    ]
    return frame.with_columns(*columns).to_native() if columns else table
