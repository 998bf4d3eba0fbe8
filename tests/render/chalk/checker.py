"""An independent checker: every printed number, recomputed from the printed counts.

It reads the page and nothing else; the formulas here are its own. What is right is
decided by intervals: a printed number stands for all that round to it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from intervals import Interval, check_formula, exact, log2, number, results_with, total
from printed import PrintedPart, PrintedRow, PrintedTable

_MEASURES = "entropy|gini|error|variance|mean deviation"
Counts = list[list[Interval]]  # of each output


@dataclass(frozen=True)
class Expected:
    """What the checker is told besides the page."""

    classes: tuple[tuple[str, ...], ...]
    winners: dict[int, str]  # the feature of each inner node of the grown tree
    discounts: bool = True  # gains are multiplied by the share of known rows
    compares_largest: bool = True
    is_quiz: bool = False
    decimals: int | None = None


def check_page(parts: list[PrintedPart], expected: Expected) -> int:
    """Check every step of a page; return how many numbers were compared."""
    steps = [part for part in parts if part.heading[0].startswith("Step ")]
    assert steps
    with results_with(expected.decimals if expected.classes else None):
        for part in parts:
            for formula in part.formulas:
                check_formula(formula.text)
        checked = sum(_Step(part, expected).check() for part in steps)
    return checked + sum(len(part.formulas) for part in parts)


class _Step:
    def __init__(self, part: PrintedPart, expected: Expected) -> None:
        self.part = part
        self.expected = expected
        self.n_checked = 0
        self.node = 0
        if part.heading[1] != "root":
            self.node = int(part.heading[1].removeprefix("node "))
        last = re.fullmatch(f"({_MEASURES}) (\\S+)", part.heading[-1])
        found = [
            one
            for piece in part.heading
            if (one := re.fullmatch(f"({_MEASURES}) (\\S+)", piece))
        ]
        assert last is None or last in found or found
        self.measure = found[0][1] if found else ""
        self.impurity = number(found[0][2]) if found else exact(0.0)
        self.counts = self._node_counts() if expected.classes else []

    def check(self) -> int:
        if self.counts and self.measure:
            self.same(impurity(self.counts, self.measure), self.impurity)
        table = self.part.comparison
        if table is not None:
            for row in table.rows:
                self._check_row(row, table.titles)
            self._check_formula_terms(table)
            self._check_guard()
            self._check_winner(table)
            self._check_margin(table)
        for cuts in self.part.cuts:
            self._check_cuts(cuts)
        self._check_chi_square()
        return self.n_checked

    def same(self, one: Interval, other: Interval) -> None:
        assert one.meets(other), f"{self.part.heading}: {one} is not {other}"
        self.n_checked += 1

    def _node_counts(self) -> Counts:
        text = "   ".join(self.part.heading[2:])
        found = []
        for labels in self.expected.classes:
            pattern = r"\s+".join(rf"{re.escape(one)} ([\d.e+-]+)" for one in labels)
            pattern = rf"(?<![\w=]){pattern}"
            numbers = re.search(pattern, text)
            assert numbers, (pattern, text)
            found.append([number(one) for one in numbers.groups()])
            text = text[numbers.end() :]
        return found

    def _check_row(self, row: PrintedRow, titles: list[str]) -> None:
        """Remainder, gain, net gain, split information and ratio of a feature."""
        pieces = [one for one in row.cells[1] if not one.startswith("(")]
        aside = [one.strip("()") for one in row.cells[1] if one.startswith("(")]
        branches = [self._branch(one) for one in pieces]
        missing = self._branch(aside[0]).weight if aside else exact(0.0)
        known = total([one.weight for one in branches])
        left = total([one.weight / known * one.impurity for one in branches])
        figures = dict(zip(_keys(titles), row.cells[2:], strict=True))
        values = {key: number(cell[0]) for key, cell in figures.items()}
        self.same(left, values["remainder"])
        before = self._known_impurity(row, branches, bool(aside))
        factor = known / (known + missing) if aside else exact(1.0)
        if aside and not self.expected.discounts:
            factor = exact(1.0)
        self.same(factor * (before - left), values["gain"])
        net = values["gain"]
        if "net" in values:
            self.same(values["gain"] - values["cost"], values["net"])
            net = values["net"]
        if "information" in values:
            sizes = [one.weight for one in branches] + ([missing] if aside else [])
            self.same(entropy(sizes), values["information"])
            if values["information"].low > 1e-3:
                self.same(net / values["information"], values["ratio"])

    def _known_impurity(
        self, row: PrintedRow, branches: list[_Branch], aside: bool
    ) -> Interval:
        """That of the rows with a value: from their counts, or as the node has it."""
        if not self.counts:
            if not aside:
                return self.impurity
            formulas = [
                one.text
                for one in self.part.formulas
                if one.about in ("gain", "known") and one.label == row.cells[0][0]
            ]
            return number(re.search(r"(?:^|\()(-?[\d.]+(?:e\S+)?) ", formulas[0])[1])
        sums = [
            [total(list(of_class)) for of_class in zip(*outputs, strict=True)]
            for outputs in zip(*(one.counts for one in branches), strict=True)
        ]
        if not aside:
            for mine, theirs in zip(sums, self.counts, strict=True):
                for one, other in zip(mine, theirs, strict=True):
                    self.same(one, other)
        return impurity(sums, self.measure)

    def _branch(self, piece: str) -> _Branch:
        if self.counts:
            text = re.search(r"(\S+(?: \| \S+)*)$", piece)[1]
            counts = [[number(c) for c in one.split("/")] for one in text.split(" | ")]
            weight = total(counts[0])
            measure = self.measure or "entropy"
            return _Branch(weight, counts, impurity(counts, measure))
        weight, *_, spread = piece.rpartition(" ")[2].split("/")
        return _Branch(number(weight), [], number(spread))

    def _check_formula_terms(self, table: PrintedTable) -> None:
        """What a formula takes from the table or gives to it is the same number."""
        keys = _keys(table.titles)
        for row in table.rows:
            cells = [cell[0] for cell in row.cells[2:]]
            printed = dict(zip(keys, cells, strict=True))
            net = printed.get("net", printed["gain"])
            wanted = {
                "gain": {-1: printed["gain"]},
                "net gain": {0: printed["gain"], -1: net},
                "split info": {-1: printed.get("information")},
                "ratio": {0: net, 1: printed.get("information"),
                          2: printed.get("ratio")},
            }  # fmt: skip
            for formula in self.part.formulas:
                if formula.label == row.cells[0][0]:
                    numbers = re.findall(r"-?[\d.]+(?:e[-+]\d+)?", formula.text)
                    for place, text in wanted.get(formula.about, {}).items():
                        assert number(numbers[place]) == number(text), formula
                        self.n_checked += 1

    def _check_guard(self) -> None:
        """The least gain is the average less a thousandth."""
        averages = [one for one in self.part.formulas if one.label == "average gain"]
        for sentence in self.part.sentences:
            found = re.search(r"average gain less 0.001, (\S+)\.$", sentence)
            if found and averages:
                average = number(averages[0].text.rpartition(" = ")[2])
                self.same(average - exact(0.001), number(found[1]))

    def _check_winner(self, table: PrintedTable) -> None:
        """The marked feature is the node's, and nothing compared is worth more."""
        marked = [row for row in table.rows if row.marked]
        if self.expected.is_quiz:
            assert not marked
            return
        winner = self.expected.winners.get(self.node)
        if winner is not None:
            assert [row.cells[0][0] for row in marked] == [winner]
        if not marked or not self.expected.compares_largest:
            return
        worths = [
            number(row.cells[-1][0])
            for row in table.rows
            if not row.remark or row.remark.startswith(("tie", "<-"))
        ]
        best = number(marked[0].cells[-1][0])
        assert all(one.low <= best.high for one in worths)
        self.n_checked += 1

    def _check_margin(self, table: PrintedTable) -> None:
        for sentence in self.part.sentences:
            found = re.search(r"(\S+) is taken: (\S+) more than (.*)\.$", sentence)
            if not found:
                continue
            worth = {row.cells[0][0]: number(row.cells[-1][0]) for row in table.rows}
            margin = worth[found[1]] - worth[found[3]]
            self.same(margin, number(found[2]))

    def _check_cuts(self, table: PrintedTable) -> None:
        """The gain of each cut; rows on neither side are a third branch."""
        feature = re.match(r"Cuts of ([^,]*)", table.about)[1]
        rows = self.part.comparison.rows
        of_feature = next(row for row in rows if row.cells[0][0] == feature)
        aside = any(one.startswith("(") for one in of_feature.cells[1])
        if not self.counts or aside:  # the rows with a value are not printed here
            return
        whole = total(self.counts[0])
        for row in table.rows:
            low, high = (self._branch(f"x {row.cells[k][0]}") for k in (1, 2))
            rest = [
                [node - a - b for node, a, b in zip(*three, strict=True)]
                for three in zip(self.counts, low.counts, high.counts, strict=True)
            ]
            sides = [low, high]
            if total(rest[0]).high > 1e-3:
                spread = impurity(rest, self.measure)
                sides.append(_Branch(total(rest[0]), rest, spread))
            left = total([one.weight / whole * one.impurity for one in sides])
            self.same(self.impurity - left, number(row.cells[3][0]))

    def _check_chi_square(self) -> None:
        """Deviation, degrees and p-value, from the winner's branches as printed."""
        pattern = r"Chi-square of .*: (\S+), (\d+) degrees of freedom, p-value (\S+);"
        for sentence in self.part.sentences:
            found = re.search(pattern, sentence)
            if not found:
                continue
            tables = [one for one in self.part.tables if one.titles[0] == "branch"]
            if tables:
                observed = [_numbers(row.cells[1][0]) for row in tables[0].rows]
                guesses = [_numbers(row.cells[2][0]) for row in tables[0].rows]
                self._check_guesses(observed, guesses, number(found[1]))
                present = [
                    any(one.high > 0 for one in c) for c in zip(*observed, strict=True)
                ]
                degrees = (len(observed) - 1) * (sum(present) - 1)
                assert degrees == int(found[2])
            else:
                self._check_terms(number(found[1]))
            chance = number(found[1])
            low = chi_square_tail(chance.high, int(found[2]))
            high = chi_square_tail(chance.low, int(found[2]))
            self.same(Interval(low, high), number(found[3]))

    def _check_terms(self, deviation: Interval) -> None:
        """The same where the deviation is written out, branch by branch."""
        (formula,) = (one for one in self.part.formulas if one.label == "chi-square")
        assert number(formula.text.rpartition(" = ")[2]) == deviation
        pattern = r"\(+([^\s(]+) - ([^)]+)\)+\^2\)?/\(?([^) ]+)\)?"
        terms = re.findall(pattern, formula.text)
        assert all(guess == again for _, guess, again in terms), formula
        classes = [k for k, one in enumerate(self.counts[0]) if one.high > 0]
        rows = [terms[k : k + len(classes)] for k in range(0, len(terms), len(classes))]
        observed = [[number(seen) for seen, *_ in row] for row in rows]
        guesses = [[number(guess) for _, guess, _ in row] for row in rows]
        self._check_guesses(observed, guesses, deviation)

    def _check_guesses(
        self,
        observed: list[list[Interval]],
        guesses: list[list[Interval]],
        deviation: Interval,
    ) -> None:
        of_class = [total(list(column)) for column in zip(*observed, strict=True)]
        whole = total(of_class)
        terms = []
        for seen, printed in zip(observed, guesses, strict=True):
            for one, in_all, guess in zip(seen, of_class, printed, strict=True):
                expected = total(seen) * in_all / whole
                self.same(expected, guess)
                if expected.low > 0:
                    terms.append((one - expected) ** 2 / expected)
        self.same(total(terms), deviation)


@dataclass(frozen=True)
class _Branch:
    weight: Interval
    counts: Counts
    impurity: Interval


def _numbers(text: str) -> list[Interval]:
    return [number(one) for one in text.split("/")]


def impurity(counts: Counts, measure: str) -> Interval:
    """The mean of the measure over the outputs."""
    of = {"entropy": entropy, "gini": gini, "error": error}[measure]
    return total([of(one) for one in counts]) / exact(float(len(counts)))


def entropy(counts: list[Interval]) -> Interval:
    whole = total(counts)
    shares = [one / whole for one in counts if one.high > 0]
    return total([-(one * log2(one)) for one in shares])


def gini(counts: list[Interval]) -> Interval:
    whole = total(counts)
    return exact(1.0) - total([(one / whole) ** 2 for one in counts if one.high > 0])


def error(counts: list[Interval]) -> Interval:
    largest = max(counts, key=lambda one: one.low)
    return exact(1.0) - largest / total(counts)


def chi_square_tail(deviation: float, degrees: int) -> float:
    """By the series of the lower incomplete gamma function."""
    if deviation <= 0 or degrees <= 0:
        return 1.0
    shape, x = degrees / 2, deviation / 2
    term = total_ = 1 / shape
    for k in range(1, 500):
        term *= x / (shape + k)
        total_ += term
    return 1 - total_ * math.exp(-x + shape * math.log(x) - math.lgamma(shape))


def _keys(titles: list[str]) -> list[str]:
    """What each column of numbers is, by the last word of its title."""
    last = {
        "remainder": "remainder",
        "gain": "gain",
        "cost": "cost",
        "net gain": "net",
        "split info": "information",
        "info": "information",
        "ratio": "ratio",
    }
    keys = [last[title] for title in titles[2:] if title]
    # of two-line titles the second line is "gain" for the net gain, too
    if keys.count("gain") == 2:
        keys[len(keys) - 1 - keys[::-1].index("gain")] = "net"
    return keys
