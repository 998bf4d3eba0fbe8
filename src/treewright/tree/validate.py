"""Validation: every invariant of a model, in one pass over its arrays.

The compiled walk checks nothing, so nothing reaches it that has not passed here. There
is no recursion: a child's number is larger than its parent's and every node but the
root has exactly one parent, which leaves no room for cycles, shared or lost nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Feature, Schema, Target
from treewright.errors import ModelFileError
from treewright.tree.arrays import DTYPES, MATRICES
from treewright.tree.compact_tree import CompactTree
from treewright.tree.model import FEATURES_PER_NODE, Model
from treewright.tree.node_kind import HAVE_CODES, HAVE_SETS
from treewright.tree.tree import EVERY_BRANCH, NO_CLASS, NodeKind, Reason, Tree
from treewright.tree.validate_combinations import validate_combinations
from treewright.tree.validate_compact import (
    check_compact_answers,
    check_compact_arrays,
)
from treewright.tree.validate_groups import validate_groups
from treewright.tree.validate_schema import validate_schema
from treewright.tree.validate_surrogates import validate_surrogates
from treewright.tree.vote import SMOOTHINGS
from treewright.tree.voting import VOTINGS

UNSEEN_RULES = ("stop", "missing", "error")


def validate_model(model: Model) -> None:
    """Raise `ModelFileError`, with tree and node, if a model breaks an invariant."""
    validate_schema(model.schema)
    if not model.trees:
        raise ModelFileError("the model has no trees")
    if model.unseen not in UNSEEN_RULES:
        raise ModelFileError(
            f"unseen must be one of {', '.join(UNSEEN_RULES)}, found {model.unseen!r}"
        )
    _check_smoothing(model)
    _check_voting(model)
    _check_settings(model.settings)
    for number, tree in enumerate(model.trees):
        validate_tree(tree, model.schema, number=number)


def _check_settings(settings: Mapping[str, Any]) -> None:
    """What a forest says of itself besides its estimator's parameters can be so."""
    looked = settings.get(FEATURES_PER_NODE, 1)
    if type(looked) is not int or not 1 <= looked < 2**31:
        raise ModelFileError(
            f"{FEATURES_PER_NODE} must be a whole number from 1 up, found "
            f"{looked!r:.60}"
        )


def _check_smoothing(model: Model) -> None:
    """Shares are corrected in a way that is known, and classes have shares."""
    kind, prior_weight = model.smoothing.kind, model.smoothing.prior_weight
    if kind not in SMOOTHINGS:
        raise ModelFileError(
            f"probabilities must be one of {', '.join(SMOOTHINGS)}, found {kind!r}"
        )
    if not (np.isfinite(prior_weight) and prior_weight >= 0):
        raise ModelFileError(
            f"prior_weight must be a number from 0 up, found {prior_weight!r}"
        )
    if kind != "raw" and model.schema.target.kind == "numbers":
        raise ModelFileError(
            f"probabilities is {kind!r}, and numbers have no probabilities"
        )


def _check_voting(model: Model) -> None:
    """Trees vote in a way that is known, and some of them count."""
    kind, weights = model.voting.kind, model.voting.weights
    if kind not in VOTINGS:
        raise ModelFileError(
            f"voting must be one of {', '.join(VOTINGS)}, found {kind!r}"
        )
    if model.voting.is_by_class and model.schema.target.kind == "numbers":
        raise ModelFileError(f"voting is {kind!r}, and numbers have no classes")
    if weights is None:
        return
    if len(weights) != len(model.trees):
        raise ModelFileError(
            f"{len(weights)} weights of votes for {len(model.trees)} trees"
        )
    if not all(np.isfinite(weight) and weight >= 0 for weight in weights):
        raise ModelFileError("weights of votes must be finite and not negative")
    if not (np.isfinite(sum(weights)) and any(weights)):
        raise ModelFileError("weights of votes must have a finite sum above 0")


def validate_tree(tree: Tree, schema: Schema, *, number: int = 0) -> None:
    """Raise `ModelFileError` if a tree breaks an invariant.

    Parameters
    ----------
    tree : Tree
        The tree to check.
    schema : Schema
        A valid schema, against which features, categories and classes are checked.
    number : int
        The tree's number in its model, for the message.
    """
    check = _Checker(number)
    if isinstance(tree, CompactTree):
        check_compact_arrays(tree, schema.target, number)
    else:
        _check_arrays(tree, schema.target, check)
    _check_links(tree, check)
    _check_questions(tree, schema, check)
    _check_sets(tree, schema, check)
    if isinstance(tree, CompactTree):
        check_compact_answers(tree, schema.target, check)
    else:
        _check_answers(tree, schema.target, check)
    validate_surrogates(tree, schema, number=number)


class _Checker:
    """Raises the error for the first node of a tree at which something is wrong."""

    def __init__(self, number: int) -> None:
        self.number = number

    def refuse(
        self, bad: npt.NDArray[np.bool_] | np.bool_, rule: str, found: npt.NDArray[Any]
    ) -> None:
        """Raise if any node is bad; `found` has the value to show per node."""
        nodes = np.flatnonzero(bad)
        if len(nodes):
            node = int(nodes[0])
            raise ModelFileError(
                f"tree {self.number}, node {node}: {rule}, found {found[node]}"
            )


def _check_arrays(tree: Tree, target: Target, check: _Checker) -> None:
    """Lengths, dimensions and dtypes."""
    n_nodes = len(tree.kind)
    if not 1 <= n_nodes < 2**31:
        raise ModelFileError(
            f"tree {check.number}: {n_nodes} nodes; at least 1 is needed"
        )
    classes = target.kind == "classes"
    n_outputs = target.n_outputs
    n_slots = sum(map(len, target.classes)) if classes else n_outputs
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(DTYPES, (n_nodes,))
    shapes["set_start"] = (n_nodes + 1,)
    shapes["set_codes"] = (len(tree.set_codes),)
    shapes.update(
        zip(MATRICES, [(n_nodes, n_slots), (n_nodes, n_outputs * classes)], strict=True)
    )
    for name, dtype in DTYPES.items():
        array = getattr(tree, name)
        if array.dtype != dtype or array.shape != shapes[name]:
            raise ModelFileError(
                f"tree {check.number}: {name} must be {dtype} of shape {shapes[name]}, "
                f"found {array.dtype} of shape {array.shape}"
            )


def _check_links(tree: Tree, check: _Checker) -> None:
    """Children after their parent, one parent each, leaves without children."""
    n_nodes = tree.node_count
    highest = max(NodeKind)
    check.refuse(tree.kind > highest, f"kind must be 0 to {highest:d}", tree.kind)
    inner = tree.kind != NodeKind.LEAF
    first = tree.first_child.astype(np.int64)
    last = first + tree.n_children
    nodes = np.arange(n_nodes)
    leaf = ~inner
    check.refuse(
        leaf & (tree.n_children != 0), "a leaf has 0 children", tree.n_children
    )
    check.refuse(leaf & (first != -1), "a leaf has first_child -1", first)
    check.refuse(
        inner & (tree.n_children < 2),
        "an inner node has at least 2 children",
        tree.n_children,
    )
    check.refuse(inner & (first <= nodes), "children come after their parent", first)
    check.refuse(inner & (last > n_nodes), f"there are {n_nodes} nodes only", last - 1)
    # +1 where a family begins, -1 where it ends: the running sum counts the parents
    steps = np.zeros(n_nodes + 1, np.int64)
    np.add.at(steps, first[inner], 1)
    np.add.at(steps, last[inner], -1)
    n_parents = np.cumsum(steps[:-1])
    check.refuse(
        n_parents != (nodes > 0), "every node but the root has 1 parent", n_parents
    )


def _check_questions(tree: Tree, schema: Schema, check: _Checker) -> None:
    """Features, kinds of question, thresholds, number of branches."""
    inner = tree.kind != NodeKind.LEAF
    n_features = len(schema.features)
    feature = tree.feature
    outside = inner & ((feature < 0) | (feature >= n_features))
    check.refuse(outside, f"feature must be 0 to {n_features - 1}", feature)
    check.refuse(~inner & (feature != -1), "a leaf has feature -1", feature)
    # one more entry, so that -1 finds something harmless
    facts = [_FeatureFacts(each) for each in schema.features]
    of = np.where(inner, feature, n_features)
    n_values = np.asarray([fact.n_values for fact in facts] + [0], np.int64)[of]
    for kind, name in ((NodeKind.CUT, "cut"), (NodeKind.ORDER, "order")):
        able = np.asarray([getattr(fact, name) for fact in facts] + [True])[of]
        check.refuse(
            (tree.kind == kind) & ~able,
            f"its feature cannot be asked by {name}",
            feature,
        )
    nominal = np.isin(tree.kind, (NodeKind.MULTIWAY, *HAVE_SETS))
    check.refuse(nominal & (n_values == 0), "its feature has no categories", feature)
    _check_thresholds(tree, facts, of, check)
    _check_branches(tree, n_values, check)


class _FeatureFacts:
    """What the questions about a feature may look like."""

    def __init__(self, feature: Feature) -> None:
        self.n_values = len(feature.categories)
        self.cut = feature.kind == "numeric"
        self.order = feature.kind == "ordinal"
        if feature.is_wide:
            self.n_cuts = 0 if feature.cuts is None else len(feature.cuts)
        else:
            # the last category as a threshold would leave branch 1 without values
            self.n_cuts = self.n_values - 1 if self.order else -1


def _check_thresholds(
    tree: Tree, facts: list[_FeatureFacts], of: npt.NDArray[Any], check: _Checker
) -> None:
    """Finite where a node compares, an index where it looks up, NaN elsewhere."""
    threshold = tree.threshold
    compares = np.isin(tree.kind, (NodeKind.CUT, NodeKind.ORDER, NodeKind.COMBINATION))
    check.refuse(
        compares & ~np.isfinite(threshold), "threshold must be finite", threshold
    )
    check.refuse(~compares & ~np.isnan(threshold), "threshold must be NaN", threshold)
    n_cuts = np.asarray([fact.n_cuts for fact in facts] + [-1], np.int64)[of]
    looks_up = compares & (n_cuts >= 0)
    index = np.where(looks_up, threshold, 0.0)
    bad = looks_up & ((index != np.floor(index)) | (index < 0) | (index >= n_cuts))
    check.refuse(bad, "threshold must be an index into the feature's values", threshold)


def _check_branches(
    tree: Tree, n_values: npt.NDArray[np.int64], check: _Checker
) -> None:
    """Number of branches for the kind of question, and the one for missing values."""
    inner = tree.kind != NodeKind.LEAF
    ordinary = np.where(tree.kind == NodeKind.MULTIWAY, n_values, 2)
    # how many groups there are is looked at when their values are
    groups = tree.kind == NodeKind.GROUPS
    extra = np.where(groups, 0, tree.n_children - ordinary)
    only_two = np.isin(tree.kind, (NodeKind.KNOWN, NodeKind.COMBINATION))
    allowed = np.where(only_two, 0, 1)
    bad = inner & ((extra < 0) | (extra > allowed))
    check.refuse(bad, "wrong number of branches for its question", tree.n_children)
    branch = tree.missing_branch
    divides = branch == EVERY_BRANCH
    outside = ((branch < -1) & ~divides) | (branch >= np.maximum(tree.n_children, 0))
    check.refuse(
        outside, "missing_branch must be -1, -2 or one of its branches", branch
    )
    own = inner & (extra == 1) & (branch != tree.n_children - 1)
    check.refuse(own, "the last branch must be the one for missing values", branch)
    _check_divided(tree, divides, check)


def _check_divided(tree: Tree, divides: npt.NDArray[np.bool_], check: _Checker) -> None:
    """A row is divided among the branches of a question, by weights above 0."""
    branch = tree.missing_branch
    asks = ~np.isin(tree.kind, (NodeKind.LEAF, NodeKind.KNOWN))
    check.refuse(
        divides & ~asks, "only a question that needs a value divides rows", branch
    )
    nodes = np.flatnonzero(divides)
    largest = np.ones(tree.node_count)
    if len(nodes):
        counts = tree.n_children[nodes]
        starts = np.cumsum(counts) - counts
        branches = np.repeat(tree.first_child[nodes] - starts, counts)
        branches = branches + np.arange(len(branches))
        largest[nodes] = np.maximum.reduceat(tree.weight[branches], starts)
    check.refuse(
        largest <= 0, "a node that divides rows needs a branch with weight", largest
    )


def _check_sets(tree: Tree, schema: Schema, check: _Checker) -> None:
    """Sets where they belong; of SUBSET nodes ascending codes that exist."""
    start, codes = tree.set_start, tree.set_codes
    n_codes = len(codes)
    check.refuse(start[1:] > n_codes, f"set_start must be at most {n_codes}", start[1:])
    check.refuse(start[1:] < start[:-1], "set_start must not fall", start[1:])
    if start[0] != 0 or start[-1] != n_codes:
        raise ModelFileError(
            f"tree {check.number}: set_start must run from 0 to {n_codes}"
        )
    size = np.diff(start)
    has_set = np.isin(tree.kind, HAVE_CODES)
    check.refuse(~has_set & (size > 0), "only questions about sets have one", size)
    check.refuse(has_set & (size == 0), "a question about sets needs one", size)
    n_values = np.asarray([len(each.categories) for each in schema.features] + [0])
    validate_groups(tree, n_values[tree.feature], check)
    validate_combinations(tree, schema, check)
    subset = tree.kind == NodeKind.SUBSET
    node = np.repeat(np.arange(tree.node_count), size)
    codes, node = codes[subset[node]], node[subset[node]]
    bad = (codes < 0) | (codes >= n_values[tree.feature[node]])
    same = node[1:] == node[:-1]
    bad[1:] |= same & (codes[1:] <= codes[:-1])
    # back from codes to nodes, for the message
    flags = np.zeros(tree.node_count, np.bool_)
    flags[node[bad]] = True
    wrong = np.zeros(tree.node_count, np.int32)
    wrong[node[bad][::-1]] = codes[bad][::-1]
    check.refuse(flags, "set codes must be ascending codes of its feature", wrong)


def _check_answers(tree: Tree, target: Target, check: _Checker) -> None:
    """Weights, values, labels, reasons."""
    for name in ("weight", "impurity", "gain"):
        array = getattr(tree, name)
        check.refuse(~np.isfinite(array), f"{name} must be finite", array)
    check.refuse(tree.weight < 0, "weight must not be negative", tree.weight)
    check.refuse(tree.n_rows < 0, "n_rows must not be negative", tree.n_rows)
    finite = np.isfinite(tree.value).all(axis=1)
    check.refuse(~finite, "every value must be finite", tree.value)
    if target.kind == "classes":
        negative = (tree.value < 0).any(axis=1)
        check.refuse(negative, "class weights must not be negative", tree.value)
        sizes = np.asarray([len(labels) for labels in target.classes])
        none = tree.gives_no_class()
        outside = ((tree.label < 0) | (tree.label >= sizes)).any(axis=1) & ~none
        check.refuse(outside, f"labels must be codes below {sizes}", tree.label)
        reached = (tree.n_rows > 0) & (tree.reason != Reason.STOPPED)
        reached |= tree.value.any(axis=1)
        reached |= (tree.kind != NodeKind.LEAF) | (tree.label != NO_CLASS).any(axis=1)
        check.refuse(
            none & reached,
            "only a leaf without training rows gives no class, in no output",
            tree.label,
        )
    check.refuse(
        tree.reason > max(Reason), f"reason must be 0 to {max(Reason):d}", tree.reason
    )
    inner = tree.kind != NodeKind.LEAF
    check.refuse(inner & (tree.reason != 0), "only a leaf has a reason", tree.reason)
