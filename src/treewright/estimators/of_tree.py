"""From a model of one tree to the estimator whose model it is.

A tree of a forest, and the tree that a forest is distilled to, become estimators here;
`loading.py` does the same with every model that a file can hold.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from treewright.estimators.c45 import C45Classifier
from treewright.estimators.cal import CAL2Classifier, CAL3Classifier
from treewright.estimators.id3 import ID3Classifier
from treewright.estimators.model_estimator import ModelEstimator
from treewright.estimators.parameters import AS_DIALECT, NO
from treewright.estimators.trees import (
    CARTClassifier,
    CARTRegressor,
    TreeClassifier,
    TreeRegressor,
)
from treewright.rules.rule_model import RuleModel
from treewright.tree.model import Model

# defaults that mean "as the dialect says"
_FREE = (None, AS_DIALECT)
TREES: tuple[type[ModelEstimator], ...] = (
    ID3Classifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CAL2Classifier,
    CAL3Classifier,
)
# these have every switch, so they can stand for any dialect
_GENERAL: dict[str, type[ModelEstimator]] = {
    "classes": TreeClassifier,
    "numbers": TreeRegressor,
}


def estimator_of_tree(model: Model) -> ModelEstimator:
    """Return the fitted estimator whose model this is, of one tree."""
    return fitted_as(owner_among(TREES, model), model)


def owner_among(
    owners: Iterable[type[ModelEstimator]], model: Model
) -> type[ModelEstimator]:
    """Return the estimator whose learner, or one of whose dialects, made a model."""
    kind = model.schema.target.kind
    for owner in owners:
        if owner.task != kind:
            continue
        names = {owner.learner} if owner.own else {owner.learner, *owner.dialects}
        if model.learner in names:
            return owner
    return _GENERAL[kind]


def fitted_as(owner: type[ModelEstimator], model: Model | RuleModel) -> ModelEstimator:
    """Return an estimator that has a model, with the parameters that made it.

    If the estimator cannot be given them all, it is one that has every switch.
    """
    if owner.own is None and not _can_say(owner, model):
        owner = _GENERAL[model.schema.target.kind]
    estimator = owner(**_parameters(owner, model))
    estimator.model_ = model  # type: ignore[assignment]
    return estimator


def _can_say(owner: type[ModelEstimator], model: Model | RuleModel) -> bool:
    """Tell whether an estimator can be given every switch that is not as usual."""
    names = inspect.signature(owner).parameters
    return all(
        name in names or model.settings.get(name, value) == value
        for name, value in _usual(owner, model).items()
    )


def _parameters(
    owner: type[ModelEstimator], model: Model | RuleModel
) -> dict[str, Any]:
    """Return what the estimator was made with."""
    known = inspect.signature(owner).parameters
    usual = _usual(owner, model)
    found = {
        name: NO if value is None and known[name].default is None else value
        for name, value in model.settings.items()
        if name in known
        and name != "dialect"
        # the default says the same, where it means "as the dialect says"
        and not (known[name].default in _FREE and value == usual.get(name))
    }
    if "switches" in known:
        more = {
            name: model.settings[name]
            for name, value in usual.items()
            if name not in known and model.settings.get(name, value) != value
        }
        found["switches"] = more or None
    dialect = _dialect_name(model)
    if dialect in owner.dialects and owner.dialect.name != dialect:
        found["dialect"] = dialect
    return found


def _dialect_name(model: Model | RuleModel) -> str:
    """Return whose trees these are; a forest keeps that among its settings."""
    return str(model.settings.get("dialect", model.learner))


def _usual(owner: type[ModelEstimator], model: Model | RuleModel) -> dict[str, Any]:
    """Return the switches that hold if nothing is set."""
    return owner.dialects.get(_dialect_name(model), owner.dialect).settings()
