"""From what was watched to steps in the data's own names."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treewright.errors import SettingError
from treewright.grow.chalk.bush import class_slots
from treewright.grow.chalk.compared import EQUAL, ComparedNodes, Grown
from treewright.grow.chalk.growing_record import (
    Candidate,
    ChiSquare,
    Part,
    Record,
    Step,
    WithoutValue,
)
from treewright.grow.chalk.watch import MOST_STEPS, Watch
from treewright.grow.chi_square import deviations, tail
from treewright.grow.dialect import Dialect
from treewright.tree.structure.branch_words import (
    BranchCondition,
    branch_condition,
    label_text,
    surrogate_condition,
)
from treewright.tree.structure.tree import Reason
from treewright.tree.way import class_words


def record_of(watch: Watch, grown: Grown) -> Record:
    """Return the steps that were watched.

    Without a selection, a tree of very many nodes is refused.
    """
    tree, target = grown.tree, grown.schema.target
    selection, n_nodes = watch.selection, tree.node_count
    if selection.is_whole and n_nodes > MOST_STEPS:
        raise SettingError(
            f"the grown tree has {n_nodes:,} nodes, too many to show each; say how "
            "deep to go (depth=2) or which node to show (node=17)"
        )
    if selection.node is not None and selection.node >= n_nodes:
        raise SettingError(
            f"there is no node {selection.node}; the grown tree has the nodes 0 to "
            f"{n_nodes - 1}"
        )
    depths = tree.depths()
    nodes = selection.wants(np.arange(n_nodes), depths)
    candidates = ComparedNodes(watch, grown)
    steps = _Steps(watch, grown, depths)
    return Record(
        learner=grown.dialect.name,
        target=tuple(map(label_text, target.names)),
        classes=tuple(tuple(map(label_text, labels)) for labels in target.classes)
        if target.kind == "classes"
        else (),
        steps=tuple(steps.step(node + 1, node, candidates) for node in nodes.tolist()),
        n_nodes=n_nodes,
        settings=grown.dialect.settings(),
    )


class _Steps:
    """Makes the step of each node."""

    def __init__(
        self, watch: Watch, grown: Grown, depths: npt.NDArray[np.int32]
    ) -> None:
        self.watch = watch
        self.grown = grown
        self.parents = grown.tree.parents().tolist()
        self.depths = depths.tolist()
        self.slots = class_slots(grown.schema)
        self.weights = grown.tree.class_weights() if self.slots else np.zeros((0, 0))

    def step(self, number: int, node: int, compared: ComparedNodes) -> Step:
        """The step of a node."""
        tree, dialect = self.grown.tree, self.grown.dialect
        at_node = compared.at(node)
        candidates, best = at_node.candidates, at_node.best
        worths = [one.worth for one in candidates]
        others = [
            place
            for place, one in enumerate(candidates)
            if place != best and one.verdict in ("tie", "compared")
        ]
        runner_up = max(others, key=lambda place: worths[place], default=None)
        margin = None
        if best is not None and runner_up is not None:
            margin = worths[best] - worths[runner_up]
        conditions = self._conditions(node)
        return Step(
            number=number,
            node=node,
            parent=self.parents[node],
            depth=self.depths[node],
            path=tuple(map(str, conditions)),
            conditions=conditions,
            rows=self._part(node),
            measure="entropy"
            if dialect.criterion == "gain_ratio"
            else dialect.criterion,
            compared_by=_compared_by(dialect),
            candidates=candidates,
            left_out=at_node.left_out,
            best=best,
            runner_up=runner_up if best is not None else None,
            margin=margin,
            ties=tuple(one.feature for one in candidates if one.verdict == "tie"),
            least_gain=at_node.least_gain,
            guard=dialect.gain_guard,
            chi_square=self._chi_square(node),
            rounding_decided=dialect.single_precision
            and _rounding_decided(candidates, best, margin),
            without_value=rows_without_value(self.grown, node, candidates[best])
            if tree.n_children[node] and best is not None
            else None,
            children=tuple(tree.children(node)) if tree.n_children[node] else (),
            answer=self._answer(node),
            reason=tree.reason_words(node),
            reason_key=Reason(int(tree.reason[node])).name.lower(),
        )

    def _conditions(self, node: int) -> tuple[BranchCondition, ...]:
        tree, schema = self.grown.tree, self.grown.schema
        found = []
        while self.parents[node] >= 0:
            parent = self.parents[node]
            branch = node - int(tree.first_child[parent])
            found.append(branch_condition(schema, tree, parent, branch))
            node = parent
        return tuple(reversed(found))

    def _part(self, node: int) -> Part:
        tree = self.grown.tree
        counts = tuple(tuple(self.weights[node, slot].tolist()) for slot in self.slots)
        return Part(
            name="",
            n_rows=int(tree.n_rows[node]),
            weight=float(tree.weight[node]),
            counts=counts,
            values=() if self.slots else tuple(tree.value[node].tolist()),
            impurity=float(tree.impurity[node]) if tree.n_rows[node] else 0.0,
        )

    def _answer(self, node: int) -> tuple[str, ...]:
        tree, target = self.grown.tree, self.grown.schema.target
        if target.kind != "classes":
            return tuple(label_text(value) for value in tree.value[node].tolist())
        return tuple(class_words(target, tree.label[node].tolist()))

    def _chi_square(self, node: int) -> ChiSquare | None:
        weights = self.watch.tests.get(node)
        level = self.grown.dialect.chi_square_level
        if weights is None or level is None:
            return None
        deviation, degrees = deviations(weights, np.array([len(weights)]))
        return ChiSquare(
            observed=tuple(map(tuple, weights.tolist())),
            deviation=float(deviation[0]),
            degrees=int(degrees[0]),
            p_value=float(tail(deviation, degrees)[0]),
            level=level,
        )


def _rounding_decided(
    candidates: tuple[Candidate, ...], best: int | None, margin: float | None
) -> bool:
    """Whether the best is not the first of those that are worth most."""
    if best is None or margin is None:
        return False
    return margin < -EQUAL or any(one.verdict == "tie" for one in candidates[:best])


def _compared_by(dialect: Dialect) -> str:
    if dialect.criterion == "gain_ratio":
        return "gain_ratio"
    pays = dialect.threshold_cost is not None
    return "net_gain" if pays else "gain"


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
