"""The error of a tree on the rows it was grown from, beside that of no tree at all.

Both are read off the tree: its leaves and its root keep the weights of their rows. If
wrong classes have costs, these come first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.schema import Target
from treewright.grow.dialect import Dialect
from treewright.prune.labelled_rows import LabelledRows, hold_out
from treewright.prune.node_errors import held_out_errors
from treewright.render.fitting.safe_text import clip, short_number, weight_text
from treewright.render.listing.remarks import root_cost, training_cost, weight_words
from treewright.tree.model import Model
from treewright.tree.structure.branch_words import label_text
from treewright.tree.structure.tree import NodeKind, Tree

TRAINING_ROWS = "on the training rows"
TOO_GOOD = "(too good, shown for comparison)"
_MAX_LABEL = 30


@dataclass(frozen=True)
class ErrorLine:
    """Who errs, how much, and what to think of it."""

    who: str
    error: str
    remark: str


def error_lines(
    model: Model, held_out: HeldOut | None = None
) -> Iterator[tuple[str, list[ErrorLine]]]:
    """Yield titles, each with the lines to compare."""
    tree, target = model.trees[0], model.schema.target
    leaves = np.flatnonzero(tree.kind == NodeKind.LEAF)
    if target.kind == "numbers":
        yield _number_lines(model, tree, leaves, held_out)
        return
    if target.costs is not None:
        yield _cost_lines(target, tree)
    unit = weight_words(model, tree)
    for output, slot in enumerate(target.slots):
        title = "error" if target.n_outputs == 1 else f"error in {target.names[output]}"
        usual = _usual_answer(target, tree, output)
        wrong = _wrong(tree, leaves, slot, output)
        wrong_at_root = _wrong(tree, np.zeros(1, np.intp), slot, output)
        total = float(tree.value[0, slot].sum())
        lines = [_share(TRAINING_ROWS, wrong, total, f"{unit} {TOO_GOOD}")]
        if held_out is not None and target.n_outputs == 1:
            lines.append(_held_out_share(held_out))
        yield title, [*lines, _share(usual, wrong_at_root, total, unit)]
    if held_out is not None and target.n_outputs > 1:
        yield "error, mean of the outputs", [_held_out_share(held_out)]


def _usual_answer(target: Target, tree: Tree, output: int) -> str:
    label = label_text(target.classes[output][int(tree.label[0, output])])
    return f"always saying {clip(label, _MAX_LABEL)}"


def _cost_lines(target: Target, tree: Tree) -> tuple[str, list[ErrorLine]]:
    """Return what the answers cost, beside the best answer for all rows."""
    total = float(tree.weight[0])
    costs = [training_cost(target, tree), root_cost(target, tree)]
    names = [TRAINING_ROWS, _usual_answer(target, tree, 0)]
    lines = [
        ErrorLine(who, short_number(cost / total), f"{amount(cost)} in all {remark}")
        for who, cost, remark in zip(names, costs, (TOO_GOOD, ""), strict=True)
    ]
    return "mean cost of a row", lines


def _held_out_share(held_out: HeldOut) -> ErrorLine:
    wrong, remark = held_out.error * held_out.weight, held_out.remark
    between = " " if remark.startswith("(") else ", "
    return _share(held_out.who, wrong, held_out.weight, remark, between)


def _share(
    who: str, wrong: float, total: float, remark: str, between: str = " "
) -> ErrorLine:
    amounts = f"{amount(wrong)} of {amount(total)}{between}{remark.strip()}".rstrip()
    return ErrorLine(who, f"{100 * wrong / total:.1f} %", amounts)


def amount(weight: float) -> str:
    """Return a weight for people; whole thousands are easier to read with a comma."""
    text = weight_text(weight)
    return f"{int(text):,}" if text.isdigit() else text


def _wrong(tree: Tree, nodes: npt.NDArray[np.intp], slot: slice, output: int) -> float:
    """Return the training weight of other classes than the one these nodes answer.

    Where a node gives no class, that of all its rows.
    """
    weights = tree.class_weights()[nodes, slot]
    right = np.take_along_axis(weights, tree.label[nodes, output][:, None], axis=1)
    none = nodes[tree.gives_no_class()[nodes]]
    return float(weights.sum() - right.sum() + tree.weight[none].sum())


def _number_lines(
    model: Model, tree: Tree, leaves: npt.NDArray[np.intp], held_out: HeldOut | None
) -> tuple[str, list[ErrorLine]]:
    """Return the mean error of the leaves, and of the root alone."""
    absolute = model.settings.get("criterion") == "absolute_error"
    shares = tree.weight[leaves] / tree.weight[leaves].sum()
    errors = [float(shares @ tree.impurity[leaves]), float(tree.impurity[0])]
    errors += [] if held_out is None else [held_out.error]
    if not absolute:
        errors = [math.sqrt(max(error, 0.0)) for error in errors]
    title = "mean absolute error" if absolute else "root of the mean squared error"
    middle = ", ".join(short_number(number) for number in tree.value[0].tolist())
    texts = [short_number(error) for error in errors]
    lines = [
        ErrorLine(TRAINING_ROWS, texts[0], TOO_GOOD),
        ErrorLine(f"always saying {middle}", texts[1], ""),
    ]
    if held_out is not None:
        lines.insert(1, ErrorLine(held_out.who, texts[2], held_out.remark))
    return title, lines


# ---- The error on rows that a tree was pruned by, or that chose its alpha.


@dataclass(frozen=True)
class HeldOut:
    """What held-out rows said."""

    who: str  # which rows
    # share of wrong weight, or mean squared (absolute) error; mean of the outputs
    error: float
    weight: float  # weight of the rows
    remark: str  # what they were used for
    alpha: str = ""  # which alpha they chose; empty if none


def held_out_error(model: Model, columns: Columns, dialect: Dialect) -> HeldOut | None:
    """Return the error on the rows that were held out, if any were.

    `columns`: the table that it was grown and pruned from. `dialect`: how.
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
