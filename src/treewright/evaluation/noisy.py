"""Noise in the rows that are learned from, so that the error on others stays honest.

What `treewright.with_noise` does to a table, done to an encoded part of one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treewright.data.columns import Columns
from treewright.data.noise import rows_with_noise
from treewright.data.sparse.sparse_columns import SparseColumn
from treewright.errors import SettingError
from treewright.evaluation.table_hash import hash_of_table
from treewright.evaluation.table_part import part_of


@dataclass(frozen=True)
class Noise:
    """How much noise there is, and where.

    `cells` and `answers` are the shares that are replaced by those of rows drawn at
    random, as in `with_noise`; `seed` is where the draws start.
    """

    cells: float = 0.0
    answers: float = 0.0
    seed: int = 0

    def words(self) -> str:
        """Say what is done."""
        parts = {"cells": self.cells, "answers": self.answers}
        where = " and ".join(
            f"{100 * rate:g} % of the {name}" for name, rate in parts.items() if rate
        )
        return (
            f"noise: {where} of the training rows replaced by those of "
            "other rows; the errors are on rows without noise"
        )

    def into(self, columns: Columns) -> Columns:
        """Return the rows with noise, encoded as if they had come so.

        Other rows get other noise, whoever comes first: the draws start from the seed
        and from what the rows hold.
        """
        return self.drawn(columns, (self.seed, int(hash_of_table(columns), 16)))

    def drawn(self, columns: Columns, random_state: int | Sequence[int]) -> Columns:
        """Return the rows with noise that is drawn from a state."""
        of_answers, of_cells = np.random.default_rng(random_state).spawn(2)
        n_rows = columns.n_rows
        features = columns.features
        if self.cells > 0:
            if any(isinstance(column, SparseColumn) for column in features):
                raise SettingError(
                    "noise in the cells of texts would be noise in thousands of words; "
                    "put it in the answers (--noise-in answers)"
                )
            features = tuple(
                column.take(rows_with_noise(n_rows, self.cells, of_cells), {})
                for column in features
            )
        target = columns.target[rows_with_noise(n_rows, self.answers, of_answers)]
        noisy = dataclasses.replace(columns, features=features, target=target)
        return part_of(noisy, np.arange(n_rows))
