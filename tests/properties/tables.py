"""Random small tables: for the engine as a data frame, for the oracle as rows.

Values are few, so that ties abound; weights and targets are sums of few powers of two,
so that both sides compute with the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import polars as pl
from hypothesis import strategies as st

from textbook import grow as grow_by_the_book
from treewright.data.columns import Columns
from treewright.data.encoding.encode import encode
from treewright.grow.dialect import Dialect
from treewright.learners.recipe import grow_tree
from treewright.tree.model import Model

LETTERS = "abcde"
NUMBERS = (-1.5, 0.0, 1.0, 2.0, 2.5, 7.0)
WEIGHTS = (0.25, 0.5, 1.0, 2.0, 3.0)


@dataclass(frozen=True)
class Table:
    """Columns, their kinds and categories; a target per row; weights or None."""

    cells: dict[str, list[Any]]
    kinds: dict[str, str]
    categories: dict[str, list[str]]  # of nominal and ordinal columns, in order
    target: list[Any]  # a label or number per row, or a tuple of them
    classes: list[list[Any]] | None  # of each output; None for numbers
    weights: list[float] | None = None
    library: str = "polars"

    @property
    def n_rows(self) -> int:
        return len(self.target)

    @property
    def task(self) -> str:
        return "numbers" if self.classes is None else "classes"

    def take(self, rows: list[int]) -> Table:
        """Return some rows, in the given order."""
        cells = {name: [v[row] for row in rows] for name, v in self.cells.items()}
        weights = self.weights and [self.weights[row] for row in rows]
        target = [self.target[row] for row in rows]
        return replace(self, cells=cells, target=target, weights=weights)

    def frame(self) -> Any:
        """Return the features as a data frame; categories are declared."""
        if self.library == "pandas":
            return pd.DataFrame(
                {
                    name: pd.Categorical(
                        values, self.categories[name], ordered=kind == "ordinal"
                    )
                    if kind != "numeric"
                    else pd.Series(values, dtype="float64")
                    for (name, values), kind in zip(
                        self.cells.items(), self.kinds.values(), strict=True
                    )
                }
            )
        types = {
            name: pl.Float64 if kind == "numeric" else pl.Enum(self.categories[name])
            for name, kind in self.kinds.items()
        }
        return pl.DataFrame(self.cells, schema=types)

    def outputs(self) -> Any:
        """Return the target as the engine takes it; classes are declared."""
        several = isinstance(self.target[0], tuple)
        columns = list(zip(*self.target, strict=True)) if several else [self.target]
        classes = self.classes or [None] * len(columns)
        outputs = [
            pl.Series(f"y{k}", v, pl.Enum(labels) if labels else pl.Float64)
            for k, (v, labels) in enumerate(zip(columns, classes, strict=True))
        ]
        return pl.DataFrame(outputs) if several else outputs[0]

    def columns(self) -> Columns:
        ordinal = {n: self.categories[n] for n, k in self.kinds.items() if k[0] == "o"}
        return encode(
            self.frame(),
            self.outputs(),
            task=self.task,
            sample_weight=self.weights,
            feature_kinds=ordinal,
        )

    def features(self) -> dict[str, Any]:
        """Return the features as the textbook takes them."""
        ordered = {"nominal": list, "ordinal": tuple}
        return {
            name: None if kind == "numeric" else ordered[kind](self.categories[name])
            for name, kind in self.kinds.items()
        }


def grow(table: Table, dialect: Dialect, **settings: Any) -> Model:
    """Grow a tree with the engine."""
    return grow_tree(table.columns(), dialect.change(**settings), n_jobs=1)


def grow_oracle(table: Table, dialect: Dialect, guide: Any = None, **settings: Any):
    """Grow a tree with the oracle."""
    names = list(table.cells)
    values = zip(*table.cells.values(), strict=True)
    return grow_by_the_book(
        [dict(zip(names, row, strict=True)) for row in values],
        table.features(),
        table.target,
        table.weights,
        classes=table.classes,
        guide=guide,
        criterion=dialect.criterion,
        nominal=dialect.nominal_splits,
        missing="refuse" if dialect.missing == "error" else dialect.missing,
        **settings,
    )


def cells(kind: str, categories: list[str], missing: bool) -> st.SearchStrategy[Any]:
    """Draw one cell of a column."""
    values = [*(NUMBERS if kind == "numeric" else categories)]
    # about a quarter of the cells are missing
    n_missing = (len(values) + 2) // 3 if missing else 0
    return st.sampled_from(values + [None] * n_missing)


@st.composite
def targets(draw: st.DrawFn, task: str, n_outputs: int) -> tuple[Any, Any]:
    """Draw the classes of the outputs and a strategy for a row's target."""
    if task == "numbers":
        one = st.sampled_from([-2.0, -0.5, 0.0, 1.0, 1.5, 4.0])
        return None, one if n_outputs == 1 else st.tuples(*[one] * n_outputs)
    # some classes are declared and may have no row
    classes = [list("pqrst"[: draw(st.integers(1, 4))]) for _ in range(n_outputs)]
    each = [st.sampled_from(labels) for labels in classes]
    return classes, each[0] if n_outputs == 1 else st.tuples(*each)


@st.composite
def tables(
    draw: st.DrawFn,
    *,
    kinds: tuple[str, ...] = ("numeric", "nominal", "ordinal"),
    task: str = "classes",
    missing: bool = False,
    n_outputs: int = 1,
    weights: Any = None,
    max_rows: int = 12,
    max_columns: int = 4,
) -> Table:
    """Draw a table."""
    names = [f"x{k}" for k in range(draw(st.integers(1, max_columns)))]
    kind_of = {name: draw(st.sampled_from(kinds)) for name in names}
    categories = {
        name: list(LETTERS[: draw(st.integers(1, len(LETTERS)))])
        for name, kind in kind_of.items()
        if kind != "numeric"
    }
    classes, one_target = draw(targets(task, n_outputs))
    one_row = st.tuples(
        one_target,
        st.sampled_from(WEIGHTS) if weights is None else weights,
        *[cells(kind, categories.get(n, []), missing) for n, kind in kind_of.items()],
    )
    target, weight, *columns = zip(
        *draw(st.lists(one_row, min_size=1, max_size=max_rows)), strict=True
    )
    return Table(
        cells={name: list(v) for name, v in zip(names, columns, strict=True)},
        kinds=kind_of,
        categories=categories,
        target=list(target),
        classes=classes,
        weights=draw(st.sampled_from([None, list(weight)])),
        library=draw(st.sampled_from(["polars", "polars", "pandas"])),
    )


def small_tables(**options: Any) -> st.SearchStrategy[Table]:
    """Draw a table for the laws, which need many trees per table."""
    return tables(max_rows=9, max_columns=3, **options)
