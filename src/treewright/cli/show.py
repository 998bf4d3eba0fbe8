"""`treewright show`: a saved tree, as text, JSON or DOT."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import click

from treewright.cli.console import (
    MIN_WIDTH,
    Console,
    check_can_write,
    say,
    write_output,
)
from treewright.cli.examples import examples
from treewright.cli.model_file import load
from treewright.cli.program import program
from treewright.errors import SettingError
from treewright.render import to_dot, to_json, to_text
from treewright.render.words import visible
from treewright.tree.model import Model

MANY_LEAVES = 100  # of more, the top is worth a look of its own


@click.command(
    "show",
    epilog=examples(
        "treewright show iris.tw",
        "treewright show iris.tw --style lecture --max-depth 2",
        "treewright show iris.tw --format dot -o iris.dot",
    ),
)
@click.argument("model", metavar="MODEL.tw")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "dot"]),
    default="text",
    help="Text for people, JSON for programs, DOT for Graphviz.",
)
@click.option(
    "--style",
    type=click.Choice(["box", "lecture"]),
    help="How text is drawn: with boxes and counts, or as lectures print it.",
)
@click.option(
    "--max-depth",
    metavar="N",
    type=click.IntRange(min=0),
    help="Count the nodes below this depth instead of showing them.",
)
@click.option(
    "--width",
    metavar="N",
    type=click.IntRange(min=MIN_WIDTH),
    help="Longest line of text; as wide as the terminal, else 80.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to this file.")
def command(
    model: str,
    form: str,
    style: str | None,
    max_depth: int | None,
    width: int | None,
    output: str | None,
) -> None:
    """Print the tree in MODEL.tw, a file that 'treewright fit' saved."""
    _refuse_idle_options(form, style=style, max_depth=max_depth, width=width)
    check_can_write(output, model)
    loaded = load(model)
    if form == "json":
        write_output(output, to_json(loaded) + "\n")
    elif form == "dot":
        write_output(output, to_dot(loaded, max_depth=max_depth) + "\n")
    else:
        console = Console.of_stdout() if output is None else Console()
        text = to_text(
            loaded,
            "lecture" if style == "lecture" else "box",
            max_depth=max_depth,
            width=width or console.width,
            ascii=console.ascii,
        )
        if output is not None:
            write_output(output, text + "\n")
        elif style == "lecture":
            say([text])
        else:
            say([text, "", *_next_lines(loaded, model, max_depth, console)])


def _next_lines(
    model: Model, path: str, max_depth: int | None, console: Console
) -> Iterator[str]:
    """Yield what to do with the model, and how to see less of a large tree."""
    file = visible(shlex.quote(path), ascii=console.ascii)
    yield f"next: {program()} predict {file} DATA"
    if max_depth is None and model.trees[0].n_leaves > MANY_LEAVES:
        yield f"      {program()} show {file} --max-depth 3   (the top of the tree)"


def _refuse_idle_options(form: str, **options: object) -> None:
    """Refuse an option that would change nothing."""
    used = {"text": {"style", "max_depth", "width"}, "dot": {"max_depth"}}
    for name, value in options.items():
        if value is not None and name not in used.get(form, set()):
            option = name.replace("_", "-")
            raise SettingError(
                f"--{option} has no meaning with --format {form}; leave it out"
            )
