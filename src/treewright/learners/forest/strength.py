"""Strength and correlation: what the error of a forest depends on.

A row's margin is the share of votes for its class less the largest share of another
one, among the trees that have not seen it. Strength is the mean margin. Correlation is
the variance of the margins, divided by the square of the mean standard deviation that a
tree's own margins (1 if it is right, -1 if it says that other class) have.

The standard deviation of a tree follows from p1, the share of its out-of-bag rows that
it gets right, and p2, the share for which it says the other class: a margin's square is
1 in both cases, so that the variance is p1 + p2 - (p1 - p2)^2. (The paper prints a plus
in appendix II; its section 2.2 defines the variance, which has a minus.) The other
class of a row is that of the whole forest, as in section 2.2.

References
----------
Breiman, L. (2001). Random forests. Machine Learning 45, 5-32, section 2, appendix II.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from treewright.learners.forest.grown_from import GrownFrom
from treewright.prune.labelled_rows import LabelledRows
from treewright.tree.model import Model
from treewright.tree.predict.place import ends_of
from treewright.tree.predict.vote import predicted_codes

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_NO_OTHER = -2  # class of a row whose target has one class alone; nobody says it


def strengths_and_correlations(
    model: Model, grown: GrownFrom, rows: LabelledRows
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the strength and the correlation of the trees, for each output.

    Rows count by their weight. NaN where no tree has a row out of bag, or where every
    tree says the same of all rows, which leaves no correlation to speak of.
    """
    classes = model.schema.target.classes
    # the trees are walked twice: keeping what they say would take rows x trees
    votes = [np.zeros((len(rows), len(labels)), np.int64) for labels in classes]
    for out, said in _said(model, grown, rows):
        for output, of_output in enumerate(votes):
            speaks = said[:, output] >= 0
            of_output[out[speaks], said[speaks, output]] += 1
    n_asked = np.zeros(len(rows), np.int64)
    for tree in range(len(model.trees)):
        n_asked[grown.out_of_bag(tree)] += 1
    margins, others = [], []
    for output, of_output in enumerate(votes):
        margin, other = _margins(of_output, n_asked, rows.target[:, output])
        margins.append(margin)
        others.append(other)
    deviations: list[list[float]] = [[] for _ in classes]
    for out, said in _said(model, grown, rows):
        weights = rows.weights[out]
        for output, other in enumerate(others):
            right = np.average(
                said[:, output] == rows.target[out, output], weights=weights
            )
            wrong = np.average(said[:, output] == other[out], weights=weights)
            deviations[output].append(
                float(right + wrong - (right - wrong) ** 2) ** 0.5
            )
    asked = n_asked > 0
    found = [
        _strength(margin[asked], rows.weights[asked], deviation)
        for margin, deviation in zip(margins, deviations, strict=True)
    ]
    return tuple(each[0] for each in found), tuple(each[1] for each in found)


def _said(
    model: Model, grown: GrownFrom, rows: LabelledRows
) -> Iterator[tuple[Ints, npt.NDArray[np.integer]]]:
    """Yield, tree by tree, the out-of-bag rows and the classes that it gives them."""
    for number, tree in enumerate(model.trees):
        out = grown.out_of_bag(number)
        if len(out):
            ends = ends_of((tree,), rows.cells[out])
            yield out, predicted_codes(model.schema.target, (tree,), ends)


def _margins(votes: Ints, n_asked: Ints, actual: Ints) -> tuple[Floats, Ints]:
    """The margin of each row, and the other class with the most votes."""
    row = np.arange(len(votes))
    own = votes[row, actual]
    rest = votes.copy()
    rest[row, actual] = -1
    other = rest.argmax(axis=1)
    if votes.shape[1] == 1:
        return own / np.maximum(n_asked, 1), np.full(len(votes), _NO_OTHER)
    return (own - votes[row, other]) / np.maximum(n_asked, 1), other


def _strength(
    margins: Floats, weights: Floats, deviations: list[float]
) -> tuple[float, float]:
    if len(margins) == 0:
        return float("nan"), float("nan")
    strength = float(np.average(margins, weights=weights))
    variance = float(np.average(margins**2, weights=weights)) - strength**2
    mean_deviation = float(np.mean(deviations))
    if mean_deviation == 0:
        return strength, float("nan")
    return strength, max(variance, 0.0) / mean_deviation**2
