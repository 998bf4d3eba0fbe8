"""Our figures: size, leaves and errors of a tree that is grown on some rows."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from conformance.datasets import Dataset, Rows
from conformance.programs import Program

Figures = dict[str, float]


@dataclass(frozen=True, eq=False)
class Grown:
    """A fitted estimator and its figures."""

    estimator: Any
    figures: Figures


def grow(
    program: Program, dataset: Dataset, train: Rows, *, test: Rows | None = None
) -> Grown:
    """Grow our tree on some rows; count its errors there and on the test rows."""
    estimator = program.make(dataset)
    kept = _with_inputs(dataset, train) if program.drops_empty_rows else train
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of columns that cannot help
        estimator.fit(dataset.inputs[kept], dataset.target[kept])
    figures: Figures = {
        "size": estimator.tree_.node_count,
        "leaves": estimator.get_n_leaves(),
    }
    for part, rows in (("train", train), ("test", test)):
        if rows is not None:
            counts = _errors(program, dataset, estimator, rows)
            figures |= {f"{part}_{name}": count for name, count in counts.items()}
    return Grown(estimator, figures)


def _with_inputs(dataset: Dataset, rows: Rows) -> Rows:
    """Return the rows in which at least one input is known."""
    known = dataset.inputs.select(pl.any_horizontal(pl.all().is_not_null()))
    kept: Rows = rows[known.to_series().to_numpy()[rows]]
    return kept


def _errors(program: Program, dataset: Dataset, estimator: Any, rows: Rows) -> Figures:
    inputs = dataset.inputs[rows]
    target = dataset.target[rows]
    answers: npt.NDArray[Any] = estimator.predict(inputs)
    if dataset.task == "regression":
        squares = float(np.sum((answers - target.to_numpy()) ** 2))
        return {"rmse": math.sqrt(squares / len(rows)), "squares": squares}
    wrong = answers.astype(str) != target.cast(pl.String).to_numpy().astype(str)
    if not program.empty_is_unclassified:
        return {"errors": int(wrong.sum())}
    lost = estimator.tree_.gives_no_class()[estimator.apply(inputs)]
    return {"errors": int((wrong & ~lost).sum()), "unclassified": int(lost.sum())}
