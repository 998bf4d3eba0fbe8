"""The formulas of growing, with the numbers of a record put in.

    entropy      -9/14*log2(9/14) - 5/14*log2(5/14) = 0.9403
    gini         1 - (9/14)^2 - (5/14)^2 = 0.4592
    gain         0.9403 - 5/14*0.9710 - 4/14*0 - 5/14*0.9710 = 0.2467
    net gain     0.2624 - log2(16)/17 = 0.0271
    ratio        0.2467/1.5774 = 0.1564

Numbers are rounded where they are printed, but computed from the unrounded ones.
"""

from __future__ import annotations

from treewright.grow.chalk.growing_record import Candidate, ChiSquare, Step
from treewright.render.chalk.blocks.digits import Digits
from treewright.render.chalk.expression import (
    Bracketed,
    Equation,
    Expression,
    Fraction,
    Logarithm,
    Number,
    Product,
    Quotient,
    Square,
    Sum,
)

Terms = list[tuple[str, Expression]]
ZERO = Number("0")
_MOST_BITS = 40  # a number of ways that is still exact


class Formulas:
    """Puts the numbers of a record into formulas."""

    def __init__(self, figures: Digits) -> None:
        self.figures = figures

    def result(self, value: float, *about: object) -> Number:
        """A value of the measure that a student would work out; `about` what it is."""
        return Number(self.figures.measure(value), True, _about(about))

    def share(self, value: float, *about: object) -> Number:
        """The same of a ratio, bits or a chance."""
        return Number(self.figures.share(value), True, _about(about))

    def impurity(self, step: Step) -> Expression | None:
        """How the measure of a node comes from its counts; None for numbers."""
        part = step.rows
        of_outputs = [self._of_counts(counts, step.measure) for counts in part.counts]
        if not of_outputs or part.weight <= 0:
            return None
        left = of_outputs[0]
        if len(of_outputs) > 1:  # the mean over the outputs
            whole: Terms = [("+", Bracketed(one)) for one in of_outputs]
            left = Quotient(Sum(tuple(whole)), Number(str(len(of_outputs))))
        return Equation(left, self.result(part.impurity, step.node))

    def gain(self, step: Step, one: Candidate) -> Expression:
        """What a split takes off the impurity."""
        return Equation(
            self._gain_terms(step, one),
            self.result(one.gain, step.node, one.feature, "gain"),
        )

    def net_gain(self, step: Step, one: Candidate) -> Expression | None:
        """The gain less what naming the cut or the groups costs; None if nothing."""
        if one.cost == 0 and one.charge == 0:
            return None
        rows = self.weight(step.rows.weight)
        terms: Terms = [("+", self._gain(step, one))]
        if one.cost:
            cuts = Logarithm(self.weight(one.n_cuts))
            terms.append(("-", Quotient(cuts, rows)))
        if one.charge:
            bits = self._bits(one.charge * step.rows.weight)
            terms.append(("-", Quotient(bits, rows)))
        return Equation(
            Sum(tuple(terms)), self.result(one.net, step.node, one.feature, "net")
        )

    def split_information(self, step: Step, one: Candidate) -> Expression | None:
        """The entropy of the branch sizes; None if the dialect does not ask."""
        if one.split_information is None:
            return None
        sizes = [part.weight for part in one.parts]
        sizes += [one.missing.weight] if one.missing else []
        left = self._of_counts(tuple(sizes), "entropy")
        name = step.node, one.feature, "information"
        return Equation(left, self.share(one.split_information, *name))

    def ratio(self, step: Step, one: Candidate) -> Expression | None:
        """The gain ratio; None if the dialect does not ask."""
        if one.ratio is None or not one.split_information:
            return None
        name = step.node, one.feature
        net = self.net(step, one)
        bits = self.share(one.split_information, *name, "information")
        return Equation(Quotient(net, bits), self.share(one.ratio, *name, "ratio"))

    def chi_square(self, test: ChiSquare) -> Expression:
        """The deviation of the counts from those to be expected."""
        terms: Terms = []
        for row, expected in zip(test.observed, expected_counts(test), strict=True):
            for seen, guess in zip(row, expected, strict=True):
                if guess <= 0:
                    continue
                shown = Number(self.figures.share(guess), hidden=True)
                less: Terms = [("+", self.weight(seen)), ("-", shown)]
                terms.append(("+", Quotient(Square(Sum(tuple(less))), shown)))
        return Equation(Sum(tuple(terms)), self.share(test.deviation))

    def average(self, step: Step, ones: list[Candidate]) -> Expression:
        """The mean of the gains of some candidates."""
        terms: Terms = [("+", self.net(step, one)) for one in ones]
        left = Quotient(Sum(tuple(terms)), Number(str(len(ones))))
        return Equation(left, self.result(mean_net(ones)))

    def net(self, step: Step, one: Candidate) -> Number:
        """The net gain of a candidate, which is the gain where nothing is taken off."""
        if one.net == one.gain:
            return self._gain(step, one)
        return self.result(one.net, step.node, one.feature, "net")

    def _bits(self, bits: float) -> Expression:
        """What naming the groups takes: log2 of the ways to make as many of them."""
        ways = 2.0**bits if bits < _MOST_BITS else 0.0
        if ways and abs(ways - round(ways)) < 1e-6 * ways:
            return Logarithm(Number(str(round(ways))))
        return self.share(bits)

    def naming(self, step: Step, n_features: int, least: float) -> Expression:
        """C5.0's least gain in large tables: part of the bits that name a feature."""
        bits = Product(Number("0.9"), Logarithm(Number(str(n_features))))
        share = Quotient(bits, self.weight(step.rows.weight))
        return Equation(share, self.result(least))

    def _gain(self, step: Step, one: Candidate) -> Number:
        return self.result(one.gain, step.node, one.feature, "gain")

    def weight(self, value: float) -> Number:
        """A count of rows."""
        return Number(self.figures.weight(value))

    def _gain_terms(self, step: Step, one: Candidate) -> Expression:
        known = one.known or step.rows
        here = () if one.known else (step.node,)
        terms: Terms = [("+", self._put_in(known.impurity, *here))]
        for part in one.parts:
            share = self._fraction(part.weight, known.weight)
            terms.append(("-", Product(share, self._put_in(part.impurity))))
        whole = Sum(tuple(terms))
        if one.known is None or one.factor == 1:
            return whole
        return Product(self._fraction(known.weight, step.rows.weight), whole)

    def _put_in(self, impurity: float, *about: object) -> Number:
        return ZERO if impurity == 0 else self.result(impurity, *about)

    def _fraction(self, top: float, bottom: float) -> Fraction:
        return Fraction(self.figures.weight(top), self.figures.weight(bottom))

    def _of_counts(self, counts: tuple[float, ...], measure: str) -> Expression:
        """A measure of classes as a sum over them."""
        total = sum(counts)
        shares = [self._fraction(count, total) for count in counts if count > 0]
        if measure == "entropy":
            return Sum(tuple(("-", Product(one, Logarithm(one))) for one in shares))
        one = Number("1")
        if measure == "gini":
            squares: Terms = [("-", Square(share)) for share in shares]
            return Sum((("+", one), *squares))
        largest = self._fraction(max(counts), total)
        return Sum((("+", one), ("-", largest)))


def mean_net(ones: list[Candidate]) -> float:
    """Return the mean of the net gains of some candidates."""
    return sum(one.net for one in ones) / len(ones)


def expected_counts(test: ChiSquare) -> list[list[float]]:
    """Return the counts that a split which tells nothing would have."""
    of_branch = [sum(row) for row in test.observed]
    of_class = [sum(column) for column in zip(*test.observed, strict=True)]
    total = sum(of_branch)
    if total <= 0:
        return [[0.0 for _ in row] for row in test.observed]
    return [[branch * one / total for one in of_class] for branch in of_branch]


def _about(about: tuple[object, ...]) -> str:
    return "\n".join(map(str, about))
