"""Validation: every invariant of a model, in one pass over its arrays.

The compiled walk checks nothing, so nothing reaches it that has not passed here. There
is no recursion: a child's number is larger than its parent's and every node but the
root has exactly one parent, which leaves no room for cycles, shared or lost nodes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.intervals import OUTSIDE, Intervals
from treewright.data.schema import Feature, Schema, Target
from treewright.errors import ModelFileError
from treewright.tree.file.arrays import DTYPES, MATRICES
from treewright.tree.model import FEATURES_PER_NODE, Model
from treewright.tree.predict.vote import SMOOTHINGS
from treewright.tree.predict.voting import VOTINGS
from treewright.tree.structure.combination import PER_TERM, is_combination, terms_of
from treewright.tree.structure.compact_tree import CompactTree, can_end
from treewright.tree.structure.node_kind import HAVE_CODES, HAVE_SETS
from treewright.tree.structure.surrogates import PER_SURROGATE, Surrogates
from treewright.tree.structure.tree import (
    EVERY_BRANCH,
    NO_CLASS,
    NodeKind,
    Reason,
    Tree,
)
from treewright.tree.values import canonical_label

UNSEEN_RULES = ("stop", "missing", "error")


def validate_model(model: Model) -> None:
    """Raise `ModelFileError`, with tree and node, if a model breaks an invariant."""
    validate_schema(model.schema)
    if not model.trees:
        raise ModelFileError("the model has no trees")
    check_word("unseen", model.unseen, UNSEEN_RULES)
    _check_smoothing(model)
    _check_voting(model)
    _check_settings(model.settings)
    for number, tree in enumerate(model.trees):
        validate_tree(tree, model.schema, number=number)


def check_word(what: str, found: str, known: Collection[str]) -> None:
    """Refuse a word that is none of those that are known."""
    if found not in known:
        raise ModelFileError(
            f"{what} must be one of {', '.join(known)}, found {found!r}"
        )


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
    check_word("probabilities", kind, SMOOTHINGS)
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
    check_word("voting", kind, VOTINGS)
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

    `tree`: the tree to check. `schema`: a valid schema, against which features,
    categories and classes are checked. `number`: the tree's number in its model, for
    the message.
    """
    check = _Checker(f"tree {number}")
    n_nodes = len(tree.kind)
    if not 1 <= n_nodes < 2**31:
        raise ModelFileError(f"{check.tree}: {n_nodes} nodes; at least 1 is needed")
    if isinstance(tree, CompactTree):
        _check_compact_arrays(tree, schema.target, check)
    else:
        _check_arrays(tree, schema.target, check)
    _check_links(tree, check)
    _check_questions(tree, schema, check)
    _check_sets(tree, schema, check)
    if isinstance(tree, CompactTree):
        _check_compact_answers(tree, schema.target, check)
    else:
        _check_answers(tree, schema.target, check)
    _check_surrogates(tree, schema, check.tree)


class _Checker:
    """Raises the error for the first node, or surrogate, at which something is wrong.

    `tree` and `where` say which tree that is, and which place in it.
    """

    def __init__(
        self, tree: str, where: Callable[[int], str] = "node {}".format
    ) -> None:
        self.tree = tree
        self.where = where

    def refuse(
        self, bad: npt.NDArray[np.bool_] | np.bool_, rule: str, found: npt.NDArray[Any]
    ) -> None:
        """Raise if any is bad; `found` has the value to show for each."""
        wrong = np.flatnonzero(bad)
        if len(wrong):
            first = int(wrong[0])
            raise ModelFileError(
                f"{self.tree}, {self.where(first)}: {rule}, found {found[first]}"
            )


def _check_arrays(tree: Tree, target: Target, check: _Checker) -> None:
    """Lengths, dimensions and dtypes."""
    n_nodes = len(tree.kind)
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(DTYPES, (n_nodes,))
    shapes["set_start"] = (n_nodes + 1,)
    shapes["set_codes"] = (len(tree.set_codes),)
    for name, width in zip(MATRICES, _widths(target), strict=True):
        shapes[name] = (n_nodes, width)
    _check_shapes(tree, DTYPES, shapes, check.tree)


def _check_shapes(
    owner: Any,
    dtypes: Mapping[str, str],
    shapes: Mapping[str, tuple[int, ...]],
    tree: str,
    whose: str = "",
) -> None:
    """Refuse arrays of another type or shape than they must have."""
    for name, dtype in dtypes.items():
        array = getattr(owner, name)
        if array.dtype != dtype or array.shape != shapes[name]:
            raise ModelFileError(
                f"{tree}: {name}{whose} must be {dtype} of shape {shapes[name]}, "
                f"found {array.dtype} of shape {array.shape}"
            )


def _widths(target: Target) -> tuple[int, int]:
    """How many numbers a node answers with, and how many labels."""
    if target.kind == "classes":
        return sum(map(len, target.classes)), target.n_outputs
    return target.n_outputs, 0


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
    of = np.where(inner, feature, n_features)
    n_values = _n_values(schema)[of]
    for kind, asked, name in (
        (NodeKind.CUT, "numeric", "cut"),
        (NodeKind.ORDER, "ordinal", "order"),
    ):
        able = np.asarray([each.kind == asked for each in schema.features] + [True])
        check.refuse(
            (tree.kind == kind) & ~able[of],
            f"its feature cannot be asked by {name}",
            feature,
        )
    nominal = np.isin(tree.kind, (NodeKind.MULTIWAY, *HAVE_SETS))
    check.refuse(nominal & (n_values == 0), "its feature has no categories", feature)
    compares = np.isin(tree.kind, (NodeKind.CUT, NodeKind.ORDER, NodeKind.COMBINATION))
    index = "an index into the feature's values"
    _check_thresholds(tree.threshold, compares, _n_cuts(schema)[of], index, check)
    _check_branches(tree, n_values, check)


def _n_values(schema: Schema) -> npt.NDArray[np.int64]:
    """How many categories each feature has, and an entry more for no feature."""
    counts = [len(each.categories) for each in schema.features]
    return np.asarray([*counts, 0], np.int64)


def _n_cuts(schema: Schema) -> npt.NDArray[np.int64]:
    """How many thresholds each feature has to look up; -1: any number is one.

    There is one more entry, for nodes without a feature.
    """
    counts = []
    for feature in schema.features:
        if feature.is_wide:
            counts.append(0 if feature.cuts is None else len(feature.cuts))
        else:
            # the last category as a threshold would leave branch 1 without values
            is_ordinal = feature.kind == "ordinal"
            counts.append(len(feature.categories) - 1 if is_ordinal else -1)
    return np.asarray([*counts, -1], np.int64)


def _check_thresholds(
    threshold: npt.NDArray[np.float64],
    compares: npt.NDArray[np.bool_],
    n_cuts: npt.NDArray[np.int64],
    index: str,
    check: _Checker,
) -> None:
    """Finite where a value is compared, an index where it is looked up, else NaN."""
    check.refuse(
        compares & ~np.isfinite(threshold), "threshold must be finite", threshold
    )
    check.refuse(~compares & ~np.isnan(threshold), "threshold must be NaN", threshold)
    looks_up = compares & (n_cuts >= 0)
    place = np.where(looks_up, threshold, 0.0)
    bad = looks_up & ((place != np.floor(place)) | (place < 0) | (place >= n_cuts))
    check.refuse(bad, f"threshold must be {index}", threshold)


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
        raise ModelFileError(f"{check.tree}: set_start must run from 0 to {n_codes}")
    size = np.diff(start)
    has_set = np.isin(tree.kind, HAVE_CODES)
    check.refuse(~has_set & (size > 0), "only questions about sets have one", size)
    check.refuse(has_set & (size == 0), "a question about sets needs one", size)
    n_values = _n_values(schema)[tree.feature]
    _check_groups(tree, n_values, check)
    _check_combinations(tree, schema, check)
    subset = tree.kind == NodeKind.SUBSET
    node = np.repeat(np.arange(tree.node_count), size)
    codes, node = codes[subset[node]], node[subset[node]]
    bad = _is_wrong(codes, node, n_values[node])
    wrong = np.zeros(tree.node_count, np.int32)
    wrong[node[bad][::-1]] = codes[bad][::-1]
    check.refuse(
        _has(bad, node, tree.node_count),
        "set codes must be ascending codes of its feature",
        wrong,
    )


def _is_wrong(
    codes: npt.NDArray[np.int32], owner: npt.NDArray[Any], n_values: npt.NDArray[Any]
) -> npt.NDArray[np.bool_]:
    """Whether each code of a set does not exist, or is not above the one before it."""
    bad = (codes < 0) | (codes >= n_values)
    bad[1:] |= (owner[1:] == owner[:-1]) & (codes[1:] <= codes[:-1])
    return np.asarray(bad)


def _has(
    bad: npt.NDArray[np.bool_], owner: npt.NDArray[Any], n_owners: int
) -> npt.NDArray[np.bool_]:
    """Whether each node, or surrogate, is the owner of something bad."""
    return np.asarray(np.bincount(owner[bad], minlength=n_owners) > 0)


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


def _check_groups(tree: Tree, n_values: npt.NDArray[np.int64], check: _Checker) -> None:
    """A branch for each code of a node's feature, and a code for each branch."""
    is_groups = tree.kind == NodeKind.GROUPS
    size = np.diff(tree.set_start)
    check.refuse(
        is_groups & (size != n_values), "groups need a branch for each category", size
    )
    nodes = np.flatnonzero(is_groups)
    if len(nodes) == 0:
        return
    owner = np.repeat(np.arange(len(nodes)), size[nodes])
    branch = tree.set_codes[np.repeat(is_groups, size)]
    lowest, highest = np.zeros((2, tree.node_count), np.int64)
    np.minimum.at(lowest, nodes[owner], branch)
    np.maximum.at(highest, nodes[owner], branch)
    check.refuse(lowest < 0, "branches of categories are numbered from 0", lowest)
    # each branch once for each node that it belongs to
    filled = np.unique(np.stack([nodes[owner], branch]), axis=1)[0]
    n_filled = np.bincount(filled, minlength=tree.node_count)
    check.refuse(
        is_groups & ((n_filled < 2) | (n_filled != highest + 1)),
        "there are two groups or more, and each has a category",
        n_filled,
    )
    extra = np.where(is_groups, tree.n_children - n_filled, 0)
    check.refuse(
        (extra < 0) | (extra > 1),
        "wrong number of branches for its question",
        tree.n_children,
    )
    own = (extra == 1) & (tree.missing_branch != tree.n_children - 1)
    check.refuse(
        own, "the last branch must be the one for missing values", tree.missing_branch
    )


def _check_combinations(tree: Tree, schema: Schema, check: _Checker) -> None:
    """Sums of numbers that are there, with weights that are numbers."""
    combined = is_combination(tree)
    if not combined.any():
        return
    size = np.diff(tree.set_start)
    check.refuse(
        combined & ((size == 0) | (size % PER_TERM != 0)),
        f"a combination has {PER_TERM} codes for each term",
        size,
    )
    terms = terms_of(tree)
    plain = [one.kind == "numeric" and not one.is_wide for one in schema.features]
    outside = (terms.feature < 0) | (terms.feature >= len(plain))
    bad = outside | ~np.asarray(plain)[np.where(outside, 0, terms.feature)]
    bad |= ~np.isfinite(terms.weight)
    check.refuse(
        _has(bad, terms.node, tree.node_count),
        "a combination adds up numeric features with finite weights",
        size,
    )
    first = tree.set_codes[tree.set_start[:-1][combined]]
    differs = np.zeros(tree.node_count, np.bool_)
    differs[combined] = first != tree.feature[combined]
    check.refuse(
        differs, "the feature of a combination is that of its first term", tree.feature
    )
    check.refuse(
        combined & (tree.missing_branch == EVERY_BRANCH),
        "a combination does not divide rows",
        tree.missing_branch,
    )


def _check_compact_arrays(tree: CompactTree, target: Target, check: _Checker) -> None:
    """Lengths, and numbers that are in range."""
    n_nodes = len(tree.kind)
    for name, array in tree.arrays.items():
        is_whole = array.dtype.kind == "i" and len(array) > 0
        if is_whole and not -(2**31) <= array.min() <= array.max() < 2**31:
            raise ModelFileError(f"{check.tree}: {name} must fit into 32 bits")
        if name != "set_codes" and len(array) != n_nodes:
            raise ModelFileError(
                f"{check.tree}: {name} must have {n_nodes} entries, found {len(array)}"
            )
    for name, width in zip(("answers", "labels"), _widths(target), strict=True):
        shape = getattr(tree, name).shape
        if len(shape) != 2 or shape[1] != width:
            raise ModelFileError(
                f"{check.tree}: {name} must have {width} columns, found {shape}"
            )
    divides = (tree.missing_branch == EVERY_BRANCH).any()
    if divides and "weight" not in tree.arrays:
        raise ModelFileError(f"{check.tree}: a node divides rows, without weights")


def _check_compact_answers(tree: CompactTree, target: Target, check: _Checker) -> None:
    """An answer wherever a walk can end, and each one possible."""
    place = tree.arrays["place"]
    n_answers = len(tree.answers)
    outside = (place < -1) | (place >= n_answers) | (can_end(tree) & (place < 0))
    check.refuse(outside, f"place must be one of {n_answers} answers", place)
    if "weight" in tree.arrays:
        weight = tree.weight
        bad = ~np.isfinite(weight) | (weight < 0)
        check.refuse(bad, "weight must be finite and not negative", weight)
    used = np.maximum(place, 0)
    finite = np.asarray(np.isfinite(tree.answers).all(axis=1))
    check.refuse((place >= 0) & ~finite[used], "every answer must be finite", place)
    if target.kind != "classes":
        return
    negative = np.asarray((tree.answers < 0).any(axis=1))
    check.refuse((place >= 0) & negative[used], "shares must not be negative", place)
    sizes = np.asarray([len(labels) for labels in target.classes])
    none = (tree.labels == NO_CLASS).all(axis=1) & ~tree.answers.any(axis=1)
    wrong = ((tree.labels < 0) | (tree.labels >= sizes)).any(axis=1) & ~none
    check.refuse(
        (place >= 0) & wrong[used], f"labels must be codes below {sizes}", place
    )
    inner = tree.kind != NodeKind.LEAF
    silent = (place >= 0) & none[used] & inner
    check.refuse(silent, "only a leaf gives no class", place)


_SURROGATE_KINDS = {
    "numeric": NodeKind.CUT,
    "ordinal": NodeKind.ORDER,
    "nominal": NodeKind.SUBSET,
}


def _check_surrogates(tree: Tree, schema: Schema, words: str) -> None:
    """The surrogates of a tree that is valid but for these; `words` say which tree."""
    own = tree.surrogates
    _check_surrogate_arrays(own, tree.node_count, words)
    if len(own) == 0:
        return
    counts = np.diff(own.start)
    node_of = np.repeat(np.arange(tree.node_count), counts)

    def where(surrogate: int) -> str:
        node = int(node_of[surrogate])
        return f"node {node}, surrogate {surrogate - own.start[node]}"

    check = _Checker(words, where)
    asks = np.isin(tree.kind, (NodeKind.CUT, NodeKind.ORDER, NodeKind.SUBSET))
    bad = (counts > 0) & ~(asks & (tree.n_children == 2) & (tree.missing_branch >= 0))
    check.refuse(
        bad[node_of], "its node has no two branches to choose from", own.feature
    )
    n_features = len(schema.features)
    outside = (own.feature < 0) | (own.feature >= n_features)
    check.refuse(outside, f"feature must be 0 to {n_features - 1}", own.feature)
    same = own.feature == tree.feature[node_of]
    check.refuse(same, "it asks about the feature of its node", own.feature)
    wanted = np.asarray([_SURROGATE_KINDS[each.kind] for each in schema.features])[
        own.feature
    ]
    check.refuse(own.kind != wanted, "its feature is not asked like that", own.kind)
    for name in ("agreement", "adjusted"):
        share = getattr(own, name)
        bad_share = ~((share >= 0) & (share <= 1))
        check.refuse(bad_share, f"{name} must be from 0 to 1", share)
    check.refuse(~np.isin(own.branch, (0, 1)), "branch must be 0 or 1", own.branch)
    compares, n_cuts = own.kind != NodeKind.SUBSET, _n_cuts(schema)[own.feature]
    _check_thresholds(own.threshold, compares, n_cuts, "the number of a cut", check)
    _check_surrogate_sets(own, schema, check)


def _check_surrogate_arrays(own: Surrogates, n_nodes: int, words: str) -> None:
    """Lengths and dtypes, and stretches that divide them."""
    n_own, n_codes = len(own.feature), len(own.set_codes)
    dtypes = dict(PER_SURROGATE, start="int64", set_start="int64")
    dtypes |= {"set_codes": "int32", "set_branch": "int32"}
    lengths = dict.fromkeys(PER_SURROGATE, n_own)
    lengths |= {"set_start": n_own + 1, "set_codes": n_codes, "set_branch": n_codes}
    lengths["start"] = n_nodes + 1 if n_own or len(own.start) else 0
    shapes = {name: (length,) for name, length in lengths.items()}
    _check_shapes(own, dtypes, shapes, words, " of the surrogates")
    for name, total in (("start", n_own), ("set_start", n_codes)):
        starts = getattr(own, name)
        if len(starts) == 0:
            continue
        rises = starts[0] == 0 and starts[-1] == total and (np.diff(starts) >= 0).all()
        if not rises:
            raise ModelFileError(
                f"{words}: {name} of the surrogates must rise from 0 to {total}"
            )


def _check_surrogate_sets(own: Surrogates, schema: Schema, check: _Checker) -> None:
    """Codes only where sets are asked about: ascending, known, with a branch each."""
    size = np.diff(own.set_start)
    subset = own.kind == NodeKind.SUBSET
    check.refuse(~subset & (size > 0), "only a subset question has a set", size)
    check.refuse(subset & (size == 0), "a subset question needs a set", size)
    which = np.repeat(np.arange(len(own)), size)
    bad = _is_wrong(own.set_codes, which, _n_values(schema)[own.feature[which]])
    bad |= (own.set_branch < 0) | (own.set_branch > 1)
    check.refuse(
        _has(bad, which, len(own)),
        "set codes must be ascending codes with a branch 0 or 1",
        own.feature,
    )


def validate_schema(schema: Schema) -> None:
    """Raise `ModelFileError` if a schema contradicts itself."""
    _check_unique(schema.names, "feature")
    for feature in schema.features:
        _check_feature(feature)
    _check_target(schema.target)


def _check_feature(feature: Feature) -> None:
    """Categories where they belong, cuts that ascend."""
    name = feature.name
    if feature.kind == "numeric" and feature.categories:
        raise ModelFileError(f"feature {name!r} is numeric and has categories")
    if feature.kind != "numeric" and feature.storage != "float64":
        raise ModelFileError(
            f"feature {name!r} is {feature.kind} and stored as {feature.storage}"
        )
    if feature.zoned and not feature.storage.startswith("datetime64"):
        raise ModelFileError(
            f"feature {name!r} has a time zone and is stored as {feature.storage}"
        )
    # as texts, which tell 1 from True
    texts = [canonical_label(label) for label in feature.categories]
    _check_unique(texts, f"in feature {name!r}, category")
    if feature.not_applicable is not None:
        _check_not_applicable(feature)
    cuts = feature.cuts if feature.is_wide else None
    if feature.intervals is not None:
        _check_intervals(feature, feature.intervals)
    if cuts is not None and (cuts[1:] <= cuts[:-1]).any():
        raise ModelFileError(f"feature {name!r}: its cuts must ascend")


def _check_not_applicable(feature: Feature) -> None:
    """The last category of a nominal feature whose cells are no numbers."""
    is_plain = feature.kind == "nominal" and feature.intervals is None
    if not is_plain or feature.categories[-1:] != (feature.not_applicable,):
        raise ModelFileError(
            f"feature {feature.name!r}: {feature.not_applicable!r} (not applicable) "
            "must be the last category of a nominal feature"
        )


def _check_intervals(feature: Feature, intervals: Intervals) -> None:
    """Borders that ascend, and one piece between them for each category."""
    where = f"the intervals of feature {feature.name!r}"
    if feature.kind != "nominal":
        raise ModelFileError(f"{where}: it is {feature.kind}, not nominal")
    if any(not isinstance(name, str) for name in feature.categories):
        raise ModelFileError(f"{where}: their names must be text")
    if intervals.zoned and not intervals.storage.startswith("datetime64"):
        raise ModelFileError(
            f"{where} have a time zone and are stored as {intervals.storage}"
        )
    borders = intervals.borders
    if not all(map(math.isfinite, borders)):
        raise ModelFileError(f"{where}: a border is not finite")
    if any(high <= low for low, high in pairwise(borders)):
        raise ModelFileError(f"{where}: their borders must ascend")
    inside = [code for code in intervals.codes if code != OUTSIDE]
    if (
        len(intervals.codes) != len(borders) + 1
        or inside != list(range(len(feature.categories)))
        or (not intervals.named and len(inside) < len(intervals.codes))
    ):
        raise ModelFileError(
            f"{where}: {len(borders)} borders do not divide into the "
            f"{len(feature.categories)} categories"
        )


def _check_target(target: Target) -> None:
    """At least one output, and classes if that is what is predicted."""
    wanted = target.n_outputs if target.kind == "classes" else 0
    named = [labels for labels in target.classes if labels]
    # numbers may have an empty entry per output
    if (
        not target.names
        or len(named) != wanted
        or len(target.classes) > len(target.names)
    ):
        raise ModelFileError(
            f"the target has {target.n_outputs} outputs of kind {target.kind} and "
            f"classes for {len(named)}"
        )
    for name, labels in zip(target.names, target.classes, strict=False):
        texts = [canonical_label(label) for label in labels]
        _check_unique(texts, f"in target {name!r}, class")
    if target.costs is not None:
        _check_costs(target, target.costs)


def _check_costs(target: Target, costs: tuple[tuple[float, ...], ...]) -> None:
    """A square of costs for the classes of one output, 0 where the answer is right."""
    if target.kind != "classes" or target.n_outputs != 1:
        raise ModelFileError("costs are for the classes of 1 output")
    n_classes = len(target.classes[0])
    if [len(row) for row in costs] != [n_classes] * n_classes:
        raise ModelFileError(
            f"the costs must be {n_classes} rows of {n_classes} numbers"
        )
    if not all(math.isfinite(cost) and cost >= 0 for row in costs for cost in row):
        raise ModelFileError("costs must be finite and not negative")
    if any(row[code] for code, row in enumerate(costs)):
        raise ModelFileError("the right class must cost 0")


def _check_unique(names: Sequence[str], what: str) -> None:
    """Refuse a name that stands twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ModelFileError(f"{what} {name!r} stands twice")
        seen.add(name)
