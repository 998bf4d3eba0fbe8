"""The options that put noise into the rows that are learned from."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from treewright.cli.options.common import with_options
from treewright.cli.options.learning import Learning
from treewright.data.columns import Columns
from treewright.errors import SettingError
from treewright.evaluation.noisy import Noise

_OPTIONS = (
    click.option(
        "--noise",
        "noise_rate",
        type=float,
        metavar="RATE",
        help="Replace this share of the training rows' cells and answers by those of "
        "other rows, as 0.1; held-out rows stay as they are.",
    ),
    click.option(
        "--noise-in",
        "noise_where",
        type=click.Choice(["both", "cells", "answers"]),
        help="Where the noise goes.  [default: both]",
    ),
)


def noise_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command, which gets them as `noise`, or None.

    They stand below `dividing_options`, whose seed is that of the noise, too.
    """

    @functools.wraps(function)
    def command(**given: Any) -> None:
        rate, where = given.pop("noise_rate"), given.pop("noise_where")
        noise = _noise(rate, where, given["dividing"].seed)
        function(noise=noise, **given)

    return with_options(command, _OPTIONS)


def _noise(rate: float | None, where: str | None, seed: int) -> Noise | None:
    if rate is None:
        if where is not None:
            raise SettingError(
                "--noise-in says where noise goes; say how much with --noise, as 0.1"
            )
        return None
    if not 0 <= rate <= 1:
        raise SettingError(f"--noise is {rate:g}; it must be a share from 0 to 1")
    if rate == 0:
        return None
    return Noise(
        cells=0.0 if where == "answers" else rate,
        answers=0.0 if where == "cells" else rate,
        seed=seed,
    )


def with_noise_in(learner: Learning, noise: Noise | None) -> Learning:
    """Return what learns from rows with noise."""
    if noise is None:
        return learner
    grow = learner.grow

    def learn(part: Columns, n_jobs: int | None) -> Any:
        return learner.learn(noise.into(part), n_jobs)

    if grow is None:
        return replace(learner, learn=learn)
    return replace(learner, learn=learn, grow=lambda part: grow(noise.into(part)))
