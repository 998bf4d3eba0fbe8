"""The pruning slider's data: when each node becomes a leaf, and the errors then.

Step k of the slider is the tree of `prune("cost_complexity", ccp_alpha=alphas[k])`. One
number for each node says it all: the step from which on it is a leaf.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.prune.cost_complexity.by_complexity import table_of
from treewright.prune.cost_complexity.held_out_risk import HeldOutRisk, held_out_risk
from treewright.prune.cost_complexity.nested_trees import PruningPath, pruning_path
from treewright.render.explorer.bound_rows import BoundRows
from treewright.tree.model import Model


def path_of_model(model: Model) -> PruningPath:
    """The pruning sequence of a fitted tree, as `prune` would make it."""
    return pruning_path(
        model.trees[0],
        model.schema.target,
        by=model.settings.get("complexity_by", "impurity"),
        links=model.settings.get("weakest_links", "exact"),
    )


def pruning_data(
    model: Model, rows: BoundRows | None, cross_validation: HeldOutRisk | None
) -> dict[str, Any]:
    """Return the steps with leaves, alphas and errors, as JSON data."""
    path = path_of_model(model)
    held_out = None
    if rows is not None and not rows.are_training:
        held_out = held_out_risk(
            path,
            path.alphas,
            rows.labelled,
            model.schema.target,
            absolute=model.settings.get("criterion") == "absolute_error",
        )
    table = table_of(path, model.schema, chosen=0)
    return {
        "lastStep": path.last_step.tolist(),
        "alphas": path.alphas.tolist(),
        "leaves": path.n_leaves.tolist(),
        "training": _plain(table.training_error),
        "heldOut": _risk(held_out),
        "crossValidation": _risk(cross_validation),
    }


def _risk(risk: HeldOutRisk | None) -> dict[str, Any] | None:
    """Errors with their standard errors, and the two usual choices."""
    if risk is None:
        return None
    return {
        "error": _plain(risk.risk),
        "standardError": _plain(risk.standard_error),
        "least": risk.best_step("minimum"),
        "oneStandardError": risk.best_step("one_se"),
    }


def _plain(values: npt.NDArray[np.float64]) -> list[float | None]:
    return [value if np.isfinite(value) else None for value in values.tolist()]
