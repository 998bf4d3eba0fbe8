"""One step: every number of its table, its formulas, its cuts and its sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import count

from check_rows import (
    Rows,
    between,
    chi_square,
    chi_square_tail,
    entropy,
    joined,
    mean_spread,
    numbers_in,
    read_rows,
)
from check_tree import NUMBER, Node
from check_without_value import check_without_value
from intervals import Interval, exact, log2, number, total, weight
from printed import PrintedFormula, PrintedRow, PrintedTable

OUT = ("< average", "too little", "no gain", "no split info", "none")


@dataclass(frozen=True)
class Split:
    """A feature's row of the table, and what follows from its branches."""

    row: PrintedRow
    branches: list[Rows]
    missing: Rows | None  # rows that are not counted
    own_missing: Rows | None  # rows without a value that have a branch
    known: Rows
    factor: Interval
    gain: Interval
    printed: dict[str, str]  # the numbers of the row by the kind of column

    @property
    def feature(self) -> str:
        return self.row.cells[0][0]

    @property
    def is_compared(self) -> bool:
        return not self.row.remark.startswith(OUT)


class CheckedStep:
    """Checks the step of a node."""

    def __init__(self, node: Node, *, discounts: bool, is_quiz: bool = False) -> None:
        self.is_quiz = is_quiz
        self.node = node
        self.part = node.part
        self.measure = node.measure
        self.discounts = discounts
        self.n_checked = 0
        table = self.part.comparison
        self.table = table
        rows = table.rows if table else []
        self.splits = {one.feature: one for one in map(self._split, rows)}

    def check(self) -> int:
        if self.table is None:
            return 0
        for one in self.splits.values():
            self._check_figures(one)
            self._check_branches(one)
        for formula in self.part.formulas:
            self._check_formula(formula)
        for cuts in self.part.cuts:
            self._check_cuts(cuts)
        self._check_guard()
        self._check_counted()
        self._check_choice()
        self._check_margin()
        self._check_chi_square()
        check_without_value(self)
        return self.n_checked

    def same(self, one: Interval, other: Interval, what: object = "") -> None:
        assert one.meets(other), f"{self.part.heading}, {what}: {one} is not {other}"
        self.n_checked += 1

    def _split(self, row: PrintedRow) -> Split:
        pieces = [one for one in row.cells[1] if not one.startswith("(")]
        aside = [one.strip("()") for one in row.cells[1] if one.startswith("(")]
        branches = [self._rows(one) for one in pieces]
        missing = self._rows(aside[0]) if aside else None
        own = [self._rows(one) for one in pieces if one.startswith("missing ")]
        known = joined(branches, self.measure)
        factor = exact(1.0)
        if missing is not None and self.discounts:
            factor = known.weight / self.node.rows.weight
        if self.measure == "variance":
            gain = between(branches)
        elif self.measure == "mean deviation":
            before = self._known_deviation(row) if aside else self.node.rows.spread
            known = replace(known, spread=before)
            gain = before - mean_spread(branches)
        else:
            gain = known.spread - mean_spread(branches)
        figures = zip(_keys(self.table.titles), row.cells[2:], strict=True)
        printed = {key: cell[0] for key, cell in figures}
        missed = own[0] if own else None
        return Split(
            row, branches, missing, missed, known, factor, factor * gain, printed
        )

    def _rows(self, piece: str) -> Rows:
        text = re.search(r"([^\s(]+(?: \| \S+)*)$", piece)[1]
        return read_rows(text, self.measure)

    def _known_deviation(self, row: PrintedRow) -> Interval:
        """That of the rows with a value, which only a formula has."""
        for one in self.part.formulas:
            if one.about in ("gain", "known") and one.label == row.cells[0][0]:
                place = 2 if self.discounts and one.about == "gain" else 0
                return number(numbers_in(one.text)[place])
        return Interval(-float("inf"), float("inf"))

    def _check_figures(self, one: Split) -> None:
        """Remainder, gain, cost, net gain, split information and ratio."""
        printed = {key: number(text) for key, text in one.printed.items()}
        self.same(mean_spread(one.branches), printed["remainder"], one.feature)
        self.same(one.gain, printed["gain"], one.feature)
        if self.measure == "variance":  # and it is what the variances say
            by_spread = one.factor * (one.known.spread - mean_spread(one.branches))
            self.same(by_spread, printed["gain"], one.feature)
        net = one.gain
        if "net" in printed:
            self.same(one.gain - printed["cost"], printed["net"], one.feature)
            net = one.gain - printed["cost"]
        if "information" in printed:
            self.same(self._information(one), printed["information"], one.feature)
            self.same(net / self._information(one), printed["ratio"], one.feature)

    def _information(self, one: Split) -> Interval:
        aside = [one.missing.weight] if one.missing else []
        return entropy([part.weight for part in one.branches] + aside)

    def _check_branches(self, one: Split) -> None:
        """All rows of the node are in the branches, or aside; and go where they say."""
        aside = [one.missing] if one.missing else []
        whole = joined([*one.branches, *aside], self.measure)
        assert whole.same_as(self.node.rows), (self.part.heading, one.row)
        self.same(whole.spread, self.node.rows.spread, one.feature)
        if one.missing is not None or self.node.winner != one.feature:
            return
        for piece, rows in zip(one.row.cells[1], one.branches, strict=True):
            name = re.sub(rf"(?: {NUMBER}(?:/{NUMBER})*(?: \|)?)+$", "", piece)
            names = {f"{one.feature}{sign}{name}" for sign in (" = ", " ", " is ")}
            for branch in self.node.branches:
                if branch.name in names and branch.n_rows:
                    assert rows.same_as(branch.rows), (branch.part.heading, piece)
                    self.same(rows.spread, branch.rows.spread, piece)

    def _check_formula(self, formula: PrintedFormula) -> None:
        """What a formula takes from the table or gives to it is the same number."""
        split = self.splits.get(formula.label)
        numbers = numbers_in(formula.text)
        if formula.label == "average gain" or formula.about == "known":
            return
        if split is None:  # the measure of the node
            if formula.label == self.measure:
                self.same(number(numbers[-1]), self.node.rows.spread, formula)
            return
        printed = split.printed
        of_row = {
            "gain": printed["gain"],
            "net gain": printed.get("net"),
            "split info": printed.get("information"),
            "ratio": printed.get("ratio"),
        }[formula.about]
        assert number(formula.text.rpartition(" = ")[2]) == number(of_row), formula
        if formula.about == "gain":
            self._check_gain_terms(split, numbers, formula)
        elif formula.about == "split info":
            sizes = [one.weight for one in split.branches]
            sizes += [split.missing.weight] if split.missing else []
            for size, k in zip(sizes, count(0, 4), strict=False):
                for place, value in enumerate([size, self.node.rows.weight] * 2):
                    self.same(weight(numbers[k + place]), value, formula)
        elif formula.about == "ratio":
            net = printed.get("net", printed["gain"]).removeprefix("-")
            assert numbers[:2] == [net, printed["information"]], formula
        elif formula.about == "net gain":
            self._check_cost(split, numbers, formula)
        self.n_checked += 1

    def _check_gain_terms(self, split: Split, numbers: list[str], formula) -> None:
        """15/17*(0.9968 - 3/15*0 - 7/15*0.5917 - 5/15*0.7219) = 0.4236."""
        if split.missing is not None and self.discounts:
            self.same(weight(numbers[0]), split.known.weight, formula)
            self.same(weight(numbers[1]), self.node.rows.weight, formula)
            numbers = numbers[2:]
        self.same(number(numbers[0]), split.known.spread, formula)
        assert len(numbers) == 2 + 3 * len(split.branches), formula
        for one, k in zip(split.branches, count(1, 3), strict=False):
            self.same(weight(numbers[k]), one.weight, formula)
            self.same(weight(numbers[k + 1]), split.known.weight, formula)
            self.same(number(numbers[k + 2]), one.spread, formula)

    def _check_cost(self, split: Split, numbers: list[str], formula) -> None:
        """0.2624 - log2(16)/17 - log2(6)/17 = 0.0271: of cuts, of ways to group."""
        assert numbers[0] == split.printed["gain"].removeprefix("-"), formula
        terms = numbers[1:-1]
        cost = exact(0.0)
        for ways, rows in zip(terms[::2], terms[1::2], strict=True):
            self.same(weight(rows), self.node.rows.weight, formula)
            cost = cost + log2(weight(ways)) / self.node.rows.weight
        self.same(cost, number(split.printed["cost"]), formula)
        if len(split.branches) > 2 or "in {" in " ".join(split.row.cells[1]):
            assert int(terms[-2]) in _ways(len(split.branches)), formula

    def _check_cuts(self, table: PrintedTable) -> None:
        """The gain of each cut, and that both sides have all rows with a value."""
        split = self.splits[re.match(r"Cuts of ([^,]*)", table.about)[1]]
        told = re.search(r", (\d+) of (\d+) that were tried$", table.about)
        if told:
            assert len(table.rows) == int(told[1]) <= int(told[2])
        for row in table.rows:
            sides = [read_rows(row.cells[k][0], self.measure) for k in (1, 2)]
            if split.own_missing is not None:
                sides.append(split.own_missing)
            together = joined(sides, self.measure)
            assert together.same_as(split.known), (self.part.heading, row)
            self.same(together.spread, split.known.spread, row)
            gain = between(sides)
            if self.measure != "variance":
                gain = split.known.spread - mean_spread(sides)
            self.same(split.factor * gain, number(row.cells[3][0]), row)
            if row.marked:
                assert row.cells[3][0] == split.printed["gain"], row

    def _check_guard(self) -> None:
        """The least gain: of the average, or of what naming a feature costs."""
        for sentence in self.part.sentences:
            if not (found := re.search(rf"^Compared: .* ({NUMBER})\.$", sentence)):
                continue
            least = number(found[1])
            if not self.is_quiz:  # which does not tell who is out
                self._check_out(least)
            labels = {one.label: one for one in self.part.formulas}
            if "less 0.001" in sentence and "average gain" in labels:
                average = self._average(labels["average gain"])
                self.same(average - exact(0.001), least, sentence)
            elif "0.999 of the average" in sentence and "average gain" in labels:
                average = self._average(labels["average gain"])
                self.same(average * exact(0.999), least, sentence)
            elif "0.999 of it" in sentence:
                numbers = numbers_in(labels["naming a feature"].text)
                bits = exact(0.9) * log2(exact(float(numbers[1])))
                self.same(weight(numbers[2]), self.node.rows.weight)
                cost = bits / self.node.rows.weight
                self.same(cost, number(numbers[3]))
                self.same(cost * exact(0.999), least, sentence)

    def _average(self, formula: PrintedFormula) -> Interval:
        """(0.2467 + 0.0292 + 0.1518)/3 = 0.1426: each a gain of the table."""
        *terms, n, result = numbers_in(formula.text)
        nets = {
            (one.printed.get("net") or one.printed["gain"]).removeprefix(
                "-"
            ): self._net(one)
            for one in self.splits.values()
        }
        assert {*terms} <= {*nets}, formula
        assert len(terms) == int(n), formula
        average = total([nets[one] for one in terms]) / exact(float(n))
        self.same(average, number(result), formula)
        return average

    def _net(self, one: Split) -> Interval:
        cost = one.printed.get("cost")
        return one.gain - number(cost) if cost else one.gain

    def _check_out(self, least: Interval) -> None:
        """Features that gain too little, and no others, are not compared."""
        for one in self.splits.values():
            if one.row.remark.startswith(("< average", "too little")):
                assert self._net(one).low <= least.high + 1e-9, one.row
            elif one.is_compared:
                assert self._net(one).high >= least.low - 1e-9, one.row

    def _check_counted(self) -> None:
        """A table that leaves features out says how many it has."""
        for sentence in self.part.sentences:
            found = re.search(r"The best (\d+) of (\d+) features are shown", sentence)
            if found:
                assert len(self.splits) == int(found[1]) < int(found[2])

    def _worth(self, one: Split) -> Interval:
        if "ratio" in one.printed:
            return self._net(one) / self._information(one)
        return self._net(one)

    def _check_choice(self) -> None:
        """Ties are ties."""
        for one in self.splits.values():
            tie = re.match("tie with (.*)", one.row.remark)
            if tie and tie[1] in self.splits:
                self.same(self._worth(one), self._worth(self.splits[tie[1]]), one.row)

    def _check_margin(self) -> None:
        for sentence in self.part.sentences:
            found = re.search(r"(\S+) is taken: (\S+) more than (.*)\.$", sentence)
            if found:
                best, other = self.splits[found[1]], self.splits[found[3]]
                margin = self._worth(best) - self._worth(other)
                self.same(margin, number(found[2]), sentence)

    def _check_chi_square(self) -> None:
        """Deviation, degrees and p-value, from the winner's branches as printed."""
        pattern = r"Chi-square of (.*): (\S+), (\d+) degrees of freedom, p-value (\S+);"
        for sentence in self.part.sentences:
            found = re.search(pattern, sentence)
            if not found:
                continue
            observed, guesses = self._observed()
            split = self.splits[found[1]]
            if observed is None:
                observed = [one.counts[0] for one in split.branches]
            self._check_guesses(observed, guesses)
            deviation, degrees = chi_square(observed)
            self.same(deviation, number(found[2]), sentence)
            assert degrees == int(found[3]), sentence
            ends = (deviation.high, deviation.low)
            chance = Interval(*(chi_square_tail(end, degrees) for end in ends))
            self.same(chance, number(found[4]), sentence)
            level = number(re.search(r"the level is (\S+)\.$", sentence)[1])
            is_leaf = any("could be chance" in one for one in self.part.sentences)
            if not chance.meets(level):
                assert is_leaf == (chance.low > level.low), sentence

    def _observed(self):
        """The counts that the test shows, and those expected."""
        tables = [one for one in self.part.tables if one.titles[0] == "branch"]
        if tables:
            rows = tables[0].rows
            return (
                [[weight(c) for c in row.cells[1][0].split("/")] for row in rows],
                [[number(c) for c in row.cells[2][0].split("/")] for row in rows],
            )
        formulas = [one for one in self.part.formulas if one.label == "chi-square"]
        if not formulas:
            return None, None
        pattern = r"\(+([^\s(]+) - ([^)]+)\)+\^2\)?/\(?([^) ]+)\)?"
        terms = re.findall(pattern, formulas[0].text)
        assert all(guess == again for _, guess, again in terms), formulas[0]
        n = sum(one.high > 0 for one in self.node.rows.counts[0])
        rows = [terms[k : k + n] for k in range(0, len(terms), n)]
        return (
            [[weight(seen) for seen, *_ in row] for row in rows],
            [[number(guess) for _, guess, _ in row] for row in rows],
        )

    def _check_guesses(self, observed, guesses) -> None:
        of_class = [total(list(column)) for column in zip(*observed, strict=True)]
        own = [one for one in self.node.rows.counts[0] if one.high > 0]
        for one, other in zip([c for c in of_class if c.high > 0], own, strict=True):
            self.same(one, other)
        whole = total(of_class)
        for seen, printed in zip(observed, guesses or [], strict=guesses is not None):
            for in_all, guess in zip(of_class, printed, strict=True):
                self.same(total(seen) * in_all / whole, guess)


def _ways(n_groups: int) -> set[int]:
    """Numbers of ways to make so many groups of some values (Stirling, second kind)."""
    found, row = set(), [1]
    for _ in range(40):
        row = [0, *row]
        row = [
            (row[k] + k * (row[k + 1] if k + 1 < len(row) else 0)) if k else 0
            for k in range(len(row))
        ]
        if len(row) > n_groups:
            found.add(row[n_groups])
    return found


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
