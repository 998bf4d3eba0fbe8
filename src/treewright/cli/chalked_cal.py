"""`treewright chalk --algorithm cal2` and `cal3`: what each row changed."""

from __future__ import annotations

from typing import Any

from treewright.cli.algorithm import ALGORITHMS, Recipe
from treewright.cli.training import Again
from treewright.errors import SettingError
from treewright.grow.chalk.cal_record import CALRecord
from treewright.learners.cal_dialect import CALDialect
from treewright.learners.cal_grow import grow_cal
from treewright.render.chalk.cal_chalk import CALChalk
from treewright.render.sign_of_life import busy

CAL = tuple(n for n, one in ALGORITHMS.items() if isinstance(one, CALDialect))


def cal_chalk(again: Again, **options: Any) -> CALChalk:
    """Return the chalk of a table; refuse options that are about something else."""
    for name, value in options.items():
        if value is not None:
            raise SettingError(
                f"--{name} is for trees that are grown node by node, and "
                f"{again.algorithm} learns row by row; leave it out"
            )
    training = again.read(Recipe(again.algorithm, again.settings))
    columns = training.divided()
    dialect, _ = training.recipe.dialect(columns)
    assert isinstance(dialect, CALDialect)
    record = CALRecord()
    with busy("learning"):
        model = grow_cal(columns, dialect, record)
    return CALChalk(record, model)
