"""The record of C4.5rules as plain data, for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treewright.render.rule_words import condition_words
from treewright.rules.condition import Condition
from treewright.rules.generalise import Generalised, Look
from treewright.rules.procedure import Induction
from treewright.rules.rule_model import RuleModel
from treewright.rules.subset import ChosenSubset
from treewright.tree.structure.branch_words import label_text


def rules_chalk_data(
    model: RuleModel, conditions: Sequence[Condition], induction: Induction
) -> dict[str, Any]:
    """Return every number of a record; conditions stand once and go by their number."""
    classes = model.schema.target.classes[0]
    return {
        "format": "treewright-rules-chalk",
        "version": 1,
        "target": model.schema.target.names[0],
        "classes": [label_text(label) for label in classes],
        "class_weights": model.totals.tolist(),
        "conditions": [
            condition_words(model.schema, one).spoken() for one in conditions
        ],
        "paths": [
            {"conditions": list(path), "class": of_class}
            for path, of_class in zip(induction.paths, induction.classes, strict=True)
        ],
        "looks": [_look(look) for look in induction.looks or ()],
        "generalised": [
            {**_rule(rule), "verdict": verdict}
            for rule, verdict in zip(
                induction.generalised, induction.verdicts, strict=True
            )
        ],
        "default_rates": induction.default_rates.tolist(),
        "feature_bits": induction.choice,
        "branch_bits": {str(k): bits for k, bits in induction.branch_bits.items()},
        "subsets": [_subset(one, induction) for one in induction.subsets],
        "order": [
            {
                "class": turn.of_class,
                "false_positives": {str(k): w for k, w in turn.false_positives.items()},
                "covered": turn.covered,
            }
            for turn in induction.ordered.turns
        ],
        "default": induction.ordered.default,
        "uncovered": induction.ordered.uncovered.tolist(),
        "polishing": [
            {
                "rules": [_rule(rule) for rule in count.rules],
                "good": count.good.tolist(),
                "harm": count.harm.tolist(),
                "errors": count.errors,
                "dropped": count.dropped,
            }
            for count in induction.polished
        ],
    }


def _rule(rule: Generalised) -> dict[str, Any]:
    return {
        "conditions": list(rule.conditions),
        "class": rule.of_class,
        "covered": rule.covered,
        "wrong": rule.wrong,
        "rate": rule.rate,
    }


def _look(look: Look) -> dict[str, Any]:
    return {
        "rule": look.rule,
        "conditions": list(look.conditions),
        "covered": look.covered,
        "wrong": look.wrong,
        "rate": look.rate,
        "covered_without": look.covered_without.tolist(),
        "wrong_without": look.wrong_without.tolist(),
        "rate_without": look.rate_without.tolist(),
        "chances": None if look.chances is None else look.chances.tolist(),
        "dropped": look.dropped,
    }


def _subset(subset: ChosenSubset, induction: Induction) -> dict[str, Any]:
    return {
        "class": subset.of_class,
        "candidates": [_rule(one) for one in induction.candidates[subset.of_class]],
        "rule_bits": subset.rule_bits.tolist(),
        "chosen": list(subset.chosen),
        "covered": subset.covered,
        "false_positives": subset.false_positives,
        "false_negatives": subset.false_negatives,
        "theory": subset.theory,
        "exceptions": subset.exceptions,
        "climbs": subset.climbs.tolist(),
    }
