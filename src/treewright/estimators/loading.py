"""From a model file back to the estimator that wrote it."""

from __future__ import annotations

import inspect
import os
from typing import Any

from treewright.errors import ModelFileError
from treewright.estimators.adaboost import AdaBoostClassifier
from treewright.estimators.c45 import C45Classifier
from treewright.estimators.c45_rules import C45RulesClassifier
from treewright.estimators.cal import CAL2Classifier, CAL3Classifier
from treewright.estimators.extra_trees import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
)
from treewright.estimators.forests import (
    RandomForestClassifier,
    RandomForestRegressor,
)
from treewright.estimators.id3 import ID3Classifier
from treewright.estimators.model_estimator import ModelEstimator
from treewright.estimators.parameters import AS_DIALECT, NO
from treewright.estimators.stream_base import StreamEstimator
from treewright.estimators.streams import (
    HoeffdingTreeClassifier,
    HoeffdingTreeRegressor,
)
from treewright.estimators.trees import (
    CARTClassifier,
    CARTRegressor,
    TreeClassifier,
    TreeRegressor,
)
from treewright.rules import rule_file
from treewright.rules.rule_model import RuleModel
from treewright.tree.model import Model

_TABLES = (".csv", ".tsv", ".txt", ".arff", ".parquet", ".names", ".data", ".xlsx")
# defaults that mean "as the dialect says"
_FREE = (None, AS_DIALECT)
_NAMED = (
    ID3Classifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CAL2Classifier,
    CAL3Classifier,
    RandomForestClassifier,
    RandomForestRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    AdaBoostClassifier,
    C45RulesClassifier,
    HoeffdingTreeClassifier,
    HoeffdingTreeRegressor,
)
# these have every switch, so they can stand for any dialect
_GENERAL: dict[str, type[ModelEstimator]] = {
    "classes": TreeClassifier,
    "numbers": TreeRegressor,
}


def load(path: str | os.PathLike[str]) -> ModelEstimator:
    """Read a fitted estimator from a file.

    Parameters
    ----------
    path : str or path
        A file that `save`, or the command line, has written.

    Returns
    -------
    estimator
        Of the kind that wrote the file, with its parameters; `n_jobs` is not part of a
        model. A model of a dialect without an estimator of its own, or with switches
        that this one does not have, comes as `TreeClassifier` or `TreeRegressor`.

    Raises
    ------
    ModelFileError
        If the file is not a whole and valid model.
    FileReadError
        If there is no such file, or it may not be read.

    Examples
    --------
    >>> import os, tempfile, treewright as tw
    >>> X, y = tw.datasets.tennis()
    >>> path = os.path.join(tempfile.mkdtemp(), "play.tw")
    >>> tw.ID3Classifier(max_depth=2).fit(X, y).save(path)
    >>> tw.load(path)
    ID3Classifier(max_depth=2)
    """
    try:
        estimator = estimator_of(rule_file.load(path))
        if isinstance(estimator, StreamEstimator):
            estimator.go_on_from(path)
        return estimator
    except ModelFileError as error:
        if not os.fspath(path).lower().removesuffix(".gz").endswith(_TABLES):
            raise
        raise ModelFileError(
            f"{os.fspath(path)} looks like a table, and load reads models ({error}); "
            f"read it with treewright.read_table({os.fspath(path)!r}) and fit an "
            "estimator"
        ) from None


def estimator_of(model: Model | RuleModel) -> ModelEstimator:
    """Return the fitted estimator whose model this is."""
    kind = model.schema.target.kind
    owner = _owner(model, kind)
    if owner.own is None and not _can_say(owner, model):
        owner = _GENERAL[kind]
    estimator = owner(**_parameters(owner, model))
    estimator.model_ = model  # type: ignore[assignment]
    return estimator


def _owner(model: Model | RuleModel, kind: str) -> type[ModelEstimator]:
    """Return the estimator whose learner, or one of whose dialects, made a model."""
    if isinstance(model, RuleModel):  # also rules that came from a workbench
        return C45RulesClassifier
    for owner in _NAMED:
        if owner.task != kind:
            continue
        names = {owner.learner} if owner.own else {owner.learner, *owner.dialects}
        if model.learner in names:
            return owner
    return _GENERAL[kind]


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
