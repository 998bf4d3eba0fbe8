"""The options that say how rows are divided: folds, hold-out, groups, time."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import Any

import click
import numpy as np

from treewright.cli.options.common import Option, count_option, gathered
from treewright.cli.options.training import Again, Training
from treewright.data.complaints import counted, did_you_mean
from treewright.errors import DataError, SettingError, TreewrightError
from treewright.evaluation.division import Division

_MEANS = {"--group": "groups", "--time": "times"}  # what Python calls it
_FOLDS = "Parts that the rows are divided into.  [default: 10]"
_OTHERS = (
    count_option(
        "--repeats",
        "R",
        1,
        "How often, with other parts each time.  [default: 1]",
        default=1,
    ),
    click.option(
        "--hold-out",
        type=float,
        metavar="SHARE",
        help="Instead of folds: hold this share of the rows out, as 0.3.",
    ),
    click.option("--leave-one-out", is_flag=True, help="Instead of folds: row by row."),
    click.option(
        "--group",
        metavar="COL",
        help="Rows with the same value here are never on both sides; no feature.",
    ),
    click.option(
        "--time",
        metavar="COL",
        help="Learn from earlier rows and hold out later ones; no feature.",
    ),
    click.option(
        "--seed", type=int, default=0, metavar="N", help="Of the folds.  [default: 0]"
    ),
)


def folds_option(help: str = _FOLDS) -> Option[Any]:
    """Return --folds."""
    return count_option("--folds", "K", 2, help)


@dataclass(frozen=True)
class Dividing:
    """The options about folds, as they were typed."""

    folds: int | None = None
    repeats: int = 1
    hold_out: float | None = None
    leave_one_out: bool = False
    group: str | None = None
    time: str | None = None
    seed: int = 0

    @property
    def _columns(self) -> dict[str, str]:
        """The columns that are named, by the options that name them."""
        named = {"--group": self.group, "--time": self.time}
        return {option: name for option, name in named.items() if name is not None}

    def leaving_out(self, again: Again) -> Again:
        """Return what was typed of a table, without columns that are no features."""
        wishes = again.wishes
        for option, name in self._columns.items():
            if name in wishes.target:
                raise SettingError(
                    f"the column {name!r} is the target and cannot be named by "
                    f"{option} too; choose another one"
                )
        ignore = (*wishes.ignore, *self._columns.values())
        return replace(again, wishes=replace(wishes, ignore=ignore))

    def check_options(self) -> None:
        """Refuse options that contradict each other, before anything is read."""
        self._division(dict.fromkeys(self._columns, np.zeros(0)))

    def check(self, columns: list[str] | None) -> None:
        """Refuse names of columns that are not there, and options that contradict."""
        self.check_options()
        for option, name in self._columns.items():
            if columns is not None and name not in columns:
                raise SettingError(
                    f"{option} names the column {name!r}, which the table does not "
                    f"have; {did_you_mean(name, columns)}"
                )

    def division(self, training: Training) -> Division:
        """Return how the rows of a table are divided."""
        from treewright.estimators.judged.evaluating import by_row  # noqa: PLC0415

        found = {}
        for option, name in self._columns.items():
            cells = training.table.frame[name]
            if cells.null_count():
                first = int(cells.is_null().arg_max() or 0) + 1
                missing = counted(cells.null_count(), "cell")
                raise DataError(
                    f"the column {name!r} has {missing} without a value, first in "
                    f"row {first:,}; fill in, or leave these rows out"
                )
            given = cells.to_numpy()
            found[option] = by_row(_MEANS[option], given, training.columns)
        return self._division(found)

    def _division(self, found: dict[str, Any]) -> Division:
        try:
            return Division(
                folds=self.folds,
                repeats=self.repeats,
                hold_out=self.hold_out,
                leave_one_out=self.leave_one_out,
                seed=self.seed,
                **{_MEANS[option]: values for option, values in found.items()},
            )
        except TreewrightError as error:
            raise SettingError(in_options(str(error))) from None

    def words(self) -> list[str]:
        """Return what was typed, to be typed again."""
        words: list[str] = []
        for one in fields(self):
            value = getattr(self, one.name)
            if value != one.default and one.name != "leave_one_out":
                words += [f"--{one.name.replace('_', '-')}", str(value)]
        return [*words, "--leave-one-out"] if self.leave_one_out else words


def in_options(message: str) -> str:
    """Return a message of the Python face in words of the command line."""
    message = message.replace("random_state", "--seed")
    message = re.sub(r"\bfolds (?=and\b|is\b)", "--folds ", message)
    for name in ("hold_out", "leave_one_out"):
        message = message.replace(name, f"--{name.replace('_', '-')}")
    for option, name in _MEANS.items():
        message = re.sub(rf"\b{name}\b", option, message)
    return message


dividing_options = gathered("dividing", Dividing, (folds_option(), *_OTHERS))
# for a command that divides the training rows again
outer_options = gathered(
    "dividing",
    Dividing,
    (folds_option("Outer folds, for the honest error.  [default: 5]"), *_OTHERS),
)
