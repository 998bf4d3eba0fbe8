"""The libraries that are compared, each doing the same job: one exact tree, unpruned.

A `Peer` fits from a float32 matrix in memory, in the form in which its users hold it;
turning that into its own form is part of its time. YDF takes columns by name, so the
dictionary of columns is made beforehand. Its options, and why:

    validation_ratio=0.0     no rows held back, no pruning
    max_depth=-1             no limit
    min_examples=2           the smallest leaf
    sorting_strategy         IN_NODE, its default: as fast as presorting on these tables
    (numerical columns are not discretised by default: every cut is looked at)

Its score for classes is the information gain, which is entropy's.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Task = Literal["classes", "numbers"]
Array = npt.NDArray[Any]

N_JOBS = 2
MIN_LEAF = 2


@dataclass(frozen=True)
class Peer:
    """One library: how to prepare the input, fit, predict and count nodes."""

    name: str
    module: str
    prepare: Callable[[Array, Array], Any]
    fit: Callable[[Any, Task], Any]
    predict: Callable[[Any, Any, Task], Array]
    n_nodes: Callable[[Any], int]

    @property
    def is_installed(self) -> bool:
        return importlib.util.find_spec(self.module) is not None


def fit_treewright(data: tuple[Array, Array], task: Task) -> Any:
    import treewright

    if task == "classes":
        model = treewright.CARTClassifier(
            criterion="entropy", min_samples_leaf=MIN_LEAF, n_jobs=N_JOBS
        )
    else:
        model = treewright.CARTRegressor(min_samples_leaf=MIN_LEAF, n_jobs=N_JOBS)
    return model.fit(*data)


def fit_sklearn(data: tuple[Array, Array], task: Task) -> Any:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    if task == "classes":
        model = DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=MIN_LEAF, random_state=0
        )
    else:
        model = DecisionTreeRegressor(min_samples_leaf=MIN_LEAF, random_state=0)
    return model.fit(*data)


def fit_ydf(columns: dict[str, Array], task: Task) -> Any:
    import ydf

    ydf.verbose(0)
    learner = ydf.CartLearner(
        label="y",
        task=ydf.Task.CLASSIFICATION if task == "classes" else ydf.Task.REGRESSION,
        validation_ratio=0.0,
        max_depth=-1,
        min_examples=MIN_LEAF,
        sorting_strategy="IN_NODE",
        num_threads=N_JOBS,
    )
    return learner.train(columns)


def ydf_columns(table: Array, y: Array) -> dict[str, Array]:
    columns = {
        f"x{feature}": np.ascontiguousarray(table[:, feature])
        for feature in range(table.shape[1])
    }
    is_number = np.issubdtype(y.dtype, np.floating)
    return columns | {"y": y.astype(np.float32) if is_number else y}


def predict_ydf(model: Any, columns: dict[str, Array], task: Task) -> Array:
    answer = model.predict(columns)  # for two classes: the share of the second
    return (answer > 0.5).astype(np.int64) if task == "classes" else answer


def as_pair(table: Array, y: Array) -> tuple[Array, Array]:
    return table, y


def predict_pair(model: Any, data: tuple[Array, Array], task: Task) -> Array:
    return np.asarray(model.predict(data[0]))


def count_nodes(model: Any) -> int:
    return int(model.tree_.node_count)


TREEWRIGHT = Peer(
    "treewright", "treewright", as_pair, fit_treewright, predict_pair, count_nodes
)
SKLEARN = Peer(
    "scikit-learn", "sklearn", as_pair, fit_sklearn, predict_pair, count_nodes
)
YDF = Peer(
    "YDF", "ydf", ydf_columns, fit_ydf, predict_ydf, lambda model: model.num_nodes()
)
PEERS = (TREEWRIGHT, SKLEARN, YDF)


def installed() -> list[Peer]:
    """The peers at hand; says which are left out."""
    for peer in PEERS:
        if not peer.is_installed:
            print(f"{peer.name} is not installed and left out")
    return [peer for peer in PEERS if peer.is_installed]
