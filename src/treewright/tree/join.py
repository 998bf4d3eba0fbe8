"""Trees of several schemas under one: two models joined, or trees of one table.

Where numbers are wide (dates, large whole numbers), a tree's thresholds are places in
its schema's table of cuts, and each came with a table of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Feature, Schema
from treewright.errors import DataError, SettingError
from treewright.tree.model import Model
from treewright.tree.structure.compact_tree import CompactTree
from treewright.tree.structure.tree import NodeKind, Tree


def join(first: Model, second: Model) -> Model:
    """Return the first model with the trees of the second behind its own.

    Both must mean the same by a row and by an answer; if not, the first difference is
    named.
    """
    if isinstance(first.trees[0], CompactTree) or isinstance(
        second.trees[0], CompactTree
    ):
        raise SettingError(
            "a compact forest cannot be changed; merge or add first, then compact"
        )
    for what, one, other in _facts(first, second):
        if one != other:
            raise DataError(
                f"only forests that read the same table are joined, and {what} differ: "
                f"{_short(one)} here, {_short(other)} there"
            )
    schema = _with_all_cuts([first.schema, second.schema])
    trees = (
        *_by_cuts(first.trees, first.schema, schema),
        *_by_cuts(second.trees, second.schema, schema),
    )
    return replace(first, schema=schema, trees=trees)


def _facts(first: Model, second: Model) -> Iterator[tuple[str, Any, Any]]:
    """Yield what must be equal, in words and in both models."""
    one, other = first.schema, second.schema
    yield "the features", one.names, other.names
    for mine, its in zip(one.features, other.features, strict=True):
        name = repr(mine.name)
        yield f"the kinds of {name}", mine.kind, its.kind
        yield f"the categories of {name}", mine.categories, its.categories
        yield f"the number types of {name}", mine.storage, its.storage
        yield f"the intervals of {name}", *(_intervals(f) for f in (mine, its))
        yield (
            f"the texts for 'not applicable' of {name}",
            mine.not_applicable,
            its.not_applicable,
        )
    yield "the targets", one.target.names, other.target.names
    yield "the kinds of target", one.target.kind, other.target.kind
    yield "the classes", one.target.classes, other.target.classes
    yield "the costs", one.target.costs, other.target.costs
    yield "the rules for missing values", first.missing, second.missing
    yield "the rules for unseen values", first.unseen, second.unseen
    yield "the probabilities", first.smoothing, second.smoothing
    yield "the ways of voting", first.voting, second.voting


def _intervals(feature: Feature) -> Any:
    """The borders of a feature's intervals, comparable."""
    return None if feature.intervals is None else list(feature.intervals.borders)


def in_one_schema(
    grown: Sequence[tuple[Schema, Tree]],
) -> tuple[Schema, tuple[Tree, ...]]:
    """Return the schema with the cuts of all trees, and the trees that read it."""
    schema = _with_all_cuts([own for own, _ in grown])
    return schema, tuple(
        moved for own, tree in grown for moved in _by_cuts((tree,), own, schema)
    )


def _with_all_cuts(schemas: Sequence[Schema]) -> Schema:
    """The first schema with the cuts that any needs, of features that have tables."""
    features = [
        replace(
            feature,
            cuts=np.unique(
                np.concatenate([_cuts(schema.features[index]) for schema in schemas])
            ),
        )
        if feature.is_wide
        else feature
        for index, feature in enumerate(schemas[0].features)
    ]
    return replace(schemas[0], features=tuple(features))


def _cuts(feature: Feature) -> npt.NDArray[Any]:
    if feature.cuts is None:
        return np.zeros(0, np.uint64 if feature.storage == "uint64" else np.int64)
    return feature.cuts


def _by_cuts(trees: tuple[Tree, ...], old: Schema, new: Schema) -> Iterator[Tree]:
    """The trees with thresholds that are places in the new tables of cuts."""
    places = {
        index: np.searchsorted(_cuts(new.features[index]), _cuts(feature))
        for index, feature in enumerate(old.features)
        if feature.is_wide
    }
    for tree in trees:
        if not places:
            yield tree
            continue
        own = _moved(tree.feature, tree.kind, tree.threshold, places)
        others = tree.surrogates
        theirs = _moved(others.feature, others.kind, others.threshold, places)
        yield replace(tree, threshold=own, surrogates=replace(others, threshold=theirs))


def _moved(
    feature: npt.NDArray[np.int32],
    kind: npt.NDArray[np.uint8],
    threshold: npt.NDArray[np.float64],
    places: dict[int, npt.NDArray[np.intp]],
) -> npt.NDArray[np.float64]:
    out = threshold.copy()
    for index, place in places.items():
        nodes = np.flatnonzero((feature == index) & (kind == NodeKind.CUT))
        out[nodes] = place[threshold[nodes].astype(np.intp)]
    return out


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else text[:79] + "…"
