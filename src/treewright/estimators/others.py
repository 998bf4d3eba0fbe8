"""Estimators of other packages by name, as `sklearn.tree:DecisionTreeClassifier`.

Most of them read numbers only. Categories then become columns of 0 and 1, and missing
numbers the median, both learned inside the split as everything else.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from treewright.data.coded_cells import cells_by_code
from treewright.data.columns import Columns
from treewright.data.sparse_cells import cells_of_columns
from treewright.errors import SettingError
from treewright.estimators.evaluable import task_of
from treewright.estimators.evaluating import asking_estimator, learned
from treewright.estimators.model_estimator import takes_codes
from treewright.evaluation.outcomes import Ask, Floats, asking
from treewright.sources.sparse import refuse_large


def named_estimator(name: str, *, seed: int) -> Any:
    """Return an estimator by `module:Class`, with a seed if it takes one.

    Parameters
    ----------
    name : str
        For example "sklearn.tree:DecisionTreeClassifier".
    seed : int
        What `random_state` is set to.
    """
    module, _, class_name = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), class_name)
    except (ImportError, AttributeError, ValueError):
        raise SettingError(
            f"there is no estimator {name!r}; write module:Class, as "
            "sklearn.tree:DecisionTreeClassifier, of an installed package"
        ) from None
    if not (inspect.isclass(found) and issubclass(found, BaseEstimator)):
        raise SettingError(
            f"{name!r} is no estimator of scikit-learn's kind; name a class with fit "
            "and predict"
        )
    try:
        estimator: Any = found()
    except TypeError:
        raise SettingError(
            f"{name!r} cannot be made without arguments; use treewright.compare in "
            "Python"
        ) from None
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=seed)
    return estimator


def asking_named(name: str, columns: Columns, *, seed: int) -> Ask:
    """Return what asks an estimator by its name, split by split."""
    estimator = named_estimator(name, seed=seed)
    task = task_of(estimator)
    kind = columns.schema.target.kind
    if task != kind:
        other = {"classes": "Classifier", "numbers": "Regressor"}
        raise SettingError(
            f"{name!r} predicts {task}, and the target holds {kind}; name a "
            f"{other[kind].lower()} instead"
        )
    if takes_codes(estimator):
        return asking(columns, lambda part: learned(clone(estimator), part, 1))
    sparse = _sparse_cells(columns)
    preparation = [] if sparse is not None else [_preparation(columns)]
    prepared = make_pipeline(*preparation, estimator)
    return asking_estimator(
        prepared,
        _cells(columns) if sparse is None else sparse,
        columns.target[:, 0],
        _answers_as_codes(columns),
        weight_name=f"{prepared.steps[-1][0]}__sample_weight",
    )


def _answers_as_codes(columns: Columns) -> Columns:
    """Return the target with codes as its classes; labels may be of any type."""
    target = columns.schema.target
    codes = tuple(tuple(range(len(labels))) for labels in target.classes)
    schema = dataclasses.replace(
        columns.schema,
        features=(),
        target=dataclasses.replace(target, classes=codes),
    )
    return Columns(schema, (), columns.target, columns.weights)


def _sparse_cells(columns: Columns) -> Any | None:
    """Return a sparse table of numbers as a sparse matrix; None: it is another."""
    if not columns.schema.all_float:
        return None
    cells = cells_of_columns(columns, columns.schema.features)
    if cells is None or np.isnan(cells.values).any():
        return None
    # imported here: few tables are sparse
    from scipy.sparse import csr_matrix  # noqa: PLC0415

    return csr_matrix((cells.values, cells.columns, cells.starts), cells.shape)


def _cells(columns: Columns) -> Floats:
    """Return the table as numbers; of categories their codes; NaN where missing."""
    refuse_large(columns, "scikit-learn with columns that are not numbers")
    cells = np.empty((columns.n_rows, len(columns.features)))
    pairs = zip(columns.schema.features, columns.features, strict=True)
    for number, (feature, column) in enumerate(pairs):
        cells[:, number] = cells_by_code(feature, column)[column.codes]
    return cells


def _preparation(columns: Columns) -> Any:
    """Return what makes numbers of all columns."""
    features = columns.schema.features
    nominal = [n for n, one in enumerate(features) if one.kind == "nominal"]
    others = [n for n, one in enumerate(features) if one.kind != "nominal"]
    return make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), nominal),
        (SimpleImputer(strategy="median", keep_empty_features=True), others),
    )
