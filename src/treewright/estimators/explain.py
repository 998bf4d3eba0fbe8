"""One row's way through a tree, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from treewright.data.complaints import counted
from treewright.errors import DataError
from treewright.render.outline import class_words, prediction_words
from treewright.render.words import short_number, visible
from treewright.tree.condition import (
    branch_condition,
    surrogate_condition,
)
from treewright.tree.model import Model
from treewright.tree.place import Ends, Parts
from treewright.tree.tree import EVERY_BRANCH, NO_CLASS, NodeKind, Tree
from treewright.tree.vote import predicted_codes, probabilities
from treewright.tree.walk import Cells, speaking_surrogate, visited

_MOST_PARTS = 20


def explain_row(model: Model, row: Any) -> str:
    """Return the questions that a row is asked on its way, and the answer.

    Parameters
    ----------
    model : Model
        A model of one tree.
    row : mapping, series, sequence of cells, or table of one row
        Cells are matched by name where the row has names.
    """
    cells, _ = model.encode(_as_table(row))
    if len(cells) != 1:
        raise DataError(
            f"there are {counted(len(cells), 'row')} to explain; pass 1 row, for "
            "example the first of a frame, X.iloc[0], or of an array, X[0]"
        )
    tree = model.trees[0]
    ends = model.ends(cells)
    end = int(ends.nodes[0, 0])
    divided = ends.divided[0]
    lines = _steps(model, tree, 0, end, cells[0])
    if divided is None:
        lines += [*_stop(model, tree, end, cells[0]), _answer(model, tree, end)]
    else:
        feature = model.schema.features[int(tree.feature[end])].name
        lines.append(f"{feature} is missing: goes down all branches, in shares")
        (parts,) = divided.blocks()  # of one row
        lines += _part_lines(model, tree, end, cells[0], parts)
        lines.append(_mean_answer(model, ends))
    return "\n".join(map(visible, lines))


def _steps(model: Model, tree: Tree, top: int, end: int, cells: Cells) -> list[str]:
    """Return the branches taken from one node down to another."""
    path = visited(tree, np.array([end], np.int32))[1].tolist()
    return [
        _step(model, tree, parent, node, cells)
        for parent, node in pairwise(path[path.index(top) :])
    ]


def _part_lines(
    model: Model, tree: Tree, top: int, cells: Cells, parts: Parts
) -> Iterator[str]:
    """Yield a line for each part of a divided row: its share, its way, its answer."""
    order = np.argsort(parts.node, kind="stable").tolist()
    shown = order[:_MOST_PARTS]
    for part in shown:
        node = int(parts.node[part])
        way = ", ".join(_steps(model, tree, top, node, cells))
        share = 100 * float(parts.weight[part])
        yield f"  {share:.3g} %: {way} {_answer(model, tree, node)}"
    if len(order) > len(shown):
        rest = 100 * float(parts.weight[order[_MOST_PARTS:]].sum())
        yield f"  {rest:.3g} %: {len(order) - len(shown)} more parts"


def _mean_answer(model: Model, ends: Ends) -> str:
    """Return the prediction for a divided row: that of the mean over its parts."""
    target = model.schema.target
    if target.kind == "numbers":
        numbers = model.predict_at(ends).reshape(-1).tolist()
        words = [short_number(number) for number in numbers]
        shares = ""
    else:
        codes = predicted_codes(target, model.trees, ends)[0].tolist()
        words = class_words(target, codes)
        shares = ""
        if target.n_outputs == 1 and codes[0] != NO_CLASS:
            shares = _mean_share(model, ends, codes[0])
    said = ", ".join(
        f"{name} {word}" for name, word in zip(target.names, words, strict=True)
    )
    return f"→ {said} (the mean over the parts{shares})"


def _mean_share(model: Model, ends: Ends, code: int) -> str:
    """Return the share of the predicted class over all parts, in percent."""
    shares = probabilities(model.schema.target, model.trees, ends)[0][0]
    return f"; {100 * float(shares[code]):.3g} % of this class"


def _as_table(row: Any) -> Any:
    """Return a row as a table of one row; a table stays as it is."""
    if isinstance(row, Mapping):
        return {name: [cell] for name, cell in row.items()}
    if isinstance(row, np.ndarray) and row.ndim == 1 and row.dtype.names is None:
        return row.reshape(1, -1)
    if isinstance(row, list | tuple):
        has_rows = any(isinstance(cell, list | tuple | Mapping) for cell in row)
        return row if has_rows else [list(row)]
    if hasattr(row, "index") and hasattr(row, "items") and not hasattr(row, "columns"):
        cells = dict(row.items())  # a pandas Series: a row of a frame
        if all(isinstance(name, str) for name in cells):
            return {name: [cell] for name, cell in cells.items()}
        return [list(cells.values())]
    return row


def _step(model: Model, tree: Tree, parent: int, node: int, cells: Cells) -> str:
    """Return the branch that was taken, and why if the value is missing."""
    cell = float(cells[tree.feature[parent]])
    branch = node - int(tree.first_child[parent])
    condition = branch_condition(model.schema, tree, parent, branch)
    divides = int(tree.missing_branch[parent]) == EVERY_BRANCH
    if math.isnan(cell) and condition.relation != "is" and not divides:
        surrogate = speaking_surrogate(tree, parent, cells.tolist())
        if surrogate is not None:
            stands_in = surrogate_condition(model.schema, tree, surrogate)
            holds = "" if branch == 0 else "not "
            return (
                f"{condition.feature} is missing, and {holds}{stands_in}: goes with "
                f"{condition}"
            )
        return f"{condition.feature} is missing: goes with {condition}"
    return str(condition)


def _stop(model: Model, tree: Tree, end: int, cells: Cells) -> list[str]:
    """Say why the walk ends before a leaf, if it does."""
    if tree.kind_of(end) == NodeKind.LEAF:
        return []
    feature = int(tree.feature[end])
    name = model.schema.features[feature].name
    if math.isnan(cells[feature]):
        return [f"{name} is missing, and no branch is for that: stops"]
    return [f"{name} has a value that training never saw here: stops"]


def _answer(model: Model, tree: Tree, end: int) -> str:
    """Return the prediction and the training rows that it stands on."""
    target, n_rows = model.schema.target, int(tree.n_rows[end])
    if target.kind == "numbers":
        answers = [short_number(number) for number in tree.value[end].tolist()]
        share = ""
    else:
        answers = prediction_words(target, tree, end)
        # a branch without rows answers for its parent: there is no share to tell
        share = _share(model, tree, end) if n_rows else ""
    said = ", ".join(
        f"{name} {answer}" for name, answer in zip(target.names, answers, strict=True)
    )
    reason = tree.reason_words(end)
    return f"→ {said} ({'; '.join(filter(None, [_rows(n_rows), share, reason]))})"


def _rows(n_rows: int) -> str:
    return f"{counted(n_rows, 'training row')}" if n_rows else ""


def _share(model: Model, tree: Tree, end: int) -> str:
    """Return the share of the predicted class in percent, for one output."""
    if model.schema.target.n_outputs > 1:
        return ""
    weights = tree.value[end]
    share = 100 * weights[tree.label[end, 0]] / weights.sum()
    return f"{share:.3g} % of this class"
