"""Surrogates from batches of splits, in codes, to one row of arrays in node order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Schema
from treewright.grow.builder import Builder
from treewright.sources.source import FoundSurrogates
from treewright.tree.structure.surrogates import (
    NO_SURROGATES,
    Surrogates,
    starts_of,
    stretches,
)
from treewright.tree.structure.tree import NodeKind

_KINDS = {
    "numeric": NodeKind.CUT,
    "ordinal": NodeKind.ORDER,
    "nominal": NodeKind.SUBSET,
}

NO_CODES = np.zeros(0, np.int32)


@dataclass(frozen=True, eq=False)
class CodedSurrogates:
    """Surrogates without thresholds, and the codes on both sides of their cuts."""

    surrogates: Surrogates
    low: npt.NDArray[np.int32]
    high: npt.NDArray[np.int32]


def coded_surrogates(builder: Builder, schema: Schema) -> CodedSurrogates:
    """The surrogates of a grown tree, node after node."""
    if not builder.surrogates:
        return CodedSurrogates(NO_SURROGATES, NO_CODES, NO_CODES)
    found = [each for _, each in builder.surrogates]
    node = np.concatenate(
        [np.repeat(own, each.n_surrogates) for own, each in builder.surrogates]
    )
    order = np.argsort(node, kind="stable")
    arrays = {
        name: np.concatenate([getattr(each, name) for each in found])
        for name in FoundSurrogates.__dataclass_fields__
    }
    size = arrays["n_codes"]
    which = stretches(starts_of(size)[:-1][order], size[order])
    kind = np.array([_KINDS[feature.kind] for feature in schema.features], np.uint8)
    feature = arrays["feature"][order]
    surrogates = Surrogates(
        start=starts_of(np.bincount(node, minlength=builder.n_nodes)),
        feature=feature,
        kind=kind[feature],
        threshold=np.full(len(order), np.nan),
        branch=arrays["branch"][order],
        agreement=arrays["agreement"][order],
        adjusted=arrays["adjusted"][order],
        set_start=starts_of(size[order]),
        set_codes=arrays["codes"][which],
        set_branch=arrays["branch_of_code"][which],
    )
    low, high = (arrays[name][order].astype(np.int32) for name in ("low", "high"))
    return CodedSurrogates(surrogates, low, high)
