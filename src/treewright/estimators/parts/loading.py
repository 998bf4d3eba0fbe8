"""From a model, of a file or of a forest's tree, to the estimator whose model it is."""

from __future__ import annotations

import inspect
import os
from importlib import import_module
from typing import Any

from treewright.errors import ModelFileError
from treewright.estimators.parts.model_estimator import ModelEstimator
from treewright.estimators.parts.parameters import AS_DIALECT, NO
from treewright.learners.registry import LEARNERS, RULES, STREAM, is_a, names
from treewright.rules import rule_file
from treewright.rules.rule_model import RuleModel
from treewright.tree.model import Model

_TABLES = (".csv", ".tsv", ".txt", ".arff", ".parquet", ".names", ".data", ".xlsx")
# defaults that mean "as the dialect says"
_FREE = (None, AS_DIALECT)
# these have every switch, so they can stand for any dialect
_GENERAL = {"classes": "trees.TreeClassifier", "numbers": "trees.TreeRegressor"}


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
        model = rule_file.load(path)
        estimator = estimator_of(model)
        if is_a(model, STREAM):
            estimator.go_on_from(path)
    except ModelFileError as error:
        if not os.fspath(path).lower().removesuffix(".gz").endswith(_TABLES):
            raise
        raise ModelFileError(
            f"{os.fspath(path)} looks like a table, and load reads models ({error}); "
            f"read it with treewright.read_table({os.fspath(path)!r}) and fit an "
            "estimator"
        ) from None
    found: ModelEstimator = estimator
    return found


def estimator_of(model: Model | RuleModel) -> Any:
    """Return the fitted estimator whose model this is, with what it was made with.

    If the estimator cannot be given all settings, it is one that has every switch.
    """
    task = model.schema.target.kind
    made_by = model.learner
    if isinstance(model, RuleModel):  # no learner made rules that were edited
        (made_by,) = names(RULES)
    homes = LEARNERS[made_by].estimators if made_by in LEARNERS else {}
    owner = _at(homes.get(task, _GENERAL[task]))
    if owner.own is None and not _can_say(owner, model):
        owner = _at(_GENERAL[task])
    estimator = owner(**_parameters(owner, model))
    estimator.model_ = model
    return estimator


def _at(home: str) -> Any:
    """Return the estimator at a place of this room, "module.Class"."""
    module, name = home.split(".")
    return getattr(import_module(f"treewright.estimators.{module}"), name)


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
