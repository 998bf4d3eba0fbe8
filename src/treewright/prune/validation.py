"""Validation rows: whether pruning needs any, and where they come from.

Either a share of the training table is held out (`validation_share`), or the user
passes `validation=(X, y)`; both, or neither where they are needed, is refused.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from treewright.data.columns import Columns
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.prune.labelled_rows import LabelledRows
from treewright.tree.model import Model

# a table and its answers, and the weights of its rows if they differ
Validation: TypeAlias = tuple[Any, Any] | tuple[Any, Any, Any] | None


def check_validation(validation: Validation, dialect: Dialect) -> None:
    """Refuse validation rows that nothing needs, and the lack of those that are."""
    if validation is None:
        if dialect.wants_validation and dialect.validation_share is None:
            what = f"pruning={dialect.pruning!r}"
            if dialect.alpha_choice == "validation":
                what = "alpha_choice='validation'"
            raise SettingError(
                f"{what} needs rows that the tree is not grown "
                "from; set validation_share (0.3, for example), or pass them as "
                "validation=(X, y)"
            )
        return
    if not isinstance(validation, tuple | list) or len(validation) not in (2, 3):
        raise SettingError(
            f"validation is {type(validation).__name__}; it must be (X, y), or "
            "(X, y, sample_weight)"
        )
    if not dialect.wants_validation:
        raise SettingError(
            "validation rows are for pruning='reduced_error' or "
            f"alpha_choice='validation', and pruning is {dialect.pruning!r}; set one "
            "of them, or leave validation out"
        )
    if dialect.validation_share is not None:
        raise SettingError(
            "validation rows are passed, and validation_share="
            f"{dialect.validation_share:g} holds out others; leave one of them out"
        )


def validation_rows(
    model: Model, held_out: Columns | None, validation: Validation
) -> LabelledRows | None:
    """Encode the rows that were held out or passed, for a model that is grown."""
    if held_out is not None:
        return LabelledRows.of_columns(held_out, model.schema)
    if validation is not None:
        return LabelledRows.of_table(model, *validation)
    return None
