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
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from treewright.data.coded_cells import coded_cells
from treewright.data.columns import Columns
from treewright.data.schema import Word
from treewright.data.sparse.bag_of_words import WordSettings, are_kept, kept_words
from treewright.data.sparse.sparse_cells import cells_of_columns
from treewright.errors import SettingError
from treewright.estimators.judged.evaluating import (
    asking_estimator,
    learned,
    task_of,
)
from treewright.estimators.parts.model_estimator import takes_codes
from treewright.evaluation.errors.held_out_answers import Ask, Floats, asking
from treewright.sources.sparse import refuse_large


def named_estimator(name: str, *, seed: int) -> Any:
    """Return an estimator by `module:Class`, its `random_state` set if it has one."""
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


def asking_named(name: str, columns: Columns, *, seed: int, words: WordSettings) -> Ask:
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

        def learn(part: Columns) -> Any:
            return learned(clone(estimator), kept_words(part, words), 1)

        return asking(columns, learn)
    sparse = _sparse_cells(columns)
    prepared = make_pipeline(_preparation(columns, sparse is None, words), estimator)
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
    return csr_matrix((cells.values, cells.columns, cells.starts), cells.shape)


def _cells(columns: Columns) -> Floats:
    """Return the table as numbers; of categories their codes; NaN where missing."""
    refuse_large(columns, "scikit-learn with columns that are not numbers")
    return coded_cells(columns, columns.schema.features)


def _preparation(columns: Columns, fills: bool, settings: WordSettings) -> Any:
    """Return what makes numbers of all columns, and leaves rare words out."""
    features = columns.schema.features
    nominal = [n for n, one in enumerate(features) if one.kind == "nominal"]
    texts = [n for n, one in enumerate(features) if one.word is not None]
    own = {*nominal, *texts}
    others = [n for n in range(len(features)) if n not in own]
    filling = SimpleImputer(strategy="median", keep_empty_features=True)
    words = tuple(one.word for one in features if one.word is not None)
    return make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), nominal),
        (filling if fills else "passthrough", others),
        (KeptWords(words, settings), texts),
        sparse_threshold=0.3 if fills else 1.0,
    )


class KeptWords(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The words that are frequent enough in the rows that are learned from."""

    def __init__(self, words: tuple[Word, ...], settings: WordSettings) -> None:
        self.words = words
        self.settings = settings

    def fit(self, X: Any, y: Any = None) -> KeptWords:
        """Count in how many texts each word is."""
        n_texts = np.asarray((X != 0).sum(axis=0)).ravel()
        self.kept_ = np.flatnonzero(are_kept(n_texts, self.words, self.settings))
        return self

    def transform(self, X: Any) -> Any:
        """Take these words."""
        return X[:, self.kept_]
