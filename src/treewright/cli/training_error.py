"""The error of a tree on the rows it was grown from, beside that of no tree at all.

Both are read off the tree: its leaves and its root keep the weights of their rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.render.words import clip, short_number, weight_text
from treewright.tree.condition import label_text
from treewright.tree.model import Model
from treewright.tree.tree import NodeKind, Tree

_TOO_GOOD = "(too good, shown for comparison)"
_MAX_LABEL = 30


@dataclass(frozen=True)
class ErrorLine:
    """Who errs, how much, and what to think of it."""

    who: str
    error: str
    remark: str


def error_lines(model: Model) -> Iterator[tuple[str, list[ErrorLine]]]:
    """Yield, for each output, a title and the lines to compare."""
    tree, target = model.trees[0], model.schema.target
    leaves = np.flatnonzero(tree.kind == NodeKind.LEAF)
    if target.kind == "numbers":
        yield _number_lines(model, tree, leaves)
        return
    for output, slot in enumerate(target.slots):
        title = "error" if target.n_outputs == 1 else f"error in {target.names[output]}"
        code = int(tree.label[0, output])
        label = clip(label_text(target.classes[output][code]), _MAX_LABEL)
        wrong = _wrong(tree, leaves, slot, output)
        wrong_at_root = _wrong(tree, np.zeros(1, np.intp), slot, output)
        total = float(tree.value[0, slot].sum())
        yield (
            title,
            [
                _share("on the training rows", wrong, total, _TOO_GOOD),
                _share(f"always saying {label}", wrong_at_root, total),
            ],
        )


def _share(who: str, wrong: float, total: float, remark: str = "") -> ErrorLine:
    amounts = f"{amount(wrong)} of {amount(total)} {remark}".rstrip()
    return ErrorLine(who, f"{100 * wrong / total:.1f} %", amounts)


def amount(weight: float) -> str:
    """Return a weight for people; whole thousands are easier to read with a comma."""
    text = weight_text(weight)
    return f"{int(text):,}" if text.isdigit() else text


def _wrong(tree: Tree, nodes: npt.NDArray[np.intp], slot: slice, output: int) -> float:
    """Return the training weight of other classes than the one these nodes answer."""
    weights = tree.class_weights()[nodes, slot]
    right = np.take_along_axis(weights, tree.label[nodes, output][:, None], axis=1)
    return float(weights.sum() - right.sum())


def _number_lines(
    model: Model, tree: Tree, leaves: npt.NDArray[np.intp]
) -> tuple[str, list[ErrorLine]]:
    """Return the mean error of the leaves, and of the root alone."""
    absolute = model.settings.get("criterion") == "absolute_error"
    shares = tree.weight[leaves] / tree.weight[leaves].sum()
    errors = [float(shares @ tree.impurity[leaves]), float(tree.impurity[0])]
    if not absolute:
        errors = [math.sqrt(max(error, 0.0)) for error in errors]
    title = "mean absolute error" if absolute else "root of the mean squared error"
    middle = ", ".join(short_number(number) for number in tree.value[0].tolist())
    texts = [short_number(error) for error in errors]
    return title, [
        ErrorLine("on the training rows", texts[0], _TOO_GOOD),
        ErrorLine(f"always saying {middle}", texts[1], ""),
    ]
