"""What a forest was grown from: the table, and the bag of each tree.

Bags follow from the trees' keys, and these from the forest's seed, so that a forest
that was loaded needs its training table alone to know its out-of-bag rows again.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.schema import Schema
from treewright.errors import DataError, SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.admitted import admitted
from treewright.learners.forest.bags import Bagging, Keys, keys_of
from treewright.learners.forest.forest_settings import ForestSettings
from treewright.learners.recipe import with_common_values
from treewright.prune.labelled_rows import LabelledRows
from treewright.tree.model import Model
from treewright.tree.predict.walk import walk

_OWN = [field.name for field in dataclasses.fields(ForestSettings)]
_NEAR = 1e-6  # weights are rounded in growing
_LIGHT = 1e100  # times lighter than the heaviest row: lighter ones are left out


@dataclass(frozen=True, eq=False)
class GrownFrom:
    """The training table of a forest, and how its trees drew from it."""

    columns: Columns
    bagging: Bagging  # how a tree's rows are drawn
    keys: Keys  # uint64, shape (n_trees,): the key of each tree

    def rows(self, schema: Schema) -> LabelledRows:
        """Return the rows as trees walk on them; `schema` is the grown model's."""
        return LabelledRows.of_columns(self.columns, schema)

    def out_of_bag(self, tree: int) -> npt.NDArray[np.int64]:
        """Return the rows that a tree was not grown from."""
        return np.flatnonzero(self.bagging.counts(self.keys[tree]) == 0)


def found_again(model: Model, columns: Columns, dialect: Dialect) -> GrownFrom:
    """Return what a forest was grown from, given its training table; refuse others."""
    settings = settings_of(model)
    is_known = {*_OWN} <= {*model.settings}
    if not is_known or settings.n_estimators != len(model.trees):
        raise SettingError(
            "the bags of these trees are not known: the model does not say how they "
            "were drawn; fit a forest"
        )
    columns, _ = with_common_values(admitted(columns, dialect), dialect)
    check_schema(model.schema, columns.schema)
    keys = keys_of(model)
    grown = GrownFrom(columns, settings.bagging(columns), keys)
    check_rows(model, grown)
    return grown


def settings_of(model: Model) -> ForestSettings:
    """Return a forest's settings, as far as its model says them."""
    own = {name: model.settings[name] for name in _OWN if name in model.settings}
    return ForestSettings(**own)


def check_schema(then: Schema, now: Schema) -> None:
    """Refuse a table whose columns are not those of a forest."""
    if len(then.features) != len(now.features):
        raise _other_table(
            f"it has {counted(len(now.features), 'feature')}, and that one had "
            f"{len(then.features)}"
        )
    for feature, other in zip(then.features, now.features, strict=True):
        same = feature.name == other.name or not (then.has_names and now.has_names)
        if not same or feature.kind != other.kind:
            raise DataError(
                f"this is not the training table of the forest: feature {other.name!r} "
                f"({other.kind}) was {feature.name!r} ({feature.kind}) there"
            )
        if feature.categories != other.categories:
            raise _other_table(f"feature {feature.name!r} has other categories")
    if then.target.kind != now.target.kind or then.target.classes != now.target.classes:
        raise _other_table("the target has other classes")


def check_rows(model: Model, grown: GrownFrom) -> None:
    """Refuse rows that the trees cannot have been grown from, as far as they know."""
    rows = grown.rows(model.schema)
    target = model.schema.target
    # rows without a value may have been divided, or sent by their class
    complete = not np.isnan(rows.cells).any()
    heaviest = rows.weights.max()  # of the table: weights are rounded beside it
    for tree, key in zip(model.trees, grown.keys, strict=True):
        weights = grown.bagging.counts(key) * rows.weights
        leaves = np.flatnonzero(tree.n_children == 0) if complete else np.array([0])
        ends = walk(tree, rows.cells) if complete else np.zeros(len(rows), np.int32)
        stated = np.where(tree.n_rows[leaves] > 0, tree.weight[leaves], 0.0)
        found = np.bincount(ends, weights, tree.node_count)[leaves]
        far = _NEAR * rows.weights.sum()
        same = bool(np.allclose(found, stated, rtol=_NEAR, atol=far))
        pure = (tree.impurity[ends] == 0) & (weights > 0)
        is_classes = target.kind == "classes"
        answers: npt.NDArray[Any] = (tree.label if is_classes else tree.value)[ends]
        spread = 0.0 if is_classes else float(np.ptp(rows.target))
        if target.costs is None:  # else a pure leaf may name another class
            # the lighter a row, the more is lost of its number in growing
            with np.errstate(over="ignore"):
                lightness = np.minimum(heaviest / weights[pure, None], _LIGHT)
            stated = rows.target[pure]
            off = np.abs(answers[pure] - stated)
            same &= bool((off <= _NEAR * (np.abs(stated) + spread * lightness)).all())
        if not same:
            raise _other_table(
                f"its {counted(len(rows), 'row')} do not end where those of the trees "
                "did"
            )


def _other_table(why: str) -> DataError:
    return DataError(
        f"this is not the training table of the forest: {why}; pass the X, y and "
        "sample_weight of fit, the rows in the same order"
    )
