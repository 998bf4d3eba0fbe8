"""From a table to a model with CAL2 or CAL3: read, walk, and write the tree down.

Read `cal2.py` first. The tree that comes out is one like all others: its nodes have the
class weights of the training rows that end there, also where the class of a leaf came
about by fewer of them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.complaints import counted, quoted
from treewright.grow.chalk.cal_record import CALEnding, CALRecord
from treewright.grow.finish import class_labels
from treewright.learners.cal.cal2 import CAL2Learner
from treewright.learners.cal.cal3 import CAL3Learner
from treewright.learners.cal.cal_settings import CAL3Settings, CALSettings
from treewright.learners.cal.cal_walk import (
    RowLearner,
    Walk,
    Walked,
    WalkedTree,
    cal_columns,
    times_of,
)
from treewright.sources.class_statistics import class_impurity
from treewright.tree.model import Model
from treewright.tree.predict.vote import Smoothing
from treewright.tree.structure.branch_words import label_text
from treewright.tree.structure.tree import NO_CLASS, NodeKind, Reason, Tree

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


def grow_cal(
    columns: Columns, dialect: CALSettings, record: CALRecord | None = None
) -> Model:
    """Learn a tree row by row.

    `columns`: the table; the order of its rows matters. `dialect`: CAL2 or CAL3, with
    its switches. `record`: is given every step, for chalk.
    """
    columns = cal_columns(columns, dialect)
    times = times_of(columns, dialect)
    codes = [column.codes.tolist() for column in columns.features]
    n_branches = [column.n_codes + column.has_missing for column in columns.features]
    order = dialect.order(columns.schema)
    walked_tree = WalkedTree(codes, n_branches, order, columns.schema.names)
    learner: RowLearner = (
        CAL3Learner(walked_tree, s1=dialect.s1, s2=dialect.s2)
        if isinstance(dialect, CAL3Settings)
        else CAL2Learner(walked_tree)
    )
    answers: list[int] = columns.target[:, 0].tolist()
    walk = Walk(
        learner,
        answers,
        times,
        record,
        stops_exhausted=dialect.when_exhausted == "stop",
    )
    walked = walk.run(dialect.max_passes)
    if record is not None:
        _fill(record, columns, dialect, walked_tree, walked)
    tree = _finished(columns, learner, walked)
    notes = (*columns.notes, *_notes(columns, dialect, learner, walked, tree))
    return Model(
        schema=columns.schema,
        trees=(tree,),
        learner=dialect.name,
        settings=dialect.settings(),
        unseen=dialect.unseen,
        missing=dialect.missing,
        notes=notes,
        smoothing=Smoothing(dialect.probabilities, float(dialect.prior_weight)),
    )


def _finished(columns: Columns, learner: RowLearner, walked: Walked) -> Tree:
    """Return the tree as arrays, with the training rows at its nodes."""
    grown = learner.tree
    n_nodes = len(grown.feature)
    feature = np.array(grown.feature, np.int32)
    first_child = np.array(grown.first_child, np.int32)
    is_leaf = feature < 0
    n_branches = np.array([*grown.n_branches, 0], np.int32)
    n_children = np.where(is_leaf, 0, n_branches[feature]).astype(np.int32)
    parent = _parents(first_child, n_children)
    value, n_rows = _counted(columns, walked, parent, np.array(grown.depth))
    weight = value.sum(axis=1)
    impurity = class_impurity("entropy", value, columns.schema.target.slots)
    label = class_labels(value, parent, columns.schema)
    leaves = np.flatnonzero(is_leaf)
    reason = _reasons(learner, leaves, value, n_rows)
    # where the walk goes on at rows that no feature tells apart, most of them decide
    stays = (reason == Reason.NO_FEATURE_LEFT) & (walked.ending != CALEnding.EXHAUSTED)
    learned = leaves[~stays[leaves]]
    label[learned, 0] = [learner.answer(leaf) for leaf in learned.tolist()]
    value[label[:, 0] == NO_CLASS] = 0.0
    own = np.array([one.has_missing for one in columns.features] + [False])
    has_branch = own[feature] & ~is_leaf
    return Tree(
        kind=np.where(is_leaf, NodeKind.LEAF, NodeKind.MULTIWAY).astype(np.uint8),
        feature=feature,
        threshold=np.full(n_nodes, np.nan),
        first_child=first_child,
        n_children=n_children,
        missing_branch=np.where(has_branch, n_children - 1, -1).astype(np.int32),
        set_start=np.zeros(n_nodes + 1, np.int64),
        set_codes=np.zeros(0, np.int32),
        value=value,
        label=label,
        n_rows=n_rows,
        weight=weight,
        impurity=impurity,
        gain=_gains(parent, weight, impurity, is_leaf),
        reason=reason,
    )


def _parents(first_child: Ints, n_children: Ints) -> Ints:
    parent = np.full(len(first_child), -1, np.int32)
    for node in np.flatnonzero(n_children).tolist():
        first = first_child[node]
        parent[first : first + n_children[node]] = node
    return parent


def _counted(
    columns: Columns, walked: Walked, parent: Ints, depth: npt.NDArray[np.int64]
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Return the class weights and the number of training rows of each node."""
    n_nodes, n_classes = len(parent), len(columns.schema.target.classes[0])
    value, n_rows = np.zeros((n_nodes, n_classes)), np.zeros(n_nodes, np.int64)
    leaves, answers = np.array(walked.leaves), columns.target[:, 0]
    weights = np.ones(len(leaves)) if columns.weights is None else columns.weights
    np.add.at(value, (leaves, answers), weights)
    np.add.at(n_rows, leaves, 1)
    sums: Floats = np.column_stack([value, n_rows])
    for level in range(int(depth.max()), 0, -1):
        nodes = np.flatnonzero(depth == level)
        np.add.at(sums, parent[nodes], sums[nodes])
    return sums[:, :-1].copy(), sums[:, -1].astype(np.int64)


def _gains(
    parent: Ints, weight: Floats, impurity: Floats, is_leaf: npt.NDArray[np.bool_]
) -> Floats:
    """Return by how much each question lowers the entropy of its rows."""
    remainder = np.zeros(len(parent))
    np.add.at(remainder, parent[1:], weight[1:] * impurity[1:])
    per_row = remainder / np.where(weight > 0, weight, 1.0)
    return np.asarray(np.where(is_leaf, 0.0, np.maximum(impurity - per_row, 0.0)))


def _reasons(
    learner: RowLearner,
    leaves: npt.NDArray[np.intp],
    value: Floats,
    n_rows: npt.NDArray[np.int64],
) -> npt.NDArray[np.uint8]:
    """Return why each leaf is one."""
    reason = np.zeros(len(value), np.uint8)
    for leaf in leaves.tolist():
        if n_rows[leaf] == 0:
            found = Reason.EMPTY
        elif leaf in learner.exhausted:
            found = Reason.NO_FEATURE_LEFT
        elif learner.answer(leaf) == NO_CLASS:
            found = Reason.STOPPED
        elif learner.counts_at(leaf) and not learner.is_settled(leaf):
            found = Reason.UNDECIDED
        elif np.count_nonzero(value[leaf]) == 1:
            found = Reason.PURE
        else:
            found = Reason.CLOSED if learner.is_settled(leaf) else Reason.STOPPED
        reason[leaf] = found
    return reason


def _notes(
    columns: Columns,
    dialect: CALSettings,
    learner: RowLearner,
    walked: Walked,
    tree: Tree,
) -> Iterator[str]:
    """Yield why learning ended, and what it has left."""
    yield _ending_words(columns, dialect, walked)
    idle = [
        feature.name
        for feature, column in zip(
            columns.schema.features, columns.features, strict=True
        )
        if column.n_codes + column.has_missing < 2
    ]
    if idle:
        yield f"not asked about, because it has one value: {quoted(idle)}"
    if learner.exhausted and dialect.when_exhausted == "go_on":
        n_rows = int(tree.n_rows[sorted(learner.exhausted)].sum())
        yield (
            f"{counted(n_rows, 'row')} cannot all be right: no feature is left to tell "
            "them apart, and their leaves answer what most of them are"
        )
    lost = int(tree.n_rows[tree.gives_no_class()].sum())
    if lost:
        end = "row ends" if lost == 1 else "rows end"
        yield f"{lost:,} training {end} at a leaf without a class"
    undecided = int((tree.reason == Reason.UNDECIDED).sum())
    if undecided:
        leaves = "leaf has" if undecided == 1 else "leaves have"
        yield (
            f"{undecided:,} {leaves} not counted s1 rows and "
            f"{'answers' if undecided == 1 else 'answer'} what came most often"
        )


def _ending_words(columns: Columns, dialect: CALSettings, walked: Walked) -> str:
    """Return why learning ended, and when."""
    passes = f"{walked.n_passes:,} {'pass' if walked.n_passes == 1 else 'passes'}"
    steps = counted(walked.n_steps, "step")
    row = row_number(columns, walked.last_row)
    match walked.ending:
        case CALEnding.UNCHANGED:
            why = "the last pass changed nothing"
        case CALEnding.CLOSED:
            why = "every leaf is closed"
        case CALEnding.PASSES:
            why = "max_passes is reached; a larger one goes on"
        case CALEnding.EXHAUSTED:
            why = (
                f"row {row} needs another question, and no feature is left; "
                "when_exhausted=go_on passes over such rows"
            )
    return f"{dialect.name} ended after {passes}, {steps}: {why}"


def row_number(columns: Columns, row: int) -> int:
    """Return the number of a row in the table as it was given, from 1."""
    given = columns.given_rows
    return row + 1 if given is None else int(given.numbers[row]) + 1


def _fill(
    record: CALRecord,
    columns: Columns,
    dialect: CALSettings,
    tree: WalkedTree,
    walked: Walked,
) -> None:
    """Write into a record what its steps are about."""
    schema = columns.schema
    record.learner = dialect.name
    record.target = schema.target.names[0]
    record.features = tuple(
        (
            feature.name,
            (
                *map(label_text, feature.categories),
                *(("?",) if column.has_missing else ()),
            ),
        )
        for feature, column in zip(schema.features, columns.features, strict=True)
    )
    record.classes = tuple(map(label_text, schema.target.classes[0]))
    record.order = tuple(tree.order)
    record.codes = tuple(tree.codes)
    record.answers = columns.target[:, 0].tolist()
    record.numbers = [row_number(columns, row) for row in range(columns.n_rows)]
    if isinstance(dialect, CAL3Settings):
        record.s1, record.s2 = dialect.s1, dialect.s2
    record.ending = walked.ending
    record.n_passes, record.last_row = walked.n_passes, walked.last_row
