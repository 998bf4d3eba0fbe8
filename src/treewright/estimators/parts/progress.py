"""`progress` of `fit`: nobody is told, a bar on stderr, or a function."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from treewright.data.complaints import counted
from treewright.errors import SettingError
from treewright.learners.forest.forest import Progress
from treewright.render.sign_of_life import Sign, busy

_QUIET_SECONDS = 0.5  # who asks for a bar wants to see it


@contextlib.contextmanager
def told(
    progress: Any,
    n_trees: int,
    *,
    doing: str | None = None,
    unit: str = "trees",
    goes_on: bool = False,
) -> Iterator[Progress | None]:
    """Give the block the function that is told how many trees are grown.

    `doing` and `unit` are for what is not growing trees; `goes_on` for what may have
    been begun before, as the first call says.
    """
    if callable(progress):
        yield progress
        return
    if not isinstance(progress, bool | np.bool_):
        raise SettingError(
            f"progress is {progress!r}; it must be True, False or a function of the "
            f"{unit} that are {'grown' if doing is None else 'done'} and of all {unit}"
        )
    if not progress:
        yield None
        return
    what = f"growing {counted(n_trees, 'tree')}" if doing is None else doing
    with busy(what, quiet_seconds=_QUIET_SECONDS) as sign:
        yield sign.going_on(what, unit) if goes_on else partial(_bar, sign, what, unit)


def _bar(sign: Sign, what: str, unit: str, done: float, total: int) -> None:
    sign.bar(what, done, total, unit)
