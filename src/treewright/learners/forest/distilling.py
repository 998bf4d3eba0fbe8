"""Distilling: the one small tree that agrees best with a forest.

    make new rows: copies of rows of the table, some values of each from other rows
    ask the forest about them
    grow a tree from these rows and answers, and prune it by others of the same kind

The forest answers as many questions as one likes, so the tree need not live on the few
rows that there are.

References
----------
Breiman, L. and Shang, N. (1996). Born again trees. Technical report, University of
California, Berkeley.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.coded_cells import coded_cells
from treewright.data.columns import Columns, DenseColumn
from treewright.data.schema import Schema
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.recipe import grow_tree
from treewright.sources.sparse import refuse_large
from treewright.tree.model import DISTILLED_FROM, Model
from treewright.tree.structure.tree import NO_CLASS

Floats = npt.NDArray[np.float64]

FEWEST_MADE, MOST_MADE = 5_000, 200_000
SMALL = 32  # leaves that a reader can still take in
_HELD_SHARE = 1 / 3  # of the made rows, which the tree is pruned by


@dataclass(frozen=True)
class DistilSettings:
    """How a tree is made of a forest."""

    # new rows; None: ten times the table, but 5000 to 200 000
    n_made: int | None = None
    # probability that a value of a new row comes from another row
    replaced: float = 0.25
    # most leaves of the tree: 32, which can still be read. None: as many as the
    # agreement with new rows asks for, which may be thousands.
    max_leaf_nodes: int | None = SMALL
    random_state: int = 0  # seed of the new rows

    def check(self) -> None:
        """Refuse what is out of its range."""
        if self.n_made is not None and not 10 <= self.n_made <= 10_000_000:
            raise SettingError(
                f"n_made is {self.n_made!r}; it must be None or 10 to 10 000 000 rows"
            )
        if not 0 <= self.replaced <= 1:
            raise SettingError(f"replaced is {self.replaced!r}; it must be 0 to 1")
        if self.max_leaf_nodes is not None and self.max_leaf_nodes < 2:
            raise SettingError(
                f"max_leaf_nodes is {self.max_leaf_nodes!r}; it must be None or at "
                "least 2"
            )

    def rows_for(self, n_rows: int) -> int:
        """Return how many rows are made beside a table."""
        usual = min(max(10 * n_rows, FEWEST_MADE), MOST_MADE)
        return usual if self.n_made is None else self.n_made


@dataclass(frozen=True, eq=False)
class Distilled:
    """A tree that stands for a forest."""

    model: Model
    # on rows that were made for this alone: the share that tree and forest answer
    # alike; for numbers R squared of the tree's answers as those of the forest
    agreement: float
    n_made: int  # rows that were made to grow and prune the tree


def distil(forest: Model, columns: Columns, settings: DistilSettings) -> Distilled:
    """Return the tree that agrees best with a forest, of those that pruning leaves.

    `forest`: any model with one output. `columns`: the table that it was grown from;
    only the features are looked at. `settings`: how many rows are made, and how large
    the tree may be.
    """
    if columns.schema.target.n_outputs != 1:
        raise SettingError(
            f"a forest of {columns.schema.target.n_outputs} outputs cannot be "
            "distilled; fit one for each"
        )
    random = np.random.default_rng(settings.random_state)
    n_made = settings.rows_for(columns.n_rows)
    made = smeared(columns, n_made, settings.replaced, random)
    model = grow_tree(
        answered(forest, _stacked(columns, made)), _dialect(forest, settings)
    )
    fresh = answered(forest, smeared(columns, n_made, settings.replaced, random))
    agreement = _agreement(model, fresh)
    n_trees = len(forest.trees)
    note = f"a tree that stands for a forest of {n_trees} trees"
    kept = {**model.settings, DISTILLED_FROM: n_trees}
    model = dataclasses.replace(model, notes=(*model.notes, note), settings=kept)
    return Distilled(model, agreement, n_made)


def smeared(
    columns: Columns, n_rows: int, share: float, random: np.random.Generator
) -> Columns:
    """Return new rows: each a row of the table, some values from other rows."""
    base, sources = drawn_sources(columns.n_rows, n_rows, share, random)
    pairs = zip(columns.features, sources, strict=False)
    codes = (column.codes[source] for column, source in pairs)
    return _made(columns, codes, columns.target[base])


def drawn_sources(
    n_table: int, n_rows: int, share: float, random: np.random.Generator
) -> tuple[npt.NDArray[np.int64], Iterator[npt.NDArray[np.int64]]]:
    """Return the rows that new ones are made from, and for each feature its source."""
    base = random.integers(n_table, size=n_rows)

    def sources() -> Iterator[npt.NDArray[np.int64]]:
        while True:
            other = random.integers(n_table, size=n_rows)
            yield np.where(random.random(n_rows) < share, other, base)

    return base, sources()


def _stacked(one: Columns, other: Columns) -> Columns:
    """The rows of both, without their weights."""
    pairs = zip(one.features, other.features, strict=True)
    codes = (np.concatenate([a.codes, b.codes]) for a, b in pairs)
    return _made(one, codes, np.concatenate([one.target, other.target]))


def _made(
    columns: Columns,
    codes: Iterable[npt.NDArray[np.unsignedinteger]],
    target: npt.NDArray[Any],
) -> Columns:
    """Rows of these codes, which stand in no table and have no weights."""
    features = tuple(
        DenseColumn(own, one.n_codes, one.values, bool((own == one.n_codes).any()))
        for one, own in zip(columns.features, codes, strict=True)
    )
    return dataclasses.replace(
        columns,
        features=features,
        target=target,
        weights=None,
        notes=(),
        given_rows=None,
    )


def answered(forest: Model, columns: Columns) -> Columns:
    """Return the rows with the forest's answers for a target; not those without one."""
    target = columns.schema.target
    cells = cells_of(columns, forest.schema)
    said = forest.answers(cells)
    schema = dataclasses.replace(
        columns.schema, target=dataclasses.replace(target, costs=None)
    )
    columns = dataclasses.replace(columns, schema=schema, target=said)
    if target.kind == "classes":
        columns = columns.take(np.flatnonzero(said[:, 0] != NO_CLASS))
    return columns


def cells_of(columns: Columns, schema: Schema) -> Floats:
    """Return encoded rows as the cells that trees of a schema walk on."""
    refuse_large(columns, "distilling")
    return coded_cells(columns, schema.features)


def _dialect(forest: Model, settings: DistilSettings) -> Dialect:
    """CART, pruned by the errors on held-out rows within one standard error."""
    is_classes = forest.schema.target.kind == "classes"
    usual = CART if is_classes else CART_NUMBERS
    return usual.change(
        missing=forest.missing,
        unseen=forest.unseen,
        max_leaf_nodes=settings.max_leaf_nodes,
        pruning="cost_complexity",
        complexity_by="misclassification" if is_classes else "impurity",
        alpha_choice="validation",
        alpha_rule="one_se",
        validation_share=_HELD_SHARE,
        random_state=settings.random_state,
    )


def _agreement(model: Model, fresh: Columns) -> float:
    said = model.answers(cells_of(fresh, model.schema))
    if model.schema.target.kind == "classes":
        return float((said == fresh.target).all(axis=1).mean())
    spread = float(((fresh.target - fresh.target.mean()) ** 2).mean())
    apart = float(((said - fresh.target) ** 2).mean())
    return 1.0 - apart / spread if spread > 0 else float(apart == 0)
