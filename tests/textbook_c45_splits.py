"""The best split of one feature, as C4.5 sees it; `textbook_c45.py` chooses among them.

Glossary
--------
member         (row number, weight): a row, or a share of one, as it stands at a node
D, K           the weight of a node, and of its members with a known value
gain           K/D x (info of the known members - the mean info of the branches)
information    the entropy of the branch weights and, as one more outcome, of the
               members without a value: the bits that name a member's branch
reduced gain   the gain less the bits per member that it takes to name the cut
test, part     as in `textbook.py`; parts hold members with a value only
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from operator import attrgetter
from typing import Any

from textbook_c45_grouping import Block, Judge, charge, group, shares
from textbook_c45_single import judge, rounds_gains, single

Member = tuple[int, Fraction]
Parts = list[list[Member]]


@dataclass(frozen=True)
class Rules:
    """The switches; names and meaning as in the package's `Dialect`."""

    criterion: str = "gain_ratio"  # or "entropy"
    nominal_splits: str = "multiway"  # or "one_value"
    grouping: str | None = None  # or "c45", "c50"
    numeric_splits: str = "midpoint"  # or "training_value", "lower_value"
    reuse_features: bool = False
    missing: str = "fractional"  # or "majority"
    gain_guard: str | None = None  # or "c45", "c50"
    # or "evaluated_cuts", "distinct_values", "c50"
    threshold_cost: str | None = None
    count_by: str = "rows"  # or "weight"
    min_samples_leaf: int = 1
    large_branches: str = "each"  # or "two"
    cut_minimum: str = "min_samples_leaf"  # or "tenth_per_class"
    min_branch_weight: float = 0.0
    min_share: float = 0.0
    min_gap: float = 0.0
    single_precision: bool = False
    zero_gain: bool = False
    min_split_information: float = 0.0
    tolerance: float = 0.0
    label_ties: str = "ancestor"  # or "first"


@dataclass(frozen=True)
class Table:
    """The training data and the rules."""

    rows: list[dict[str, Any]]
    features: dict[str, Sequence[Any] | None]
    target: list[Any]
    classes: list[Any]
    rules: Rules


@dataclass(frozen=True)
class Node:
    """The members at a node."""

    members: list[Member]


@dataclass(frozen=True)
class Split:
    """A test, the members that it divides, and what it is worth."""

    test: tuple[Any, ...]
    parts: Parts
    unknown: list[Member]
    gain: float
    information: float
    reduced_gain: float


Worth = Callable[[Split], float]


class Undecided(Exception):  # noqa: N818
    """Two numbers are so close that rounding may decide between them."""


def exceeds(a: float, b: float, by: float = 0.0) -> bool:
    """Whether a is larger than b by more than `by`; Undecided if rounding decides.

    Numbers within 1e-12 are equal, and then the first one keeps its place.
    """
    ahead = a - b - by
    if by == 0 and abs(ahead) <= 1e-12:
        return False
    if abs(ahead) < 1e-9:
        raise Undecided(f"{a!r} beside {b!r}")
    return ahead > 0


def falls_short(a: float, limit: float) -> bool:
    """Whether a is below a limit; Undecided if rounding decides."""
    return exceeds(limit, a)


def improves(
    table: Table, new: Split, old: Split | None, worth: Worth, least: float = 0.0
) -> bool:
    """Whether a split is worth more than the best before it, by the tolerance."""
    best = worth(old) if old else least
    if rounds_gains(table.rules) and table.rules.tolerance == 0:
        known = [member for part in new.parts for member in part]
        if abs(worth(new) - best) < 1e-5 and has_rounded_shares(known + new.unknown):
            raise Undecided("32 bits tell apart what the rounding of shares parts")
        return worth(new) > best
    return exceeds(worth(new), best, table.rules.tolerance)


def weight(members: list[Member]) -> Fraction:
    return sum((w for _, w in members), Fraction(0))


def by_class(table: Table, members: list[Member]) -> list[Fraction]:
    return [
        weight([member for member in members if table.target[member[0]] == label])
        for label in table.classes
    ]


def info(weights: list[Fraction]) -> float:
    """Return the entropy of outcomes with these weights, in bits."""
    total = sum(weights)
    shares = [float(w / total) for w in weights if w > 0]
    return math.fsum(-share * math.log2(share) for share in shares) + 0.0


def make_split(table: Table, test: tuple[Any, ...], parts: Parts, unknown) -> Split:
    known = [member for part in parts for member in part]
    k, d = weight(known), weight(known) + weight(unknown)
    if rounds_gains(table.rules):
        classes = [by_class(table, part) for part in parts]
        found = judge(classes, weight(unknown), is_cut=test[0] == "cut")
        gain = found.gain
        return Split(test, parts, unknown, gain, found.information, gain)
    after = math.fsum(
        float(weight(part) / k) * info(by_class(table, part)) for part in parts
    )
    gain = float(k / d) * (info(by_class(table, known)) - after)
    information = info([*map(weight, parts), weight(unknown)])
    return Split(test, parts, unknown, gain, information, gain)


def feature_split(table: Table, node: Node, name: str) -> Split | None:
    """Return the best split of a feature; None if none is admissible."""
    values = {row: table.rows[row][name] for row, _ in node.members}
    known = [member for member in node.members if values[member[0]] is not None]
    unknown = [member for member in node.members if values[member[0]] is None]
    one_class = sum(w > 0 for w in by_class(table, known)) <= 1
    if table.rules.missing == "majority" and unknown and one_class:
        return None  # rows that agree are not told apart, even if unknown ones differ
    if table.features[name] is None:
        return cut_split(table, name, known, unknown)
    if table.rules.nominal_splits == "one_value":
        return one_value_split(table, name, known, unknown)
    if is_grouped(table, name):
        return groups_split(table, name, known, unknown)
    return multiway_split(table, name, known, unknown)


def is_large(rules: Rules, part: list[Member], least_weight: Any = 0) -> bool:
    """Whether a branch has enough members with a value."""
    if rules.count_by == "weight":
        least_weight = max(least_weight, rules.min_samples_leaf)
    elif len(part) < rules.min_samples_leaf:
        return False
    return bool(part) and reaches(rules, part, least_weight)


def reaches(rules: Rules, members: list[Member], least: Any) -> bool:
    """Whether members weigh at least as much."""
    over = weight(members) - least + Fraction(rules.tolerance)
    if abs(over) < 1e-9 and (has_rounded_shares(members) or least != int(least)):
        raise Undecided(f"a weight of {weight(members)} beside {least}")
    return over >= 0


def has_rounded_shares(members: list[Member]) -> bool:
    """Whether binary numbers must round the weights: three thirds may not be one."""
    return any(w.denominator & (w.denominator - 1) for _, w in members)


def multiway_split(table: Table, name: str, known, unknown) -> Split | None:
    """One branch per declared value: two of them large, or all that have members."""
    parts = [
        [member for member in known if table.rows[member[0]][name] == value]
        for value in table.features[name]
    ]
    n_filled = sum(bool(part) for part in parts)
    n_large = sum(is_large(table.rules, part) for part in parts)
    wanted = 2 if table.rules.large_branches == "two" else n_filled
    if n_filled < 2 or n_large < wanted:
        return None
    return make_split(table, ("multiway", name), parts, unknown)


def one_value_split(table: Table, name: str, known, unknown) -> Split | None:
    """One value against the rest: the one with the largest ratio."""
    best: Split | None = None
    for value in table.features[name]:
        inside = [member for member in known if table.rows[member[0]][name] == value]
        outside = [member for member in known if member not in inside]
        if not all(part and is_large(table.rules, part) for part in (inside, outside)):
            continue
        test = ("subset", name, frozenset([value]))
        split = make_split(table, test, [inside, outside], unknown)
        if best is None or improves(table, split, best, ratio):
            best = split
    return best


def is_grouped(table: Table, name: str) -> bool:
    """Whether values share branches; of two values there is nothing to join."""
    return table.rules.grouping is not None and len(table.features[name] or ()) > 2


def groups_split(table: Table, name: str, known, unknown) -> Split | None:
    """One branch per group of values, and a last one for values without members."""
    parts = {
        value: [member for member in known if table.rows[member[0]][name] == value]
        for value in table.features[name]
    }
    filled = [
        Block([value], by_class(table, part), len(part))
        for value, part in parts.items()
        if part
    ]
    judge = judge_of(table, len(filled), weight(unknown))
    refuse_rounded_shares(filled, known)
    blocks = group(filled, judge)
    if len(blocks) < 2 or not judge.admits(blocks):
        return None
    groups = [block.values for block in blocks]
    absent = [value for value, part in parts.items() if not part]
    groups += [absent] if absent else []
    test = ("groups", name, tuple(map(frozenset, groups)))
    divided = [[m for value in values for m in parts[value]] for values in groups]
    split = make_split(table, test, divided, unknown)
    bits = charge_of(table.rules, len(filled), len(blocks))
    d = float(weight(known) + weight(unknown))
    reduced = split.gain - bits / d
    if bits > 0 and not exceeds(reduced, 0.0, table.rules.tolerance):
        return None
    return Split(
        test, divided, unknown, split.gain, split.information, reduced_gain=reduced
    )


def charge_of(rules: Rules, n_values: int, n_blocks: int) -> float:
    return charge(n_values, n_blocks) if rules.grouping == "c50" else 0.0


def judge_of(table: Table, n_values: int, unknown: Fraction) -> Judge:
    """Say how groupings of so many values are compared, as splits are."""
    rules = table.rules

    def worth(blocks: list[Block]) -> float:
        sizes = [block.weight for block in blocks]
        k, d = sum(sizes), sum(sizes) + unknown
        classes = [sum(each) for each in zip(*(b.classes for b in blocks), strict=True)]
        after = math.fsum(float(b.weight / k) * info(b.classes) for b in blocks)
        gain = float(k / d) * (info(classes) - after)
        bits = charge_of(rules, n_values, len(blocks))
        return (gain - bits / float(d)) / info([*sizes, unknown])

    def admits(blocks: list[Block]) -> bool:
        large = [is_large_block(rules, block) for block in blocks]
        return sum(large) >= (2 if rules.large_branches == "two" else len(blocks))

    return Judge(worth, admits, lambda a, b: exceeds(a, b, rules.tolerance))


def is_large_block(rules: Rules, block: Block) -> bool:
    """The same as `is_large`, of a block: its members as one of all their weight."""
    if rules.count_by == "rows":
        return block.n_members >= rules.min_samples_leaf
    return is_large(rules, [(0, block.weight)])


def refuse_rounded_shares(blocks: list[Block], known: list[Member]) -> None:
    """Shares that are nearly the same may be so by the rounding of weights."""
    if not has_rounded_shares(known):
        return
    for one, other in combinations(map(shares, blocks), 2):
        differences = [abs(a - b) for a, b in zip(one, other, strict=True)]
        if 0 < max(differences) < 1e-7:
            raise Undecided("two values have nearly the same shares of the classes")


def ratio(split: Split) -> float:
    return split.reduced_gain / split.information


def single_ratio(split: Split) -> float:
    return single(split.reduced_gain / split.information)


def cut_split(table: Table, name: str, known, unknown) -> Split | None:
    """The cut that gains most, less its cost; None if it gains nothing."""
    rules, best, n_cuts, gap = table.rules, None, 0, 0.0
    d = float(weight(known) + weight(unknown))
    values = [table.rows[row][name] for row, _ in known]
    for low, high in admissible_cuts(table, name, known):
        n_cuts += 1
        test = ("cut", name, stored_threshold(table, name, low, high))
        sides = [[], []]
        for member, value in zip(known, values, strict=True):
            sides[value > low].append(member)
        split = make_split(table, test, sides, unknown)
        if improves(table, split, best, attrgetter("gain")):
            best, gap = split, rounded(rules, high) - rounded(rules, low)
    if best is None:
        return None
    extent = rounded(rules, max(values)) - rounded(rules, min(values))
    named = {
        None: 1,
        "evaluated_cuts": n_cuts,
        "distinct_values": len(set(values)) - 1,
        "c50": min(n_cuts, extent / gap),
    }[rules.threshold_cost]
    reduced = best.gain - math.log2(named) / d
    if rounds_gains(rules):
        reduced = single(best.reduced_gain - single(math.log2(named) / d))
    if not exceeds(reduced, 0.0, rules.tolerance):
        return None
    return Split(best.test, best.parts, unknown, best.gain, best.information, reduced)


def admissible_cuts(table: Table, name: str, known) -> Iterator[tuple[float, float]]:
    """Yield neighbours that a cut may part: far enough, and enough on both sides."""
    rules = table.rules
    least: Any = 0
    if rules.cut_minimum == "tenth_per_class":
        least = min(weight(known) / 10 / len(table.classes), 25)
    for low, high in pairwise(sorted({table.rows[row][name] for row, _ in known})):
        low_side = [m for m in known if table.rows[m[0]][name] <= low]
        high_side = [m for m in known if table.rows[m[0]][name] > low]
        a, b = (rounded(rules, x) for x in (low, high))
        if a + rules.min_gap < b and all(
            is_large(rules, side, least) for side in (low_side, high_side)
        ):
            yield low, high


def stored_threshold(table: Table, name: str, low: float, high: float) -> float:
    """Half way; or the largest value of all rows that is not above that; or the low."""
    rules = table.rules
    middle = low / 2 + high / 2
    if rules.numeric_splits == "lower_value":
        return low
    if rules.numeric_splits == "midpoint":
        return middle if low <= middle < high else low
    middle = rounded(rules, rounded(rules, low) / 2 + rounded(rules, high) / 2)
    values = [row[name] for row in table.rows if row[name] is not None]
    not_above = [x for x in values if rounded(rules, x) <= middle + rules.tolerance]
    return max(x for x in not_above if low <= x < high)


def rounded(rules: Rules, x: float) -> float:
    """Return a value in the precision in which values are compared."""
    return single(x) if rules.single_precision else x
