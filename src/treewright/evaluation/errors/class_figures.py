"""How good classes are predicted: confusions, precision, recall, honesty.

All figures are of rows that the model had not seen. How rows are ranked by their
probabilities is in `ranking.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.evaluation.errors.held_out_answers import Floats, Outcomes

N_BINS = 10


@dataclass(frozen=True)
class ClassFigures:
    """Of one class: how many rows it has, and how well they are found."""

    label: object  # the class
    weight: float  # held-out rows of this class (their weight)
    # share of the class among the rows that were said to be of it; NaN if none were
    precision: float
    recall: float  # share of its rows that were found; NaN if it has none


@dataclass(frozen=True)
class Reliability:
    """Rows whose class was given about the same probability."""

    # the probabilities of the predicted class: low < p <= high
    low: float
    high: float
    n_rows: int  # how many rows
    # the mean of these probabilities; the share of these rows that were right
    said: float
    right: float


def confusion(outcomes: Outcomes) -> Floats:
    """Return the weight of the rows of each class (down) by what was said (across).

    One more column at the end has those that were left unclassified. Rows that were
    held out several times count in parts, so that the sum is that of the table.
    """
    n_classes = len(outcomes.target.classes[0])
    table = np.zeros((n_classes, n_classes + 1))
    sampling = outcomes.sampling
    times = len(outcomes.rows) / sampling.n_different
    # -1, no class, is the last column
    np.add.at(table, (outcomes.actual, outcomes.predicted), sampling.weights / times)
    return table


def class_figures(outcomes: Outcomes) -> list[ClassFigures]:
    """Return precision and recall of each class."""
    table = confusion(outcomes)
    right, there = np.diag(table), table.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = right / table[:, : len(table)].sum(axis=0)
        recall = right / there
    labels = outcomes.target.classes[0]
    found = zip(labels, there, precision, recall, strict=True)
    return [ClassFigures(label, *map(float, each)) for label, *each in found]


def brier(outcomes: Outcomes, shares: Floats | None) -> float | None:
    """Return the mean squared error of probabilities, of all held-out rows.

    Of two classes that of one of them; of more the sum over the classes, as
    scikit-learn has it. None without probabilities.
    """
    if shares is None:
        return None
    hit = np.zeros_like(shares)
    hit[np.arange(len(hit)), outcomes.actual] = 1
    squared = ((shares - hit) ** 2).sum(axis=1)
    halves = 2 if shares.shape[1] == 2 else 1
    return outcomes.sampling.mean(squared) / halves


def reliability(outcomes: Outcomes) -> list[Reliability]:
    """Return how often the predicted class is right, by the probability it was given.

    Ten bins of equal width, without the empty ones.
    """
    shares = outcomes.shares
    if shares is None:
        return []
    known = outcomes.predicted >= 0
    said = shares[np.arange(len(shares)), outcomes.predicted]
    right = outcomes.predicted == outcomes.actual
    weights = outcomes.sampling.weights
    number = np.clip(np.ceil(said * N_BINS - 1e-9).astype(int) - 1, 0, N_BINS - 1)
    table = []
    for bin_ in range(N_BINS):
        here = known & (number == bin_)
        if here.any():
            table.append(
                Reliability(
                    bin_ / N_BINS,
                    (bin_ + 1) / N_BINS,
                    int(here.sum()),
                    float(np.average(said[here], weights=weights[here])),
                    float(np.average(right[here], weights=weights[here])),
                )
            )
    return table
