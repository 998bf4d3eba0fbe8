"""`treewright differ`: where two algorithms part on a table, and by which switch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import click

from treewright.cli.console import Console, say
from treewright.cli.options.algorithm import Recipe, switch_command
from treewright.cli.options.roles import role_options
from treewright.cli.options.training import (
    Again,
    again_options,
    growing_options,
    read_training,
)
from treewright.data.complaints import counted
from treewright.errors import SettingError
from treewright.evaluation.comparing.difference import Difference, difference, differing
from treewright.evaluation.tuning.spaces import setting_words, value_text
from treewright.grow.chalk.growing_record import Part
from treewright.grow.dialect import Dialect
from treewright.learners.registry import NODE_BY_NODE, names
from treewright.render.chalk import Chalk
from treewright.render.chalk.side_by_side import compared, judged
from treewright.render.fitting.safe_text import weight_text
from treewright.render.sign_of_life import busy

WIDEST = 100
_ROUNDING = 1e-9


@switch_command(
    "differ",
    "treewright differ watermelon --ignore 编号 --between c45 lecture",
    "treewright differ loans.csv --target default --between j48 cart",
    "treewright differ tennis --algorithm c45 --set min_samples_leaf=5",
)
@click.argument("data")
@role_options
@click.option(
    "--between",
    nargs=2,
    type=click.Choice(names(NODE_BY_NODE)),
    metavar="A B",
    help=f"Two algorithms: {', '.join(names(NODE_BY_NODE))}.",
)
@click.option(
    "--algorithm",
    type=click.Choice(names(NODE_BY_NODE)),
    help="One algorithm, which is compared with itself under --set.",
)
@growing_options
@click.option("--full", is_flag=True, help="The whole chalk of both at that node.")
@again_options
def command(again: Again, between: tuple[str, str] | None, full: bool) -> None:
    """Say where two algorithms part on DATA, and which switch makes the difference.

    With --algorithm and --set one algorithm is compared with itself under these
    switches. DATA is as for 'treewright fit'.
    """
    first, second = _recipes(between, again.algorithm, again.settings)
    columns = read_training(again, first).divided()
    one, _ = first.dialect(columns)
    other, _ = second.dialect(columns)
    with busy("growing") as tell:
        found = difference(columns, one, other, tell=tell)
    names = _names(first, second)
    console = Console.of_stdout()
    again = replace(again, algorithm=first.algorithm, settings={})
    if found is None:
        say(_same_lines(names, one, other, console))
        return
    lines = _lines(found, names, console, full=full)
    node = found.sides[0].node
    command = f"{again.words('chalk')} --node {node}"
    say([*lines, "", *console.wrap_command("next: ", command)])


def _recipes(
    between: tuple[str, str] | None, algorithm: str | None, settings: dict[str, Any]
) -> tuple[Recipe, Recipe]:
    """Return the two sides: two algorithms, or one without and with the switches."""
    if between and not algorithm and not settings:
        return Recipe(between[0], {}), Recipe(between[1], {})
    if algorithm and settings and not between:
        return Recipe(algorithm, {}), Recipe(algorithm, settings)
    raise SettingError(
        "give two algorithms, --between c45 j48, or one and what to change in it, "
        "--algorithm c45 --set min_samples_leaf=5"
    )


def _names(first: Recipe, second: Recipe) -> tuple[str, str]:
    """Return what the two sides are called."""
    changed = setting_words(second.settings)
    name = f"{second.algorithm} ({changed})" if changed else str(second.algorithm)
    return str(first.algorithm), name


def _same_lines(
    names: tuple[str, str], one: Dialect, other: Dialect, console: Console
) -> Iterator[str]:
    differ = differing(one, other)
    if not differ:
        yield from console.wrap(f"{names[0]} and {names[1]} have the same switches")
        return
    yield from console.wrap(
        f"{names[0]} and {names[1]} ask and answer the same on these rows; they differ "
        f"in {_switches(len(differ))}, without consequence here:"
    )
    yield from console.wrap(f"  {', '.join(differ)}", indent=2)


def _lines(
    found: Difference, names: tuple[str, str], console: Console, *, full: bool
) -> Iterator[str]:
    """Yield where they part, both workings, and the switch."""
    yield from console.wrap(_where(found))
    yield ""
    yield from _each(names, [side.does for side in found.sides], console)
    yield from _alike_lines(found, names, console)
    yield from _final_lines(found, names, console)
    yield ""
    steps = [side.step for side in found.sides]
    if found.in_pruning:
        judgements = [side.judgements for side in found.sides]
        for line in judged(names, judgements):
            yield from console.wrap(line, indent=4)
    else:
        yield from compared(names, steps, width=console.width, ascii=console.ascii)
        leaves = [f"a leaf: {one.reason}" if one.is_leaf else "" for one in steps]
        yield from _each(names, leaves, console)
    yield ""
    yield from _switch_lines(found, names, console)
    if full:
        for name, side in zip(names, found.sides, strict=True):
            yield ""
            yield f"--- {name}"
            chalk = Chalk(side.record, pruning=side.pruning)
            yield chalk.to_text(
                width=min(console.width, WIDEST), ascii=console.ascii, listing=False
            )


def _each(
    names: Sequence[str], texts: Sequence[str], console: Console
) -> Iterator[str]:
    """Yield what is said of each; nothing where there is nothing."""
    for name, text in zip(names, texts, strict=True):
        if text:
            yield from console.wrap(f"  {name}: {text}", indent=4)


def _where(found: Difference) -> str:
    place = _place(found.path)
    size = _size(found.sides[0].step.rows)
    if found.in_pruning:
        return f"They grow the same tree, and prune it differently at {place} ({size}):"
    if found.final is None:
        return (
            "The pruned trees ask and answer the same. They part while growing, at "
            f"{place} ({size}), and pruning takes that away:"
        )
    return f"They part at {place} ({size}):"


def _place(path: tuple[str, ...]) -> str:
    return ", ".join(path) or "the root"


def _size(rows: Part) -> str:
    """Return how many rows, and their weight if that is another number."""
    size = counted(rows.n_rows, "row")
    if abs(rows.weight - rows.n_rows) < _ROUNDING:
        return size
    return f"{size}, weight {weight_text(rows.weight)}"


def _alike_lines(
    found: Difference, names: tuple[str, str], console: Console
) -> Iterator[str]:
    """Yield that rows with a value are divided alike, and where the others go."""
    rows = found.without_value
    if rows is None:
        return
    yield ""
    words = f"Both divide the rows with a value of {rows.feature} alike"
    if found.sides[0].does != found.sides[1].does:
        cut = all(
            side.step.candidates[side.step.best or 0].threshold is not None
            for side in found.sides
        )
        words += f": the same rows, {'another threshold' if cut else 'in other words'}"
    if rows.missing is None or rows.goes[0] == rows.goes[1]:
        yield from console.wrap(f"{words}.")
        return
    yield from console.wrap(
        f"{words}. The rows without one ({_size(rows.missing)}) go elsewhere:"
    )
    ways = []
    for going in rows.goes:
        where = "; ".join(
            f"{weight_text(weight)} to {branch}" for branch, weight in going.branches
        )
        ways.append(f"{'in shares, ' if going.shared else ''}{where or 'nowhere'}")
    yield from _each(names, ways, console)


def _final_lines(
    found: Difference, names: tuple[str, str], console: Console
) -> Iterator[str]:
    """Yield where the pruned trees part, if that is elsewhere."""
    final = found.final
    grown = found.path, tuple(side.does for side in found.sides)
    if found.in_pruning or final is None or (final.path, final.does) == grown:
        return
    yield ""
    yield from console.wrap(f"Once pruned, they part at {_place(final.path)}:")
    yield from _each(names, final.does, console)


def _switch_lines(
    found: Difference, names: tuple[str, str], console: Console
) -> Iterator[str]:
    """Yield the switches that make the difference."""
    alone = len(found.switches) == 1
    if not found.switches:
        yield "no switch was found that makes the difference"
        return
    yield (
        "the switch that makes the difference:"
        if alone
        else (f"the {len(found.switches)} switches that make the difference together:")
    )
    both = (map(value_text, values) for values in found.switches.values())
    values = [f"{ours} ({names[0]}), {theirs} ({names[1]})" for ours, theirs in both]
    yield from _each(list(found.switches), values, console)
    if found.alone and found.n_other:
        them = "that switch" if alone else "these switches"
        others = _switches(found.n_other, "other ")
        yield from console.wrap(
            f"{names[0]} with {them} of {names[1]} does the same here; "
            f"{others} in which they differ are not needed for it"
        )


def _switches(number: int, which: str = "") -> str:
    return f"{number} {which}switch{'' if number == 1 else 'es'}"
