"""Expressions with the numbers put in, as small trees that each writer spells its way.

    -9/14*log2(9/14) - 5/14*log2(5/14) = 0.9403

`Speller` has the plain spelling, for text; `Blanks` leaves out what a student would
work out, and keeps the key.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    """A number as it is printed."""

    text: str  # its digits
    # whether a student would work it out: a quiz has a blank in its place
    hidden: bool = False
    # what it is, if it stands in several places: they have the same blank
    about: str = ""


@dataclass(frozen=True)
class Fraction:
    """Two counts, one over the other: 5/14."""

    top: str
    bottom: str


@dataclass(frozen=True)
class Sum:
    """Terms with their signs, "+" or "-"."""

    terms: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True)
class Product:
    """Two factors."""

    left: Expression
    right: Expression


@dataclass(frozen=True)
class Quotient:
    """One expression over another."""

    top: Expression
    bottom: Expression


@dataclass(frozen=True)
class Logarithm:
    """To base 2."""

    of: Expression


@dataclass(frozen=True)
class Bracketed:
    """In brackets."""

    of: Expression


@dataclass(frozen=True)
class Square:
    """To the power of 2."""

    of: Expression


@dataclass(frozen=True)
class Equation:
    """What it takes, and what comes out."""

    left: Expression
    right: Expression


Expression = (
    Number
    | Fraction
    | Sum
    | Product
    | Quotient
    | Logarithm
    | Bracketed
    | Square
    | Equation
)


class Speller:
    """Spells expressions in ASCII; other writers spell some of them another way."""

    minus = "-"
    gap = " "  # between the sign of a term and the term
    times = "*"

    def spell(self, one: Expression) -> str:
        """Return the text of an expression."""
        return str(getattr(self, type(one).__name__.lower())(one))

    def number(self, one: Number) -> str:
        """A number, or its blank."""
        return one.text

    def fraction(self, one: Fraction) -> str:
        """5/14."""
        return f"{one.top}/{one.bottom}"

    def sum(self, one: Sum) -> str:
        """Terms with their signs; that of the first only if it is a minus."""
        text = ""
        for sign, term in one.terms:
            spelled, shown = self.spell(term), self.minus if sign == "-" else sign
            if text:
                text += f" {shown}{self.gap}{spelled}"
            else:
                text = f"{shown}{spelled}" if sign == "-" else spelled
        return text

    def product(self, one: Product) -> str:
        """5/14*0.9710."""
        return f"{self.factor(one.left)}{self.times}{self.factor(one.right)}"

    def quotient(self, one: Quotient) -> str:
        """0.2467/1.5774."""
        return f"{self.factor(one.top)}/{self.spell(one.bottom)}"

    def logarithm(self, one: Logarithm) -> str:
        """log2(5/14)."""
        return f"log2({self.spell(one.of)})"

    def bracketed(self, one: Bracketed) -> str:
        """In brackets."""
        return f"({self.spell(one.of)})"

    def square(self, one: Square) -> str:
        """(5/14)^2."""
        return f"({self.spell(one.of)})^2"

    def equation(self, one: Equation) -> str:
        """Both sides."""
        return f"{self.spell(one.left)} = {self.spell(one.right)}"

    def factor(self, one: Expression) -> str:
        """A sum in brackets; anything else as it is."""
        text = self.spell(one)
        return f"({text})" if isinstance(one, Sum) else text


class Blanks(Speller):
    """Spells numbers; in a quiz it hides some, and numbers the blanks.

    `hidden`: what belongs in the blanks, in order.
    """

    def __init__(self, *, quiz: bool) -> None:
        self.quiz = quiz
        self.hidden: list[str] = []
        self._known: dict[str, int] = {}

    def number(self, one: Number) -> str:
        """The digits, or a blank."""
        place = self.place(one)
        return self.shown(one.text) if place is None else self.blank(place)

    def place(self, one: Number) -> int | None:
        """The number of a blank; None if the number is not hidden."""
        if not (self.quiz and one.hidden):
            return None
        place = self._known.get(one.about)
        if place is None:
            self.hidden.append(one.text)
            place = len(self.hidden)
        if one.about:
            self._known[one.about] = place
        return place

    def shown(self, text: str) -> str:
        """Digits."""
        return text

    def blank(self, place: int) -> str:
        """A blank with its number."""
        return f"__{place}__"
