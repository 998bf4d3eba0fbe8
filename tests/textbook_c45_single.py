"""Gains whose sums are 32-bit floats, as C4.5 Release 8 keeps them.

Everything that is kept is rounded: a sum after each term, and what is made of sums.
Information is counted in bits for all members: weight x entropy.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Judged:
    """What a split is worth, per member; and the bits it leaves, for all members.

    The gain is not yet rounded: trees show it as it is.
    """

    gain: float
    information: float
    left_over: float


def rounds_gains(rules: Any) -> bool:
    """Whether 32-bit floats decide between splits."""
    return (
        rules.single_precision
        and rules.criterion == "gain_ratio"
        and rules.nominal_splits == "multiway"
        and rules.grouping is None
        and rules.gain_guard != "c50"
    )


def single(x: float) -> float:
    """Return the 32-bit float next to a number."""
    return struct.unpack("f", struct.pack("f", x))[0]


def bits(weights: Sequence[Fraction]) -> float:
    """Return the bits that name the outcome of every member."""
    total = 0.0
    for each in weights:
        total = single(total + x_log2_x(each))
    return single(x_log2_x(sum(weights)) - total)


def x_log2_x(x: Fraction | int) -> float:
    return float(x) * math.log2(x) if x > 0 else 0.0


def judge(parts: list[list[Fraction]], unknown: Fraction) -> Judged:
    """Judge a split by the class weights of its parts."""
    left_over = 0.0
    for part in parts:
        left_over = single(left_over + bits(part))
    before = bits([sum(each) for each in zip(*parts, strict=True)])
    sizes = [sum(part, Fraction(0)) for part in parts]
    k = float(sum(sizes))
    d = float(sum(sizes) + unknown)
    gain = k / d * (single(before / k) - single(left_over / k))
    information = single(bits([*sizes, unknown]) / d)
    return Judged(gain, information, left_over)
