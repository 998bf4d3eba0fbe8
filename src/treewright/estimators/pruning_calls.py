"""What `prune` and `pruning_path_` say when they are asked in another way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.errors import SettingError
from treewright.tree.model import Model
from treewright.tree.pruning_table import PruningTable


def check_prune_call(pruning: Any, switches: Mapping[str, Any]) -> None:
    """Refuse rows in the place of the pruning, and rows under another name."""
    if pruning is not None and not isinstance(pruning, str):
        raise SettingError(
            f"pruning is of type {type(pruning).__name__}; the first argument of prune "
            "names the kind of pruning, rows come after it: "
            "prune('reduced_error', X, y)"
        )
    if "validation" in switches:
        raise SettingError(
            "prune takes the rows to prune by as its second and third argument: "
            f"prune({pruning!r}, X, y); validation=(X, y) is for fit"
        )


def pruning_sequence(model: Model) -> PruningTable:
    """Return the trees that pruning went through, or say what makes some."""
    table = model.pruning_table
    if table is not None:
        return table
    settings = model.settings
    if settings.get("pruning") == "cost_complexity" or settings.get("ccp_alpha"):
        raise AttributeError(
            "a model file does not keep the sequence that the tree was chosen from; "
            "fit again, or call cost_complexity_pruning_path(X, y)"
        )
    raise AttributeError(
        "this tree was not chosen from a sequence; pruning='cost_complexity' (or "
        "ccp_alpha above 0) makes one, and pruning='reduced_error' with "
        "pruning_order='best_first'; cost_complexity_pruning_path(X, y) has the "
        "sequence without pruning"
    )
