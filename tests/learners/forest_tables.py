"""Small tables for what forests measure: every kind of feature and target."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd

from treewright.data.encoding.encode import encode
from treewright.learners.dialects.c45 import C45
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.rpart import RPART
from treewright.learners.dialects.unpruned import UNPRUNED
from treewright.learners.forest.forest import Forest, grow_forest
from treewright.learners.forest.forest_settings import ForestSettings

C45_TREES = C45.change(**UNPRUNED)
COMBINATIONS = "combinations"  # of the numeric features
# name: dialect, missing values, outputs, weights
CASES = {
    "numbers and names": (CART, False, 1, False),
    "weights": (CART, False, 1, True),
    "majority": (CART.change(missing="majority"), True, 1, False),
    "own branch": (CART.change(missing="own_branch"), True, 1, True),
    "most common": (CART.change(missing="most_common"), True, 1, False),
    "learned": (CART.change(missing="learned"), True, 1, False),
    "surrogates": (RPART.change(**UNPRUNED), True, 1, False),
    "divided rows": (C45_TREES, True, 1, True),
    "multiway": (C45_TREES, False, 1, False),
    COMBINATIONS: (CART, False, 1, True),
    "two outputs": (CART, False, 2, False),
    "two outputs, divided": (CART.change(missing="fractional"), True, 2, False),
    "a number": (CART_NUMBERS, False, 1, True),
    "two numbers": (CART_NUMBERS.change(missing="majority"), True, 2, False),
    "a number, divided": (CART_NUMBERS.change(missing="fractional"), True, 1, False),
}


@dataclasses.dataclass(frozen=True)
class Case:
    """A forest and the table that it was grown from."""

    table: pd.DataFrame
    forest: Forest

    @property
    def target(self):
        return self.forest.grown_from.columns.target

    @property
    def weights(self):
        weights = self.forest.grown_from.columns.weights
        return np.ones(len(self.table)) if weights is None else weights

    def tree(self, number: int):
        """One of the trees, as a model."""
        return dataclasses.replace(
            self.forest.model, trees=(self.forest.model.trees[number],)
        )

    def out_of_bag(self, number: int):
        """The rows that a tree has not seen."""
        grown = self.forest.grown_from
        return np.flatnonzero(grown.bagging.counts(grown.keys[number]) == 0)


def grown(name: str, *, n_rows: int = 70, n_trees: int = 6, n_jobs: int = 1) -> Case:
    """Return the forest of a case."""
    dialect, missing, n_outputs, weighted = CASES[name]
    random = np.random.default_rng(len(name))
    table = pd.DataFrame(
        {
            "a": random.normal(size=n_rows).round(1),
            "b": random.integers(0, 4, n_rows).astype(float),
            "c": random.choice(["red", "green", "blue", "grey"], n_rows),
            "d": random.normal(size=n_rows).round(1),
        }
    )
    signal = table["a"] + (table["c"] == "red") * table["b"]
    signal = (signal + random.normal(size=n_rows) / 3).to_numpy()
    if missing:
        for column in table.columns:
            gaps = random.random(n_rows) < 0.12
            table.loc[gaps, column] = None if column == "c" else np.nan
    if name == COMBINATIONS:
        table = table.drop(columns="c")
    y = np.column_stack([signal, signal * 2 - table["d"].fillna(0)])[:, :n_outputs]
    is_classes = dialect.task == "classes"
    y = np.digitize(y, [-0.5, 0.8]) if is_classes else y.round(2)
    columns = encode(
        table,
        y if n_outputs > 1 else y[:, 0],
        task="classes" if is_classes else "numbers",
        sample_weight=random.integers(1, 4, n_rows) / 2 if weighted else None,
    )
    settings = ForestSettings(
        n_estimators=n_trees,
        max_features=2,
        random_state=4,
        combined_features=2 if name == COMBINATIONS else None,
    )
    return Case(table, grow_forest(columns, dialect, settings, n_jobs=n_jobs))
