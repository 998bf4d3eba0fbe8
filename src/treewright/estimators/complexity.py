"""Cost complexity as users see it: scikit-learn's path, and rpart's table."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import Bunch

from treewright.prune.cost_complexity.nested_trees import pruning_path
from treewright.tree.model import Model


def complexity_path(model: Model, by: str) -> Any:
    """Return the alphas and impurities of a model's pruning path, as scikit-learn."""
    path = pruning_path(model.trees[0], model.schema.target, by=by)
    return Bunch(ccp_alphas=path.alphas, impurities=path.risks, n_leaves=path.n_leaves)


def complexity_table(model: Model) -> npt.NDArray[np.float64]:
    """Return rpart's table: a row for each tree of the path, the smallest first.

    The columns are CP, number of splits and relative error; after a cross-validation
    or validation also its relative error and standard error.
    """
    table = model.pruning_table
    if table is None or table.alpha is None:
        raise AttributeError(
            "this tree was not pruned by cost complexity; set "
            "pruning='cost_complexity', or dialect='rpart'"
        )
    root = float(table.training_error[-1]) or 1.0
    by_impurity = model.settings.get("complexity_by") == "impurity"
    worth = float(model.trees[0].impurity[0]) if by_impurity else root
    columns = [table.alpha / (worth or 1.0), table.n_leaves - 1.0]
    errors = (table.training_error, table.validation_error, table.standard_error)
    columns += [error / root for error in errors if error is not None]
    return np.column_stack(columns)[::-1]
