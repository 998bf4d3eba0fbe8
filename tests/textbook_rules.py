"""C4.5rules, plain and slow: sets of rows, one rule after the other.

Written from the description of the procedure alone; it shares no code with treewright.
A row is a list of cells (a number, the code of a category, or None), a condition a
tuple, a rule a list of conditions.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

# normal quantiles of C4.5 at these confidence levels
_LEVELS = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
_QUANTILES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)
_TOLERANCE = 1e-9
_MOST_RATE = 0.7


class Table:
    """Rows with classes and weights, and what the columns are.

    `kinds` has for each feature "numeric" or "nominal", `n_values` how many categories
    it has.
    """

    def __init__(self, rows, classes, weights, n_classes, kinds, n_values):
        self.rows, self.classes, self.weights = rows, classes, weights
        self.n_classes, self.kinds, self.n_values = n_classes, kinds, n_values
        self.all = frozenset(range(len(rows)))

    def weight(self, rows):
        return sum((self.weights[row] for row in rows), Fraction(0))

    def of_class(self, rows, wanted):
        return {row for row in rows if self.classes[row] == wanted}

    def covered(self, rule):
        return {
            row
            for row in self.all
            if all(meets(self.rows[row][one[1]], one) for one in rule)
        }


def meets(cell, condition):
    relation, _, value = condition
    if cell is None:
        return False
    if relation == "<=":
        return cell <= value
    if relation == ">":
        return cell > value
    return cell in value


def added_errors(n, e, confidence):
    """U(N, E) as C4.5 has it."""
    if confidence > 0.5:
        return 0.0
    if e == 0:
        return n * (1 - confidence ** (1 / n))
    if e < 1:
        none = added_errors(n, 0, confidence)
        return none + e * (added_errors(n, 1.0, confidence) - none)
    if e + 0.5 >= n:
        return 0.67 * max(n - e, 0.0)
    for k in range(len(_LEVELS) - 1):
        if _LEVELS[k] <= confidence <= _LEVELS[k + 1]:
            share = (confidence - _LEVELS[k]) / (_LEVELS[k + 1] - _LEVELS[k])
            z = _QUANTILES[k] + share * (_QUANTILES[k + 1] - _QUANTILES[k])
    f = e + 0.5
    p = (f + z * z / 2 + z * math.sqrt(f * (1 - f / n) + z * z / 4)) / (n + z * z)
    return n * p - e


def counts(table, rule, wanted):
    covered = table.covered(rule)
    n = table.weight(covered)
    return n, n - table.weight(table.of_class(covered, wanted))


def pessimistic(n, e, confidence):
    return (float(e) + added_errors(float(n), float(e), confidence)) / float(n)


def fisher(a, b, c, d):
    """The chance of a or more, by counting."""
    n, held, right = a + b + c + d, a + b, a + c
    ways = sum(
        math.comb(right, k) * math.comb(n - right, held - k)
        for k in range(a, min(held, right) + 1)
        if 0 <= held - k <= n - right
    )
    return Fraction(ways, math.comb(n, held))


def generalise(table, rule, wanted, confidence, with_fisher=False):
    rule = list(rule)
    while True:
        n, e = counts(table, rule, wanted)
        if n == 0 or not rule:
            return rule
        rate, actual = pessimistic(n, e, confidence), e / n
        goes_on, best, lowest = False, None, math.inf
        for k in range(len(rule)):
            less = rule[:k] + rule[k + 1 :]
            n_less, e_less = counts(table, less, wanted)
            rate_less = pessimistic(n_less, e_less, confidence)
            if rate_less <= rate or e_less / n_less <= actual:
                goes_on = True
            if with_fisher:
                right, wrong = n_less - e_less, e_less
                cells = (n - e, e, right - (n - e), wrong - e)
                if fisher(*(round(cell) for cell in cells)) > Fraction(1, 20):
                    goes_on = True
            if rate_less < lowest:
                best, lowest = k, rate_less
        if not goes_on:
            return rule
        del rule[best]


def entropy(amounts):
    total = float(sum(amounts))
    return -sum(
        float(x) / total * math.log2(float(x) / total) for x in amounts if x > 0
    )


def condition_bits(table, condition, choice, redundancy, grouped):
    relation, feature, _ = condition
    cells = [row[feature] for row in table.rows]
    known = [(c, table.weights[k]) for k, c in enumerate(cells) if c is not None]
    if relation != "in":
        branch = 1 + math.log2(len({cell for cell, _ in known})) / 2
    elif grouped:
        branch = table.n_values[feature]
    else:
        weight = {}
        for cell, w in known:
            weight[cell] = weight.get(cell, 0) + w
        branch = entropy(weight.values())
    return choice / redundancy + branch


def log2_factorial(n):
    return math.log2(math.factorial(n))


def rule_bits(table, rules, redundancy, grouped):
    used = {}
    for rule in rules:
        for _, feature, _ in rule:
            used[feature] = used.get(feature, 0) + 1
    choice = entropy(used.values()) if used else 0.0
    return [
        sum(condition_bits(table, one, choice, redundancy, grouped) for one in rule)
        + math.log2(len(rule))
        - log2_factorial(len(rule))
        for rule in rules
    ]


def exception_bits(n, covered, fp, fn):
    """As the description says, with the bias of 1995."""

    def code(size, wrong, rate):
        bits = 0.0
        if wrong > 0:
            bits -= wrong * math.log2(rate)
        if size - wrong > 0:
            bits -= (size - wrong) * math.log2(1 - rate)
        return bits

    n, covered, fp, fn = map(float, (n, covered, fp, fn))
    rest = n - covered
    rate_covered = fp / covered if covered else 0.0
    rate_rest = fn / rest if rest else 0.0
    if covered > n / 2:
        rate_covered = 0.5 * (fp + fn) / covered
    else:
        rate_rest = 0.5 * (fp + fn) / rest
    return math.log2(n) + code(covered, fp, rate_covered) + code(rest, fn, rate_rest)


def total_bits(table, covers, bits, chosen, wanted):
    covered = set().union(*(covers[k] for k in chosen))
    right = table.weight(table.of_class(covered, wanted))
    n_covered = table.weight(covered)
    missed = table.weight(table.of_class(table.all, wanted)) - right
    theory = 0.5 * (sum(bits[k] for k in sorted(chosen)) - log2_factorial(len(chosen)))
    return theory + exception_bits(
        table.weight(table.all), n_covered, n_covered - right, missed
    )


def is_less(bits, best):
    return bits < best - _TOLERANCE * (1 + abs(best))


def best_subset(table, covers, bits, wanted, starts):
    """All subsets, small ones first; or climbs from the starts."""

    known = {}

    def length(chosen):
        key = frozenset(chosen)
        if key not in known:
            known[key] = total_bits(table, covers, bits, key, wanted)
        return known[key]

    n = len(bits)
    if n <= 10:
        best = frozenset()
        least = length(best)
        for size in range(n + 1):
            # in the order of the binary numbers whose bits are the rules
            some = sorted(
                combinations(range(n), size), key=lambda s: sum(1 << k for k in s)
            )
            for chosen in some:
                if is_less(length(chosen), least):
                    best, least = frozenset(chosen), length(chosen)
        return best
    best, least = None, None
    for start in starts:
        chosen = frozenset(k for k in range(n) if start[k])
        here = length(chosen)
        while True:
            step, step_length = None, here
            for k in range(n):
                if is_less(length(chosen ^ {k}), step_length):
                    step, step_length = chosen ^ {k}, length(chosen ^ {k})
            if step is None:
                break
            chosen, here = step, step_length
        if best is None or is_less(here, least):
            best, least = chosen, here
    return best


def order_and_polish(table, chosen):
    """`chosen`: by class the (rule, rate) pairs. Returns the rules and the default."""
    left = {c: rules for c, rules in chosen.items() if rules}
    free, ordered = set(table.all), []
    while left:
        wrong = {}
        for wanted, rules in left.items():
            covered = set().union(*(table.covered(rule) for rule, _ in rules)) & free
            wrong[wanted] = table.weight(covered - table.of_class(covered, wanted))
        first = min(sorted(left), key=wrong.get)
        rules = left.pop(first)
        free -= set().union(*(table.covered(rule) for rule, _ in rules))
        ordered += [
            (rule, first, rate) for rule, rate in sorted(rules, key=lambda r: r[1])
        ]
    default = min(
        range(table.n_classes),
        key=lambda c: (
            -table.weight(table.of_class(free, c)),
            -table.weight(table.of_class(table.all, c)),
            c,
        ),
    )
    ordered = [one for one in ordered if one[2] <= _MOST_RATE]
    while True:
        surplus = [_harm(table, ordered, k, default) for k in range(len(ordered))]
        if not surplus or max(surplus) <= 0:
            return ordered, default
        del ordered[surplus.index(max(surplus))]


def _harm(table, ordered, k, default):
    """What dropping rule k would win, less what it would lose."""
    before = _answers(table, ordered, default)
    after = _answers(table, ordered[:k] + ordered[k + 1 :], default)
    right = {row for row in table.all if before[row] == table.classes[row]}
    then = {row for row in table.all if after[row] == table.classes[row]}
    return table.weight(then - right) - table.weight(right - then)


def _answers(table, ordered, default):
    answers = dict.fromkeys(table.all, default)
    for rule, wanted, _ in reversed(ordered):
        for row in table.covered(rule):
            answers[row] = wanted
    return answers


def c45rules(
    table,
    paths,
    *,
    confidence=0.25,
    with_fisher=False,
    redundancy=1.0,
    grouped=False,
    starts=lambda n_rules, wanted: (),
):
    """Return the rules (conditions, class, rate) in their order, and the default."""
    n = table.weight(table.all)
    kept = {}
    for path, wanted in paths:
        rule = generalise(table, path, wanted, confidence, with_fisher)
        covered, wrong = counts(table, rule, wanted)
        if not rule or covered == 0:
            continue
        rate = pessimistic(covered, wrong, confidence)
        frequent = table.weight(table.of_class(table.all, wanted))
        if rate >= 1 - float(frequent + 1) / float(n + 2):
            continue
        key = frozenset(rule), wanted
        if key not in kept or kept[key][1] < rate:
            kept[key] = rule, rate
    rules = [(rule, wanted, rate) for (_, wanted), (rule, rate) in kept.items()]
    bits = rule_bits(table, [rule for rule, _, _ in rules], redundancy, grouped)
    chosen = {}
    for wanted in range(table.n_classes):
        own = [k for k, rule in enumerate(rules) if rule[1] == wanted]
        covers = [table.covered(rules[k][0]) for k in own]
        subset = best_subset(
            table, covers, [bits[k] for k in own], wanted, starts(len(own), wanted)
        )
        chosen[wanted] = [(rules[own[k]][0], rules[own[k]][2]) for k in sorted(subset)]
    return order_and_polish(table, chosen)
