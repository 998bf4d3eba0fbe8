"""`treewright chalk --algorithm cal2` and `cal3`: what each row changed."""

from __future__ import annotations

from typing import Any

from treewright.cli.algorithm import Recipe
from treewright.cli.training import Again
from treewright.errors import SettingError
from treewright.grow.chalk.cal_record import CALRecord
from treewright.render.chalk.cal_chalk import CALChalk
from treewright.render.sign_of_life import busy


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
    plan, _ = training.recipe.plan(columns)
    record = CALRecord()
    with busy("learning"):
        model = plan.fit(columns, record=record).model
    return CALChalk(record, model)
