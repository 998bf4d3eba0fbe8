"""Numbers as they are printed: each stands for all that round to it.

A formula is computed with these intervals, so a printed result is right exactly if it
lies in what its printed terms allow.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

_SLACK = 2e-12  # of the machine's own rounding
# Results have so many decimals; numbers with fewer are weights, which have two
# significant digits more. None: nothing is known.
_DECIMALS: ContextVar[int | None] = ContextVar("decimals", default=None)
_DIGITS: ContextVar[int | None] = ContextVar("digits", default=None)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[-+]?\d+)?")


@dataclass(slots=True)
class Interval:
    low: float
    high: float

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __mul__(self, other: Interval) -> Interval:
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def __truediv__(self, other: Interval) -> Interval:
        if other.low <= 0 <= other.high:  # a rounded 0: no statement
            return Interval(-math.inf, math.inf)
        ends = [a / b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def __pow__(self, power: int) -> Interval:
        assert power == 2
        ends = sorted([self.low**2, self.high**2])
        return Interval(0.0 if self.low < 0 < self.high else ends[0], ends[1])

    def meets(self, other: Interval) -> bool:
        slack = _SLACK * max(1.0, abs(self.low), abs(other.low))
        return self.low <= other.high + slack and other.low <= self.high + slack


def exact(number: float) -> Interval:
    return Interval(number, number)


def number(text: str) -> Interval:
    """What a printed number stands for; whole numbers are exact."""
    value = float(text)
    digits, _, power = text.partition("e")
    if "." not in digits and not power:
        return exact(value)
    decimals = len(digits.partition(".")[2]) - int(power or 0)
    known = _DECIMALS.get()
    if known is not None and decimals < known and value:
        decimals = known + 1 - math.floor(math.log10(abs(value)))
    half = 0.5 * 10.0**-decimals
    return Interval(value - half, value + half)


def weight(text: str) -> Interval:
    """What a printed weight stands for: it has two digits more than was asked for."""
    digits = _DIGITS.get()
    if digits is None or re.fullmatch(r"-?\d+", text):
        return number(text)
    value = float(text)
    if value == 0:
        return exact(0.0)
    half = 0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - digits - 1)
    return Interval(value - half, value + half)


@contextmanager
def results_with(digits: int | None, *, fixed: bool = True) -> Iterator[None]:
    """Say how many digits were asked for; if `fixed`, results have so many decimals."""
    tokens = _DECIMALS.set(digits if fixed else None), _DIGITS.set(digits)
    try:
        yield
    finally:
        _DECIMALS.reset(tokens[0])
        _DIGITS.reset(tokens[1])


def log2(one: Interval) -> Interval:
    if one.low <= 0:
        return Interval(-math.inf, math.inf)
    return Interval(math.log2(one.low), math.log2(one.high))


def root(one: Interval) -> Interval:
    return Interval(math.sqrt(max(one.low, 0.0)), math.sqrt(max(one.high, 0.0)))


def computed(formula: str) -> Interval:
    """The value of a formula without its right side."""
    text = formula.replace("^2", "**2")
    powers = []

    def spelled(found: re.Match[str]) -> str:
        before = text[: found.start()]
        if before.endswith("**"):
            return found[0]
        powers.append(found[0])
        return f'number("{found[0]}")'

    names = {"number": number, "log2": log2, "__builtins__": {}}
    return eval(_NUMBER.sub(spelled, text), names)


def check_formula(formula: str) -> None:
    """The right side of a formula is what its left side gives."""
    left, _, right = formula.rpartition(" = ")
    value = computed(left)
    assert value.meets(number(right)), f"{formula}: {value}"


def total(numbers: list[Interval]) -> Interval:
    result = exact(0.0)
    for one in numbers:
        result += one
    return result
