"""Which rules of a class to keep: the subset of least description length.

Of ten rules or fewer all subsets are looked at; of equal ones the smallest is taken.
Of more there are eleven climbs: each begins with rules drawn with inclusion 0, 0.1 and
so on to 1, and adds or leaves out the one rule that saves most bits, as long as any
does. The best climb counts, of equal ones the first. Lengths that differ by less than
1e-9 of them are equal. The bits are those of `description_length.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.rules.induction.description_length import exception_bits, theory_bits
from treewright.rules.rule_rows import Floats, Numbers, RuleRows

MOST_FOR_ALL = 10  # rules whose subsets are all looked at
INCLUSIONS = tuple(step / 10 for step in range(11))
_TOLERANCE = 1e-9
_OF_CLIMBS = 2  # a stream of the seed for itself


@dataclass(frozen=True, eq=False)
class ChosenSubset:
    """The rules of a class that are kept, and what they cost."""

    of_class: int  # the class
    n_candidates: int  # how many rules there were
    chosen: tuple[int, ...]  # the positions of those that are kept
    rule_bits: Floats  # the bits of each candidate
    # the weight of the rows that those kept cover, and of the errors
    covered: float
    false_positives: float
    false_negatives: float
    # bits of the rules kept, and of their errors
    theory: float
    exceptions: float
    # the bits that each climb reached; none if all subsets were looked at
    climbs: Floats

    @property
    def bits(self) -> float:
        """All bits together."""
        return self.theory + self.exceptions


def choose_subset(
    rows: RuleRows,
    rules: Sequence[Numbers],
    of_class: int,
    rule_bits: Floats,
    *,
    seed: int = 0,
) -> ChosenSubset:
    """Return which rules of a class describe it in the fewest bits."""
    starts = draw_starts(len(rules), of_class, seed)
    inside, bits = rows.subsets(rules, of_class, rule_bits, starts)
    best = 0
    for climb in range(1, len(bits)):
        if bits[climb] < bits[best] - _TOLERANCE * (1 + abs(bits[best])):
            best = climb
    chosen = np.flatnonzero(inside[best]).tolist()
    covered = rows.any_of([rules[one] for one in chosen])
    weights = rows.weigh(covered)
    right, total = float(weights[of_class]), float(weights.sum())
    missed = float(rows.class_totals[of_class]) - right
    return ChosenSubset(
        of_class,
        len(rules),
        tuple(chosen),
        rule_bits,
        total,
        total - right,
        missed,
        theory_bits(rule_bits[chosen]),
        exception_bits(rows.total, total, total - right, missed),
        bits if len(starts) else np.zeros(0),
    )


def draw_starts(n_rules: int, of_class: int, seed: int) -> npt.NDArray[np.bool_]:
    """Return with which rules each climb begins; no climb for few rules."""
    if n_rules <= MOST_FOR_ALL:
        return np.zeros((0, n_rules), bool)
    key = np.random.SeedSequence(seed, spawn_key=(_OF_CLIMBS, of_class))
    draws = np.random.default_rng(key).random((len(INCLUSIONS), n_rules))
    return np.asarray(draws < np.array(INCLUSIONS)[:, None])
