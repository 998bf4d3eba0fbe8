"""What the rows of a node do that have no value of the feature it asks about."""

from __future__ import annotations

from treewright.grow.chalk.compared import Grown
from treewright.grow.chalk.record import Candidate, WithoutValue
from treewright.tree.structure.branch_words import branch_condition, surrogate_condition


def rows_without_value(
    grown: Grown, node: int, winner: Candidate
) -> WithoutValue | None:
    """Return what they do; None if there are none, as far as the counts tell."""
    tree, rule = grown.tree, grown.dialect.missing
    rows = winner.missing
    for part in winner.parts:
        if (part.relation, part.name) == ("is", "missing"):
            rows = part
    # the counts of some rules have these rows among those of the branches
    is_counted = rule.startswith(("learned", "most_common"))
    if rows is None and not (is_counted and _has_missing(grown, node)):
        return None
    branch = None
    if rule in ("majority", "surrogates", "learned") and tree.missing_branch[node] >= 0:
        taken = int(tree.missing_branch[node])
        branch = branch_condition(grown.schema, tree, node, taken)
    surrogates = tuple(
        surrogate_condition(grown.schema, tree, one) for one in tree.surrogates.of(node)
    )
    return WithoutValue(rule, rows, branch, surrogates)


def _has_missing(grown: Grown, node: int) -> bool:
    feature = int(grown.tree.feature[node])
    return grown.columns.features[feature].has_missing
