"""The error on rows that a tree was pruned by, or that chose its alpha."""

from __future__ import annotations

from dataclasses import dataclass

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.grow.dialect import Dialect
from treewright.prune.labelled_rows import LabelledRows, hold_out
from treewright.prune.node_errors import held_out_errors
from treewright.render.fitting.safe_text import short_number
from treewright.tree.model import Model


@dataclass(frozen=True)
class HeldOut:
    """What held-out rows said.

    Attributes
    ----------
    who : str
        Which rows.
    error : float
        Share of wrong weight, or mean squared (absolute) error; mean of the outputs.
    weight : float
        Weight of the rows.
    remark : str
        What they were used for.
    alpha : str
        Which alpha they chose; empty if none.
    """

    who: str
    error: float
    weight: float
    remark: str
    alpha: str = ""


def held_out_error(model: Model, columns: Columns, dialect: Dialect) -> HeldOut | None:
    """Return the error on the rows that were held out, if any were.

    Parameters
    ----------
    model : Model
        The tree.
    columns : Columns
        The table that it was grown and pruned from.
    dialect : Dialect
        How.
    """
    if dialect.alpha_choice == "cross_validation":
        folds = f"in {dialect.n_folds}-fold cross-validation"
        return _of_table(model, dialect, folds, columns.total_weight)
    if dialect.validation_share is None:
        return None
    _, held = hold_out(columns, dialect)
    assert held is not None  # there is a validation share
    who = f"on {counted(held.n_rows, 'held-out row')}"
    if dialect.alpha_choice == "validation":
        return _of_table(model, dialect, who, held.total_weight)
    tree = model.trees[0]
    # rows that were given back, or left out as too light, do not say it again
    if dialect.give_back or held.n_rows + int(tree.n_rows[0]) != columns.n_rows:
        return None
    target = model.schema.target
    rows = LabelledRows.of_columns(held, model.schema)
    errors = held_out_errors(tree, rows, target)
    share = float(errors.ended.sum()) / (errors.weight * target.n_outputs)
    return HeldOut(who, share * errors.unit, errors.weight, "(it was pruned by them)")


def _of_table(
    model: Model, dialect: Dialect, who: str, weight: float
) -> HeldOut | None:
    """What the sequence of trees says about the chosen one."""
    table = model.pruning_table
    if table is None or table.validation_error is None or table.alpha is None:
        return None
    rule = "with the least error"
    if dialect.alpha_rule == "one_se":
        rule = "the largest within one standard error of the least error"
    alpha = (
        f"alpha {short_number(float(table.alpha[table.chosen]))}, {rule} {who}, "
        f"out of {counted(len(table), 'tree')}"
    )
    error = float(table.validation_error[table.chosen])
    return HeldOut(who, error, weight, "(alpha was chosen by them)", alpha)
