"""The sequence of trees that pruning went through, as a small table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_MOST_LINES = 20


@dataclass(frozen=True, eq=False, repr=False)
class PruningTable:
    """Nested trees, from the grown one to a single leaf, and which one was chosen.

    Errors are shares of the weight that is wrong, or mean squared errors; the mean over
    the outputs if there are several.

    Attributes
    ----------
    n_leaves : int64, shape (n_trees,)
        Leaves of each tree, falling.
    training_error : float64, shape (n_trees,)
        Error on the rows that the tree was grown from.
    validation_error : float64, shape (n_trees,), or None
        Error on held-out rows.
    standard_error : float64, shape (n_trees,), or None
        Standard error of the validation error.
    alpha : float64, shape (n_trees,), or None
        Cost of a leaf from which on each tree is the best one.
    chosen : int
        The place of the tree that was chosen.

    Examples
    --------
    >>> import numpy as np
    >>> errors = np.array([0.0, 0.4]), np.array([0.5, 0.3])
    >>> PruningTable(np.array([3, 1]), *errors, chosen=1)
      leaves  training error  validation error
           3          0.0000            0.5000
    >      1          0.4000            0.3000
    """

    n_leaves: npt.NDArray[np.int64]
    training_error: Floats
    validation_error: Floats | None = None
    alpha: Floats | None = None
    chosen: int = 0
    standard_error: Floats | None = None

    def __len__(self) -> int:
        return len(self.n_leaves)

    def to_dict(self) -> dict[str, npt.NDArray[np.generic]]:
        """The columns by name, for example to make a data frame of them."""
        columns = {
            "alpha": self.alpha,
            "n_leaves": self.n_leaves,
            "training_error": self.training_error,
            "validation_error": self.validation_error,
            "standard_error": self.standard_error,
        }
        return {name: column for name, column in columns.items() if column is not None}

    def __repr__(self) -> str:
        """The table; a long one without the trees far from the chosen one."""
        titles = {"n_leaves": "leaves"}
        columns = [
            _texts(titles.get(name, name.replace("_", " ")), column)
            for name, column in self.to_dict().items()
        ]
        first = max(0, min(self.chosen - _MOST_LINES // 2, len(self) - _MOST_LINES))
        shown = range(first, min(first + _MOST_LINES, len(self)))
        lines = ["  " + "  ".join(column[0] for column in columns)]
        for tree in shown:
            mark = "> " if tree == self.chosen else "  "
            lines.append(mark + "  ".join(column[tree + 1] for column in columns))
        n_hidden = len(self) - len(shown)
        if n_hidden:
            lines.append(f"  ... and {n_hidden} more trees")
        return "\n".join(lines)


def _texts(title: str, column: npt.NDArray[np.generic]) -> list[str]:
    """The title and the cells of a column, all of one width."""
    form = "d" if column.dtype.kind in "iu" else ".4f"
    if column.dtype.kind == "f" and len(column) and not 1e-3 < abs(column).max() < 1e6:
        form = ".4g"
    cells = [title, *(format(cell, form) for cell in column.tolist())]
    width = max(map(len, cells))
    return [cell.rjust(width) for cell in cells]
