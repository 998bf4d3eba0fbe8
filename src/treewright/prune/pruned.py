"""What a dialect does with a tree after it is grown: collapse it, prune it.

`pruning` names a function of `_PRUNERS`; each reads its own switches.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from treewright.data.schema import Schema
from treewright.errors import DataError, SettingError
from treewright.grow.dialect import Dialect
from treewright.grow.finish import class_labels, empty_answers
from treewright.prune.cost_complexity.by_complexity import prune_by_complexity
from treewright.prune.labelled_rows import LabelledRows, given_back
from treewright.prune.methods.c50_pruning import prune_globally, without_small_branches
from treewright.prune.methods.collapse import collapse
from treewright.prune.methods.error_based import ErrorBasedPruning
from treewright.prune.methods.error_estimate import ErrorEstimate
from treewright.prune.methods.pessimistic import prune_pessimistically
from treewright.prune.methods.reduced_error import prune_best_first, prune_bottom_up
from treewright.prune.methods.twigs import prune_by_chance, prune_by_gain
from treewright.prune.node_errors import held_out_errors, training_errors
from treewright.prune.pruning_record import PruningRecord
from treewright.prune.refill import refilled
from treewright.prune.rows_at_leaves import RowsAtLeaves
from treewright.tree.pruning_table import PruningTable
from treewright.tree.structure.tree import Tree

# these count the errors of one class; several outputs have no such number
ONE_OUTPUT = ("error_based", "pessimistic", "chi_square")


@dataclass(frozen=True, eq=False)
class Pruning:
    """What pruning may need besides the tree."""

    schema: Schema  # of the grown model
    dialect: Dialect  # the switches
    # gives the training rows, which few prunings need; None: they are not there
    training: Callable[[], LabelledRows] | None = None
    grown_from: bool = False  # whether the tree was just grown from these
    held_out: LabelledRows | None = None  # rows that the tree was not grown from
    record: PruningRecord | None = None  # gets every judgement, if there is one


def pruned(tree: Tree, pruning: Pruning) -> tuple[Tree, PruningTable | None]:
    """Collapse and prune a grown tree as its dialect says.

    Also returns the trees on the way, if the pruning goes through a sequence of them.
    """
    dialect = pruning.dialect
    if pruning.record is not None:
        pruning.record.start(tree)
    if dialect.collapse is not None:
        tree = collapse(tree, dialect.collapse, pruning.record)
    how = "cost_complexity" if dialect.prunes_by_complexity else dialect.pruning
    if how not in _PRUNERS:
        return tree, None
    return _PRUNERS[how](tree, pruning)


def refuse_several_outputs(schema: Schema, dialect: Dialect) -> None:
    """Raise if a switch counts the errors of one class, and there are several."""
    n_outputs = schema.target.n_outputs
    if n_outputs == 1:
        return
    for is_set, setting, remedy in (
        (
            dialect.pruning in ONE_OUTPUT,
            f"pruning={dialect.pruning!r}",
            "pruning='reduced_error' or 'minimum_gain'",
        ),
        (dialect.collapse is not None, "collapse", "collapse=None"),
        (
            dialect.chi_square_level is not None,
            "chi_square_level",
            "chi_square_level=None and min_gain",
        ),
    ):
        if is_set:
            raise SettingError(
                f"{setting} is for one output, and the target has {n_outputs}; use "
                f"{remedy}, or a tree for each output"
            )


def refuse_costs(schema: Schema, dialect: Dialect) -> None:
    """Raise if a switch counts wrong rows where these have costs."""
    if dialect.global_pruning and schema.target.costs is not None:
        raise SettingError(
            "global_pruning counts wrong rows, and cost_matrix says that they cost "
            "different amounts; set global_pruning=False, or leave the costs out"
        )


def _error_based(tree: Tree, pruning: Pruning) -> tuple[Tree, None]:
    less = _by_estimate(tree, pruning)
    if pruning.dialect.global_pruning:
        less = prune_globally(less, pruning.record)
    return less, None


def _by_estimate(tree: Tree, pruning: Pruning) -> Tree:
    dialect = pruning.dialect
    estimate = ErrorEstimate(
        dialect.confidence, dialect.confidence_limit, dialect.mostly_wrong
    )
    prune = functools.partial(
        ErrorBasedPruning,
        tree,
        estimate,
        tolerance=dialect.tolerance,
        pool_below=_pool_below(tree, dialect),
        record=pruning.record,
    )
    if not dialect.subtree_raising or tree.node_count == 1:
        return prune(None).prune()
    if pruning.training is None:
        raise DataError(
            "subtree_raising sends the training rows down the tree again, and a model "
            "does not keep them; pass them, or set subtree_raising=False"
        )
    rows = pruning.training()
    classes = rows.target[:, 0]
    share = dialect.min_share
    n_classes = tree.value.shape[1]
    at_leaves = RowsAtLeaves(
        tree, rows.cells, classes, rows.weights, n_classes, min_share=share
    )
    pruner = prune(at_leaves)
    less = pruner.prune()
    is_same = pruning.grown_from and pruner.kept_all() and rows.are_whole()
    if is_same and not dialect.min_branch_weight and tree.n_rows.all():
        return tree  # the same rows at the same leaves
    less = refilled(less, at_leaves.standing(pruner.kept()), dialect.criterion)
    less = without_small_branches(less, dialect.min_branch_weight, pruning.record)
    label = class_labels(
        less.value, less.parents(), pruning.schema, ties=dialect.label_ties
    )
    empty = np.flatnonzero(less.n_rows == 0)
    if dialect.empty_branch == "parent_class":
        label[empty] = less.label[empty]  # of the parent that they were grown under
    value, label = empty_answers(less.value, label, empty, pruning.schema, dialect)
    return dataclasses.replace(less, label=label, value=value)


def _pool_below(tree: Tree, dialect: Dialect) -> float:
    """Branches that weigh less are estimated as one leaf; 0: each on its own."""
    if not dialect.pool_small_branches:
        return 0.0
    least = dialect.min_samples_leaf
    is_share = not isinstance(least, Integral)
    return float(least * tree.weight[0]) if is_share else float(least)


def _reduced_error(tree: Tree, pruning: Pruning) -> tuple[Tree, PruningTable | None]:
    dialect, target, rows = pruning.dialect, pruning.schema.target, pruning.held_out
    assert rows is not None  # `check_validation` had refused it
    errors = held_out_errors(tree, rows, target)
    table = None
    if dialect.pruning_order == "best_first":
        training = training_errors(tree, target)
        less, table = prune_best_first(
            tree, errors, training, target.n_outputs, pruning.record
        )
    else:
        less = prune_bottom_up(tree, errors, pruning.record)
    if dialect.give_back:
        less = given_back(less, rows, pruning.schema, dialect)
    return less, table


def _pessimistic(tree: Tree, pruning: Pruning) -> tuple[Tree, None]:
    return prune_pessimistically(tree, pruning.schema.target, pruning.record), None


def _minimum_gain(tree: Tree, pruning: Pruning) -> tuple[Tree, None]:
    least = pruning.dialect.prune_gain
    assert least is not None  # or the dialect had refused it
    return prune_by_gain(tree, least, pruning.record), None


def _chi_square(tree: Tree, pruning: Pruning) -> tuple[Tree, None]:
    return prune_by_chance(tree, pruning.dialect.prune_level, pruning.record), None


def _cost_complexity(tree: Tree, pruning: Pruning) -> tuple[Tree, PruningTable]:
    return prune_by_complexity(
        tree, pruning.schema, pruning.dialect, pruning.held_out, pruning.record
    )


_PRUNERS: dict[
    str | None, Callable[[Tree, Pruning], tuple[Tree, PruningTable | None]]
] = {
    "error_based": _error_based,
    "reduced_error": _reduced_error,
    "pessimistic": _pessimistic,
    "minimum_gain": _minimum_gain,
    "chi_square": _chi_square,
    "cost_complexity": _cost_complexity,
}
