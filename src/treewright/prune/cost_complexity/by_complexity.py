"""Cost-complexity pruning as a dialect says: which path, and which of its trees."""

from __future__ import annotations

from treewright.data.schema import Schema
from treewright.grow.dialect import Dialect
from treewright.prune.cost_complexity.held_out_risk import HeldOutRisk, held_out_risk
from treewright.prune.cost_complexity.nested_trees import PruningPath, pruning_path
from treewright.prune.cost_complexity.weakest_links import node_risks, record_links
from treewright.prune.labelled_rows import LabelledRows
from treewright.prune.node_errors import training_errors
from treewright.prune.pruning_record import PruningRecord
from treewright.tree.pruning_table import PruningTable
from treewright.tree.structure.tree import Tree


def path_of(tree: Tree, schema: Schema, dialect: Dialect) -> PruningPath:
    """The pruning sequence of a tree, from the dialect's least alpha on."""
    target = schema.target
    floor = dialect.ccp_alpha
    if dialect.cp is not None:
        root = node_risks(tree, target, by=dialect.complexity_by)[0]
        floor = dialect.cp * float(root / tree.weight[0])
    return pruning_path(
        tree,
        target,
        by=dialect.complexity_by,
        links=dialect.weakest_links,
        floor=floor,
    )


def prune_by_complexity(
    tree: Tree,
    schema: Schema,
    dialect: Dialect,
    held_out: LabelledRows | None,
    record: PruningRecord | None = None,
) -> tuple[Tree, PruningTable]:
    """The tree of a fixed alpha, or of the one that held-out rows choose."""
    path = path_of(tree, schema, dialect)
    if dialect.alpha_choice != "validation":
        less = chosen_tree(path, 0, dialect, record)
        return less, table_of(path, schema, chosen=0)
    assert held_out is not None  # `check_validation` had refused it
    risk = held_out_risk(
        path,
        path.alphas,
        held_out,
        schema.target,
        absolute=dialect.criterion == "absolute_error",
    )
    chosen = risk.best_step(dialect.alpha_rule)
    less = chosen_tree(path, chosen, dialect, record)
    return less, table_of(path, schema, chosen=chosen, risk=risk)


def chosen_tree(
    path: PruningPath,
    chosen: int,
    dialect: Dialect,
    record: PruningRecord | None = None,
) -> Tree:
    """The tree of the step that was chosen; `record` gets the alpha of each node."""
    if record is not None:
        alpha = float(path.alphas[chosen])
        stage = record.begin(
            "cost_complexity",
            path.tree,
            alpha=alpha,
            by=dialect.complexity_by,
            links="one_pass" if dialect.weakest_links == "one_pass" else None,
        )
        record_links(
            stage,
            path.links,
            path.node_risks,
            path.last_step <= chosen,
            unit=float(path.tree.weight[0]),
        )
    return path.tree_at(chosen)


def table_of(
    path: PruningPath, schema: Schema, *, chosen: int, risk: HeldOutRisk | None = None
) -> PruningTable:
    """The path as a table, with the errors on held-out rows if there were any."""
    target = schema.target
    errors = training_errors(path.tree, target)
    per_row = errors.unit / (float(path.tree.weight[0]) * target.n_outputs)
    return PruningTable(
        n_leaves=path.n_leaves,
        training_error=path.sums(errors.as_leaf) * per_row,
        validation_error=None if risk is None else risk.risk,
        standard_error=None if risk is None else risk.standard_error,
        alpha=path.alphas,
        chosen=chosen,
    )
