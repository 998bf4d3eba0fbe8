"""C4.5rules on rules that are there: from the paths of trees to an ordered rule set.

    generalise each rule                                   (`generalise.py`)
    throw away rules that say no more than the default     (here)
    per class: the subset of least description length      (`subset.py`)
    order the classes and the rules; the default class     (`order.py`)
    drop rules that do more harm than good                 (`polish.py`)

Growing the trees is `learners/rules/c45rules.py`. What every step found is kept in an
`Induction`; chalk prints it.

References
----------
Quinlan, J. R. (1993). C4.5: Programs for Machine Learning, chapter 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from treewright.prune.methods.error_estimate import ErrorEstimate
from treewright.rules.induction.description_length import ConditionBits
from treewright.rules.induction.generalise import Generalised, RuleLook, generalise
from treewright.rules.induction.order import Ordered, order_rules
from treewright.rules.induction.polish import Polished, polish
from treewright.rules.induction.subset import ChosenSubset, choose_subset
from treewright.rules.rule_rows import Numbers, RuleRows

KEPT = ""
NO_CONDITION = "no condition is left"
COVERS_NOTHING = "it covers no row"
TOO_WRONG = "its rate is not below the default's"
DUPLICATE = "the same rule is there already"


@dataclass(frozen=True)
class Procedure:
    """How rules are made."""

    estimate: ErrorEstimate  # what the pessimistic rate is computed with
    fisher: bool = False  # whether conditions must pass Fisher's exact test
    seed: int = 0  # what the starts of the climbs depend on


@dataclass(frozen=True, eq=False)
class Induction:
    """What every step found."""

    # the rules before generalising, by the numbers of their conditions
    paths: list[Numbers]
    classes: list[int]  # their classes
    looks: list[RuleLook] | None  # every look at a rule, if they were asked for
    generalised: list[Generalised]  # the rules after generalising
    verdicts: list[str]  # why each was thrown away; KEPT: it was not
    # by class, the rate from which on a rule is thrown away
    default_rates: np.ndarray[tuple[int], np.dtype[np.float64]]
    # which rules of each class are kept; positions are those of `candidates`
    subsets: list[ChosenSubset]
    # by class the rules that the subset was chosen from
    candidates: dict[int, list[Generalised]]
    choice: float  # the bits to name a feature, redundancy taken off
    # by the number of a condition the bits to say which values are meant
    branch_bits: dict[int, float]
    ordered: Ordered  # the rules in their order
    # counts of good and harm; the last has the rules that are left
    polished: list[Polished]

    @property
    def rules(self) -> tuple[Generalised, ...]:
        """The rules that are left, in their order."""
        return self.polished[-1].rules


def induce(
    rows: RuleRows,
    paths: Sequence[Numbers],
    classes: Sequence[int],
    bits: ConditionBits,
    how: Procedure,
    *,
    watched: bool = False,
) -> Induction:
    """Return the ordered rules that come of the paths of trees, and how.

    - `rows`: all training rows, with the conditions of the paths.
    - `paths`: the conditions from the root to each leaf that has rows.
    - `classes`: what the leaves say.
    - `bits`: what conditions cost.
    - `how`: the switches.
    - `watched`: whether to keep every look at a rule.
    """
    looks: list[RuleLook] | None = [] if watched else None
    found = generalise(
        rows, paths, classes, how.estimate, fisher=how.fisher, record=looks
    )
    default_rates = 1 - (rows.class_totals + 1) / (rows.total + 2)
    kept, verdicts = _judge(found, default_rates)
    all_bits = bits.of_rules([rule.conditions for rule in kept], rows.conditions)
    candidates: dict[int, list[Generalised]] = {}
    subsets = []
    for of_class in range(rows.n_classes):
        own = [k for k, rule in enumerate(kept) if rule.of_class == of_class]
        candidates[of_class] = [kept[k] for k in own]
        if own:
            conditions = [kept[k].conditions for k in own]
            subsets.append(
                choose_subset(rows, conditions, of_class, all_bits[own], seed=how.seed)
            )
    chosen = {
        one.of_class: [candidates[one.of_class][k] for k in one.chosen]
        for one in subsets
    }
    ordered = order_rules(rows, chosen)
    return Induction(
        list(paths),
        list(classes),
        looks,
        found,
        verdicts,
        default_rates,
        subsets,
        candidates,
        bits.choice(rows.conditions[one] for rule in kept for one in rule.conditions),
        {
            one: bits.branch(rows.conditions[one])
            for rule in kept
            for one in rule.conditions
        },
        ordered,
        polish(rows, ordered.rules, ordered.default),
    )


def _judge(
    rules: Sequence[Generalised],
    default_rates: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> tuple[list[Generalised], list[str]]:
    """The rules that say more than the default, each once, and why the others go."""
    kept: dict[tuple[frozenset[int], int], Generalised] = {}
    verdicts = []
    for rule in rules:
        key = frozenset(rule.conditions), rule.of_class
        if not rule.conditions:
            verdict = NO_CONDITION
        elif rule.covered <= 0:
            verdict = COVERS_NOTHING
        elif rule.rate >= default_rates[rule.of_class]:
            verdict = TOO_WRONG
        elif key in kept:
            verdict = DUPLICATE
            kept[key] = replace(kept[key], rate=max(kept[key].rate, rule.rate))
        else:
            verdict = KEPT
            kept[key] = rule
        verdicts.append(verdict)
    return list(kept.values()), verdicts
