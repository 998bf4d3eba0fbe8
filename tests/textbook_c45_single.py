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
    """What a split is worth, per member."""

    gain: float
    information: float


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


def bits_before(weights: Sequence[Fraction], *, is_cut: bool) -> float:
    """Return the bits per member before a split; only for cuts all sums are rounded."""
    k = float(sum(weights))
    if is_cut:
        return single(bits(weights) / k)
    return single((x_log2_x(sum(weights)) - sum(map(x_log2_x, weights))) / k)


def known_share(k: float, d: float, *, is_cut: bool) -> float:
    """Return the share of members with a value: 1 - that of the others."""
    unknown = 1 - single(k / d) if is_cut else single((d - k) / d)
    return single(1 - single(unknown))


def judge(parts: list[list[Fraction]], unknown: Fraction, *, is_cut: bool) -> Judged:
    """Judge a split by the class weights of its parts."""
    left_over = 0.0
    for part in parts:
        left_over = single(left_over + bits(part))
    before = bits_before([sum(x) for x in zip(*parts, strict=True)], is_cut=is_cut)
    sizes = [sum(part, Fraction(0)) for part in parts]
    k = float(sum(sizes))
    d = float(sum(sizes) + unknown)
    share = known_share(k, d, is_cut=is_cut)
    gain = single(share * single(before - single(left_over / k)))
    information = single(bits([unknown, *sizes]) / d)
    return Judged(gain, information)
