"""What a search for settings found: the settings, and what they are honestly worth.

`tuning_search.py` has the work; `tuning_text.py` writes the report.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from treewright.evaluation.cross_validation import Mean
from treewright.evaluation.error_intervals import Estimate
from treewright.evaluation.errors.evaluation import Evaluation
from treewright.evaluation.errors.evaluation_data import plain_dict
from treewright.evaluation.tuning.spaces import Settings
from treewright.evaluation.tuning.tuning_search import (
    MINIMUM,
    Trial,
    Tuner,
    chosen_trial,
)
from treewright.evaluation.tuning.tuning_text import tuning_lines


@dataclass(frozen=True, eq=False)
class Tuning:
    """Settings that were tried, those that were chosen, and an honest error."""

    name: str  # what was tuned
    # all settings, on the inner folds of all rows. The least of these errors is too
    # good: it was looked for.
    trials: tuple[Trial, ...]
    rule: str  # {"one_se", "minimum"}: how settings are chosen
    # tuning as a whole: each outer fold is answered with settings that were chosen
    # without its rows
    nested: Evaluation
    untuned: Evaluation  # the learner as it is, on the same outer folds
    choices: tuple[int, ...]  # which of the trials each outer fold chose
    inner: str  # how rows are divided for a search, in words
    unit: str = "leaves"  # {"leaves", "rules"}: what the size of a model is counted in
    usual: int | None = None  # which of the trials is the learner as it is
    notes: tuple[str, ...] = ()  # what a reader should know

    @cached_property
    def best(self) -> int:
        """Which trial has the least error."""
        return chosen_trial(self.trials, MINIMUM)

    @cached_property
    def chosen(self) -> int:
        """Which trial the rule takes."""
        return chosen_trial(self.trials, self.rule)

    @property
    def settings(self) -> Settings:
        """The settings that were chosen, as for `set_params`."""
        return dict(self.trials[self.chosen].settings)

    @property
    def is_classes(self) -> bool:
        """Whether classes are predicted, not numbers."""
        return self.nested.outcomes.is_classes

    def error(self, trial: Trial) -> Mean:
        """Return the share of wrong rows of a trial, or the RMSE."""
        return trial.loss if self.is_classes else trial.loss.root()

    @property
    def n_agree(self) -> int:
        """How many outer folds chose the same settings as all rows do."""
        return Counter(self.choices)[self.chosen]

    @cached_property
    def gain(self) -> tuple[Estimate, float]:
        """The error without tuning minus that with it, and the p value of that.

        Shares of wrong rows, or mean squared errors.
        """
        apart = self.untuned.outcomes.losses() - self.nested.outcomes.losses()
        return self.nested.outcomes.sampling.difference(apart, self.nested.level)

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as plain dicts, lists, texts and numbers."""
        nested, untuned = self.nested, self.untuned
        return plain_dict(
            {
                "name": self.name,
                "target": nested.outcomes.target.names[0],
                "task": nested.outcomes.target.kind,
                "n_rows": nested.outcomes.columns.n_rows,
                "outer": nested.how,
                "inner": self.inner,
                "rule": self.rule,
                "settings": self.settings,
                "level": nested.level,
                "nested": {"error": nested.error, "errors": nested.errors},
                "untuned": {"error": untuned.error, "errors": untuned.errors},
                "gain": {"value": self.gain[0], "p": self.gain[1]},
                "baseline": nested.baseline,
                "best": self.best,
                "chosen": self.chosen,
                "usual": self.usual,
                "choices": self.choices,
                "trials": [
                    {
                        "settings": trial.settings,
                        "error": self.error(trial).value,
                        "standard_error": self.error(trial).standard_error,
                        self.unit: trial.size,
                    }
                    for trial in self.trials
                ],
                "notes": self.notes,
            }
        )

    def to_text(self, *, width: int = 80, ascii: bool = False) -> str:
        """Return the report for people."""
        return "\n".join(tuning_lines(self, width=width, ascii=ascii))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        error = self.nested.error.value
        return f"<Tuning of {self.name}: {self.settings}, nested error {error:.4g}>"


def tuning_of(
    name: str,
    tuner: Tuner,
    *,
    inner: str,
    level: float,
    usual: int | None,
    notes: tuple[str, ...],
) -> Tuning:
    """Return what a tuner that has done its work found.

    `name`: what was tuned. `tuner`: it has run. `inner`, `level`, `usual`, `notes`: as
    in `Tuning` and `Evaluation`.
    """
    plan = tuner.plan
    last = len(plan.outer.splits)
    nested, untuned = (
        Evaluation(who, plan.outer.words, tuner.outcomes(tuned=tuned), level)
        for who, tuned in ((f"{name}, tuned", True), (name, False))
    )
    return Tuning(
        name,
        tuple(tuner.trials(last)),
        plan.rule,
        nested,
        untuned,
        tuple(tuner.choice(fold) for fold in range(last)),
        inner,
        plan.unit,
        usual,
        notes,
    )
