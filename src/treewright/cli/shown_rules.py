"""`treewright show` of a rule set: its list, as text or JSON."""

from __future__ import annotations

import shlex
from typing import Any

from treewright.cli.console import Console, say, write_output
from treewright.cli.program import program
from treewright.cli.wording import on_the_command_line
from treewright.errors import SettingError
from treewright.render.fitting.safe_text import visible
from treewright.render.rules.rule_listing import rule_set_listing
from treewright.rules.rule_model import RuleModel


def show_rules(
    model: RuleModel,
    path: str,
    form: str,
    output: str | None,
    *,
    width: int | None,
    **options: Any,
) -> None:
    """Print the rules, and what to do next; or write them to a file."""
    given = [name for name, value in options.items() if value is not None]
    if form not in ("text", "json") or given:
        what = f"--{given[0].replace('_', '-')}" if given else f"--format {form}"
        raise SettingError(
            f"{what} is for trees, and {path} is a rule set; leave it out"
        )
    listing = rule_set_listing(model)
    if form == "json":
        write_output(output, listing.to_json().rstrip() + "\n")
        return
    console = Console.of_stdout() if output is None else Console()
    text = listing.to_text(width=width or console.width, ascii=console.ascii)
    if output is not None:
        write_output(output, text + "\n")
        return
    file = visible(shlex.quote(path), ascii=console.ascii)
    say([text])
    for note in model.notes:
        say(console.wrap(f"note: {on_the_command_line(note)}", indent=6))
    say(["", f"next: {program()} predict {file} DATA"])
