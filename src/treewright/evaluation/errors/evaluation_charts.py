"""What an evaluation draws: the error against something else, ROC, calibration.

`learning_curves.py` makes the curves of errors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.evaluation.errors.class_figures import Reliability
from treewright.evaluation.errors.ranking import PLACES
from treewright.render.charts.line_chart import Chart, Line

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Curve:
    """An error on training rows and on held-out rows, against something else."""

    # what it is called; what is counted across
    name: str
    across: str
    # {"error", "RMSE"}: the share of wrong rows, or the root of the mean squared error
    measure: str
    # the points
    x: Floats
    training: Floats
    held_out: Floats
    # the intervals of the held-out errors
    low: Floats | None = None
    high: Floats | None = None

    def chart(self, baseline: float | None = None) -> Chart:
        """Return the curve as a chart, with the error of no model as a line."""
        held = Line(
            "held-out",
            tuple(self.held_out.tolist()),
            () if self.low is None else tuple(self.low.tolist()),
            () if self.high is None else tuple(self.high.tolist()),
        )
        lines = [held, Line("training", tuple(self.training.tolist()))]
        if baseline is not None:
            lines.append(Line("no model", (baseline,) * len(self.x), dashed=True))
        return Chart(
            self.name,
            self.across,
            self.measure,
            tuple(self.x.tolist()),
            tuple(lines),
            percent=self.measure == "error",
            logarithmic=True,
        )

    @property
    def best(self) -> int:
        """The place of the least held-out error; of equals the first."""
        return int(np.argmin(np.round(self.held_out, 12)))


def roc_chart(found: Floats, area: float) -> Chart:
    """Return a ROC curve as a chart, beside that of mere chance."""
    # from the corner, where it starts upright
    x, y = (0.0, *PLACES.tolist()), (0.0, *found.tolist())
    return Chart(
        f"ROC, area {area:.3f}",
        "false alarms: share of the other rows",
        "found: share of the class",
        x,
        (Line("held-out", y, marked=False), Line("chance", x, dashed=True)),
        percent=True,
        shares=True,
    )


def calibration_chart(found: list[Reliability]) -> Chart:
    """Return how often answers are right, against the probability they were given."""
    said = tuple(one.said for one in found)
    return Chart(
        "calibration",
        "probability that was given to the answer",
        "share that is right",
        said,
        (
            Line("held-out", tuple(one.right for one in found)),
            Line("as said", said, dashed=True),
        ),
        percent=True,
        shares=True,
    )
