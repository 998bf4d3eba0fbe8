"""Chalk: the working behind a tree, step by step, in the form a reader wants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

from treewright.grow.chalk.record import Record, Step
from treewright.render.chalk.compose import page_of, page_of_step
from treewright.render.chalk.expression import Speller
from treewright.render.chalk.figures import figures_of
from treewright.render.chalk.formulas import Formulas
from treewright.render.chalk.options import Options
from treewright.render.chalk.text import to_text
from treewright.tree.model import Model


@dataclass(frozen=True)
class ChalkStep:
    """One node of the growing.

    Attributes
    ----------
    step : Step
        Its record.
    record : Record
        The record that it is from.
    """

    step: Step
    record: Record

    def formula(self, feature: str, *, digits: int = 4) -> str:
        """Return how the gain of a feature comes about.

        Examples
        --------
        "0.9403 - 4/14*0 - 5/14*0.9710 - 5/14*0.9710 = 0.2467" for Outlook.
        """
        options = Options(digits=digits)
        formulas = Formulas(figures_of(self.record, options.digits))
        gain = formulas.gain(self.step, self.step.candidate(feature))
        return Speller().spell(gain)

    def to_text(self, **options: Any) -> str:
        """Return the step as text; options as in `Chalk.to_text`."""
        shown = Options(**options)
        page = page_of_step(self.record, self.step, shown)
        return to_text(page, width=shown.width, ascii=shown.ascii)

    def __str__(self) -> str:
        return self.to_text()


@dataclass(frozen=True)
class Chalk(Sequence[ChalkStep]):
    """What `model.chalk()` returns: a sequence of steps that can be printed.

    Attributes
    ----------
    record : Record
        Every calculation of the growing.
    model : Model or None
        The tree that came out.
    pruning : PruningRecord or None
        Every judgement of the pruning.
    walks : tuple
        Rows on their way through the tree.
    """

    record: Record
    model: Model | None = None
    pruning: Any = None
    walks: tuple[Any, ...] = ()

    def __len__(self) -> int:
        return len(self.record.steps)

    @overload
    def __getitem__(self, place: int) -> ChalkStep: ...

    @overload
    def __getitem__(self, place: slice) -> list[ChalkStep]: ...

    def __getitem__(self, place: int | slice) -> ChalkStep | list[ChalkStep]:
        if isinstance(place, slice):
            return [ChalkStep(one, self.record) for one in self.record.steps[place]]
        return ChalkStep(self.record.steps[place], self.record)

    def to_text(self, **options: Any) -> str:
        """Return everything as text.

        Parameters
        ----------
        **options
            `digits` (4), `language` ("en", "de", "zh", "ko"), `width` (100), `quiz`,
            `ascii`, `listing` (end with the tree).
        """
        shown = Options(**options)
        page = page_of(self.record, self.model, shown)
        return to_text(page, width=shown.width, ascii=shown.ascii)

    def __str__(self) -> str:
        return self.to_text()
