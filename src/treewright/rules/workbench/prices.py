"""What conditions cost in bits on the rows of a workbench.

The bits are those of `rules/induction/description_length.py`, which C4.5rules counts in
a training table. Here there are encoded rows and rules of any kind: an interval with
two ends is two cuts, "is known" and "is missing" cost the entropy of what is known. The
price of naming a feature is that of the rules which were put on the bench first, so
that it does not change while they are edited.
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from treewright.data.schema import Schema
from treewright.rules.condition import Asks, Condition
from treewright.rules.induction.description_length import Floats, entropy, rule_bits
from treewright.rules.rule import Rule
from treewright.rules.ruleset import RuleSet
from treewright.tree.predict.walk import Cells


class Prices:
    """The bits of conditions and rules.

    `rule_set`: the rules whose conditions say what naming a feature costs. `cells`
    (float64, shape (n_rows, n_features)): encoded rows. `weights`: their weights.
    """

    def __init__(self, rule_set: RuleSet, cells: Cells, weights: Floats) -> None:
        self._schema: Schema = rule_set.schema
        self._cells, self._weights = cells, weights
        parts = [
            part
            for rule in rule_set
            for condition in rule.conditions
            for part in self._parts(condition)
        ]
        self._choice = entropy(Counter(one.feature for one in parts).values())
        # a feature that is asked about in sets anywhere is so everywhere
        self._grouped = {one.feature for one in parts if len(one.codes) > 1}
        self._of_branch: dict[object, float] = {}

    def of(self, rule: Rule) -> float:
        """Return the bits of a rule."""
        return rule_bits(
            self._choice + self._branch(part)
            for condition in rule.conditions
            for part in self._parts(condition)
        )

    def _branch(self, condition: Condition) -> float:
        """The bits to say which values are meant."""
        in_sets = condition.feature in self._grouped or len(condition.codes) > 1
        key = (condition.subject, condition.asks, in_sets)
        if key not in self._of_branch:
            self._of_branch[key] = self._counted(condition, in_sets=in_sets)
        return self._of_branch[key]

    def _counted(self, condition: Condition, *, in_sets: bool) -> float:
        if condition.asks == Asks.CODES and in_sets:
            return float(len(self._schema.features[condition.feature].categories))
        value = condition.value(self._cells)
        known = ~np.isnan(value)
        if condition.asks in (Asks.KNOWN, Asks.MISSING):
            weight = self._weights
            return entropy([weight[known].sum(), weight[~known].sum()])
        if condition.asks == Asks.INTERVAL:
            n_values = len(np.unique(value[known & (self._weights > 0)]))
            return 1 + math.log2(max(n_values, 1)) / 2
        inside = known & (value >= 0)  # a category that training never saw has no code
        codes = value[inside].astype(np.int64)
        return entropy(np.bincount(codes, self._weights[inside]).tolist())

    def _parts(self, condition: Condition) -> tuple[Condition, ...]:
        """The two cuts of an interval with two ends; anything else as it is."""
        is_ordered = bool(self._schema.features[condition.feature].categories)
        open_low = -1.0 if is_ordered else -math.inf
        has_two = condition.low > open_low and condition.high < math.inf
        if condition.asks == Asks.INTERVAL and has_two:
            return condition, condition
        return (condition,)
