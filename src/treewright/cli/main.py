"""The command `treewright`: which commands there are, and how they end.

Each command is a file of its own, imported when it is called: `treewright --help` has
to answer before NumPy is loaded.
"""

from __future__ import annotations

import importlib
from typing import Any

import click

from treewright import __version__
from treewright.cli.early import raise_on_interrupt
from treewright.cli.failures import reported
from treewright.cli.interrupts import answer_soon
from treewright.cli.program import examples

_COMMANDS = {
    "chalk": "Show every calculation behind a tree.",
    "check": "Look for faults in a table before learning from it.",
    "compact": "Make a small file of a model, with the same answers.",
    "compare": "Compare algorithms on the same folds of tables.",
    "demo": "Work through the tennis table: gains, tree, predictions.",
    "differ": "Say where two algorithms part, and by which switch.",
    "distil": "Make one small tree of a forest.",
    "evaluate": "Say how good an algorithm is on rows it has not seen.",
    "explore": "Make a page that opens in a browser: tree, figures, what if.",
    "fit": "Grow a tree from a table.",
    "missing": "Try every way with missing values on a table.",
    "predict": "Answer for the rows of a table.",
    "report": "Write a page to send on: data, tree, rules, honest error.",
    "rules": "Show a tree, or a forest, as rules.",
    "show": "Show a saved tree, as text or as a picture.",
    "stream": "Learn from rows without end, and say how good it is so far.",
    "tune": "Look for settings that suit a table, with an honest error.",
}


class LazyGroup(click.Group):
    """A group that knows its commands by one line, until one of them is called."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names, from its own file."""
        name, listed, rest = super().resolve_command(ctx, args)
        if listed is None:
            return name, None, rest
        module = importlib.import_module(f"treewright.cli.commands.{listed.name}")
        # not before: NumPy that is half loaded cannot be loaded again for a message
        if raise_on_interrupt():
            answer_soon()
        return name, module.command, rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; whatever goes wrong becomes one line and an exit code."""
        with reported(debug=ctx.params["debug"]):
            return super().invoke(ctx)


@click.group(
    "treewright",
    cls=LazyGroup,
    epilog=examples(
        "New here?              treewright demo",
        "A tree of your own:    treewright fit TABLE.csv --target COLUMN -o MODEL.tw",
        "Help for a command:    treewright fit --help",
    ),
    commands={
        name: click.Command(name, short_help=line) for name, line in _COMMANDS.items()
    },
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)
@click.option(
    "--debug",
    is_flag=True,
    envvar="TREEWRIGHT_DEBUG",
    help="Show the traceback of an error.",
)
@click.version_option(
    __version__, prog_name="treewright", message="%(prog)s %(version)s"
)
def main(debug: bool) -> None:
    """Decision trees that show their work."""
    del debug  # read by LazyGroup.invoke
