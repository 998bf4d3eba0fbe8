"""`treewright chalk --algorithm c45rules`: how a rule set came about."""

from __future__ import annotations

from typing import Any

from treewright.cli.algorithm import Recipe
from treewright.cli.console import (
    Console,
    file_size,
    remark,
    say,
    write_output,
)
from treewright.cli.training import Again, read_training
from treewright.errors import SettingError
from treewright.render.rules.rules_chalk import RulesChalk
from treewright.render.sign_of_life import busy

_FORMATS = ("text", "json")


def chalk_rules(
    again: Again,
    form: str,
    output: str | None,
    jobs: int | None,
    *,
    digits: int,
    **options: Any,
) -> None:
    """Print every count and every bit; or write them to a file."""
    for name, value in options.items():
        if value not in (None, False, "en"):
            raise SettingError(
                f"--{name} is for trees, and c45rules makes rules; leave it out"
            )
    if form not in _FORMATS:
        raise SettingError(
            f"the chalk of rules comes as {' or '.join(_FORMATS)}, not as {form}"
        )
    recipe = Recipe(again.algorithm, again.settings)
    training = read_training(
        again.data,
        again.wishes,
        again.how,
        recipe,
        drop_missing_target=again.drop_missing_target,
    )
    columns = training.divided()
    plan, _ = recipe.plan(columns)
    plan.check(columns)
    with busy("growing"):
        made: Any = plan.fit(columns, n_jobs=jobs, watched=True).made
    chalk = RulesChalk(made.model, made.conditions, made.induction)
    console = Console.of_stdout() if output is None else Console()
    if form == "text" and output is None:
        text = chalk.to_text(digits=digits, ascii=console.ascii)
        following = f"{again.words('fit')} -o rules.tw"
        say([text, "", *console.wrap_command("next: ", following)])
        return
    written = chalk.to_json() if form == "json" else chalk.to_text(digits=digits)
    write_output(output, written + "\n")
    if output is not None:
        remark(f"wrote {output} ({file_size(output)})")
