"""`treewright explore`: a saved tree as a page for the browser."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from treewright.cli.console import (
    Console,
    check_can_write,
    file_size,
    say,
    write_output,
)
from treewright.cli.model_file import load, refuse_swapped
from treewright.cli.options.model_rows import read_with_target, warnings_as_remarks
from treewright.cli.options.reading import input_files, reading_options, reading_words
from treewright.cli.program import example_command, program
from treewright.data.complaints import counted
from treewright.data.readers.read_options import ReadOptions
from treewright.errors import SettingError
from treewright.learners.explored import page_parts
from treewright.render.explorer import PageParts, explorer_page
from treewright.render.explorer.row_data import MOST_EMBEDDED
from treewright.render.sign_of_life import busy
from treewright.tree.model import Model
from treewright.tree.one_tree import one_tree


@example_command(
    "explore",
    "treewright explore iris.tw --open",
    "treewright explore iris.tw iris.csv --rows 500 -o iris.html",
)
@click.argument("model", metavar="MODEL.tw")
@click.argument("data", required=False)
@click.option("-o", "--output", metavar="FILE", help="The page.  [default: MODEL.html]")
@click.option(
    "--rows",
    metavar="N",
    type=click.IntRange(0, MOST_EMBEDDED),
    default=0,
    help="Put up to N rows of DATA into the page, to see them flow; by default it "
    f"has counts only, and no row. At most {MOST_EMBEDDED}.",
)
@click.option("--tree", metavar="K", type=int, help="Of a forest, this tree.")
@click.option("--open", "shown", is_flag=True, help="Open the page in a browser.")
@reading_options
def command(
    model: str,
    data: str | None,
    output: str | None,
    rows: int,
    shown: bool,
    tree: int | None,
    how: ReadOptions,
) -> None:
    """Make a page of the tree in MODEL.tw: one file that opens from disk.

    It has the tree, a card for each node, what-if, pruning and rules. With DATA, a
    file as for 'treewright fit' that has the target too, it also has the chalk,
    distributions and errors.
    """
    page = output or os.path.splitext(os.path.basename(model))[0] + ".html"
    inputs = [] if data is None else input_files(data)
    check_can_write(page, model, *inputs)
    if data is None and rows:
        raise SettingError("--rows puts rows of DATA into the page; give DATA, too")
    if data is not None:
        refuse_swapped(model, data)
    loaded = load(model)
    if tree is not None:
        loaded = one_tree(loaded, tree)
    if len(loaded.trees) > 1:
        raise SettingError(
            f"{model} has {len(loaded.trees):,} trees, and a page shows one; choose "
            f"it: --tree 1 to --tree {len(loaded.trees)}"
        )
    parts = PageParts() if data is None else _parts(loaded, data, how, rows)
    with busy("making the page"):
        text = explorer_page(loaded, parts)
    write_output(page, text)
    words = [] if output is None else ["-o", output]
    if tree is not None:
        words += ["--tree", str(tree)]
    say(_last_lines(model, data, page, parts, words, list(reading_words(how))))
    if shown:
        click.launch(Path(page).resolve().as_uri())


def _parts(model: Model, data: str, how: ReadOptions, rows: int) -> PageParts:
    """Read the table and bind its rows to the model."""
    why = "the page counts errors and distributions by it: add the column, or leave "
    features, answers = read_with_target(model, data, how, f"{why}DATA out")
    with busy("counting"), warnings_as_remarks():
        return page_parts(model, features, answers, embedded=rows)


def _last_lines(
    model: str,
    data: str | None,
    page: str,
    parts: PageParts,
    page_words: list[str],
    read_words: list[str],
) -> Iterator[str]:
    """Yield what was written, and the next useful command."""
    console = Console.of_stdout()
    words = f"wrote {page} ({file_size(page)})"
    if parts.rows is not None:
        counts = counted(len(parts.rows.labelled), "row")
        kind = "the training rows"
        if not parts.rows.are_training:
            kind = "not known to be the training rows"
        shown = min(parts.embedded, len(parts.rows.labelled))
        words += f", with counts of {counts} ({kind})"
        words += f" and {shown:,} of them in it" if shown else " and none of them in it"
    yield from console.wrap(words, indent=2)
    name, typed, remark = "explore", [model, data or "DATA"], ""
    if parts.embedded:
        name, page_words = "predict", []
    elif data is None:
        chalk = "" if "--tree" in page_words else "chalk and "
        remark = f"   (adds {chalk}errors)"
    else:
        typed += ["--rows", "500"]
        remark = "   (rows that flow)"
    words = shlex.join([*typed, *page_words, *read_words])
    command = f"{program()} {name} {words}{remark}"
    yield from console.wrap_command("next: ", command)
