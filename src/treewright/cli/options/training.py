"""A table that a tree is grown from: the options that say how, and what comes of them.

Shared by the commands that grow trees: `fit`, `missing`, `chalk`, `differ`.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.model_file import model_name
from treewright.cli.options.algorithm import Recipe, set_option
from treewright.cli.options.common import (
    Command,
    Option,
    drop_option,
    gathered,
    with_options,
)
from treewright.cli.options.interval_options import read_discretize
from treewright.cli.options.reading import (
    columns_in,
    input_files,
    read,
    reading_options,
    reading_words,
)
from treewright.cli.options.roles import (
    Roles,
    Wishes,
    find_roles,
    refuse_no_features,
    refuse_unknown_target,
    role_options,
)
from treewright.cli.program import program
from treewright.data.columns import Columns
from treewright.data.encoding.encode import encode
from treewright.data.machine import thread_count, with_threads
from treewright.data.readers.read_options import ReadOptions
from treewright.data.readers.table_file import TableFile
from treewright.data.schema import TargetKind
from treewright.data.sparse.bag_of_words import WordSettings, kept_words, with_words
from treewright.data.tables.frames import read_frame
from treewright.discretize import into_intervals, read_plan
from treewright.discretize.plan import IntervalPlan
from treewright.evaluation.tuning.spaces import value_text
from treewright.learners.costs import with_costs
from treewright.learners.registry import names

if TYPE_CHECKING:
    import polars as pl

_JOBS = "treewright.jobs"
# switches of one way with missing values, which those who try all of them do not set
_OF_A_WAY = ("missing", "max_surrogates", "surrogate_sets", "min_share")


def _keep_to_it(
    context: click.Context, option: click.Parameter, jobs: int | None
) -> None:
    """Let all that the command calls use so many threads, walking and pruning too."""
    context.with_resource(with_threads(thread_count(jobs)))
    context.meta[_JOBS] = jobs


def typed_jobs() -> int | None:
    """Return what --jobs says; who works need not know, the threads are granted."""
    jobs: int | None = click.get_current_context().meta[_JOBS]
    return jobs


jobs_option = click.option(
    "--jobs",
    type=int,
    metavar="N",
    callback=_keep_to_it,
    expose_value=False,
    help="Threads.  [default: all cores]",
)


def _algorithm_option(*answers: str) -> Option[Any]:
    """Add --algorithm, for learners that are all that some words say."""

    def known(ctx: click.Context, param: click.Parameter, name: Any) -> Any:
        choice = click.Choice(names(*answers))
        return None if name is None else choice.convert(name, param, ctx)

    return click.option(
        "--algorithm",
        callback=known,
        metavar="NAME",  # the list of all names is wider than a line
        help=f"One of {', '.join(names(*answers))}; id3 if every feature is nominal, "
        "else cart, unless you say.",
    )


def learner_options(*answers: str) -> Option[Any]:
    """Add the options about columns, and --algorithm for such learners."""
    return lambda command: role_options(_algorithm_option(*answers)(command))


def growing_options(command: Command) -> Command:
    """Add --set, --drop-missing-target and --jobs."""
    switches = set_option("max_depth=3; 'treewright fit --help' lists them.")
    return with_options(command, (switches, drop_option, jobs_option))


@dataclass(frozen=True)
class Again:
    """What was typed about a table, to be read, or typed again for another command."""

    data: str = ""  # of a command that takes several, each is put in its place
    wishes: Wishes = field(default_factory=Wishes)
    how: ReadOptions = field(default_factory=ReadOptions)
    algorithm: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    drop_missing_target: bool = False

    @property
    def inputs(self) -> list[str]:
        """The files that the table is read from."""
        return input_files(self.data)

    @property
    def columns(self) -> list[str] | None:
        """The names of the columns before the table is read, or None if unsure."""
        return columns_in(self.data, self.how)

    def recipe(self) -> Recipe:
        """Return who is to learn; refuse what is wrong about it."""
        return Recipe(self.algorithm, self.settings)

    def read(self) -> TableFile:
        """Return the table."""
        return read(
            self.data,
            self.how,
            nominal=self.wishes.maybe_nominal(),
            not_applicable=self.wishes.maybe_not_applicable(),
        )

    def words(self, command: str = "fit", **settings: Any) -> str:
        """Return a command about the same table, with other switches if given."""
        words = [self.data, *self._role_words()]
        if self.algorithm is not None:
            words += ["--algorithm", self.algorithm]
        for name, value in {**self.settings, **settings}.items():
            words += ["--set", f"{name}={value_text(value)}"]
        if self.drop_missing_target:
            words.append("--drop-missing-target")
        words += reading_words(self.how)
        return f"{program()} {command} {shlex.join(words)}"

    def _role_words(self) -> Iterator[str]:
        for each in fields(self.wishes):
            option = f"--{each.name.replace('_', '-')}"
            given = getattr(self.wishes, each.name) or ()
            for text in (given,) if isinstance(given, str | int) else given:
                yield from (option, str(text))


def again_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options about reading; the command gets all of the table as `again`."""
    return reading_options(gathered("again", Again)(function))


@dataclass(frozen=True, eq=False)
class Training:
    """A table that was read, and how a tree is to be grown from it."""

    again: Again  # what was typed about the table
    # the table, and what each column is used for
    table: TableFile
    roles: Roles
    columns: Columns  # the table as codes, with costs, before numbers become intervals
    # what --discretize says, as given and as read
    intervals: Any
    plan: IntervalPlan
    recipe: Recipe  # the algorithm and the switches that were asked for
    by_kind: bool  # whether the target's kind decided between classes and numbers
    words: WordSettings = field(default_factory=WordSettings)  # how texts become words

    @property
    def name(self) -> str:
        """What the table is called."""
        return os.path.basename(self.again.data.rstrip("/"))

    @property
    def model_file(self) -> str:
        """A file for the model, as it is typed."""
        return shlex.quote(model_name(self.name))

    def divided(self, columns: Columns | None = None) -> Columns:
        """Return the columns, or some of the rows, with numbers made intervals.

        Words that are too rare in these rows are left out.
        """
        columns = self.kept(self.columns if columns is None else columns)
        return into_intervals(columns, self.plan, unseen=self.recipe.unseen)

    def kept(self, columns: Columns) -> Columns:
        """Return rows without the words that are too rare in them."""
        return kept_words(columns, self.words)

    def missing_command(self) -> str:
        """Return the command that tries every way with missing values."""
        settings = self.recipe.settings.items()
        kept = {name: value for name, value in settings if name not in _OF_A_WAY}
        algorithm = self.recipe.algorithm
        again = replace(self.again, algorithm=algorithm, settings=kept)
        return again.words("missing")


def read_training(
    again: Again,
    recipe: Recipe,
    *,
    cost_matrix: Any = None,
    refuse_missing: bool = True,
) -> Training:
    """Read a table and find out what is to be grown from it."""
    wishes = again.wishes
    words = wishes.word_settings()
    refuse_unknown_target(wishes.target, again.columns)
    table = again.read()
    roles = find_roles(wishes, table)
    intervals = read_discretize(wishes.discretize, table.frame.columns)
    plan = read_plan(intervals)
    task, by_kind = recipe.find_task(roles, table)
    refuse_no_features(roles, table)
    columns = encoded(
        table,
        roles,
        task=task,
        drop_missing_target=again.drop_missing_target,
        refuse_missing=refuse_missing and recipe.refuses_missing,
        word_weights=words.weights,
    )
    columns = with_costs(columns, cost_matrix)
    return Training(
        again, table, roles, columns, intervals, plan, recipe, by_kind, words
    )


def encoded(
    table: TableFile,
    roles: Roles,
    *,
    task: TargetKind,
    drop_missing_target: bool = False,
    refuse_missing: bool = False,
    word_weights: str = "counts",
) -> Columns:
    """Return the features and the target as codes."""
    frame = table.frame
    targets = list(roles.targets)
    return encode(
        _features(frame, roles, word_weights),
        frame[targets[0]] if len(targets) == 1 else frame.select(targets),
        task=task,
        sample_weight=None if roles.weights is None else frame[roles.weights],
        feature_kinds=roles.feature_kinds,
        not_applicable=roles.not_applicable,
        ignore=() if roles.texts else roles.unused,
        target_names=targets,
        drop_missing_target=drop_missing_target,
        refuse_missing=refuse_missing,
    )


def _features(frame: pl.DataFrame, roles: Roles, word_weights: str) -> Any:
    """Return all columns but the targets; of texts their words."""
    others = frame.drop([*roles.targets, *roles.texts])
    if not roles.texts:
        return others
    texts = {name: frame[name].cast(str).to_list() for name in roles.texts}
    return with_words(read_frame(others.drop(roles.unused)), texts, word_weights)
