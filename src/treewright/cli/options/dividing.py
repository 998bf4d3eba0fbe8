"""The options that say how rows are divided: folds, hold-out, groups, time."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import click
import numpy as np

from treewright.cli.options.roles import Wishes
from treewright.data.columns import Columns
from treewright.data.complaints import counted, did_you_mean
from treewright.data.readers.table_file import TableFile
from treewright.errors import DataError, SettingError, TreewrightError
from treewright.evaluation.division import Division

_OPTIONS = (
    click.option(
        "--folds",
        type=click.IntRange(2),
        metavar="K",
        help="Parts that the rows are divided into.  [default: 10]",
    ),
    click.option(
        "--repeats",
        type=click.IntRange(1),
        default=1,
        metavar="R",
        help="How often, with other parts each time.  [default: 1]",
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

    def wishes(self, wishes: Wishes) -> Wishes:
        """Return the wishes about columns, with those that are no features."""
        for option, name in (("--group", self.group), ("--time", self.time)):
            if name is not None and name in wishes.target:
                raise SettingError(
                    f"the column {name!r} is the target and cannot be named by "
                    f"{option} too; choose another one"
                )
        more = tuple(name for name in (self.group, self.time) if name is not None)
        return replace(wishes, ignore=(*wishes.ignore, *more))

    def check_options(self) -> None:
        """Refuse options that contradict each other, before anything is read."""
        nothing = np.zeros(0)
        self._division(
            {
                "groups": None if self.group is None else nothing,
                "times": None if self.time is None else nothing,
            }
        )

    def check(self, columns: list[str] | None) -> None:
        """Refuse names of columns that are not there, and options that contradict."""
        self.check_options()
        for option, name in (("--group", self.group), ("--time", self.time)):
            if columns is not None and name is not None and name not in columns:
                raise SettingError(
                    f"{option} names the column {name!r}, which the table does not "
                    f"have; {did_you_mean(name, columns)}"
                )

    def division(self, table: TableFile, columns: Columns) -> Division:
        """Return how the rows of a table are divided."""
        from treewright.estimators.judged.evaluating import by_row  # noqa: PLC0415

        found = {}
        for name, key in ((self.group, "groups"), (self.time, "times")):
            if name is not None:
                cells = table.frame[name]
                if cells.null_count():
                    first = int(cells.is_null().arg_max() or 0) + 1
                    missing = counted(cells.null_count(), "cell")
                    raise DataError(
                        f"the column {name!r} has {missing} without a value, first in "
                        f"row {first:,}; fill in, or leave these rows out"
                    )
                found[key] = by_row(key, cells.to_numpy(), columns)
        return self._division(found)

    def _division(self, found: dict[str, Any]) -> Division:
        try:
            return Division(
                folds=self.folds,
                repeats=self.repeats,
                hold_out=self.hold_out,
                leave_one_out=self.leave_one_out,
                seed=self.seed,
                **found,
            )
        except TreewrightError as error:
            raise SettingError(in_options(str(error))) from None

    def words(self) -> list[str]:
        """Return what was typed, to be typed again."""
        words: list[str] = []
        for name, usual in (
            ("folds", None),
            ("repeats", 1),
            ("hold_out", None),
            ("group", None),
            ("time", None),
            ("seed", 0),
        ):
            value = getattr(self, name)
            if value != usual:
                words += [f"--{name.replace('_', '-')}", str(value)]
        return [*words, "--leave-one-out"] if self.leave_one_out else words


def in_options(message: str) -> str:
    """Return a message of the Python face in words of the command line."""
    message = message.replace("random_state", "--seed")
    message = re.sub(r"\bfolds (?=and\b|is\b)", "--folds ", message)
    for name in ("hold_out", "leave_one_out"):
        message = message.replace(name, f"--{name.replace('_', '-')}")
    for name in ("groups", "times"):
        message = re.sub(rf"\b{name}\b", f"--{name[:-1]}", message)
    return message


def dividing_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command, which gets them as `dividing`."""
    return _with_options(function, _OPTIONS)


def outer_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the same options to a command that divides the training rows again."""
    folds = click.option(
        "--folds",
        type=click.IntRange(2),
        metavar="K",
        help="Outer folds, for the honest error.  [default: 5]",
    )
    return _with_options(function, (folds, *_OPTIONS[1:]))


def _with_options(
    function: Callable[..., None], options: tuple[Any, ...]
) -> Callable[..., None]:
    @functools.wraps(function)
    def command(**given: Any) -> None:
        names = Dividing.__dataclass_fields__
        dividing = Dividing(**{name: given.pop(name) for name in names})
        function(dividing=dividing, **given)

    for option in reversed(options):
        command = option(command)
    return command
