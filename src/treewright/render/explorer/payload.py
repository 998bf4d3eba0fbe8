"""What a page embeds: the trees' arrays, the schema, and what was found on rows.

Arrays are base64 of their bytes, so that thresholds are the same bits in the page and
20 000 nodes are read at once. Everything else is plain JSON.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.labels import text
from treewright.data.schema import Feature, Label, Schema, Target
from treewright.prune.cost_complexity.held_out_risk import HeldOutRisk
from treewright.render.explorer.bound_rows import BoundRows
from treewright.render.explorer.pruning_steps import pruning_data
from treewright.render.explorer.row_data import rows_data
from treewright.render.json_text import packed, plain
from treewright.render.listing.remarks import remarks
from treewright.tree.model import Model
from treewright.tree.structure.branch_words import (
    asked_name,
    branch_condition,
    category_text,
    label_text,
)
from treewright.tree.structure.combination import is_combination
from treewright.tree.structure.tree import REASONS, NodeKind, Tree

MOST_CATEGORIES = 12  # that a branch spells out

_NODE_ARRAYS = {
    "kind": "u1",
    "feature": "i4",
    "threshold": "f8",
    "first_child": "i4",
    "n_children": "i4",
    "missing_branch": "i4",
    "set_start": "i4",
    "set_codes": "i4",
    "value": "f8",
    "label": "i4",
    "n_rows": "f8",  # JavaScript's own integers end at 2^53
    "weight": "f8",
    "impurity": "f8",
    "gain": "f8",
    "reason": "u1",
}
_SURROGATE_ARRAYS = {
    "start": "i4",
    "feature": "i4",
    "kind": "u1",
    "threshold": "f8",
    "branch": "i4",
    "set_start": "i4",
    "set_codes": "i4",
    "set_branch": "i4",
}


@dataclass(frozen=True)
class PageParts:
    """What a page has besides the model."""

    # rows whose figures are shown: the training rows, or others
    rows: BoundRows | None = None
    embedded: int = 0  # how many of these rows stand in the page themselves
    # the calculation of each node, as JSON data: `{"steps": [...]}`
    chalk: dict[str, Any] | None = None
    # for each step of the pruning path the error on rows that were left out
    cross_validation: HeldOutRisk | None = None
    title: str = ""  # what the page is called; if empty, after the target


def payload_of(model: Model, parts: PageParts) -> dict[str, Any]:
    """Return everything that the page reads, as JSON data."""
    target = model.schema.target
    data: dict[str, Any] = {
        "title": parts.title or ", ".join(label_text(name) for name in target.names),
        "learner": model.learner,
        "criterion": str(model.settings.get("criterion", "")),
        "settings": {name: plain(value) for name, value in model.settings.items()},
        "unseen": model.unseen,
        "missing": model.missing,
        "notes": [*model.notes, *remarks(model, model.trees[0])],
        "smoothing": {
            "kind": model.smoothing.kind,
            "priorWeight": model.smoothing.prior_weight,
        },
        "reasons": {str(int(reason)): words for reason, words in REASONS.items()},
        "features": [_feature_data(feature) for feature in model.schema.features],
        "target": _target_data(target),
        "trees": [_tree_data(model.schema, tree) for tree in model.trees],
        "chalk": parts.chalk,
    }
    if len(model.trees) == 1:
        data["pruning"] = pruning_data(model, parts.rows, parts.cross_validation)
    if parts.rows is not None:
        data["rows"] = rows_data(model, parts.rows, parts.embedded)
    return data


def _tree_data(schema: Schema, tree: Tree) -> dict[str, Any]:
    """The arrays of a tree, and each branch in words."""
    data: dict[str, Any] = {
        name: packed(getattr(tree, name), dtype) for name, dtype in _NODE_ARRAYS.items()
    }
    relations, values = [""] * tree.node_count, [""] * tree.node_count
    for node in np.flatnonzero(tree.kind != NodeKind.LEAF).tolist():
        for branch, child in enumerate(tree.children(node)):
            condition = branch_condition(
                schema, tree, node, branch, most=MOST_CATEGORIES
            )
            relations[child], values[child] = condition.relation, condition.value
    data["relations"], data["values"] = relations, values
    sums = np.flatnonzero(is_combination(tree)).tolist()
    if sums:
        data["sums"] = {str(node): asked_name(schema, tree, node) for node in sums}
    if len(tree.surrogates):
        data["surrogates"] = {
            name: packed(getattr(tree.surrogates, name), dtype)
            for name, dtype in _SURROGATE_ARRAYS.items()
        }
    return data


def _feature_data(feature: Feature) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": label_text(feature.name),
        "key": feature.name,
        "kind": feature.kind,
    }
    if feature.kind != "numeric":
        codes = range(len(feature.categories))
        data["categories"] = [category_text(feature, code) for code in codes]
        data["labels"] = [_label(label) for label in feature.categories]
        data["texts"] = [text(label) for label in feature.categories]
    if feature.intervals is not None:
        own = feature.intervals
        data["intervals"] = list(own.codes)
        data |= _storage(own.storage, own.cuts)
    elif feature.is_wide:
        cuts = np.zeros(0, np.int64) if feature.cuts is None else feature.cuts
        data |= _storage(feature.storage, cuts)
    return data


def _storage(storage: str, cuts: npt.NDArray[Any]) -> dict[str, Any]:
    """How numbers are compared, and with what; 64-bit integers as text."""
    if storage == "float64":
        return {"storage": storage, "cuts": [*map(plain, cuts.tolist())]}
    return {"storage": storage, "cuts": [str(cut) for cut in cuts.tolist()]}


def _target_data(target: Target) -> dict[str, Any]:
    return {
        "kind": target.kind,
        "names": [label_text(name) for name in target.names],
        "classes": [[label_text(label) for label in own] for own in target.classes],
        "labels": [[_label(label) for label in own] for own in target.classes],
        "costs": target.costs,
    }


def _label(label: Label) -> Any:
    """A label as what JSON has, so that the page can tell 1 from "1"."""
    value = plain(label)
    return text(label) if isinstance(value, list | dict) else value
