"""C4.5 straight from its descriptions: what the compiled engine must equal.

Quinlan, C4.5 (1993), chapters 2 and 3; Quinlan, JAIR 4 (1996), for the threshold cost.
It imports nothing of treewright and nothing that it is compared with. The candidates of
one feature are in `textbook_c45_splits.py`, collapsing and predicting in
`textbook_c45_answers.py`; trees have the form of `textbook.py`.

    grow(members):
        one class, or too little weight   -> a leaf
        splits    one of each feature: its best cut, or its values
        average   the mean gain of the splits, without features of very many values
        choose    among gains of at least the average (less 0.001) the largest ratio;
                  C5.0 has another least gain, and of near ratios the fewest branches
        divide    members with a value by the test, the others to every branch

Weights are fractions, so that shares of rows are exact. Gains are floats: where two of
them are so close that rounding decides, but not equal, `Undecided` is raised.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from textbook_c45_single import rounds_gains
from textbook_c45_splits import (
    Member,
    Node,
    Rules,
    Split,
    Table,
    Undecided,
    by_class,
    exceeds,
    falls_short,
    feature_split,
    has_rounded_shares,
    improves,
    info,
    is_grouped,
    ratio,
    reaches,
    single_ratio,
    weight,
)

Tree = dict[str, Any]

# a gain this much below the average still passes
GUARD_SLACK = 0.001


@dataclass(frozen=True)
class Place:
    """Where a node stands.

    The class weights of the node, of its parent, ... of the root; the features that are
    left; whether any of these weights has shares that binary numbers round.
    """

    lineage: list[list[Fraction]]
    features: list[str]
    is_rounded: bool = False


def grow_c45(rows, features, target, weights=None, *, classes, **rules) -> Tree:
    """Grow a tree; `features` and rows as in `textbook.py`, `rules` as in `Rules`."""
    weights = [1] * len(rows) if weights is None else weights
    table = Table(rows, features, target, classes, Rules(**rules))
    members = [(row, Fraction(w)) for row, w in enumerate(weights)]
    return grow(table, members, Place([], list(features)))


def grow(table: Table, members: list[Member], place: Place) -> Tree:
    value = by_class(table, members)
    is_rounded = place.is_rounded or has_rounded_shares(members)
    place = Place([value, *place.lineage], place.features, is_rounded)
    out: Tree = {
        "rows": len(members),
        "weight": float(weight(members)),
        "impurity": info(value),
        "value": [float(w) for w in value],
        "label": (table.classes[heaviest(table.rules, place)],),
    }
    if must_stop(table.rules, members, value):
        return out
    split = choose(table, Node(members), place.features)
    if split is None:
        return out
    if split.test[0] == "multiway" and not table.rules.reuse_features:
        left = [name for name in place.features if name != split.test[1]]
        place = replace(place, features=left)
    parts, missing = divide(table.rules, split)
    parts = without_small(table.rules, parts)
    return out | {
        "split": split.test,
        "gain": max(split.gain, 0.0),  # 32 bits may round a gain of 0 below it
        "missing": missing,
        "branches": [grow(table, part, place) for part in parts],
    }


def must_stop(rules: Rules, members: list[Member], value: list[Fraction]) -> bool:
    """One class only, or not enough for two branches."""
    if sum(value) - max(value) <= rules.tolerance:
        return True
    if rules.count_by == "weight":
        return not reaches(rules, members, 2 * rules.min_samples_leaf)
    return len(members) < 2 * rules.min_samples_leaf


def heaviest(rules: Rules, place: Place) -> int:
    """Return the heaviest class, that of the parent without rows.

    Of equals the one that is heavier in the nearest ancestor that decides, if the rules
    say so, then the first.
    """
    lineage = place.lineage
    while not any(lineage[0]) and len(lineage) > 1:
        lineage = lineage[1:]
    first, *others = sorted(lineage[0], reverse=True)
    if place.is_rounded and any(first - other < 1e-9 for other in others):
        raise Undecided("two classes are as heavy, but for the rounding of shares")
    if rules.label_ties == "first":
        lineage = lineage[:1]
    columns = list(zip(*lineage, strict=True))
    return columns.index(max(columns))


def choose(table: Table, node: Node, features: list[str]) -> Split | None:
    """Return the split with the largest worth among those that the guard lets pass."""
    rules = table.rules
    found = [feature_split(table, node, name) for name in features]
    splits = [split for split in found if split is not None]
    if rules.gain_guard == "c50":
        return choose_c50(table, node, splits)
    if rules.gain_guard == "c45" and splits:
        least = average_gain(table, splits) - GUARD_SLACK
        splits = [s for s in splits if not exceeds(least, s.reduced_gain)]
    by_ratio = rules.criterion == "gain_ratio"
    worth = ratio if by_ratio else reduced_gain
    if rounds_gains(rules):
        worth = single_ratio
    best: Split | None = None
    for split in splits:
        if by_ratio and not exceeds(split.information, rules.min_split_information):
            continue
        if improves(table, split, best, worth, -1e-3 if rules.zero_gain else 0.0):
            best = split
    return best


def choose_c50(table: Table, node: Node, splits: list[Split]) -> Split | None:
    """Return the split with the best ratio, or the simplest of those just as good."""
    some_have_few = any(not has_many_values(table, name) for name in table.features)
    if some_have_few:
        splits = [s for s in splits if not has_many_values(table, s.test[1])]
    if not splits:
        return None
    least = 0.999 * least_gain_c50(table, node, splits)
    passed = [
        s
        for s in splits
        if not falls_short(s.reduced_gain, least)
        and exceeds(s.information, table.rules.min_split_information)
        and exceeds(ratio(s), table.rules.tolerance)
    ]
    if not passed:
        return None
    near = 0.999 * max(map(ratio, passed))
    passed = [s for s in passed if not falls_short(ratio(s), near)]
    fewest = min(len(s.parts) for s in passed)
    best, *others = [s for s in passed if len(s.parts) == fewest]
    for split in others:
        if exceeds(split.reduced_gain, best.reduced_gain):
            best = split
    return best


def least_gain_c50(table: Table, node: Node, splits: list[Split]) -> float:
    """Return the average gain in small tables, the bits to name a feature in large."""
    average = sum(split.reduced_gain for split in splits) / len(splits)
    naming = 0.9 * math.log2(len(splits)) / float(weight(node.members))
    per_class = len(table.rows) / len(table.classes)
    if per_class <= 500:
        return average
    if per_class >= 1000:
        return naming
    return ((1000 - per_class) * average + (per_class - 500) * naming) / 500


def reduced_gain(split: Split) -> float:
    return split.reduced_gain


def average_gain(table: Table, splits: list[Split]) -> float:
    """Return the mean gain; features of very many values do not count in it.

    Very many are 0.3 of the number of rows. If all features have as many, all count.
    """
    few = [name for name in table.features if not has_many_values(table, name)]
    counted = [s for s in splits if not few or s.test[1] in few]
    if not counted:
        raise Undecided("the descriptions do not say what the mean of no gain is")
    return sum(split.reduced_gain for split in counted) / len(counted)


def has_many_values(table: Table, name: str) -> bool:
    categories = table.features[name]
    if is_grouped(table, name):
        return False  # a branch has many of them
    return categories is not None and len(categories) >= 0.3 * len(table.rows)


def divide(rules: Rules, split: Split) -> tuple[list[list[Member]], int | None]:
    """Add the members without a value; also the branch that takes them, if one does."""
    if rules.missing == "majority":
        sizes = [weight(part) for part in split.parts]
        largest = sizes.index(max(sizes))
        parts = list(split.parts)
        parts[largest] = parts[largest] + split.unknown
        return parts, largest
    sizes = with_a_share(rules, [weight(part) for part in split.parts])
    parts = []
    for part, size in zip(split.parts, sizes, strict=True):
        share = size / sum(sizes)
        copies = [(row, w * share) for row, w in split.unknown if share > 0]
        parts.append(part + copies)
    return parts, None


def with_a_share(rules: Rules, sizes: list[Fraction]) -> list[Fraction]:
    """Return the weights by which rows are divided: 0 for branches of a small share."""
    least = min(Fraction(rules.min_share) * sum(sizes), max(sizes))
    return [Fraction(0) if is_below(size, least) else size for size in sizes]


def without_small(rules: Rules, parts: list[list[Member]]) -> list[list[Member]]:
    """Empty the branches that weigh too little, unless all of them do."""
    least = Fraction(rules.min_branch_weight)
    small = [is_below(weight(part), least) for part in parts]
    if all(small):
        return parts
    return [[] if empty else part for part, empty in zip(parts, small, strict=True)]


def is_below(amount: Fraction, least: Fraction) -> bool:
    if amount != least and abs(amount - least) < 1e-9:
        raise Undecided(f"{amount} beside {least}")
    if amount == least and amount.denominator & (amount.denominator - 1):
        raise Undecided(f"binary numbers round {amount}")
    return amount < least
