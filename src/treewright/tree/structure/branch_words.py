"""How a branch reads in words: "Outlook = Sunny", "PS <= 195", "age is missing".

A `BranchCondition` keeps the three words apart, so that a listing can leave out what it
has already said. Names and values come out as they are; whoever prints them escapes
them for the place where they go.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from treewright.data.schema import Feature, Label, Schema
from treewright.tree.structure.combination import terms_at
from treewright.tree.structure.node_kind import HAVE_SETS
from treewright.tree.structure.tree import NodeKind, Tree

NOT_APPLICABLE = "not applicable"
# what a listing of conditions says itself, so that a value with it is not clear
_UNCLEAR = re.compile(
    r'[,={}"]|^(missing|known|not applicable|is|in)$'
    r"|(^|\s)(and|or|is missing|is known)(\s|$)"
)


@dataclass(frozen=True)
class BranchCondition:
    """What must hold for a row to take a branch."""

    feature: str  # name of the feature
    # {"=", "!=", "<=", ">", "<", ">=", "in", "not in", "is"}: "is" goes with the values
    # "missing" and "known"
    relation: str
    value: str  # what the feature is compared with

    def __str__(self) -> str:
        return f"{self.feature} {self.relation} {self.value}"

    @property
    def answer(self) -> str:
        """The part after the feature's name: "Sunny", "<= 195", "missing"."""
        if self.relation in ("=", "is"):
            return self.value
        return f"{self.relation} {self.value}"


def number_text(number: float) -> str:
    """Shortest text that reads back as the same number: 195, 0.3815, 1e+300."""
    text = repr(float(number))
    return text.removesuffix(".0")


def label_text(label: Label) -> str:
    """Text of a category, a class label or a name."""
    if isinstance(label, np.datetime64):
        return _moment_text(label)
    if isinstance(label, np.timedelta64):
        label = _span(label)
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, float):
        return number_text(label)
    if isinstance(label, datetime.date):
        return label.isoformat()
    if isinstance(label, tuple):
        return f"({', '.join(map(label_text, label))})"
    text = str(label)
    # a blank label would leave a hole in the sentence
    return text if text.strip() else f'"{text}"'


def value_text(label: Label) -> str:
    """Text of a value in a condition, in quotes where it could be read otherwise."""
    text = label_text(label)
    is_bare = not isinstance(label, str) or text != label  # a blank one has its quotes
    if is_bare or not (text != text.strip() or _UNCLEAR.search(text)):
        return text
    inside = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{inside}"'


def _moment_text(moment: np.datetime64) -> str:
    """Text of a NumPy date in ISO form, as short as it is exact."""
    return str(np.datetime_as_string(moment, unit="auto"))


def _span(span: np.timedelta64) -> Label:
    """A NumPy duration as Python's, or as text where that is too coarse."""
    coarse = span.astype("timedelta64[us]")
    # Python's own has no nanoseconds, and item() would give a mere number
    value = coarse.item() if coarse == span else None
    return value if isinstance(value, datetime.timedelta) else str(span)


def category_text(
    feature: Feature, code: int, text: Callable[[Label], str] = label_text
) -> str:
    """Text of a category; the one for cells without a possible value says just that."""
    if feature.not_applicable is not None and code == len(feature.categories) - 1:
        return NOT_APPLICABLE
    return text(feature.categories[code])


def _asked_category(feature: Feature, code: int) -> str:
    """Text of a category in a condition; an interval called by its borders is clear."""
    own = feature.intervals
    by_borders = own is not None and not own.named
    return category_text(feature, code, label_text if by_borders else value_text)


def cut_value(feature: Feature, threshold: float) -> float | int | np.generic:
    """The value that a CUT compares with: a float, an exact int, a date or a span."""
    if not feature.is_wide or feature.cuts is None:
        return float(threshold)
    cut = feature.cuts[int(threshold)]
    if feature.storage in ("int64", "uint64"):
        return int(cut)
    return np.asarray([cut]).view(feature.storage)[0]  # type: ignore[no-any-return]


def cut_text(feature: Feature, threshold: float) -> str:
    """Text of a CUT's threshold; dates in ISO form, integers exactly."""
    value = cut_value(feature, threshold)
    if isinstance(value, np.datetime64):
        return _moment_text(value)
    return number_text(value) if isinstance(value, float) else str(value)


def has_own_missing_branch(schema: Schema, tree: Tree, node: int) -> bool:
    """Whether the last branch of an inner node is for missing values only."""
    kind = tree.kind_of(node)
    if kind == NodeKind.KNOWN:
        return True
    ordinary = 2
    if kind == NodeKind.MULTIWAY:
        ordinary = len(schema.features[tree.feature[node]].categories)
    elif kind == NodeKind.GROUPS:
        ordinary = int(tree.subset(node).max()) + 1
    return bool(tree.n_children[node] > ordinary)


def asked_name(schema: Schema, tree: Tree, node: int) -> str:
    """What an inner node asks about: a feature's name, or "0.53 width - 2 length".

    Weights are rounded for reading; JSON has all their digits.
    """
    if tree.kind_of(node) != NodeKind.COMBINATION:
        return label_text(schema.features[tree.feature[node]].name)
    return sum_name(schema, terms_at(tree, node))


def sum_name(schema: Schema, terms: Sequence[tuple[int, float]]) -> str:
    """Return a weighted sum of features in words: "0.53 width - 2 length"."""
    words: list[str] = []
    for number, weight in terms:
        size = float(f"{weight:.4g}")
        if words:
            words.append("-" if size < 0 else "+")
            size = abs(size)
        words.append(f"{number_text(size)} {label_text(schema.features[number].name)}")
    return " ".join(words)


def branch_condition(
    schema: Schema, tree: Tree, node: int, branch: int, *, most: int | None = None
) -> BranchCondition:
    """Return what a row must satisfy to take a branch of an inner node.

    `schema`: names and categories. `node`, `branch`: an inner node and the position of
    one of its children. `most`: longest list of categories to spell out; the rest is
    counted.
    """
    feature = schema.features[tree.feature[node]]
    name = asked_name(schema, tree, node)
    last = branch == tree.n_children[node] - 1
    if last and has_own_missing_branch(schema, tree, node):
        return BranchCondition(name, "is", "missing")
    kind, threshold = tree.kind_of(node), float(tree.threshold[node])
    if kind == NodeKind.KNOWN:
        return BranchCondition(name, "is", "known")
    if kind == NodeKind.MULTIWAY:
        return category_condition(feature, branch)
    if kind in HAVE_SETS:
        codes, side = tree.subset(node).tolist(), branch
        if kind == NodeKind.GROUPS:  # each branch has a set of its own
            codes, side = tree.groups(node)[branch], 0
        return subset_condition(feature, codes, side, most)
    relation = ("<=", ">")[branch]
    if kind in (NodeKind.ORDER, NodeKind.COMBINATION):
        value = number_text(float(f"{threshold:.6g}"))
        if kind == NodeKind.ORDER:
            value = value_text(feature.categories[int(threshold)])
        return BranchCondition(name, relation, value)
    return cut_condition(feature, threshold, branch)


def cut_condition(feature: Feature, threshold: float, branch: int) -> BranchCondition:
    """Which side of a cut: "<= 2.5"; "< 2.45" for what is <= 2.4499999999999997.

    Rounding noise in the last digits is left out, if that is all they have: then no
    number of up to 15 digits lies between the threshold and what is shown.
    """
    name, value = label_text(feature.name), cut_text(feature, threshold)
    relations = ("<=", ">")
    if not feature.is_wide:
        rounded = float(f"{threshold:.15g}")
        short = number_text(rounded)
        if len(short) + 4 <= len(value):
            value = short
            relations = ("<", ">=") if rounded > threshold else relations
    return BranchCondition(name, relations[branch], value)


def branch_text(schema: Schema, tree: Tree, node: int, branch: int) -> str:
    """Return a branch in words, for example "colour in {red, blue}"."""
    return str(branch_condition(schema, tree, node, branch))


def surrogate_condition(
    schema: Schema, tree: Tree, surrogate: int, *, most: int | None = None
) -> BranchCondition:
    """Return what sends a row down the first branch of a surrogate's node."""
    own = tree.surrogates
    feature = schema.features[own.feature[surrogate]]
    kind, branch = NodeKind(int(own.kind[surrogate])), int(own.branch[surrogate])
    threshold = float(own.threshold[surrogate])
    if kind == NodeKind.SUBSET:
        return subset_condition(feature, own.codes(surrogate, 0), 0, most)
    if kind == NodeKind.ORDER:
        value = value_text(feature.categories[int(threshold)])
        return BranchCondition(label_text(feature.name), ("<=", ">")[branch], value)
    return cut_condition(feature, threshold, branch)


def category_condition(feature: Feature, code: int) -> BranchCondition:
    """Equality; or where a number is, for an interval that is called by its borders."""
    name, value = label_text(feature.name), _asked_category(feature, code)
    intervals = feature.intervals
    if intervals is None or intervals.named or not intervals.borders:
        return BranchCondition(name, "=", value)
    for relation in ("<=", ">"):  # the outer ones are called "<= 2" and "> 5"
        if value.startswith(f"{relation} "):
            return BranchCondition(name, relation, value.removeprefix(f"{relation} "))
    return BranchCondition(name, "in", value)


def subset_condition(
    feature: Feature, codes: list[int], branch: int, most: int | None
) -> BranchCondition:
    """Membership, or equality when the set has a single element."""
    name = label_text(feature.name)
    by_borders = feature.intervals is not None and not feature.intervals.named
    if len(codes) == 1 and not by_borders:  # "= <= 2" would not read well
        value = _asked_category(feature, codes[0])
        return BranchCondition(name, ("=", "!=")[branch], value)
    shown = codes if most is None else codes[:most]
    words = [_asked_category(feature, code) for code in shown]
    if len(shown) < len(codes):
        words.append(f"and {len(codes) - len(shown)} more")
    return BranchCondition(name, ("in", "not in")[branch], "{" + ", ".join(words) + "}")
