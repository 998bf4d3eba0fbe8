"""The record of a pruning: every node that was judged, the numbers and the decision.

    record = PruningRecord()
    pruned(tree, Pruning(..., record=record))
    record.grown                      the tree before pruning
    record.stages                     what was done to it, one rule after the other
    stage.judgements                  in the order of judging

Nodes have the numbers of the tree *as grown*, also where a rule before has numbered
them anew. A node whose branch was raised keeps its place and its number, and asks the
question of that branch from then on. To replay a record, take the judgements in order:
"leaf" takes a node's branches away, "raised" puts `branch` in its place.

What is not asked for costs nothing: pruners get None in the place of a `Stage`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from treewright.tree.structure.tree import Tree

Floats = npt.NDArray[np.float64]
Decision = Literal["kept", "leaf", "raised"]
Numbers = dict[str, float]
Parameters = dict[str, float | str | None]


@dataclass(frozen=True)
class LeafEstimate:
    """Errors that are expected of a leaf: `errors` + `added`."""

    # the leaf; several nodes if small branches are estimated as one leaf (C5.0)
    nodes: tuple[int, ...]
    # n, and the part E of it that is wrong in training
    weight: float
    errors: float
    added: float  # U(N, E); see `prune/methods/error_estimate.py`


@dataclass(frozen=True)
class SubtreeEstimate:
    """Errors that are expected of a subtree: the sum over its leaves."""

    n_leaves: int  # number of leaves
    # sums of N, E and U(N, E); `errors` + `added` are expected
    weight: float
    errors: float
    added: float
    # each leaf; empty if there are more than `MOST_LEAVES`
    leaves: tuple[LeafEstimate, ...] = ()


@dataclass(frozen=True)
class Judgement:
    """A node, and what was decided about it."""

    node: int  # its number in the tree as grown
    # the node whose question it asks when it is judged: another one if a branch was
    # raised to its place before
    question: int
    decision: Decision  # {"kept", "leaf", "raised"}: what becomes of it
    numbers: Numbers  # the numbers that decided, by name; the rule says which
    round: int = 1  # 1, or more if the same rule had judged the node before
    # the branch that would take its place, if the rule asks about one
    branch: int | None = None
    # error-based pruning: what is expected as "leaf", as "tree" and as "branch"
    estimates: dict[str, SubtreeEstimate] = field(default_factory=dict)


@dataclass(frozen=True)
class HeldOutErrors:
    """Errors of a node on rows that were held out."""

    as_leaf: float  # if it answered for all rows that come to it
    stopped: float  # of the rows that end at it though it is no leaf; 0 at leaves


class Stage:
    """The judgements of one rule.

    - `rule`: its name: a value of the switch `pruning`, or "collapse",
      "global_pruning", "small_branches".
    - `parameters`: its settings, for example the confidence level.
    - `judgements`: in the order of judging.
    - `held_out`: by node, if rows that were held out decide; else empty.
    """

    def __init__(
        self, rule: str, parameters: Parameters, numbers: list[int], asks: list[int]
    ) -> None:
        self.rule = rule
        self.parameters = parameters
        self.judgements: list[Judgement] = []
        self.held_out: dict[int, HeldOutErrors] = {}
        self._number = numbers  # as grown, of the nodes of the tree that is pruned
        self._asks = asks
        self._rounds: dict[int, int] = {}

    def judge(
        self,
        node: int,
        decision: Decision,
        numbers: Numbers,
        *,
        branch: int | None = None,
        estimates: dict[str, SubtreeEstimate] | None = None,
    ) -> None:
        """Write down a judgement; nodes have the numbers of the tree that is pruned."""
        node = self._number[node]
        branch = None if branch is None else self._number[branch]
        self._rounds[node] = self._rounds.get(node, 0) + 1
        judgement = Judgement(
            node,
            self._asks[node],
            decision,
            {name: float(number) for name, number in numbers.items()},
            self._rounds[node],
            branch,
            {name: self._as_grown(one) for name, one in (estimates or {}).items()},
        )
        self.judgements.append(judgement)
        if decision == "raised":
            assert branch is not None
            self._asks[node] = self._asks[branch]

    def note_held_out(self, as_leaf: Floats, stopped: Floats) -> None:
        """Write down the errors of every node on rows that were held out."""
        for node, number in enumerate(self._number):
            self.held_out[number] = HeldOutErrors(
                float(as_leaf[node]), float(stopped[node])
            )

    def judge_all(
        self, nodes: Iterable[int], are_leaves: Iterable[bool], **numbers: Any
    ) -> None:
        """Write down one judgement for each node; `numbers` are arrays over nodes."""
        for node, is_leaf in zip(nodes, are_leaves, strict=True):
            decided = {name: values[node] for name, values in numbers.items()}
            self.judge(int(node), "leaf" if is_leaf else "kept", decided)

    def _as_grown(self, estimate: SubtreeEstimate) -> SubtreeEstimate:
        leaves = tuple(
            dataclasses.replace(
                leaf, nodes=tuple(self._number[node] for node in leaf.nodes)
            )
            for leaf in estimate.leaves
        )
        return dataclasses.replace(estimate, leaves=leaves)

    def to_dict(self) -> dict[str, Any]:
        """The stage as dicts, lists and numbers, for JSON."""
        return {
            "rule": self.rule,
            "parameters": dict(self.parameters),
            "judgements": [dataclasses.asdict(one) for one in self.judgements],
            "held_out": [
                {"node": node} | dataclasses.asdict(one)
                for node, one in self.held_out.items()
            ],
        }


class PruningRecord:
    """What was done to a grown tree; filled by `pruned`.

    `grown`: the tree before pruning, whose node numbers the record uses. `stages`: one
    for each rule, in the order in which they were applied.
    """

    def __init__(self) -> None:
        self.grown: Tree | None = None
        self.stages: list[Stage] = []
        self._number: list[int] = []
        self._asks: list[int] = []
        self._first: list[int] = []
        self._count: list[int] = []
        self._first_child = np.zeros(0, np.int32)

    def start(self, grown: Tree) -> None:
        """Keep the tree before pruning, if this is the first one."""
        if self.grown is None:
            self.grown = grown
            self._asks = list(range(grown.node_count))
            self._number = list(range(grown.node_count))
            self._first = grown.first_child.tolist()
            self._count = grown.n_children.tolist()

    def begin(self, rule: str, tree: Tree, **parameters: float | str | None) -> Stage:
        """Start the stage of a rule that prunes `tree`, as the stage before left it."""
        self.start(tree)
        if self.stages:
            self._replay(self.stages[-1], tree)
        assert len(self._number) == tree.node_count
        self._first_child = tree.first_child
        stage = Stage(rule, parameters, self._number, self._asks)
        self.stages.append(stage)
        return stage

    def as_grown(self, tree: Tree) -> list[int]:
        """The number in the grown tree of each node of `tree`, which is what was left.

        To be asked once, when all is done.
        """
        if self.stages:
            self._replay(self.stages[-1], tree)
        return self._number or list(range(tree.node_count))

    def _replay(self, stage: Stage, tree: Tree) -> None:
        """Do to the branches what a stage has done; it has left `tree`."""
        changes = [one for one in stage.judgements if one.decision != "kept"]
        if not changes and np.array_equal(tree.first_child, self._first_child):
            return  # best-first growing numbers in another order than `_reachable`
        for one in changes:
            if one.decision == "leaf":
                self._count[one.node] = 0
            elif one.decision == "raised":
                assert one.branch is not None
                self._first[one.node] = self._first[one.branch]
                self._count[one.node] = self._count[one.branch]
        self._number = self._reachable()

    def _reachable(self) -> list[int]:
        """The nodes that are left, level by level, as trees number them."""
        found = [0]
        for node in found:  # grows while it is read
            first = self._first[node]
            found.extend(range(first, first + self._count[node]))
        return found

    def to_dict(self) -> dict[str, Any]:
        """The record as dicts, lists and numbers, for JSON."""
        return {"stages": [stage.to_dict() for stage in self.stages]}
