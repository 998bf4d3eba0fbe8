"""C4.5rules: a short ordered list of rules, made of unpruned trees.

    grow a tree of C4.5 from all rows, without pruning; further trees, if asked for,
    from as many rows drawn with replacement
    every leaf with rows gives a rule: the questions on its path
    generalise, choose, order and polish the rules    (`rules/induction/procedure.py`)
    a row gets the class of the first rule that it meets, or else the default

The questions of a path are conditions one by one: x <= 5 below x <= 9 are two, so that
the rule may be left with the weaker one. In the end those on one feature are written as
an interval. Rates are counted on all training rows, whichever tree a rule comes from.

Differences from Release 8, where its description leaves a choice: further trees come
from drawn rows and not from windows; there is no simulated annealing.

References
----------
Quinlan, J. R. (1993). C4.5: Programs for Machine Learning, chapter 5.
Quinlan, J. R. (1995). MDL and categorical theories (continued). ICML.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.machine import thread_count
from treewright.data.schema import Schema
from treewright.errors import DataError, SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.admitted import admitted
from treewright.learners.forest.bags import Bagging, tree_keys
from treewright.learners.recipe import grow_tree
from treewright.prune.methods.error_estimate import ErrorEstimate
from treewright.prune.refill import training_cells
from treewright.prune.shape import left_to_right
from treewright.rules.condition import Asks, Condition
from treewright.rules.from_tree import TreeBranches
from treewright.rules.induction.description_length import ConditionBits
from treewright.rules.induction.polish import MOST_RATE
from treewright.rules.induction.procedure import Induction, Procedure, induce
from treewright.rules.rule import Rule
from treewright.rules.rule_model import RuleModel
from treewright.rules.rule_rows import Numbers, RuleRows, refuse_too_large
from treewright.rules.ruleset import RuleSet
from treewright.settings.kinds import Flag, Real, Whole
from treewright.settings.row import Settings, row
from treewright.tree.join import in_one_schema
from treewright.tree.predict.walk import walk
from treewright.tree.structure.branch_words import label_text
from treewright.tree.structure.node_kind import NodeKind
from treewright.tree.structure.tree import NO_CLASS, Tree


@dataclass(frozen=True, eq=False)
class Induced:
    """A rule set, and how it came about."""

    model: RuleModel  # the rules
    trees: tuple[Tree, ...]  # the unpruned trees
    conditions: tuple[Condition, ...]  # what the numbers in `induction` stand for
    induction: Induction  # what every step found


def grow_c45rules(
    columns: Columns,
    dialect: Dialect,
    settings: C45RulesSettings | None = None,
    *,
    n_jobs: int | None = None,
    watched: bool = False,
) -> Induced:
    """Make rules of the unpruned trees of a table.

    - `columns`: the table; see `treewright.data.encoding.encode`.
    - `dialect`: whose trees they are; `confidence` and the other switches of the
      estimate are those of the rules' rates.
    - `settings`: what else there is to choose.
    - `n_jobs`: threads; the rules are the same for any number.
    - `watched`: whether to keep every look at a rule, for chalk.
    """
    settings = C45RulesSettings() if settings is None else settings
    check_target(columns)
    check_dialect(dialect)
    columns = admitted(columns, dialect)
    schema, trees = _unpruned_trees(columns, dialect, settings, n_jobs)
    rows = _rows(columns, schema, trees[0], thread_count(n_jobs))
    paths, classes = _paths(schema, trees, rows)
    induction = induce(
        rows,
        paths,
        classes,
        ConditionBits(columns, _grouped(trees), settings.redundancy),
        _procedure(dialect, settings),
        watched=watched,
    )
    model = _model(schema, columns, dialect, rows, induction)
    kept = {
        **dialect.settings(),
        **dataclasses.asdict(settings),
        "dialect": dialect.name,
    }
    model = dataclasses.replace(model, settings=kept)
    return Induced(model, trees, tuple(rows.conditions), induction)


def _rows(columns: Columns, schema: Schema, tree: Tree, n_threads: int) -> RuleRows:
    """The training rows in the order of the leaves where they end.

    No answer depends on that, but rules then cover neighbours, which is found sooner.
    """
    cells = training_cells(columns, schema)
    place_of = left_to_right(tree, tree.subtree_sizes().astype(np.int64))
    order = np.argsort(place_of[walk(tree, cells, n_threads=n_threads)], kind="stable")
    return RuleRows(
        cells[order],
        columns.target[order, 0],
        len(schema.target.classes[0]),
        None if columns.weights is None else columns.weights[order],
        n_threads=n_threads,
    )


def unpruned(dialect: Dialect) -> Dialect:
    """Return the dialect that the trees are grown by."""
    return dataclasses.replace(dialect, pruning=None)


def _procedure(dialect: Dialect, settings: C45RulesSettings) -> Procedure:
    estimate = ErrorEstimate(
        dialect.confidence, dialect.confidence_limit, dialect.mostly_wrong
    )
    return Procedure(estimate, settings.fisher, settings.random_state)


def _unpruned_trees(
    columns: Columns,
    dialect: Dialect,
    settings: C45RulesSettings,
    n_jobs: int | None,
) -> tuple[Schema, tuple[Tree, ...]]:
    """The tree of all rows, and those of drawn ones, under one schema."""
    grown = [grow_tree(columns, unpruned(dialect), n_jobs=n_jobs)]
    bagging = Bagging(columns.n_rows, columns.n_rows, replace=True)
    keys = tree_keys(settings.random_state, range(1, settings.n_trees))
    for key in keys:
        drawn = np.repeat(np.arange(columns.n_rows), bagging.counts(key))
        grown.append(grow_tree(columns.take(drawn), unpruned(dialect), n_jobs=n_jobs))
    return in_one_schema([(model.schema, model.trees[0]) for model in grown])


def _paths(
    schema: Schema, trees: Sequence[Tree], rows: RuleRows
) -> tuple[list[Numbers], list[int]]:
    """The questions on the way to each leaf that has rows, and what the leaf says."""
    paths: list[Numbers] = []
    classes: list[int] = []
    for tree in trees:
        branches = TreeBranches(schema, tree)
        labels = tree.label[:, 0].tolist()
        has_rows = ((tree.weight > 0) & (tree.n_rows > 0)).tolist()
        nodes = [node for node in range(1, tree.node_count) if has_rows[node]]
        (numbers,) = rows.number([_asked(tree, branches, nodes)])
        number = dict(zip(nodes, numbers, strict=True))
        leaves = (tree.n_children == 0) & (tree.n_rows > 0)
        n_asked = int(tree.depths()[leaves].sum())
        refuse_too_large(64 * n_asked, f"{n_asked:,} conditions on the way to leaves")
        held: list[int] = []
        stack = [(0, 0)]  # from left to right, as listings are
        while stack:
            node, depth = stack.pop()
            del held[max(depth - 1, 0) :]
            if node > 0:
                held.append(number[node])
            count, first = branches.n_children[node], branches.first_child[node]
            if count == 0 and labels[node] != NO_CLASS:
                paths.append(tuple(dict.fromkeys(held)))
                classes.append(labels[node])
            below = range(first + count - 1, first - 1, -1) if count else ()
            stack.extend((child, depth + 1) for child in below if has_rows[child])
    return paths, classes


def _asked(
    tree: Tree, branches: TreeBranches, nodes: Sequence[int]
) -> Iterator[Condition]:
    """What a row must meet to come to each of the nodes from its parent."""
    is_multiway = (tree.kind == NodeKind.MULTIWAY).tolist()
    features = tree.feature.tolist()
    for node in nodes:
        parent = branches.parent[node]
        branch = node - branches.first_child[parent]
        if is_multiway[parent]:  # by far the most in many a table
            yield Condition(features[parent], Asks.CODES, codes=(branch,))
        else:
            yield branches.condition(parent, branch)


def _grouped(trees: Sequence[Tree]) -> set[int]:
    """The features whose values are asked about in sets."""
    found: set[int] = set()
    for tree in trees:
        in_sets = np.isin(tree.kind, (NodeKind.SUBSET, NodeKind.GROUPS))
        found.update(tree.feature[in_sets].tolist())
    return found


def _model(
    schema: Schema,
    columns: Columns,
    dialect: Dialect,
    rows: RuleRows,
    induction: Induction,
) -> RuleModel:
    left = induction.rules
    numbers = [rule.conditions for rule in left]
    is_left = ~rows.any_of(numbers)
    if not is_left.any():
        is_left = ~is_left
    weights, n_rows = rows.count_classes(numbers)
    rules = tuple(
        Rule.of((rows.conditions[one] for one in rule.conditions), rule.of_class)
        for rule in left
    )
    default = induction.ordered.default
    return RuleModel(
        RuleSet(schema, rules, default, dialect.unseen, dialect.missing),
        np.vstack([weights, rows.weigh(is_left)[None, :]]),
        np.append(n_rows, np.count_nonzero(is_left)).astype(np.int64),
        rows.class_totals,
        np.array([rule.rate for rule in left], np.float64),
        notes=(*columns.notes, *_notes(schema, induction)),
    )


def _notes(schema: Schema, induction: Induction) -> list[str]:
    """What a reader should know of how the rules came about."""
    notes = []
    n_idle = sum(rule.rate > MOST_RATE for rule in induction.ordered.rules)
    if n_idle:
        them = "it" if n_idle == 1 else "them"
        notes.append(
            f"{counted(n_idle, 'rule')} left out: more than {MOST_RATE:g} of the rows "
            f"that meet {them} are expected to be wrong"
        )
    if not induction.rules:
        label = label_text(schema.target.classes[0][induction.ordered.default])
        notes.append(f"no rule is better than the default; every row is {label}")
    return notes


def training_error(model: RuleModel, columns: Columns) -> float:
    """Return the share of the weight of a table's rows that rules get wrong."""
    cells = training_cells(columns, model.schema)
    codes = model.codes_at(model.ends(cells))[:, 0]
    return float(np.average(codes != columns.target[:, 0], weights=columns.weights))


# ---- What makes a rule set, besides the dialect of its trees.

MOST_TREES = 1000
# ways with missing values that give a branch to them, which no condition speaks of
_OWN_BRANCH = ("own_branch", "learned")


@dataclass(frozen=True)
class C45RulesSettings(Settings):
    """How rules are made of trees."""

    n_trees: int = row(
        Whole(
            1,
            MOST_TREES,
            f"more than {MOST_TREES:,} trees would give more rules than can be looked "
            "through",
        ),
        "How many unpruned trees give rules: the first is grown from all rows, others "
        "from as many rows drawn with replacement. Rates are counted on all rows.",
        default=1,
        takes="number of trees that give rules",
    )
    fisher: bool = row(
        Flag(),
        "Whether a condition must also pass Fisher's exact test at 5 %.",
        default=False,
    )
    redundancy: float = row(
        Real(1e-3),
        "What the bits to name a feature are divided by; above 1 where several "
        "features say much the same, which gives more rules.",
        default=1.0,
        takes="a number above 0",
    )
    random_state: int = row(
        Whole(0),
        "The seed of the draws: rows of further trees, and starts of the search among "
        "more than ten rules of a class; None: another one each time, which the model "
        "keeps.",
        default=0,
        doc="int, RandomState, Generator or None",
    )


def check_dialect(dialect: Dialect) -> None:
    """Refuse trees whose branches are no conditions on values."""
    if dialect.missing in _OWN_BRANCH:
        raise SettingError(
            f"missing is {dialect.missing!r}, which gives missing values a branch, and "
            "a missing value meets no condition of a rule; choose 'fractional' or "
            "'majority'"
        )


def check_target(columns: Columns) -> None:
    """Refuse what rules cannot be made for: numbers, several outputs, costs."""
    target = columns.schema.target
    if target.kind != "classes":
        raise DataError(
            "the target holds numbers, and C4.5rules is for classes; grow a tree, or "
            "declare the target nominal"
        )
    if target.n_outputs != 1:
        raise DataError(
            f"the target has {target.n_outputs} columns, and C4.5rules predicts one; "
            "fit one model for each"
        )
    if target.costs is not None:
        raise SettingError(
            "C4.5rules counts every mistake by the weight of its row and knows no "
            "costs of classes; leave them out, or weigh the rows"
        )
