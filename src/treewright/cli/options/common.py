"""How options become one argument of a command; options that several commands have."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from treewright.cli.console import MIN_WIDTH

Command = TypeVar("Command", bound=Callable[..., Any])
Option = Callable[[Command], Command]
_NAMES = "A,B"


def with_options(command: Command, options: Iterable[Option[Any]]) -> Command:
    """Add options to a command, in the order in which its help lists them."""
    added = reversed(list(options))
    return functools.reduce(lambda made, option: option(made), added, command)


def gathered(
    name: str, make: Callable[..., Any], options: Iterable[Option[Any]] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return what adds options to a command, which gets them as one argument.

    `name`: of that argument. `make`: makes it of the options, which are its own
    arguments; those that the command does not have are left out.
    """
    names = list(inspect.signature(make).parameters)

    def add(function: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(function)
        def command(**given: Any) -> None:
            own = {one: given.pop(one) for one in names if one in given}
            function(**{name: make(**own)}, **given)

        return with_options(command, options)

    return add


def names_option(name: str, help: str, metavar: str = _NAMES) -> Option[Any]:
    """Return an option that names columns and may be given several times."""
    return click.option(name, multiple=True, metavar=metavar, help=help)


def count_option(
    name: str, metavar: str, least: int, help: str, **more: Any
) -> Option[Any]:
    """Return an option that takes a whole number from `least` on."""
    kind = click.IntRange(least)
    return click.option(name, type=kind, metavar=metavar, help=help, **more)


def form_option(help: str = "How it is written.") -> Option[Any]:
    """Return --format, for reports that are text or JSON."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        help=f"{help}  [default: text]",
    )


nominal_option = names_option("--nominal", "Columns that hold categories.")
numeric_option = names_option("--numeric", "Columns that hold numbers.")
ignore_option = names_option("--ignore", "Columns to leave out.")
weights_option = click.option(
    "--weights", metavar="COL", help="The column with the rows' weights."
)
drop_option = click.option(
    "--drop-missing-target", is_flag=True, help="Leave out rows without a target."
)
width_option = count_option(
    "--width", "N", MIN_WIDTH, "Longest line of text; as wide as the terminal, else 80."
)
output_option = click.option(
    "-o", "--output", metavar="FILE", help="Write to this file."
)
