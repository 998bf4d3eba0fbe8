"""An incremental tree as a `Model`, and its rows as `Columns`.

The core tells cuts by the keys on both sides and sets by the keys in them; here they
become what the growing loop would have written, and `grow/finish.py` does the rest.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Column, Columns, DenseColumn
from treewright.data.encoding.feature_kinds import smallest_codes
from treewright.data.labels import family, plain
from treewright.data.rank import rank
from treewright.data.schema import Feature, Label, Schema, Target
from treewright.data.tables.raw import LARGEST_EXACT
from treewright.grow.builder import Builder
from treewright.grow.finish import finish, with_wide_cuts
from treewright.learners.incremental.incremental_columns import (
    NO_VALUE,
    Keys,
    numbers_of,
)
from treewright.learners.incremental.updating import IncrementalLearner
from treewright.learners.recipe import model_of, notes_of
from treewright.sources.class_statistics import ClassStatistics
from treewright.tree.model import Model
from treewright.tree.structure.tree import NodeKind

NO_CODES: npt.NDArray[np.uint8] = np.zeros(0, np.uint8)


@dataclasses.dataclass(frozen=True, eq=False)
class _Coded:
    """A column as the schema has it, and the code of each key; -1: it has no row."""

    feature: Feature
    codes: npt.NDArray[np.int32]
    storage: str = "float64"  # of the keys


def model_from(learner: IncrementalLearner) -> Model:
    """Return the tree as it is now."""
    coded = [_coded(learner, number) for number in range(len(learner.columns))]
    flat = learner.core.flatten([one.codes for one in coded])
    schema = _schema(learner, coded)
    statistics = ClassStatistics(
        learner.dialect.criterion,
        np.zeros((0, 1), np.uint32),
        schema.target.slots,
        None,
    )
    builder, features = _builder(flat, coded, learner)
    target = np.zeros((learner.n_rows, 1), np.int32)
    columns = Columns(schema, features, target)
    inner = np.flatnonzero(builder.n_children)
    score = np.maximum(builder.gain[inner], 0.0)
    builder.gain[inner] = statistics.gain(
        score, statistics.weight(builder.statistics[inner])
    )
    grown = finish(builder, columns, statistics, learner.dialect)
    schema, trees = with_wide_cuts(schema, [grown])
    model = model_of(schema, trees, learner.dialect)
    return dataclasses.replace(model, notes=notes_of(columns, trees[0]))


def columns_from(learner: IncrementalLearner) -> Columns:
    """Return the rows that are there, as they are grown from."""
    coded = [_coded(learner, number) for number in range(len(learner.columns))]
    keys, classes = learner.core.rows()
    features = tuple(_column(one, own) for one, own in zip(coded, keys.T, strict=True))
    target = classes.astype(np.int32)[:, None]
    return Columns(_schema(learner, coded), features, target)


def _schema(learner: IncrementalLearner, coded: list[_Coded]) -> Schema:
    classes = tuple(map(plain, learner.classes))
    target = Target("classes", (learner.target,), (classes,))
    features = tuple(one.feature for one in coded)
    return Schema(features, target, has_names=learner.named)


def _coded(learner: IncrementalLearner, number: int) -> _Coded:
    """Return what a column is, given the rows that are there."""
    column = learner.columns[number]
    own = column.feature
    assert own is not None
    if own.kind == "numeric":
        storage = _storage(learner, number, own)
        shown = dataclasses.replace(own, storage=storage)
        return _Coded(shown, np.zeros(0, np.int32), own.storage)
    keys = np.argsort(column.ranks())
    if not column.declared:
        keys = keys[learner.core.key_counts(number)[keys] > 0]
    codes = np.full(len(column.labels), -1, np.int32)
    codes[keys] = np.arange(len(keys), dtype=np.int32)
    labels = _as_written([column.labels[key] for key in keys])
    return _Coded(dataclasses.replace(own, categories=labels), codes)


def _as_written(labels: list[Label]) -> tuple[Label, ...]:
    """Return labels as a table of all rows has them: numbers of one type."""
    if not labels or family(labels[0]) is not float:
        return tuple(labels)
    numbers: list[Any] = list(labels)
    if all(float(number).is_integer() for number in numbers):
        return tuple(int(number) for number in numbers)
    return tuple(float(number) for number in numbers)


def _storage(learner: IncrementalLearner, number: int, own: Feature) -> str:
    """Return the storage; integers are wide only while a large one is there."""
    if own.storage not in ("int64", "uint64"):
        return own.storage
    keys = learner.core.column(number)
    values = numbers_of(keys[keys != NO_VALUE], own.storage)
    if len(values) and max(int(values.max()), -int(values.min())) > LARGEST_EXACT:
        return own.storage
    return "float64"


def _builder(
    flat: tuple[Any, ...], coded: list[_Coded], learner: IncrementalLearner
) -> tuple[Builder, tuple[Column, ...]]:
    """Return the arrays as the growing loop leaves them, and the values of cuts."""
    (feature, low, high, *_) = flat
    statistics = flat[6]
    builder = Builder(statistics.shape[1], 1)
    builder.n_nodes = len(feature)
    builder.feature = feature
    builder.first_child, builder.n_children, builder.missing_branch = flat[3:6]
    builder.statistics, builder.n_rows, builder.parent, builder.depth = flat[6:10]
    builder.gain, builder.reason = flat[10:12]
    builder.pure = (statistics > 0).sum(axis=1) < 2
    builder.kind = np.full(len(feature), NodeKind.LEAF, np.uint8)
    builder.low = np.zeros(len(feature), np.int32)
    builder.high = np.zeros(len(feature), np.int32)
    columns = []
    for number, one in enumerate(coded):
        nodes = np.flatnonzero(feature == number)
        builder.kind[nodes] = _node_kind(one.feature, learner)
        values = None
        if one.feature.kind == "numeric":
            used, codes = np.unique([low[nodes], high[nodes]], return_inverse=True)
            codes = codes.reshape(2, -1)
            builder.low[nodes], builder.high[nodes] = codes
            values = _values(one, used)
        elif one.feature.kind == "ordinal" and len(nodes):
            builder.low[nodes] = one.codes[low[nodes]]
        columns.append(
            DenseColumn(NO_CODES, len(one.feature.categories), values, False)
        )
    stops = np.cumsum(flat[12])
    for node in np.flatnonzero(flat[12]):
        codes = flat[13][stops[node] - flat[12][node] : stops[node]]
        builder.sets[int(node)] = codes
    return builder, tuple(columns)


def _values(one: _Coded, keys: Keys) -> npt.NDArray[Any]:
    """Return the numbers of keys, as the schema stores them."""
    values = numbers_of(keys, one.storage)
    return values.astype(np.float64) if one.feature.storage == "float64" else values


def _node_kind(feature: Feature, learner: IncrementalLearner) -> NodeKind:
    if learner.dialect.nominal_splits == "multiway":
        return NodeKind.MULTIWAY
    kinds = {"nominal": NodeKind.SUBSET, "ordinal": NodeKind.ORDER}
    return kinds.get(feature.kind, NodeKind.CUT)


def _column(one: _Coded, keys: Keys) -> Column:
    """Return the cells of a column as codes."""
    known = keys != NO_VALUE
    has_missing = not bool(known.all())
    if one.feature.kind != "numeric":
        n_codes = len(one.feature.categories)
        codes = np.full(len(keys), n_codes, np.int64)
        codes[known] = one.codes[keys[known]]
        return DenseColumn(smallest_codes(codes, n_codes), n_codes, None, has_missing)
    ranks, distinct, _ = rank(keys, ~known)
    values = _values(one, distinct)
    small = smallest_codes(ranks, len(values))
    return DenseColumn(small, len(values), values, has_missing)
