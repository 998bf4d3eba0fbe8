"""The error of a model on rows whose target is known, in a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted
from treewright.data.labels import MISSING, CategoryTable
from treewright.data.schema import Label
from treewright.data.tables.convert import as_labels, as_numbers
from treewright.data.tables.frames import read_column
from treewright.errors import TreewrightError
from treewright.render.fitting.safe_text import short_number
from treewright.tree.model import Model
from treewright.tree.predict.place import Ends
from treewright.tree.structure.branch_words import label_text

if TYPE_CHECKING:
    from treewright.rules.rule_model import RuleModel

_ROOT = np.zeros(1, np.int32)
_UNKNOWN = -2  # a class that training never saw: wrong, whatever is predicted


def error_texts(model: Model, ends: Ends, name: str, actual: Any) -> list[str]:
    """Return how far the answers at `ends` are from the target column `actual`."""
    target = model.schema.target
    output = target.names.index(name)
    predicted = model.predict_at(ends).reshape(len(ends), -1)[:, output]
    try:
        if target.kind == "numbers":
            middle = float(_mean_root(model)[output])
            return _number_error(name, predicted, actual, middle=middle)
        usual = _usual(model, output)
        return _class_error(
            name, predicted, actual, classes=target.classes[output], usual=usual
        )
    except TreewrightError as error:
        # the answers do not depend on it: a remark, not a failure
        return [f"note: the error on {name!r} is not known: {error}"]


def _usual(model: Model | RuleModel, output: int) -> int:
    """Return the class that is said without a model."""
    if not isinstance(model, Model):
        return int(model.totals.argmax())
    target = model.schema.target
    if len(model.trees) > 1 and target.costs is None:
        return int(_mean_root(model)[target.slots[output]].argmax())
    return int(model.trees[0].labels_at(_ROOT)[0, output])


def _mean_root(model: Model) -> npt.NDArray[np.float64]:
    """Return what the roots say: each tree of a forest has drawn its own rows."""
    trees = model.trees[:1] if model.voting.is_boosted else model.trees
    roots = np.array([tree.answers_at(_ROOT)[0] for tree in trees])
    return np.asarray(roots.mean(axis=0))


def _class_error(
    name: str,
    predicted: npt.NDArray[Any],
    actual: Any,
    *,
    classes: tuple[Label, ...],
    usual: int,
) -> list[str]:
    """Return how many rows are wrong, and how many without a tree."""
    table = CategoryTable(classes)
    truth = _class_codes(name, actual, table)
    known = truth != MISSING
    n_known = int(known.sum())
    if n_known == 0:
        return [f"{name}: no row has a known class, so the error is not known"]
    answers = _class_codes(name, predicted, table)
    wrong = int((answers != truth)[known].sum())
    wrong_without = int((truth != usual)[known].sum())
    unknown = int((truth == _UNKNOWN).sum())
    parts = [
        f"{name}: {wrong:,} of {counted(n_known, 'row')} wrong "
        f"({100 * wrong / n_known:.1f} %)",
        f"always saying {label_text(classes[usual])}: {wrong_without:,} "
        f"({100 * wrong_without / n_known:.1f} %)",
    ]
    if unknown:
        parts.append(f"{counted(unknown, 'row')} of a class not seen in training")
    return _lines(parts, known)


def _class_codes(name: str, column: Any, table: CategoryTable) -> npt.NDArray[np.int64]:
    """Return the class of each row; MISSING and _UNKNOWN where there is none."""
    labels = as_labels(read_column(name, column))
    codes = [table.code(label) for label in labels.labels]
    known = [_UNKNOWN if code == MISSING else code for code in codes]
    return np.array([*known, MISSING], np.int64)[labels.codes]


def _number_error(
    name: str, predicted: npt.NDArray[Any], actual: Any, *, middle: float
) -> list[str]:
    """Return the root of the mean squared error, and the mean absolute error."""
    numbers = as_numbers(name, read_column(name, actual))
    known = ~numbers.is_missing()
    if not known.any():
        return [f"{name}: no row has a known number, so the error is not known"]
    truth = numbers.comparable().astype(np.float64)[known]
    off = predicted[known] - truth
    without = float(np.sqrt(np.mean((truth - middle) ** 2)))
    parts = [
        f"{name}: root of the mean squared error "
        f"{short_number(float(np.sqrt(np.mean(off**2))))}",
        f"mean absolute error {short_number(float(np.abs(off).mean()))}",
        f"always saying {short_number(middle)}: {short_number(without)}",
    ]
    return _lines(parts, known)


def _lines(parts: list[str], known: npt.NDArray[np.bool_]) -> list[str]:
    """Return the parts, the first as the head of the others."""
    first, *others = [*parts, *_uncounted(known)]
    return [first, *(f"  {part}" for part in others)]


def _uncounted(known: npt.NDArray[np.bool_]) -> list[str]:
    n_left = int((~known).sum())
    return [f"{counted(n_left, 'row')} without a target not counted"] if n_left else []
