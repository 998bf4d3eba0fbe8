"""Validation: every invariant of a rule set that a file could break."""

from __future__ import annotations

import math

import numpy as np

from treewright.data.schema import Schema
from treewright.errors import ModelFileError
from treewright.rules.condition import Asks, Condition
from treewright.rules.rule_model import RuleModel
from treewright.tree.validate import UNSEEN_RULES
from treewright.tree.validate_schema import validate_schema

RULE_LEARNERS = ("c45rules", "rules")


def validate_rule_model(model: RuleModel) -> None:
    """Raise `ModelFileError`, with the rule, if a rule set breaks an invariant."""
    schema, rule_set = model.schema, model.rule_set
    validate_schema(schema)
    if schema.target.kind != "classes" or schema.target.n_outputs != 1:
        raise ModelFileError("rules have one output, of classes")
    if model.learner not in RULE_LEARNERS:
        raise ModelFileError(
            f"rules are made by one of {', '.join(RULE_LEARNERS)}, found "
            f"{model.learner!r}"
        )
    if model.unseen not in UNSEEN_RULES:
        raise ModelFileError(
            f"unseen must be one of {', '.join(UNSEEN_RULES)}, found {model.unseen!r}"
        )
    n_classes = len(schema.target.classes[0])
    for answer in (*(rule.answer for rule in rule_set), rule_set.default):
        if not (type(answer) is int and 0 <= answer < n_classes):
            raise ModelFileError(f"a rule answers with class {answer!r} of {n_classes}")
    _check_weights(model, n_classes)
    rates = model.rates
    if rates.shape != (len(rule_set),) or not ((rates >= 0) & (rates <= 1)).all():
        raise ModelFileError("a rule has a rate that is not between 0 and 1")
    for number, rule in enumerate(rule_set, 1):
        for condition in rule.conditions:
            _check_condition(condition, schema, number)


def _check_weights(model: RuleModel, n_classes: int) -> None:
    weights, n_places = model.class_weights, len(model.rule_set) + 1
    if weights.shape != (n_places, n_classes) or model.totals.shape != (n_classes,):
        raise ModelFileError("the rules have class weights of another shape")
    for each in (weights, model.totals):
        if not (np.isfinite(each).all() and (each >= 0).all()):
            raise ModelFileError("a class weight is not a number from 0 up")
    if not (weights[-1].any() and model.totals.any()):
        raise ModelFileError("the default has no class weights")
    if model.n_rows.shape != (n_places,) or (model.n_rows < 0).any():
        raise ModelFileError("a rule covers fewer than 0 rows")
    if (weights.any(axis=1) & (model.n_rows == 0)).any():
        raise ModelFileError("a rule has class weights without rows")


def _check_condition(condition: Condition, schema: Schema, number: int) -> None:
    where = f"rule {number}"
    if not 0 <= condition.feature < len(schema.features):
        raise ModelFileError(f"{where} asks about feature {condition.feature}")
    feature = schema.features[condition.feature]
    where = f"{where}, feature {feature.name!r}"
    low, high, codes = condition.low, condition.high, condition.codes
    if condition.terms:
        raise ModelFileError(f"{where}: a condition that no rule of a file may have")
    if condition.asks in (Asks.KNOWN, Asks.MISSING):
        if codes or (low, high) != (-math.inf, math.inf):
            raise ModelFileError(f"{where}: values beside whether there is one")
        return
    if condition.asks == Asks.CODES:
        n_codes = len(feature.categories)
        ascending = list(codes) == sorted(set(codes))
        inside = all(0 <= code < n_codes for code in codes)
        if feature.kind == "numeric" or not (codes and ascending and inside):
            raise ModelFileError(f"{where}: categories that it does not have")
        return
    if codes or feature.kind == "nominal" or math.isnan(low) or math.isnan(high):
        raise ModelFileError(f"{where}: an interval that makes no sense")
    if not low < high:
        raise ModelFileError(f"{where}: an interval without values")
    n_places = len(feature.categories) if feature.kind == "ordinal" else None
    if feature.cuts is not None:
        n_places = len(feature.cuts)
    for end in (low, high):
        is_place = n_places is None or (-1 <= end < n_places and end == int(end))
        if math.isfinite(end) and not is_place:
            raise ModelFileError(f"{where}: the end {end!r} is not among its values")
