"""`--space`: what is tried, typed as names and values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from treewright.cli.algorithm import parse_value
from treewright.errors import SettingError
from treewright.evaluation.tuning.spaces import Space, checked_space


def parse_space(
    ctx: click.Context, param: click.Parameter, texts: Sequence[str]
) -> Space | None:
    """Return the space that was typed as NAME=V1,V2; several with ';' or again."""
    space: dict[str, list[Any]] = {}
    for text in (part for each in texts for part in each.split(";")):
        if not text.strip():
            continue
        name, equals, values = text.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name:
            raise click.BadParameter(
                f"{text.strip()!r} has no '='; write NAME=VALUE,VALUE, for example "
                "max_depth=3,5,none",
                ctx,
                param,
            )
        if name in space:
            raise click.BadParameter(
                f"{name!r} stands there twice; write all its values once", ctx, param
            )
        space[name] = [parse_value(one.strip()) for one in values.split(",") if one]
    if not texts:
        return None
    try:
        return checked_space(space)
    except SettingError as error:
        raise click.BadParameter(str(error), ctx, param) from None


space_option = click.option(
    "--space",
    multiple=True,
    metavar="NAME=V1,V2",
    callback=parse_space,
    help="What to try instead of the usual: values of switches, several with ';', as "
    "'max_depth=3,none; min_samples_leaf=1,5'.",
)
