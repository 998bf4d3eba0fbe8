"""A dialect without its pruning: for forests, and for what pruning starts from."""

from __future__ import annotations

from typing import Any

from treewright.errors import TreewrightError
from treewright.grow.dialect import Dialect

UNPRUNED: dict[str, Any] = {
    "pruning": None,
    "collapse": None,
    "ccp_alpha": 0.0,
    "cp": None,
    "alpha_choice": "fixed",
    "global_pruning": False,
    "validation_share": None,
    "weakest_links": "exact",
}


def unpruned(dialect: Dialect) -> Dialect | None:
    """Return the dialect without pruning; None if it cannot do without."""
    try:
        return dialect.change(**UNPRUNED)
    except TreewrightError:
        return None
