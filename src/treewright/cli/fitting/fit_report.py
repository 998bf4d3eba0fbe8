"""What `treewright fit` prints: the data, the tree, its error, and what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright.checks.check import check_columns
from treewright.cli.console import Console, file_size
from treewright.cli.fitting.column_table import column_lines
from treewright.cli.fitting.training_error import (
    TRAINING_ROWS,
    HeldOut,
    amount,
    error_lines,
)
from treewright.cli.model_file import model_name
from treewright.cli.options.algorithm import Recipe, chosen_words, is_yes_or_no
from treewright.cli.options.training import Again, Training
from treewright.cli.program import program
from treewright.cli.wording import on_the_command_line
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.learners.registry import LEARNERS, NODE_BY_NODE, RULES, is_a
from treewright.render import to_text
from treewright.render.fitting.safe_text import (
    display_width,
    pad,
    short_number,
    visible,
)
from treewright.render.listing.remarks import weight_words
from treewright.tree.model import Model
from treewright.tree.structure.branch_words import label_text, number_text
from treewright.tree.structure.tree import Tree

MOST_ROWS = 20_000  # a check must not take longer than the tree
MOST_CELLS = 2_000_000
MOST_LEAVES = 30  # a larger tree is shown from the top
_MOST_LINES = 25
_MOST_CLASSES = 8
_MOST_NOTES = 10
MISSING_WORDS = {
    "error": "missing values are refused",
    "own_branch": "missing values have a branch of their own",
    "majority": "missing values follow the heavier branch",
    "fractional": "missing values go down all branches, in shares",
    "learned": "missing values all take the branch that makes the best split",
    "most_common": "missing values count as the most common one of the table "
    "(of numbers, the middle one)",
    "most_common_in_node": "missing values count as the most common one at the node "
    "(of numbers, the middle one)",
    "most_common_in_class": "missing values count as the most common one of their "
    "class at the node (of numbers, the middle one)",
    "surrogates": "missing values take the branch that another feature points to",
}


@dataclass(frozen=True, eq=False)
class Fit:
    """A tree and how it came about."""

    training: Training  # the table, and what each column was used for
    model: Model  # the result
    settings: dict[str, Any]  # the switches that the user set
    why: str = ""  # why this algorithm; empty if the user chose it
    held_out: HeldOut | None = None  # what rows said that the tree was not grown from

    @property
    def tree(self) -> Tree:
        """The only tree of the model."""
        return self.model.trees[0]


def fit_lines(fit: Fit, console: Console, saved_as: str | None) -> Iterator[str]:
    """Yield the whole report."""
    yield from head_lines(fit, console)
    for line in choice_lines(fit):
        yield from console.wrap(line, indent=2)
    # CAL2 and CAL3 know a single way with missing values
    if is_a(fit.model, NODE_BY_NODE) and _has_missing(fit):
        ways = fit.training.missing_command()
        yield from console.wrap_command("  compare the ways: ", ways)
    yield ""
    yield from _tree_lines(fit, console, saved_as)
    yield ""
    yield from error_table_lines(fit.model, fit.held_out, console)
    yield from note_lines(fit.model, console)
    yield ""
    yield from last_lines(fit.training.name, saved_as, console)


def head_lines(fit: Fit, console: Console) -> Iterator[str]:
    """Yield what the table is."""
    training = fit.training
    table = training.table
    rows = counted(table.frame.height, "row")
    columns = counted(len(table.report), "column")
    yield from console.wrap(f"{training.name}: {rows}, {columns}")
    yield from column_lines(table, fit.model.schema, training.roles, console)
    yield ""


def last_lines(name: str, saved_as: str | None, console: Console) -> Iterator[str]:
    """Yield where the model is, or how to keep it, and what to do next."""
    if saved_as is not None:
        yield from next_lines(saved_as, console)
        return
    yield from console.wrap(
        f"not saved: add -o {shlex.quote(model_name(name))} to the command to keep "
        "the model, for the commands show and predict",
        indent=2,
    )


def choice_lines(fit: Fit) -> Iterator[str]:
    """Yield what the target is and which algorithm was taken."""
    target, root = fit.model.schema.target, fit.tree.value[0]
    if target.kind == "numbers":
        yield from _number_target_lines(fit)
    unit = weight_words(fit.model, fit.tree)
    for name, labels, slot in zip(
        target.names, target.classes, target.slots, strict=False
    ):
        weights, total = root[slot], root[slot].sum()
        order = np.argsort(-weights, kind="stable")[:_MOST_CLASSES].tolist()
        shares = [
            f"{label_text(labels[code])} ({amount(weights[code])}, "
            f"{100 * weights[code] / total:.1f} %)"
            for code in order
        ]
        more = len(labels) - len(order)
        tail = f", and {more:,} more classes" if more else ""
        by = " by weight" if unit == "by weight" else ""
        yield f"target {name}{by}: {', '.join(shares)}{tail}"
    yield from _number_class_lines(fit)
    yield chosen_words(fit.model.learner, fit.settings, fit.why)
    if fit.held_out is not None and fit.held_out.alpha:
        yield f"pruned with {fit.held_out.alpha}"
    yield from _missing_lines(fit)


def _number_class_lines(fit: Fit) -> Iterator[str]:
    """Yield which numeric targets are taken as classes, though nobody said so.

    Those of two whole numbers look like no and yes; for others the algorithm may know
    classes only.
    """
    training, target = fit.training, fit.model.schema.target
    if target.kind == "numbers" or (not training.by_kind and _knows_numbers(fit)):
        return
    for column in training.table.report:
        name = column.name
        if name not in training.roles.targets or column.kind != "numeric":
            continue
        is_two = is_yes_or_no(column, training.table)
        if training.by_kind and is_two:
            yield (
                f"  {name} holds 2 different whole numbers, so classes are "
                f"predicted; --numeric {shlex.quote(name)} to predict a number"
            )
        elif not training.by_kind and not is_two and name not in training.roles.kinds:
            n_values = counted(column.n_values, "different value")
            yield (
                f"  {name} holds numbers with {n_values}, taken as {column.n_values:,} "
                "classes; --algorithm cart predicts numbers"
            )


def _knows_numbers(fit: Fit) -> bool:
    learner = LEARNERS.get(fit.model.learner)
    return learner is not None and learner.own is None and "numbers" in learner.tasks


def _missing_lines(fit: Fit) -> Iterator[str]:
    """Yield where missing values go, if there are any."""
    rule = MISSING_WORDS.get(fit.model.missing, "")
    if fit.model.missing == "error" or not rule or not _has_missing(fit):
        return
    if is_a(fit.model, RULES):
        yield "a missing value meets no condition of a rule; in the trees that rules "
        yield f"  are made of, {rule}"
    else:
        yield rule


def _has_missing(fit: Fit) -> bool:
    names = fit.model.schema.names
    return any(one.n_missing for one in fit.training.table.report if one.name in names)


def _number_target_lines(fit: Fit) -> Iterator[str]:
    """Yield the range and the middle of each numeric target."""
    training, middles = fit.training, fit.tree.value[0].tolist()
    for name, middle in zip(training.roles.targets, middles, strict=True):
        column = training.table.frame[name]
        values = column.drop_nulls().to_numpy()
        low, high = number_text(np.nanmin(values)), number_text(np.nanmax(values))
        absolute = fit.model.settings.get("criterion") == "absolute_error"
        word = "median" if absolute else "mean"
        yield f"target {name}: from {low} to {high}, {word} {short_number(middle)}"
        if training.by_kind:
            n_values = counted(column.n_unique(), "different value")
            yield (
                f"  {name} holds numbers ({n_values}), so a number is predicted; "
                f"--nominal {shlex.quote(name)} to predict classes"
            )


def _tree_lines(fit: Fit, console: Console, saved_as: str | None) -> Iterator[str]:
    """Yield the tree, or of a large one the top."""
    tree = fit.tree
    depth = None
    if tree.n_leaves > MOST_LEAVES:  # so many levels are few enough lines
        nodes_down_to = np.cumsum(np.bincount(tree.depths()))
        depth = max(1, int(np.count_nonzero(nodes_down_to <= _MOST_LINES)) - 1)
    yield to_text(fit.model, max_depth=depth, width=console.width, ascii=console.ascii)
    if depth is not None:
        where = "save it with -o" if saved_as is None else "all of it"
        file = fit.training.model_file if saved_as is None else shlex.quote(saved_as)
        shown = f"{program()} show {file}"
        yield from console.wrap(f"(the top of the tree; {where}: {shown})", indent=1)


def error_table_lines(
    model: Model,
    held_out: HeldOut | None,
    console: Console,
    *,
    only_honest: bool = False,
) -> Iterator[str]:
    """Yield the error on the training rows beside that of no tree at all.

    `only_honest` leaves out the first.
    """
    for title, lines in error_lines(model, held_out):
        if only_honest:
            lines = [line for line in lines if line.who != TRAINING_ROWS]  # noqa: PLW2901
        who = [visible(line.who, ascii=console.ascii) for line in lines]
        width = max(map(display_width, who))
        shown = visible(title, ascii=console.ascii)
        fits = width + 4 + display_width(shown) <= console.width
        yield f"  {'':{width}}  {shown}" if fits else console.cut(f"  {shown}")
        for text, line in zip(who, lines, strict=True):
            start = f"  {pad(text, width)}  {line.error:>8}"
            together = f"{start}  {line.remark}".rstrip()
            if display_width(together) <= console.width:
                yield together
            else:
                yield console.cut(start)
                yield from console.wrap(f"    {line.remark}", indent=4)


def note_lines(model: Model, console: Console) -> Iterator[str]:
    """Yield what a reader should know."""
    for note in model.notes[:_MOST_NOTES]:
        yield from console.wrap(f"note: {on_the_command_line(note)}", indent=6)
    if len(model.notes) > _MOST_NOTES:
        yield f"and {len(model.notes) - _MOST_NOTES:,} more notes"


def next_lines(saved_as: str, console: Console, data: str = "NEW.csv") -> Iterator[str]:
    """Yield where the model is and what to do with it."""
    file = visible(shlex.quote(saved_as), ascii=console.ascii)
    yield from console.wrap(f"saved {saved_as} ({file_size(saved_as)})")
    # never cut: commands are there to be copied
    yield f"next: {program()} show {file}"
    yield f"      {program()} predict {file} {data}"


def check_lines(training: Training) -> Iterator[str]:
    """Yield how many things there are to look at, if any, and what tells them."""
    if training.roles.texts:
        return  # thousands of words are alike by chance
    columns = training.divided()
    some = _some_rows(columns)
    n_found = len(check_columns(some))
    if n_found == 0:
        return
    where = "" if some is columns else " in some rows"
    things = f"check: {counted(n_found, 'thing')} to look at{where}: "
    yield from Console.of_stdout().wrap_command(things, check_words(training))


def check_words(training: Training) -> str:
    """Return the command that tells all findings, about the same target."""
    again = training.again
    wishes = again.wishes
    kind, _ = Recipe(None, {}).find_task(training.roles, training.table)
    if training.columns.schema.target.kind == "classes" and kind == "numbers":
        targets = training.roles.targets
        wishes = replace(wishes, nominal=(*wishes.nominal, *targets))
    return Again(again.data, wishes, again.how).words("check")


def _some_rows(columns: Columns) -> Columns:
    """Return so few rows that looking at them takes no time."""
    most = min(MOST_ROWS, max(100, MOST_CELLS // max(1, len(columns.features))))
    if columns.n_rows <= most:
        return columns
    drawn = np.random.default_rng(0).choice(columns.n_rows, most, replace=False)
    return replace(columns.take(np.sort(drawn)), given_rows=None)
