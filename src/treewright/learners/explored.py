"""What an explorer page says of rows: counts, chalk, and cross-validated errors.

Chalk and errors are to be had of the rows that the tree was grown from: it is grown
again, once to be watched, and for the errors along the pruning path once for each fold,
from the other rows. Large tables and trees do without them.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.encoding.encode import encode
from treewright.data.schema import Feature
from treewright.data.tables.frames import read_frame
from treewright.errors import SettingError, TreewrightError
from treewright.grow.dialect import Dialect
from treewright.learners.chalked import dialect_of
from treewright.learners.choose_alpha import cross_validated, stratified_folds
from treewright.learners.recipe import grow_tree
from treewright.learners.watching import Watching
from treewright.prune.cost_complexity.held_out_risk import HeldOutRisk
from treewright.render.explorer import BoundRows, PageParts
from treewright.render.explorer.chalk_data import chalk_data
from treewright.render.explorer.pruning_steps import path_of_model
from treewright.tree.model import Model
from treewright.tree.structure.tree import Tree

MOST_CELLS = 500_000  # that are grown from again, ten times
MOST_NODES = 3_000  # of a tree that is grown again for errors
MOST_CHALKED = 200  # nodes with chalk: the top of a larger tree
LEAST_ROWS = 20  # fewer give no error worth a curve


def page_parts(
    model: Model,
    table: Any,
    y: Any,
    *,
    embedded: int = 0,
    chalk: dict[str, Any] | None = None,
) -> PageParts:
    """Return what a page can say of a model and a table with its answers.

    `model`: what the page shows. `table`, `y`: the training rows, or others.
    `embedded`: how many of the rows the page itself has. `chalk`: the calculation of
    each node as JSON data, if it is known already.
    """
    rows = BoundRows.of_table(model, table, y)
    parts = PageParts(rows=rows, embedded=embedded, chalk=chalk)
    is_large = rows.labelled.cells.size > MOST_CELLS
    if len(model.trees) != 1 or is_large or not rows.are_training:
        return parts
    dialect = _dialect(model)
    if dialect is None:
        return parts  # CAL2 and CAL3 compare no features at a node
    try:
        columns = _columns(model, rows, table, y)
        watch = _watched(model, columns, dialect)
        if watch is None:
            return dataclasses.replace(
                parts, rows=dataclasses.replace(rows, are_others=True)
            )
        assert watch.grown is not None
        tree, schema = watch.grown.tree, watch.grown.schema
        return dataclasses.replace(
            parts,
            chalk=chalk or chalk_data(model, watch.record(), tree, schema),
            cross_validation=_cross_validation(model, columns, dialect),
        )
    except TreewrightError:
        return parts  # a page without them is still a page


def _columns(model: Model, rows: BoundRows, table: Any, y: Any) -> Columns:
    """The table as the model was grown from it; intervals are categories already."""
    features = model.schema.features
    if any(feature.intervals for feature in features):
        table = {
            feature.name: _cells(feature, rows.labelled.cells[:, number])
            if feature.intervals
            else cells
            for number, (feature, cells) in enumerate(
                zip(features, _cells_by_name(model, table), strict=True)
            )
        }
    here = read_frame(table).names
    return encode(
        table,
        y,
        task=model.schema.target.kind,
        feature_kinds={each.name: _kind(each) for each in features},
        ignore=[name for name in here if name not in model.schema.names],
        target_names=model.schema.target.names,
    )


def _cells_by_name(model: Model, table: Any) -> list[Any]:
    """The columns of a table in the order of the model's features."""
    import narwhals as nw  # noqa: PLC0415 - slow to load

    if isinstance(table, dict):
        return [table[name] for name in model.schema.names]
    if isinstance(table, np.ndarray):
        return list(table.T)
    frame = nw.from_native(table, eager_only=True)
    return [frame[name].to_list() for name in model.schema.names]


def _cells(feature: Feature, codes: npt.NDArray[np.float64]) -> list[Any]:
    """The names of the intervals that numbers are in; None for missing ones."""
    names = feature.categories
    return [None if np.isnan(code) else names[int(code)] for code in codes.tolist()]


def _watched(model: Model, columns: Columns, dialect: Dialect) -> Watching | None:
    """The growing of the model, down to where it would be too much to show.

    None if another tree grows from the rows.
    """
    depths = model.trees[0].depths()
    at_depth = np.cumsum(np.bincount(depths))
    deepest = int(np.searchsorted(at_depth, MOST_CHALKED, side="right")) - 1
    watch = Watching(depth=max(deepest, 0), counts_cuts=False)
    again = grow_tree(columns, dialect, watch=watch).trees[0]
    return watch if _is_same(model.trees[0], again) else None


def _is_same(one: Tree, other: Tree) -> bool:
    """Whether two trees are one; categories may be numbered in another order.

    Gains and rows tell: other rows may come to the same nodes, but not gain the same.
    """
    if one.node_count != other.node_count:
        return False
    pairs = [(one.n_rows, other.n_rows), (one.gain, other.gain)]
    pairs += [(one.impurity, other.impurity), (one.value, other.value)]
    return all(
        np.allclose(np.sort(own, axis=0), np.sort(others, axis=0), rtol=1e-9)
        for own, others in pairs
    )


def _cross_validation(
    model: Model, columns: Columns, dialect: Dialect
) -> HeldOutRisk | None:
    """The errors of the slider's steps; None where they are not to be had."""
    path = path_of_model(model)
    divided = any(feature.intervals for feature in model.schema.features)
    if len(path) < 2 or columns.n_rows < LEAST_ROWS or divided:
        return None  # intervals would have to be found in each fold
    if model.trees[0].node_count > MOST_NODES:
        return None
    folds = stratified_folds(columns, dialect)
    return cross_validated(columns, dialect, path, folds, grow_tree)


def _dialect(model: Model) -> Dialect | None:
    """How the model was grown; None if other rows or costs had a say in it."""
    try:
        dialect = dialect_of(model)
    except SettingError:
        return None  # a model that another program wrote
    told = dialect.wants_validation or dialect.validation_share is not None
    return None if told or dialect.costs_in_growing else dialect


def _kind(feature: Feature) -> Any:
    """How a feature was declared, or as if it had been."""
    kind: Any = feature.kind
    if feature.kind == "ordinal":
        kind = list(feature.categories)
    if feature.not_applicable is None:
        return kind
    return {"kind": kind, "not_applicable": feature.not_applicable}
