"""What a tree answers, and the figures that the records have of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.datasets import Dataset, Rows, recorded_results
from conformance.rounding.grow import Node, grow
from conformance.rounding.prune import prune
from conformance.rounding.splits import Training
from conformance.rounding.sums import UNKNOWN, Array, Sums, Table, table_of

ALL_ROWS, SPLIT = "all rows", "split"
Figures = tuple[int, ...]


class Comparison:
    """One place of the records: all rows, the split or a fold.

    Parameters
    ----------
    dataset : Dataset
        What is grown on.
    place : str
        "all rows", "split" or "fold 0" ... "fold 9".

    Attributes
    ----------
    recorded : tuple of int
        Size and errors of the pruned tree; then, as far as they are recorded, size and
        errors of the tree without pruning.
    """

    def __init__(self, dataset: Dataset, place: str) -> None:
        self.table = table_of(dataset)
        record = recorded_results()[dataset.name]["c45r8"]
        fold = int(place.removeprefix("fold ")) if place.startswith("fold ") else 0
        is_test = dataset.folds == fold
        self.has_unpruned_size = place in (ALL_ROWS, SPLIT)
        if place == ALL_ROWS:
            self.train = self.test = np.arange(dataset.n_rows)
            self.recorded = _figures(record, "train_errors")
        elif place == SPLIT:
            assert dataset.train_rows is not None and dataset.test_rows is not None
            self.train, self.test = dataset.train_rows, dataset.test_rows
            self.recorded = _figures(record["holdout"], "test_errors")
        else:
            self.train, self.test = np.flatnonzero(~is_test), np.flatnonzero(is_test)
            names = ("cv_fold_sizes", "cv_fold_errors", "cv_fold_unpruned_errors")
            self.recorded = tuple(record[name][fold] for name in names)

    def figures(self, sums: Sums, prefer: str | None = None) -> Figures:
        """Grow, prune and count, in the order of the record."""
        column = None if prefer is None else self.table.names.index(prefer)
        training = Training(self.table, sums, self.train, column)
        grown = grow(training)
        pruned = prune(training, grown)
        sizes = (grown.size,) if self.has_unpruned_size else ()
        return pruned.size, self._wrong(pruned, sums), *sizes, self._wrong(grown, sums)

    def _wrong(self, tree: Node, sums: Sums) -> int:
        answers = predict(self.table, tree, self.test, sums)
        return int((answers != self.table.labels[self.test]).sum())


def _figures(record: dict[str, int], errors: str) -> Figures:
    names = ("size", errors, "unpruned_size", f"unpruned_{errors}")
    return tuple(record[name] for name in names)


def predict(table: Table, tree: Node, rows: Rows, sums: Sums) -> Rows:
    """Return the class of each row, the first of equals."""
    shares = np.zeros((len(rows), table.n_classes), sums.number)
    _send(table, tree, (rows, np.arange(len(rows)), np.ones(len(rows))), shares)
    most = shares.max(axis=1, keepdims=True)
    return np.asarray(np.argmax(shares >= most - sums.slack, axis=1))


def _send(
    table: Table, node: Node, sent: tuple[Rows, Rows, Array], out_shares: Any
) -> None:
    """Add the class shares of the leaves under a node to those of the rows sent."""
    rows, places, weights = sent
    if len(rows) == 0:
        return
    if not node.branches:
        if node.weight > 0:
            out_shares[places] += weights[:, None] * (node.by_class / node.weight)
        else:
            out_shares[places, node.label] += weights
        return
    branch = table.branch(node.feature, node.cut, rows)
    for k, below in enumerate(node.branches):
        is_unknown = (branch == UNKNOWN) & (below.weight > 0)
        share = float(below.weight) / float(node.weight) if node.weight > 0 else 0.0
        goes = (branch == k) | is_unknown
        part = np.where(is_unknown, weights * share, weights)
        _send(table, below, (rows[goes], places[goes], part[goes]), out_shares)
