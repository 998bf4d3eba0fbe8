"""Files of rule sets: the container of model files, with a section `rules`.

Loading trusts nothing, as in `tree/file/save.py`: container and checksum first, then
the header, then every invariant of the schema and the rules. `load` reads both kinds of
model. An older treewright refuses the section rather than look for trees.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Schema
from treewright.errors import ModelFileError
from treewright.rules.condition import Asks, Condition
from treewright.rules.rule import Rule
from treewright.rules.rule_model import EDITED, MADE_BY, RuleModel
from treewright.rules.ruleset import RuleSet
from treewright.tree.file import save as trees
from treewright.tree.file.arrays import adds_up, arrays_of_cuts
from treewright.tree.file.atomic_write import write_atomically
from treewright.tree.file.container import pack, unpack
from treewright.tree.file.header import (
    RULES,
    check_sections,
    facts_of_header,
    header_of_model,
    schema_of_header,
)
from treewright.tree.file.strict_json import take
from treewright.tree.file.validate import (
    UNSEEN_RULES,
    check_word,
    validate_schema,
)
from treewright.tree.model import Model

Arrays = Mapping[str, npt.NDArray[Any]]
# name: dtype
_ARRAYS = {
    "rule_size": "int64",  # conditions of each rule
    "rule_answer": "int32",
    "rule_rate": "float64",
    "rule_weights": "float64",
    "rule_rows": "int64",
    "class_totals": "float64",
    "condition_feature": "int32",
    "condition_asks": "uint8",
    "condition_low": "float64",
    "condition_high": "float64",
    "condition_size": "int64",  # codes of each condition
    "condition_codes": "int32",
}


def save(model: RuleModel, path: str | os.PathLike[str]) -> None:
    """Write a rule set to a file, which is the old one or the new one at any moment."""
    write_atomically(path, to_bytes(model))


def load(path: str | os.PathLike[str]) -> Model | RuleModel:
    """Read a model of trees, or of rules, from a file.

    Raises
    ------
    ModelFileError
        If the file is not a whole and valid model of a format that is known here.
    FileReadError
        If there is no such file, or it may not be read.
    """
    return trees.read_with(path, from_bytes)


def to_bytes(model: RuleModel) -> bytes:
    """Return the bytes of a rule set's file; equal models give equal bytes."""
    validate_rule_model(model)
    shell = Model(
        schema=model.schema,
        trees=(),
        learner=model.learner,
        settings=model.settings,
        unseen=model.unseen,
        missing=model.missing,
        notes=model.notes,
    )
    header = header_of_model(shell)
    header["required"] = [*header["required"], RULES]
    n_conditions = model.rule_set.n_conditions
    header[RULES] = {
        "n_rules": len(model.rule_set),
        "n_conditions": n_conditions,
        "default": int(model.rule_set.default),
    }
    arrays = {**_arrays_of(model), **arrays_of_cuts(model.schema.features)}
    return pack(header, arrays)


def from_bytes(data: bytes) -> Model | RuleModel:
    """Return the model whose file has these bytes, or raise `ModelFileError`."""
    header, arrays = unpack(data)
    if RULES not in header:
        return trees.model_of_parts(header, arrays)
    check_sections(header, rules=True)
    if take(take(header, "model", dict), "n_trees", int) != 0:
        raise ModelFileError("damaged model file: trees beside rules")
    facts = facts_of_header(header)
    if facts["learner"] not in MADE_BY:
        raise ModelFileError(
            f"rules are made by one of {', '.join(MADE_BY)}, found {facts['learner']!r}"
        )
    schema = schema_of_header(header, arrays)
    section = take(header, RULES, dict)
    checked = _checked(arrays, section, schema.target.classes)
    rule_set = RuleSet(
        schema,
        _rules_of(checked),
        take(section, "default", int),
        unseen=facts["unseen"],
        missing=facts["missing"],
    )
    model = RuleModel(
        rule_set,
        checked["rule_weights"],
        checked["rule_rows"],
        checked["class_totals"],
        checked["rule_rate"],
        is_edited=facts["learner"] == EDITED,
        settings=facts["settings"],
        notes=facts["notes"],
    )
    validate_rule_model(model)
    return model


def _arrays_of(model: RuleModel) -> dict[str, npt.NDArray[Any]]:
    rules = model.rule_set.rules
    conditions = [one for rule in rules for one in rule.conditions]
    found: dict[str, Any] = {
        "rule_size": [len(rule) for rule in rules],
        "rule_answer": [rule.answer for rule in rules],
        "rule_rate": model.rates,
        "rule_weights": model.class_weights,
        "rule_rows": model.n_rows,
        "class_totals": model.totals,
        "condition_feature": [one.feature for one in conditions],
        "condition_asks": [int(one.asks) for one in conditions],
        "condition_low": [one.low for one in conditions],
        "condition_high": [one.high for one in conditions],
        "condition_size": [len(one.codes) for one in conditions],
        "condition_codes": [code for one in conditions for code in one.codes],
    }
    return {name: np.asarray(found[name], _ARRAYS[name]) for name in _ARRAYS}


def _checked(
    arrays: Arrays, section: Mapping[str, Any], classes: tuple[Any, ...]
) -> Arrays:
    """The arrays, if they have the types and lengths that the header states."""
    n_rules = take(section, "n_rules", int)
    n_conditions = take(section, "n_conditions", int)
    if len(classes) != 1:
        raise ModelFileError("damaged model file: rules have one output, of classes")
    per_condition = [name for name in _ARRAYS if name.startswith("condition")]
    shapes: dict[str, tuple[int, ...]] = {
        **dict.fromkeys(per_condition, (n_conditions,)),
        "rule_weights": (n_rules + 1, len(classes[0])),
        "rule_rows": (n_rules + 1,),
        "class_totals": (len(classes[0]),),
        "condition_codes": (arrays.get("condition_codes", np.zeros(0)).size,),
    }
    for name, dtype in _ARRAYS.items():
        array = arrays.get(name)
        if array is None or array.dtype != dtype:
            raise ModelFileError(f"damaged model file: no {name!r} of {dtype}")
        shape = shapes.get(name, (n_rules,))
        if array.shape != shape:
            raise ModelFileError(
                f"damaged model file: {name!r} has the shape {array.shape} where the "
                f"header promises {shape}"
            )
    n_codes = len(arrays["condition_codes"])
    for name, total in (("rule_size", n_conditions), ("condition_size", n_codes)):
        if not adds_up(arrays[name], total):
            raise ModelFileError(f"damaged model file: {name!r} does not add up")
    return arrays


def _rules_of(arrays: Arrays) -> tuple[Rule, ...]:
    if (arrays["condition_asks"] > max(Asks)).any():
        raise ModelFileError("damaged model file: a condition of unknown kind")
    codes, sizes = arrays["condition_codes"].tolist(), arrays["condition_size"].tolist()
    conditions, at = [], 0
    for feature, asks, low, high, size in zip(
        arrays["condition_feature"].tolist(),
        arrays["condition_asks"].tolist(),
        arrays["condition_low"].tolist(),
        arrays["condition_high"].tolist(),
        sizes,
        strict=True,
    ):
        own = tuple(codes[at : at + size])
        conditions.append(Condition(feature, Asks(asks), low, high, own))
        at += size
    rules, at = [], 0
    for size, answer in zip(
        arrays["rule_size"].tolist(), arrays["rule_answer"].tolist(), strict=True
    ):
        rules.append(Rule(tuple(conditions[at : at + size]), answer))
        at += size
    return tuple(rules)


def validate_rule_model(model: RuleModel) -> None:
    """Raise `ModelFileError`, with the rule, if a rule set breaks an invariant."""
    schema, rule_set = model.schema, model.rule_set
    validate_schema(schema)
    if schema.target.kind != "classes" or schema.target.n_outputs != 1:
        raise ModelFileError("rules have one output, of classes")
    check_word("unseen", model.unseen, UNSEEN_RULES)
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
