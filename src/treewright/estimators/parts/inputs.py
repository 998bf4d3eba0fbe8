"""Tables as scikit-learn's users pass them: what is checked before the data layer.

`treewright.data` reads any table and explains what is wrong with it. Here are only the
few checks that scikit-learn's conventions want in words of their own, and what a table
without column names means to a learner that splits categories only.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from sklearn.exceptions import DataConversionWarning

from treewright.data.complaints import quoted
from treewright.data.encoding.encode import check_n_rows
from treewright.data.sparse.sparse_table import read_sparse
from treewright.data.tables.frames import is_frame, read_frame
from treewright.data.tables.raw import Numbers
from treewright.errors import DataError, DataTypeError, SettingError
from treewright.prune.labelled_rows import LabelledRows


class ComplexDataError(DataTypeError, DataError):
    """Complex numbers, a TypeError to us and a ValueError to scikit-learn."""


def has_column_names(table: Any) -> bool:
    """Tell whether a table names its columns, all of them by text."""
    if isinstance(table, np.ndarray):
        return table.dtype.names is not None
    if isinstance(table, list | tuple):
        return len(table) > 0 and isinstance(table[0], Mapping)
    if isinstance(table, Mapping):
        return all(isinstance(name, str) for name in table)
    if not is_frame(table):
        return False
    names = getattr(table, "column_names", None)  # Arrow, whose `columns` are arrays
    names = table.columns if names is None else names
    return all(isinstance(name, str) for name in names)


def are_passed(X: Any, y: Any) -> bool:
    """Tell whether rows and their answers are passed; refuse one without the other."""
    if (X is None) != (y is None):
        given, lacks = ("X", "y") if y is None else ("y", "X")
        raise SettingError(f"{given} is passed without {lacks}; pass both, or neither")
    return X is not None


def rows_to_count(
    estimator: Any, X: Any, y: Any, sample_weight: Any
) -> LabelledRows | None:
    """Return the rows that rules are counted on; None: the training rows."""
    if not are_passed(X, y):
        return None
    model = estimator._model_for(X)
    return LabelledRows.of_table(model, X, y, sample_weight, use="to count")


def check_training_table(table: Any, y: Any, name: str) -> None:
    """Refuse what no estimator can learn from; `name` is the estimator's."""
    if y is None:
        raise DataError(
            f"{name} requires y to be passed, but the target y is None; "
            "pass one value per row"
        )
    _check_array(table)
    shape = getattr(table, "shape", None)
    if isinstance(shape, tuple) and len(shape) == 2 and shape[1] == 0:
        raise DataError(
            f"Found array with 0 feature(s) (shape={shape}) while a minimum of 1 is "
            f"required by {name}: pass at least one column"
        )


def check_rows(table: Any, n_features: int, name: str) -> None:
    """Refuse rows of another width than in training; names are matched later."""
    _check_array(table)
    shape = getattr(table, "shape", None)
    if not isinstance(shape, tuple) or len(shape) != 2 or shape[1] == n_features:
        return
    if not has_column_names(table):
        raise DataError(
            f"X has {shape[1]} features, but {name} is expecting {n_features} features "
            "as input"
        )


def _check_array(table: Any) -> None:
    """Refuse arrays of complex numbers, or without rows and columns."""
    if not isinstance(table, np.ndarray):
        return
    if table.dtype.kind == "c":
        raise ComplexDataError(
            f"Complex data not supported: the table has dtype {table.dtype}; pass the "
            "real and imaginary parts as columns of their own"
        )
    if table.ndim != 2 and table.dtype.names is None:
        raise DataError(
            f"Expected 2D array, got {table.ndim}D array instead. Reshape your data "
            "with X.reshape(-1, 1) if it is one column, or with X.reshape(1, -1) if "
            "it is one row"
        )


def nominal_kinds(
    table: Any, given: Mapping[str, Any], name: str, *, numeric: Collection[str] = ()
) -> dict[str, Any]:
    """Return the kinds of a table whose numbers are names of categories.

    What the user has said, `given`, stays, and `numeric` columns hold amounts all the
    same. A warning by the estimator's `name` says which others look like amounts.
    """
    if read_sparse(table) is not None:
        raise DataError(
            f"{name} asks about categories, and a sparse matrix of this size is taken "
            "as numbers; use CARTClassifier or RandomForestClassifier, or pass some of "
            "the columns as a dense array (X[:, [0, 1]].toarray())"
        )
    read = read_frame(table)
    check_n_rows(read.n_rows)
    kinds = dict(given)
    fractions = []
    for column_name, column in zip(read.names, read.columns, strict=True):
        if column_name in (*kinds, *numeric) or not isinstance(column, Numbers):
            continue
        kinds[column_name] = "nominal"
        if _has_fractions(column):
            fractions.append(column_name)
    if fractions:
        warnings.warn(
            f"{name} takes the numbers of a table without column names as names of "
            f"categories, and there are fractions in {quoted(fractions)}; if these are "
            "amounts, use CARTClassifier or divide them into intervals "
            "(discretize='quartiles', say), otherwise "
            f"declare them (feature_kinds={{{fractions[0]!r}: 'nominal'}})",
            UserWarning,
            stacklevel=5,
        )
    return kinds


def _has_fractions(column: Numbers) -> bool:
    """Tell whether a column has values that are not whole numbers."""
    if column.values.dtype.kind != "f":
        return False
    known = column.values[np.isfinite(column.values)]
    return bool((known != np.round(known)).any())


def warn_of_column_vector(y: Any) -> None:
    """Warn, as scikit-learn does, of answers that are a table of one column."""
    if tuple(getattr(y, "shape", ())[1:]) == (1,):
        warnings.warn(
            # scikit-learn's words, which its checks look for
            "A column-vector y was passed when a 1d array was expected. Pass the "
            "column itself, for example y.ravel()",
            DataConversionWarning,
            stacklevel=3,
        )
