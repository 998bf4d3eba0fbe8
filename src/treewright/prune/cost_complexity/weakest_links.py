"""Weakest links: the alpha from which on each node of a tree is a leaf.

A tree T costs R_alpha(T) = R(T) + alpha |T|, its risk and alpha for each leaf. As alpha
grows, ever smaller subtrees of the grown tree are the cheapest ones, each inside the
one before (Breiman et al. 1984, section 3.3 and theorem 3.10).

`exact_links` finds where each node collapses without pruning step by step. The cheapest
subtree under a node costs S(alpha), the sum over its branches: straight pieces, steeper
to the left, with an edge where a node below collapses. The node itself becomes a leaf
where S(alpha) meets R(node) + alpha. Edges behind that point are gone for good, so the
search from the last edge backwards takes n log(n) steps in all, and a chain is no worse
than a bush.

`one_pass_links` is rpart's way: see there.

`node_risks` says what a node costs as a leaf, in units of row weight:

    impurity           weight times the criterion's value: what scikit-learn prunes by
    misclassification  weight of the rows whose class the leaf would get wrong: Breiman
                       et al. and rpart, whatever criterion chose the splits

For numbers the impurity of squared error is the mean square around the mean, so the
risk is the sum of squares, as in rpart. `with_fewer_leaves` cuts a tree back to a
number of leaves, the cheapest subtrees first.

References
----------
Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and
Regression Trees, chapter 3.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Target
from treewright.prune.pruning_record import Stage
from treewright.prune.shape import Shape
from treewright.tree.structure.tree import NodeKind, Reason, Tree

Floats = npt.NDArray[np.float64]
# an edge of S: minus alpha, leaves more before it, risk less before it
Edges = list[tuple[float, int, float]]

# a node that gains less than this share of its risk by its subtree gains nothing
NOTHING = 1e-12


@dataclass(frozen=True, eq=False)
class Links:
    """What decides when each node becomes a leaf."""

    # from here on the node is a leaf, at the latest with its parent; of leaves, minus
    # infinity (`exact_links`) or the floor (`one_pass_links`)
    alpha: Floats
    # g(t) = (R(t) - R(T_t)) / (|T_t| - 1), whatever becomes of the parent
    own_alpha: Floats
    # R(T_t), with the nodes under t as they are when t becomes a leaf
    risk_below: Floats
    # |T_t|, the leaves under it then; 1 at leaves and where rpart did not look
    n_leaves: npt.NDArray[np.int64]
    # what a node can be worth at most, where rpart did not look any further because of
    # it; NaN elsewhere
    bound: Floats


def exact_links(tree: Tree, risk: Floats) -> Links:
    """The alpha from which on each node is a leaf in Breiman's sequence."""
    risks = risk.tolist()
    alpha = [-np.inf] * tree.node_count
    leaves = [1] * tree.node_count
    risk_below = risk.copy()
    edges: list[Edges] = [[] for _ in range(tree.node_count)]
    for node in range(tree.node_count - 1, -1, -1):  # branches before their parents
        if tree.kind_of(node) == NodeKind.LEAF:
            continue
        branches = tree.children(node)
        open_edges = _merged([edges[branch] for branch in branches])
        n_leaves, below = len(branches), sum(risks[branch] for branch in branches)
        gained = risks[node] - below
        while open_edges and gained < -open_edges[0][0] * (n_leaves - 1):
            _, more, less = heapq.heappop(open_edges)
            n_leaves += more
            gained += less
        if gained <= NOTHING * risks[node]:
            gained = 0.0
        alpha[node] = gained / max(n_leaves - 1, 1)
        leaves[node], risk_below[node] = n_leaves, risks[node] - gained
        heapq.heappush(open_edges, (-alpha[node], n_leaves - 1, gained))
        edges[node] = open_edges
    own = np.array(alpha)
    return Links(
        at_most_of_parents(tree, own),
        own,
        risk_below,
        np.array(leaves, np.int64),
        np.full(tree.node_count, np.nan),
    )


def one_pass_links(
    tree: Tree, risk: Floats, order: Floats, floor: float
) -> tuple[Links, npt.NDArray[np.bool_]]:
    """The alpha at which each node collapses as rpart finds it, and who is split.

    rpart computes complexities while it grows, in one walk: the branch with the smaller
    mean first. A branch that collapses before its parent counts as collapsed further up
    as well, even if a node above collapses earlier; and a node is not split if a bound
    from above says that it cannot be worth `floor`. So its alphas are not always those
    of Breiman's sequence, nor is the tree for a given floor.

    - `tree`: with two branches at each inner node, grown without regard to complexity.
    - `risk`: the risk of each node as a leaf.
    - `order`: the mean at each node: of the numbers, or of the classes' places in their
      order.
    - `floor`: least complexity, in units of risk.
    - Returns `links`: the alpha is `floor` at nodes that are not split.
    - Returns `is_split`: the inner nodes of rpart's tree.
    """
    walk = _OnePass(tree, risk, order, floor)
    walk.run()
    is_split = np.array(walk.is_split)
    below, n_splits = np.array(walk.judged).T
    links = Links(
        at_most_of_parents(tree, np.where(is_split, walk.alpha, floor)),
        (risk - below) / np.maximum(n_splits, 1),
        below,
        n_splits.astype(np.int64) + 1,
        np.array(walk.refused),
    )
    return links, is_split


def at_most_of_parents(tree: Tree, alpha: Floats) -> Floats:
    """No node collapses after its parent."""
    out = alpha.tolist()
    parent = tree.parents().tolist()
    for node in range(1, tree.node_count):
        out[node] = min(out[node], out[parent[node]])
    return np.asarray(out, np.float64)


def record_links(
    stage: Stage,
    links: Links,
    risk: Floats,
    is_cut: npt.NDArray[np.bool_],
    *,
    unit: float = 1.0,
) -> None:
    """Write down what decided about each node, the weakest link first.

    Numbers are R(t) `risk`, R(T_t) `risk_below`, |T_t| `n_leaves`, g(t) `own_alpha` and
    `alpha`, which is that of the parent if that is smaller: then the node goes with it.
    Where rpart did not look: `risk`, `bound` and `alpha`. All but `n_leaves` are
    divided by `unit`.
    """
    is_judged = (links.n_leaves > 1) | ~np.isnan(links.bound)
    nodes = np.flatnonzero(is_judged)[::-1]  # of equals the lower one first
    for node in nodes[np.argsort(links.alpha[nodes], kind="stable")].tolist():
        numbers = {"risk": risk[node] / unit}
        if links.n_leaves[node] > 1:
            numbers["risk_below"] = links.risk_below[node] / unit
            numbers["n_leaves"] = links.n_leaves[node]
            numbers["own_alpha"] = links.own_alpha[node] / unit
        else:
            numbers["bound"] = links.bound[node] / unit
        numbers["alpha"] = links.alpha[node] / unit
        stage.judge(node, "leaf" if is_cut[node] else "kept", numbers)


def _merged(parts: list[Edges]) -> Edges:
    """One heap of several; the largest takes the others in."""
    largest = max(parts, key=len)
    for part in parts:
        if part is not largest:
            for edge in part:
                heapq.heappush(largest, edge)
    return largest


class _OnePass:
    """rpart's walk, with a stack of its own: `partition` in its sources."""

    def __init__(self, tree: Tree, risk: Floats, order: Floats, floor: float) -> None:
        self.floor = floor
        self.risk: list[float] = risk.tolist()
        self.left, self.right = _sons(tree, order)
        n_nodes = tree.node_count
        self.alpha = [floor] * n_nodes
        self.is_split = [False] * n_nodes
        self.bound = [self.risk[0]] * n_nodes  # what a node can be worth at most
        self.below = list(self.risk)  # risk of the subtree when its top collapses
        self.n_splits = [0] * n_nodes
        # risk and splits under each node when it was judged, split or not in the end
        self.judged = [(risk, 0) for risk in self.risk]
        self.refused = [np.nan] * n_nodes  # the bounds of those that were not judged

    def run(self) -> None:
        steps = (self._enter, self._turn, self._leave)
        stack = [(0, 0)]
        while stack:
            node, step = stack.pop()
            stack.extend(steps[step](node))

    def _enter(self, node: int) -> list[tuple[int, int]]:
        bound = min(self.risk[node], self.bound[node])
        if self.left[node] < 0:
            return []
        if bound <= self.floor:
            self.refused[node] = bound
            return []
        self.bound[self.left[node]] = bound - self.floor
        return [(node, 1), (self.left[node], 0)]

    def _turn(self, node: int) -> list[tuple[int, int]]:
        left, right = self.left[node], self.right[node]
        so_far = (self.risk[node] - self.below[left]) / (self.n_splits[left] + 1)
        bound = max(so_far, self.risk[node] - self.risk[left])
        self.bound[right] = min(bound, self.bound[node]) - self.floor
        return [(node, 2), (right, 0)]

    def _leave(self, node: int) -> list[tuple[int, int]]:
        first, second = self.left[node], self.right[node]
        if self.alpha[second] <= self.alpha[first]:
            first, second = second, first
        collapsed: tuple[int, ...] = ()
        if self._worth(node, collapsed) > self.alpha[first]:
            collapsed = (first,)
            if self._worth(node, collapsed) > self.alpha[second]:
                collapsed = (first, second)
        self.judged[node] = self._subtree(node, collapsed)
        worth = self._worth(node, collapsed)
        self.alpha[node] = max(worth, self.floor)
        if worth > self.floor:
            self.is_split[node] = True
            self.below[node], self.n_splits[node] = self.judged[node]
        return []

    def _worth(self, node: int, collapsed: tuple[int, ...]) -> float:
        below, n_splits = self._subtree(node, collapsed)
        return (self.risk[node] - below) / n_splits

    def _subtree(self, node: int, collapsed: tuple[int, ...]) -> tuple[float, int]:
        """Risk and splits of a node whose branches `collapsed` are leaves."""
        below, n_splits = 0.0, 1
        for branch in (self.left[node], self.right[node]):
            is_leaf = branch in collapsed
            below += self.risk[branch] if is_leaf else self.below[branch]
            n_splits += 0 if is_leaf else self.n_splits[branch]
        return below, n_splits


def _sons(tree: Tree, order: Floats) -> tuple[list[int], list[int]]:
    """The branch with the smaller mean, and the other; -1 at leaves."""
    first = tree.first_child.astype(np.int64)
    is_inner = tree.n_children > 0
    second = np.where(is_inner, first + 1, -1)
    lower = order[first] < order[second]
    left = np.where(lower | ~is_inner, first, second)
    right = np.where(lower, second, np.where(is_inner, first, -1))
    return left.tolist(), right.tolist()


def node_risks(tree: Tree, target: Target, *, by: str) -> Floats:
    """The risk of each node as a leaf.

    `tree`: a grown tree. `target`: what it predicts; several outputs count by their
    mean. `by` ({"impurity", "misclassification"}): numbers have no classes, and count
    by impurity in any case.
    """
    if by == "impurity" or target.kind == "numbers":
        return tree.impurity * tree.weight
    weights = tree.class_weights()
    wrong = [
        weights[:, slot].sum(axis=1) - weights[:, slot].max(axis=1)
        for slot in target.slots
    ]
    return np.asarray(np.mean(wrong, axis=0))


# alphas that differ by no more than this part are equal: they are rounded quotients
_SAME = 1e-9


def with_fewer_leaves(tree: Tree, most: int) -> Tree:
    """Cut subtrees that add the fewest training errors per leaf, down to `most`.

    Subtrees that are as cheap as each other go together, so that there may be fewer.
    """
    if tree.n_leaves <= most:
        return tree
    weights = tree.class_weights()
    alpha = exact_links(tree, weights.sum(axis=1) - weights.max(axis=1)).alpha
    inner = tree.n_children > 0
    parent = tree.parents()
    for step in np.unique(alpha[inner]) * (1 + _SAME) + 1e-12:
        # where a node is a leaf, all nodes under it are marked as well
        is_leaf = ~inner | (alpha <= step)
        on_top = is_leaf & ~is_leaf[parent]
        on_top[0] = is_leaf[0]
        if np.count_nonzero(on_top) <= most:
            break
    shape = Shape(tree)
    shape.make_leaves(np.flatnonzero(inner & is_leaf), Reason.PRUNED)
    return shape.finished()
