"""How C4.5 groups the values of a nominal feature: what `-s` says, in plain steps.

Quinlan, C4.5 (1993), section 7.2. A block is a list of values with their class weights.
Blocks with the same shares of the classes (so also those of one and the same class)
become one; then of all pairs the one whose union has the largest worth is joined, as
long as that is not less than before, until two are left. C5.0 takes the bits off the
gain that say which of all groupings with as many blocks it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any


@dataclass(frozen=True)
class Block:
    """Values, the weight of each class among their members, and how many these are."""

    values: list[Any]
    classes: list[Fraction]
    n_members: int

    @property
    def weight(self) -> Fraction:
        return sum(self.classes, Fraction(0))

    def joined(self, other: Block) -> Block:
        return Block(
            self.values + other.values,
            [a + b for a, b in zip(self.classes, other.classes, strict=True)],
            self.n_members + other.n_members,
        )


@dataclass(frozen=True)
class Judge:
    """What groupings are compared by.

    `worth` of some blocks; whether these make an admissible split; whether a number
    exceeds another by more than the tolerance.
    """

    worth: Callable[[list[Block]], float]
    admits: Callable[[list[Block]], bool]
    exceeds: Callable[[float, float], bool]


def group(values: list[Block], judge: Judge) -> list[Block]:
    """Join the values that occur, each a block, in the order of their categories."""
    blocks = join_same_shares(values)
    while len(blocks) > 2:
        unions = [union(blocks, a, b) for a, b in combinations(range(len(blocks)), 2)]
        if judge.admits(blocks):
            unions = [each for each in unions if judge.admits(each)]
        if not unions:
            break
        best = unions[0]
        for other in unions[1:]:
            if judge.exceeds(judge.worth(other), judge.worth(best)):
                best = other
        if judge.exceeds(judge.worth(blocks), judge.worth(best)):
            break
        blocks = best
    return blocks


def join_same_shares(values: list[Block]) -> list[Block]:
    blocks: list[Block] = []
    for value in values:
        same = [k for k, block in enumerate(blocks) if shares(block) == shares(value)]
        if same:
            blocks[same[0]] = blocks[same[0]].joined(value)
        else:
            blocks.append(value)
    return blocks


def shares(block: Block) -> list[Fraction]:
    return [weight / block.weight for weight in block.classes]


def union(blocks: list[Block], a: int, b: int) -> list[Block]:
    """Return the blocks with block b in block a, where a comes before b."""
    joined = [*blocks[:a], blocks[a].joined(blocks[b]), *blocks[a + 1 :]]
    return joined[:b] + joined[b + 1 :]


def charge(n_values: int, n_blocks: int) -> float:
    """Return the bits that tell which of all groupings with as many blocks it is."""
    return math.log2(stirling(n_values, n_blocks))


def stirling(n: int, k: int) -> int:
    """Return the number of ways to make k groups of n things, by its explicit sum."""
    terms = ((-1) ** j * math.comb(k, j) * (k - j) ** n for j in range(k + 1))
    return sum(terms) // math.factorial(k)
