"""Chalk of tables, without an estimator."""

from __future__ import annotations

import treewright as tw
from treewright.data.encode import encode
from treewright.grow.dialect import Dialect
from treewright.learners.recipe import grow_tree
from treewright.learners.watching import Watching
from treewright.render.chalk import Chalk


def chalk_of(X, y, dialect: Dialect, *, task="classes", weights=None) -> Chalk:
    columns = encode(X, y, task=task, sample_weight=weights)
    watching = Watching()
    model = grow_tree(columns, dialect, watch=watching)
    return Chalk(watching.record(), model)


def chalk_of_example(example: str, dialect: Dialect, *, without=()) -> Chalk:
    X, y = getattr(tw.datasets, example)()
    kept = [column for column in X.columns if column not in without]
    return chalk_of(X[kept], y, dialect)
