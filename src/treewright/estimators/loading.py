"""From a model file back to the estimator that wrote it."""

from __future__ import annotations

import os

from treewright.errors import ModelFileError
from treewright.estimators.adaboost import AdaBoostClassifier
from treewright.estimators.c45_rules import C45RulesClassifier
from treewright.estimators.extra_trees import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
)
from treewright.estimators.forests import (
    RandomForestClassifier,
    RandomForestRegressor,
)
from treewright.estimators.hoeffding import (
    HoeffdingTreeClassifier,
    HoeffdingTreeRegressor,
    StreamEstimator,
)
from treewright.estimators.model_estimator import ModelEstimator
from treewright.estimators.of_tree import TREES, fitted_as, owner_among
from treewright.rules import rule_file
from treewright.rules.rule_model import RuleModel
from treewright.tree.model import Model

_TABLES = (".csv", ".tsv", ".txt", ".arff", ".parquet", ".names", ".data", ".xlsx")
_NAMED = (
    *TREES,
    RandomForestClassifier,
    RandomForestRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    AdaBoostClassifier,
    C45RulesClassifier,
    HoeffdingTreeClassifier,
    HoeffdingTreeRegressor,
)


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
    if isinstance(model, RuleModel):  # also rules that came from a workbench
        return fitted_as(C45RulesClassifier, model)
    return fitted_as(owner_among(_NAMED, model), model)
