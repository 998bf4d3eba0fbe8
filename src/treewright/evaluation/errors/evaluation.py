"""What an evaluation found: errors with intervals, beside no model at all, and more.

`held_out_answers.py` has the answers; here they become figures. `evaluation_text.py`
writes them for people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.errors import SettingError
from treewright.evaluation.error_intervals import Estimate
from treewright.evaluation.errors.class_figures import (
    ClassFigures,
    Reliability,
    brier,
    class_figures,
    confusion,
    reliability,
)
from treewright.evaluation.errors.evaluation_charts import (
    Curve,
    calibration_chart,
    roc_chart,
)
from treewright.evaluation.errors.evaluation_data import evaluation_data
from treewright.evaluation.errors.evaluation_text import evaluation_lines
from treewright.evaluation.errors.held_out_answers import Floats, Outcomes, losses
from treewright.evaluation.errors.ranking import roc_area, roc_curve
from treewright.evaluation.errors.stability import Margin, Place, places_of
from treewright.render.charts.line_chart import Chart, chart_svg, plot_charts
from treewright.tree.model import Model

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How good a learner is on rows that it has not seen; `print` shows it."""

    name: str  # what was evaluated
    how: str  # how the rows were divided, in words
    outcomes: Outcomes  # the splits, and what was answered for every held-out row
    level: float = 0.95  # the confidence of the intervals
    notes: tuple[str, ...] = ()  # what a reader should know
    margins: Mapping[tuple[int, ...], Margin] = field(default_factory=dict)
    # the learning curve, and the error against the number of leaves, if asked for
    curves: tuple[Curve, ...] = ()

    @cached_property
    def error(self) -> Estimate:
        """The share of wrong rows, or the root of the mean squared error (RMSE)."""
        wrong, sampling = self.outcomes.losses(), self.outcomes.sampling
        if self.outcomes.is_classes:
            return sampling.share(wrong, self.level)
        return sampling.amount(wrong, self.level).root()

    @cached_property
    def errors(self) -> Floats:
        """The same for each split."""
        means = self.outcomes.sampling.means(self.outcomes.losses())
        return means if self.outcomes.is_classes else np.sqrt(means)

    @cached_property
    def baseline(self) -> float:
        """The error of always giving the training rows' most common class, or mean."""
        found = self.outcomes
        usual = found.sampling.mean(losses(found.target, found.actual, found.usual))
        return usual if found.is_classes else float(np.sqrt(usual))

    @cached_property
    def training_error(self) -> float:
        """The error on the rows that were learned from, the mean over the splits."""
        mean = float(np.mean([one.trained_loss for one in self.outcomes.answers]))
        return mean if self.outcomes.is_classes else float(np.sqrt(mean))

    @cached_property
    def absolute_error(self) -> Estimate | None:
        """Numbers: the mean absolute error (MAE)."""
        found = self.outcomes
        if found.is_classes:
            return None
        return found.sampling.amount(np.abs(found.predicted - found.actual), self.level)

    @cached_property
    def baseline_absolute_error(self) -> float | None:
        """Numbers: the mean absolute error of always giving the mean."""
        found = self.outcomes
        if found.is_classes:
            return None
        return found.sampling.mean(np.abs(found.usual - found.actual))

    @cached_property
    def r_squared(self) -> float | None:
        """Numbers: the share of the variance that is explained (R2), of all rows."""
        found = self.outcomes
        if found.is_classes:
            return None
        mean = found.sampling.mean(found.actual)
        total = found.sampling.mean((found.actual - mean) ** 2)
        left = found.sampling.mean(found.losses())
        return 1 - left / total if total > 0 else float("nan")

    @cached_property
    def confusion(self) -> Floats | None:
        """Classes: the rows of each class (down) by what was said (across)."""
        return confusion(self.outcomes) if self.outcomes.is_classes else None

    @cached_property
    def classes(self) -> list[ClassFigures]:
        """Classes: precision and recall of each."""
        return class_figures(self.outcomes) if self.outcomes.is_classes else []

    @cached_property
    def roc_area(self) -> float | None:
        """Classes: the area under the ROC curve."""
        return roc_area(self.outcomes) if self.outcomes.is_classes else None

    @cached_property
    def roc_curve(self) -> Floats | None:
        """Classes: the share of a class found among 0, 1, ... 100 % of the others."""
        return roc_curve(self.outcomes) if self.outcomes.is_classes else None

    @cached_property
    def brier(self) -> float | None:
        """Classes: the mean squared error of the probabilities."""
        found = self.outcomes
        return brier(found, found.shares) if found.is_classes else None

    @cached_property
    def baseline_brier(self) -> float | None:
        """Classes: the same for the shares of the classes among the training rows."""
        found = self.outcomes
        return brier(found, found.usual_shares) if found.is_classes else None

    @cached_property
    def reliability(self) -> list[Reliability]:
        """Classes: how often the answer is right, by the probability it was given."""
        return reliability(self.outcomes) if self.outcomes.is_classes else []

    @property
    def models(self) -> list[Model]:
        """What was learned in each split, if it is of treewright."""
        models = (one.model for one in self.outcomes.answers)
        return [model for model in models if model is not None]

    @cached_property
    def n_leaves(self) -> Ints:
        """The leaves of each split's tree, or of all its trees; may be empty."""
        return np.array(
            [sum(tree.n_leaves for tree in one.trees) for one in self.models], np.int64
        )

    @cached_property
    def depths(self) -> Ints:
        """The depth of each split's tree, or of its deepest; may be empty."""
        return np.array(
            [max(tree.depth for tree in one.trees) for one in self.models], np.int64
        )

    @cached_property
    def places(self) -> list[Place]:
        """Which questions the trees of all splits share; none of models that vote."""
        models = self.models
        if len(models) < 2 or any(len(model.trees) != 1 for model in models):
            return []
        return places_of(models, dict(self.margins))

    def to_svg(self) -> str:
        """Return the charts as the text of an SVG file.

        Of classes the ROC curve and the calibration; the curves, if asked for.
        """
        return chart_svg(self._charts())

    def plot(self, axes: Any = None) -> Any:
        """Draw the charts with matplotlib; return its axes.

        `axes`: one for each chart; a new figure if not given.
        """
        return plot_charts(self._charts(), axes)

    def _charts(self) -> list[Chart]:
        charts = []
        if self.roc_curve is not None and self.roc_area is not None:
            charts.append(roc_chart(self.roc_curve, self.roc_area))
        if self.reliability:
            charts.append(calibration_chart(self.reliability))
        charts += [curve.chart(self.baseline) for curve in self.curves]
        if not charts:
            raise SettingError("there is nothing to draw; evaluate with curves=True")
        return charts

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as plain dicts, lists, texts and numbers."""
        return evaluation_data(self)

    def to_text(self, *, width: int = 80, ascii: bool = False) -> str:
        """Return the report for people."""
        return "\n".join(evaluation_lines(self, width=width, ascii=ascii))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<Evaluation of {self.name}: error {self.error.value:.4g}, {self.how}>"
