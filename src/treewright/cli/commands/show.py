"""`treewright show`: a saved tree, as text, JSON or DOT, or as a picture."""

from __future__ import annotations

import os
import re
import shlex
import sys
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import click

from treewright.cli.console import (
    Console,
    check_can_write,
    file_size,
    remark,
    say,
    write_output,
)
from treewright.cli.model_file import load_any
from treewright.cli.options.common import count_option, output_option, width_option
from treewright.cli.program import example_command, program
from treewright.cli.wording import on_the_command_line
from treewright.errors import SettingError
from treewright.render import to_dot, to_json, to_text
from treewright.render.fitting.safe_text import short_number, visible
from treewright.render.listing.forest_text import forest_lines
from treewright.render.rules.rule_listing import rule_set_listing
from treewright.rules.rule_model import RuleModel
from treewright.tree.compact_model import is_compact
from treewright.tree.model import Model
from treewright.tree.one_tree import one_tree

MANY_LEAVES = 100  # of more, the top is worth a look of its own
PICTURES = ("svg", "html", "png")
_FORMATS = ("text", "json", "dot", *PICTURES)
_SUFFIXES = {".txt": "text", ".htm": "html", ".gv": "dot"} | {
    f".{form}": form for form in _FORMATS
}
FOREIGN = (".pdf", ".jpg", ".jpeg", ".gif", ".webp", ".docx", ".pptx")
_PART = {"max_depth", "min_share", "focus"}
_USED = {
    "text": {"style", "width", *_PART},
    "dot": _PART,
    "json": set(),
    **{form: {"max_nodes", "direction", *_PART} for form in PICTURES},
}


@example_command(
    "show",
    "treewright show iris.tw",
    "treewright show iris.tw --style lecture --max-depth 2",
    "treewright show iris.tw -o iris.svg",
    "treewright show adult.tw --min-share 0.02 --focus 7 -o part.html",
)
@click.argument("model", metavar="MODEL.tw")
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    help="Text for people, JSON for programs, DOT for Graphviz, a picture as SVG, HTML "
    "or PNG; as the name after -o ends, else text.",
)
@click.option(
    "--style",
    type=click.Choice(["box", "lecture"]),
    help="How text is drawn: with boxes and counts, or as lectures print it.",
)
@count_option(
    "--max-depth", "N", 0, "Count the nodes below this depth instead of showing them."
)
@click.option(
    "--min-share",
    metavar="SHARE",
    type=click.FloatRange(0, 1),
    help="Count what is below branches with a smaller share of the training rows, for "
    "example 0.01.",
)
@click.option(
    "--focus",
    metavar="NODE",
    type=int,
    help="Begin with this node: the number after a #.",
)
@count_option(
    "--max-nodes",
    "N",
    1,
    "Most nodes in a picture, the heaviest first; 150 unless said otherwise.",
)
@click.option(
    "--direction",
    type=click.Choice(["auto", "down", "right"]),
    help="Where the branches of a picture go.",
)
@width_option
@click.option(
    "--tree",
    metavar="K",
    type=int,
    help="Of a forest, show this tree; without it, a forest is shown in figures.",
)
@output_option
def command(
    model: str,
    form: str | None,
    output: str | None,
    width: int | None,
    tree: int | None = None,
    **options: Any,
) -> None:
    """Show the tree in MODEL.tw, a file that 'treewright fit' saved."""
    form = form or _form_of(output)
    for name, value in {"width": width, **options}.items():
        if value is not None and name not in _USED[form]:
            option = name.replace("_", "-")
            raise SettingError(
                f"--{option} has no meaning with --format {form}; leave it out"
            )
    if form == "png" and output is None and sys.stdout.isatty():
        raise SettingError(
            "a terminal cannot show PNG; write it to a file: -o tree.png"
        )
    check_can_write(output, model)
    loaded = load_any(model)
    if not isinstance(loaded, Model):
        show_rules(loaded, model, form, output, width=width, tree=tree, **options)
        return
    chosen = _Chosen()
    if tree is not None:
        whole, loaded = loaded, one_tree(loaded, tree)
        chosen = _chosen(whole, tree)
    if len(loaded.trees) > 1 and form != "json":
        _show_forest(loaded, model, form, output, options)
        return
    if form in PICTURES:
        _write_picture(loaded, form, output, options)
        return
    part = {name: options[name] for name in _PART}
    part["min_share"] = options["min_share"] or 0.0
    if form == "json":
        write_output(output, to_json(loaded) + "\n")
    elif form == "dot":
        write_output(output, to_dot(loaded, **part) + "\n")
    else:
        part["width"] = width
        _show_text(loaded, model, output, part, options["style"], chosen)


class _Chosen(NamedTuple):
    """One tree of many: how it is asked for, and which one it is."""

    option: str = ""
    heading: str = ""


def _chosen(model: Model, number: int) -> _Chosen:
    """Return which tree of a model this is, and what its vote weighs."""
    n_trees, voting = len(model.trees), model.voting
    heading = f"tree {number:,} of {n_trees:,}"
    if voting.weights is not None:
        weight = short_number(voting.weight(number - 1))
        in_all = short_number(voting.total(n_trees))
        heading += f"; its vote weighs {weight}, all votes {in_all}"
    return _Chosen(f" --tree {number}", f"{heading}\n\n")


def _show_forest(
    model: Model, path: str, form: str, output: str | None, options: dict[str, Any]
) -> None:
    """Print a forest in figures; its trees are shown one at a time."""
    n_trees = len(model.trees)
    choose = f"choose one: --tree 1 to --tree {n_trees}"
    given = _first_given(form, ("text",), options)
    if given:
        raise SettingError(
            f"{given} is for one tree, and {path} has {n_trees:,}; {choose}"
        )
    console = Console.of(output)
    text = "\n".join(forest_lines(model, ascii=console.ascii))
    # a compact one has no counts to show
    more = [] if is_compact(model) else ["--tree 1 --max-depth 3   (one tree)"]
    _put_out(model, text, path, output, console, more)


def _first_given(form: str, forms: tuple[str, ...], options: dict[str, Any]) -> str:
    """Return the first option that is given, or a form that is not one of these."""
    given = [name for name, value in options.items() if value is not None]
    if given:
        return f"--{given[0].replace('_', '-')}"
    return "" if form in forms else f"--format {form}"


def _put_out(
    model: Model | RuleModel,
    text: str,
    path: str,
    output: str | None,
    console: Console,
    more: list[str],
) -> None:
    """Print text, the model's notes and what to do next; or write it to a file."""
    if output is not None:
        write_output(output, text + "\n")
        return
    file = visible(shlex.quote(path), ascii=console.ascii)
    say([text])
    for note in model.notes:
        say(console.wrap(f"note: {on_the_command_line(note)}", indent=6))
    say(["", f"next: {program()} predict {file} DATA"])
    for words in more:
        say([f"      {program()} show {file} {words}"])


def _show_text(
    model: Model,
    path: str,
    output: str | None,
    part: dict[str, Any],
    style: str | None,
    chosen: _Chosen,
) -> None:
    """Print a listing, and what to do next; or write it to a file."""
    console = Console.of(output)
    part["width"] = part["width"] or console.width
    text = chosen.heading + to_text(
        model, "lecture" if style == "lecture" else "box", ascii=console.ascii, **part
    )
    if output is not None:
        write_output(output, text + "\n")
    elif style == "lecture":
        say([text])
    else:
        depth = part["max_depth"]
        say([text, "", *_next_lines(model, path, chosen.option, depth, console)])


def _write_picture(
    model: Model, form: str, output: str | None, options: dict[str, Any]
) -> None:
    """Write a picture, and say on stderr what was written and what was folded."""
    from treewright.render.picture import MANY_NODES, View, scene_of  # noqa: PLC0415
    from treewright.render.picture.matplotlib_axes import png_bytes  # noqa: PLC0415
    from treewright.render.picture.pictures import page_text  # noqa: PLC0415
    from treewright.render.picture.svg import svg_text  # noqa: PLC0415

    view = View(
        options["max_depth"],
        options["min_share"],
        options["focus"],
        options["max_nodes"] or MANY_NODES,
    )
    scene = scene_of(model, view=view, direction=options["direction"] or "auto")
    if form == "png":
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            drawn = png_bytes(scene)
        write_output(output, drawn)
        for warning in caught:
            remark(f"note: {warning.message}", indent=6)
    else:
        write_output(output, svg_text(scene) if form == "svg" else page_text(scene))
    what = "stdout" if output is None else f"{output} ({file_size(output)})"
    folded = "".join(f"; {line}" for line in scene.said)
    # with the names of the options
    folded = re.sub(r"\b(max|min) (depth|share|nodes)\b", r"--\1-\2", folded)
    folded = folded.replace("or focus on the", "or --focus on the")
    remark(f"wrote the picture to {what}{folded}", indent=2)


def _form_of(output: str | None) -> str:
    """The format that a file's name asks for."""
    suffix = os.path.splitext(output or "")[1].lower()
    if suffix in FOREIGN:
        raise SettingError(
            f"{suffix} files cannot be written; there are {', '.join(_FORMATS)} "
            "(--format), and a browser prints SVG and HTML to PDF"
        )
    return _SUFFIXES.get(suffix, "text")


def _next_lines(
    model: Model, path: str, which: str, max_depth: int | None, console: Console
) -> Iterator[str]:
    """Yield what to do with the model, and how to see less of a large tree."""
    file = visible(shlex.quote(path), ascii=console.ascii)
    yield f"next: {program()} predict {file} DATA"
    yield f"      {program()} show {file}{which} -o tree.svg   (a picture)"
    if max_depth is None and model.trees[0].n_leaves > MANY_LEAVES:
        yield f"      {program()} show {file}{which} --max-depth 3   (the top)"


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
    given = _first_given(form, ("text", "json"), options)
    if given:
        raise SettingError(
            f"{given} is for trees, and {path} is a rule set; leave it out"
        )
    listing = rule_set_listing(model)
    if form == "json":
        write_output(output, listing.to_json().rstrip() + "\n")
        return
    console = Console.of(output)
    text = listing.to_text(width=width or console.width, ascii=console.ascii)
    _put_out(model, text, path, output, console, [])
