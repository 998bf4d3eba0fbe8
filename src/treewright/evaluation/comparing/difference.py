"""Why two dialects grow different trees from the same rows.

grow both, and walk them side by side from the root to the first node that differs
if the grown trees are the same, do so with the pruned ones; if not, say what pruning
leaves of it
of the switches in which the dialects differ, find those that make the difference:
one alone if there is one, else as few as can be found by leaving one out at a time

Two splits may divide the rows with a value alike; then `without_value` tells where the
other rows go. Chalk has the rows with a value on each branch; what a branch of the tree
weighs beyond that came without one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright.data.columns import Columns
from treewright.data.schema import Schema
from treewright.errors import TreewrightError
from treewright.grow.chalk.growing_record import Candidate, Part, Record, Step
from treewright.grow.dialect import Dialect
from treewright.learners.recipe import grow_tree
from treewright.learners.watching import Watching
from treewright.prune.pruning_record import Judgement, PruningRecord
from treewright.tree.model import Model
from treewright.tree.structure.branch_words import branch_condition, branch_text
from treewright.tree.structure.tree import NodeKind, Tree
from treewright.tree.way import class_words

Tell = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two dialects, and what it does at the node where they part."""

    dialect: Dialect  # the switches
    model: Model  # its tree
    node: int  # the node, numbered as grown
    # what it does there: a question with its branches, or a leaf with its answer
    does: str
    # the chalk of the node
    record: Record
    step: Step
    # the rules that judged the node in pruning, and how
    judgements: tuple[tuple[str, Judgement], ...]
    pruning: PruningRecord  # all that was judged


@dataclass(frozen=True)
class Final:
    """The first node that differs when all is pruned."""

    path: tuple[str, ...]  # the conditions that lead to it
    does: tuple[str, str]  # what each of the two does there


@dataclass(frozen=True, eq=False)
class Difference:
    """Where two dialects part, and by which switches."""

    sides: tuple[Side, Side]  # the two dialects there
    in_pruning: bool  # whether both grew the same tree
    path: tuple[str, ...]  # the conditions that lead to the node
    # the switches that make the difference: the values on both sides
    switches: dict[str, tuple[Any, Any]]
    # whether the first dialect with these switches does what the second does
    alone: bool
    n_other: int  # how many other switches differ
    # if both ask the same of the rows with a value: where the others go
    without_value: GoingElsewhere | None = None
    final: Final | None = None  # where the pruned trees part; None if they are the same


def differing(one: Dialect, other: Dialect) -> dict[str, tuple[Any, Any]]:
    """The switches in which two dialects differ, with both values."""
    ours, theirs = one.settings(), other.settings()
    return {
        name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]
    }


def difference(
    columns: Columns,
    one: Dialect,
    other: Dialect,
    *,
    n_jobs: int | None = None,
    tell: Tell = lambda text: None,
) -> Difference | None:
    """Find where two dialects part on a table; None if their trees are the same.

    `one`, `other`: the dialects. `n_jobs`: threads. `tell`: is told what is going on.
    """
    grown = _Grown(columns, one, n_jobs), _Grown(columns, other, n_jobs)
    for in_pruning, exactly in ((False, False), (True, False), (False, True)):
        here, there = (each.view(in_pruning, exactly) for each in grown)
        parted = _first_difference(here, there)
        if parted is not None:
            break
    else:
        return None
    places = here.way(parted[0])

    def does_the_same(dialect: Dialect) -> bool:
        try:
            tried = _Grown(columns, dialect, n_jobs).view(in_pruning, exactly)
        except TreewrightError:
            return False  # switches that contradict each other, or refuse the rows
        node = tried.along(places, here)
        return node is not None and _same(tried, node, there, parted[1])

    differ = differing(one, other)
    names, alone = _responsible(one, other, list(differ), does_the_same, tell)
    sides = tuple(
        each.side(columns, node, n_jobs, in_pruning=in_pruning)
        for each, node in zip(grown, parted, strict=True)
    )
    return Difference(
        (sides[0], sides[1]),
        in_pruning,
        tuple(here.conditions(parted[0])),
        {name: differ[name] for name in names},
        alone,
        len(differ) - len(names),
        None if in_pruning else _without_value_of(grown, sides),
        _final(grown, exactly),
    )


def _final(grown: tuple[_Grown, _Grown], exactly: bool) -> Final | None:
    here, there = (each.view(True, exactly) for each in grown)
    parted = _first_difference(here, there)
    if parted is None:
        return None
    does = here.words(parted[0]), there.words(parted[1])
    return Final(tuple(here.conditions(parted[0])), does)


def _responsible(
    one: Dialect,
    other: Dialect,
    names: list[str],
    does_the_same: Callable[[Dialect], bool],
    tell: Tell,
) -> tuple[list[str], bool]:
    """The switches that make the difference, and whether they do so by themselves."""
    values = other.settings()
    for name in names:
        tell(f"trying {name}")
        if _holds(one, {name: values[name]}, does_the_same):
            return [name], True
    left = list(names)
    for name in names:  # as few as can be: leave out what is not needed
        tell(f"trying without {name}")
        fewer = [each for each in left if each != name]
        if _holds(one, {each: values[each] for each in fewer}, does_the_same):
            left = fewer
    return left, _holds(one, {each: values[each] for each in left}, does_the_same)


def _holds(
    dialect: Dialect, switches: dict[str, Any], does_the_same: Callable[[Dialect], bool]
) -> bool:
    try:
        changed = dialect.change(**switches)
    except TreewrightError:
        return False  # they contradict each other
    return does_the_same(changed)


@dataclass(frozen=True, eq=False)
class _View:
    """A tree and its names: what each node does, to be compared or read.

    Unless it is to be told `exactly`, a cut is known by the rows on its sides.
    """

    tree: Tree
    schema: Schema
    exactly: bool

    def branches(self, node: int) -> list[int]:
        """The children that have rows, the lightest first; else in branch order.

        Two kinds of split that divide the rows alike may number their branches
        differently.
        """
        weight = self.tree.weight
        children = [each for each in self.tree.children(node) if weight[each] > 0]
        return sorted(children, key=lambda child: round(float(weight[child]), 9))

    def words(self, node: int) -> str:
        """The branches of a node, or the answer of a leaf."""
        tree = self.tree
        if tree.n_children[node]:
            return "; ".join(self._branch(node, child) for child in tree.children(node))
        if self.schema.target.kind != "classes":
            return "a leaf"
        labels = class_words(self.schema.target, tree.label[node].tolist())
        return f"a leaf: {', '.join(labels)}"

    def way(self, node: int) -> list[int]:
        """The places among `branches` to take from the root down to a node."""
        parents, places = self.tree.parents().tolist(), []
        while parents[node] >= 0:
            places.append(self.branches(parents[node]).index(node))
            node = parents[node]
        return places[::-1]

    def conditions(self, node: int) -> Iterator[str]:
        """The same in words."""
        here = 0
        for place in self.way(node):
            child = self.branches(here)[place]
            yield self._branch(here, child)
            here = child

    def along(self, places: list[int], other: _View) -> int | None:
        """The node that places lead to, if all before it do what they do in other."""
        node = there = 0
        for place in places:
            if not _same(self, node, other, there):
                return None
            node, there = self.branches(node)[place], other.branches(there)[place]
        return node

    def _branch(self, node: int, child: int) -> str:
        branch = child - int(self.tree.first_child[node])
        return branch_text(self.schema, self.tree, node, branch)


def _same(one: _View, here: int, other: _View, there: int) -> bool:
    """Whether two nodes do the same: ask alike, or answer alike."""
    kinds = one.tree.kind_of(here), other.tree.kind_of(there)
    alike = kinds[0] == kinds[1] and (one.exactly or kinds[0] != NodeKind.CUT)
    if NodeKind.LEAF in kinds:
        return one.words(here) == other.words(there)
    # a cut elsewhere between the same values, or a value against the rest in place of
    # a branch for each of two values, divides the rows alike; the same question does
    # not, if rows without a value go elsewhere
    weights = [
        view.tree.weight[view.branches(node)]
        for view, node in ((one, here), (other, there))
    ]
    if weights[0].shape != weights[1].shape or not np.allclose(weights[0], weights[1]):
        return False
    if alike:
        return one.words(here) == other.words(there)
    return bool(one.tree.feature[here] == other.tree.feature[there])


def _first_difference(one: _View, other: _View) -> tuple[int, int] | None:
    """The first pair of nodes at the same place that do not do the same, from above."""
    waiting = deque([(0, 0)])
    while waiting:
        here, there = waiting.popleft()
        if not _same(one, here, other, there):
            return here, there
        waiting.extend(zip(one.branches(here), other.branches(there), strict=True))
    return None


class _Grown:
    """A dialect's tree, before and after pruning."""

    def __init__(self, columns: Columns, dialect: Dialect, n_jobs: int | None) -> None:
        watching = Watching(node=0, counts_cuts=False)
        self.dialect = dialect
        self.model = grow_tree(columns, dialect, n_jobs=n_jobs, watch=watching)
        assert watching.grown is not None
        self.before = watching.grown
        self.pruning = watching.pruning

    def view(self, in_pruning: bool, exactly: bool) -> _View:
        """The tree that is looked at, as grown or as pruned."""
        if in_pruning:
            return _View(self.model.trees[0], self.model.schema, exactly)
        return _View(self.before.tree, self.before.schema, exactly)

    def side(
        self, columns: Columns, node: int, n_jobs: int | None, *, in_pruning: bool
    ) -> Side:
        """What the dialect does at a node, with its chalk."""
        does = self.view(in_pruning, True).words(node)
        if in_pruning:
            node = self.pruning.as_grown(self.model.trees[0])[node]
        watching = Watching(node=node)
        grow_tree(columns, self.dialect, n_jobs=n_jobs, watch=watching)
        record = watching.record()
        return Side(
            self.dialect,
            self.model,
            node,
            does,
            record,
            record.steps[0],
            tuple(
                (stage.rule, judgement)
                for stage in self.pruning.stages
                for judgement in stage.judgements
                if judgement.node == node
            ),
            self.pruning,
        )

    def going(self, step: Step, known: list[Part]) -> Going:
        """Where the rows without a value go that a step asks for."""
        tree, node = self.before.tree, step.node
        weight = {(part.relation, part.name): part.weight for part in known}
        branches = []
        for branch, child in enumerate(tree.children(node)):
            condition = branch_condition(self.before.schema, tree, node, branch)
            had = weight.get((condition.relation, condition.answer), 0.0)
            more = float(tree.weight[child]) - had
            if more > _LEAST * float(tree.weight[node]):
                branches.append((str(condition), more))
        return Going(self.dialect.missing == "fractional", tuple(branches))


_LEAST = 1e-9  # of a node's weight: less is rounding


@dataclass(frozen=True)
class Going:
    """Rows without a value on one side: the weight of those that take each branch."""

    shared: bool  # whether each row is divided among the branches
    # the branches that get some, in words, and the weight that they get
    branches: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class GoingElsewhere:
    """Rows that lack the value that two splits ask for, and where they go."""

    feature: str  # what both ask about
    missing: Part | None  # these rows, if there are any
    goes: tuple[Going, Going]  # on either side


def _without_value_of(
    grown: tuple[_Grown, _Grown], sides: tuple[Side, ...]
) -> GoingElsewhere | None:
    """Where rows without a value go, if both divide all others alike; else None."""
    steps = [side.step for side in sides]
    if any(step.is_leaf or step.best is None for step in steps):
        return None
    ours, theirs = (step.candidates[step.best or 0] for step in steps)
    if ours.feature != theirs.feature:
        return None
    parts = _with_value(ours), _with_value(theirs)
    if "known" in (ours.question, theirs.question) or not _alike(*parts):
        return None
    # whether or not they have a branch of their own
    others = [
        each.missing or next(filter(_is_of_missing, each.parts), None)
        for each in (ours, theirs)
    ]
    weights = [part.weight if part else 0.0 for part in others]
    if not np.isclose(weights[0], weights[1]):
        return None
    here, there = (
        each.going(step, known)
        for each, step, known in zip(grown, steps, parts, strict=True)
    )
    return GoingElsewhere(ours.feature, others[0], (here, there))


def _with_value(split: Candidate) -> list[Part]:
    """The branches, but for the one of missing values."""
    return [part for part in split.parts if not _is_of_missing(part)]


def _is_of_missing(part: Part) -> bool:
    return (part.relation, part.name) == ("is", "missing")


def _alike(ours: list[Part], theirs: list[Part]) -> bool:
    """Whether the same rows are together, whatever their branches are called."""
    if len(ours) != len(theirs):
        return False
    contents = [
        sorted(
            np.round([part.weight, *sum(part.counts, ()), *part.values], 9).tolist()
            for part in parts
        )
        for parts in (ours, theirs)
    ]
    return np.allclose(contents[0], contents[1])
