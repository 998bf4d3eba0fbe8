"""A bush: splits that need not be in any tree, as trees of one node each.

Candidate splits are counted in codes, like those of a grown tree; put into one
`Builder`, they get their thresholds and names the way a tree does (`finish.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.schema import Schema
from treewright.grow.builder import Builder
from treewright.grow.chalk.growing_record import Part
from treewright.grow.dialect import Dialect
from treewright.grow.finish import finish, with_wide_cuts
from treewright.sources.node_statistics import Statistics
from treewright.sources.source import Tabulated
from treewright.tree.structure.branch_words import (
    BranchCondition,
    branch_condition,
    cut_value,
)
from treewright.tree.structure.tree import NodeKind, Tree

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Bush:
    """Splits with names and numbers; item i is node i of `tree`."""

    tree: Tree
    schema: Schema
    parts: PartMaker

    def branches(self, item: int) -> tuple[Part, ...]:
        """The branches of a split that have rows."""
        return tuple(
            self.parts.part(
                child, branch_condition(self.schema, self.tree, item, branch)
            )
            for branch, child in enumerate(self.tree.children(item))
            if self.tree.n_rows[child]
        )

    def threshold(self, item: int) -> float | None:
        """Where a split cuts, as a number; dates count in their own unit."""
        kind = self.tree.kind_of(item)
        threshold = float(self.tree.threshold[item])
        if kind == NodeKind.ORDER:
            return threshold
        if kind != NodeKind.CUT:
            return None
        value = cut_value(self.schema.features[self.tree.feature[item]], threshold)
        if isinstance(value, np.generic):
            value = value.view(np.int64)
        return float(value)


class PartMaker:
    """Makes a `Part` of each row of some statistics."""

    def __init__(
        self,
        statistics: Statistics,
        sums: Ints,
        pure: npt.NDArray[np.bool_],
        n_rows: Ints,
        slots: list[slice],
    ) -> None:
        self.weight = statistics.weight(sums).tolist()
        value = statistics.value(sums, pure & (n_rows > 0))
        self.value = value.tolist()
        self.impurity = np.where(
            pure | (n_rows == 0), 0.0, statistics.impurity(sums)
        ).tolist()
        self.n_rows = n_rows.tolist()
        self.slots = slots

    def part(self, index: int, branch: BranchCondition | None = None) -> Part:
        """The part with this number, and the name of the branch that it is."""
        value = self.value[index]
        counts = tuple(tuple(value[slot]) for slot in self.slots)
        return Part(
            name="" if branch is None else branch.answer,
            relation="" if branch is None else branch.relation,
            n_rows=self.n_rows[index],
            weight=self.weight[index],
            counts=counts,
            values=() if counts else tuple(value),
            impurity=self.impurity[index],
        )


def class_slots(schema: Schema) -> list[slice]:
    """Where the classes of each output stand; none for numbers."""
    return list(schema.target.slots) if schema.target.kind == "classes" else []


def bush_of(
    tables: Tabulated,
    features: npt.NDArray[np.int32],
    kinds: npt.NDArray[np.uint8],
    columns: Columns,
    statistics: Statistics,
    dialect: Dialect,
) -> Bush:
    """Make a bush of tables; `features` and `kinds` are those of each split."""
    n_items = len(features)
    builder = Builder(tables.statistics.shape[1], n_items + len(tables.n_rows))
    ends = np.cumsum(tables.n_branches)
    owner = np.repeat(np.arange(n_items, dtype=np.int32), tables.n_branches)
    builder.append(
        statistics=tables.known,
        n_rows=np.add.reduceat(
            np.append(tables.n_rows, 0), np.append(ends - tables.n_branches, ends[-1:])
        )[:n_items],
        pure=np.zeros(n_items, bool),
        parent=np.full(n_items, -1, np.int32),
    )
    builder.append(
        statistics=tables.statistics,
        n_rows=tables.n_rows,
        pure=tables.pure,
        parent=owner,
    )
    items = slice(0, n_items)
    builder.kind[items] = kinds
    builder.feature[items] = features
    builder.low[items] = tables.low
    builder.high[items] = tables.high
    builder.n_children[items] = tables.n_branches
    builder.first_child[items] = n_items + ends - tables.n_branches
    stops = np.cumsum(tables.n_set)
    for item in np.flatnonzero(tables.n_set).tolist():
        start = stops[item] - tables.n_set[item]
        builder.sets[item] = tables.set_codes[start : stops[item]]
    schema, (tree,) = with_wide_cuts(
        columns.schema, [finish(builder, columns, statistics, dialect)]
    )
    n_nodes = builder.n_nodes
    parts = PartMaker(
        statistics,
        builder.statistics[:n_nodes],
        builder.pure[:n_nodes],
        builder.n_rows[:n_nodes],
        class_slots(schema),
    )
    return Bush(tree, schema, parts)
