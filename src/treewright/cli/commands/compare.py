"""`treewright compare`: algorithms side by side on the same folds of tables."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from treewright.cli.commands.evaluate import divided_rows, head_lines, put_out
from treewright.cli.console import Console, check_can_write, write_output
from treewright.cli.options.algorithm import Recipe
from treewright.cli.options.common import drop_option, form_option, output_option
from treewright.cli.options.dividing import Dividing, dividing_options
from treewright.cli.options.learning import learning_from
from treewright.cli.options.noise_options import noise_options, with_noise_in
from treewright.cli.options.reading import input_files
from treewright.cli.options.roles import role_options
from treewright.cli.options.training import (
    Again,
    Training,
    again_options,
    jobs_option,
    read_training,
)
from treewright.cli.program import example_command
from treewright.data.complaints import did_you_mean
from treewright.data.machine import thread_count
from treewright.errors import SettingError, TreewrightError
from treewright.evaluation.noisy import Noise
from treewright.learners.registry import names
from treewright.render.sign_of_life import busy

if TYPE_CHECKING:
    from treewright.evaluation.comparing.comparison import Comparison
    from treewright.evaluation.comparing.ranks import Ranks
    from treewright.evaluation.errors.held_out_answers import Ask

_KNOWN = tuple(names())
_DEFAULT = {"classes": "c45,cart,forest", "numbers": "cart,rpart,forest"}


@example_command(
    "compare",
    "treewright compare iris.csv --target class --algorithms c45,cart,forest",
    "treewright compare glass.csv sonar.csv zoo.csv --algorithms c45,cart,adaboost",
    "treewright compare iris.csv --target class \\",
    "    --algorithms c45,sklearn.tree:DecisionTreeClassifier --repeats 3",
)
@click.argument("tables", nargs=-1, required=True, metavar="DATA...")
@role_options
@click.option(
    "--algorithms",
    metavar="A,B",
    help="Names as for 'treewright fit --algorithm', or module:Class of an estimator, "
    "as sklearn.tree:DecisionTreeClassifier.  [default: c45,cart,forest]",
)
@dividing_options
@noise_options
@drop_option
@jobs_option
@click.option(
    "--plot",
    metavar="FILE.svg",
    help="Draw the errors, or over several tables the critical-difference diagram.",
)
@form_option()
@output_option
@again_options
def command(
    tables: tuple[str, ...],
    again: Again,
    algorithms: str | None,
    dividing: Dividing,
    noise: Noise | None,
    plot: str | None,
    form: str,
    output: str | None,
) -> None:
    """Compare algorithms on the same folds of DATA, one table or several.

    Differences are tested: on one table with the corrected resampled t-test, over
    several with ranks (Friedman, Nemenyi, Wilcoxon). Of several tables without --target
    the last column is predicted.
    """
    dividing.check_options()
    names = None if algorithms is None else _names(algorithms)
    _check_outputs(tables, output, plot)
    several = len(tables) > 1
    found: list[tuple[Training, Comparison]] = []
    for each in tables:
        own = replace(again, data=each)
        columns = own.columns
        dividing.check(columns)
        if several and not again.wishes.target and columns:
            wishes = replace(again.wishes, target=(columns[-1],))
            own = replace(own, wishes=wishes)
        own = dividing.leaving_out(own)
        with naming_table(each, several):
            found.append(_compared(own, names, dividing, noise))
    comparisons = [comparison for _, comparison in found]
    result: Comparison | Ranks = comparisons[0]
    if several:
        from treewright.evaluation.comparing.ranks import ranks_of  # noqa: PLC0415

        result = ranks_of(comparisons)
    if plot is not None:
        write_output(plot, result.to_svg())
    put_out(result, _lines(found, result, dividing), form, output, plot)


@contextmanager
def naming_table(data: str, several: bool) -> Iterator[None]:
    """Say of which of several tables an error is."""
    try:
        yield
    except TreewrightError as error:
        if not several:
            raise
        raise type(error)(f"{data}: {error}") from None


def _names(text: str) -> list[str]:
    """Return the algorithms that were named; refuse what is not known."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if ":" not in name and name not in _KNOWN:
            raise SettingError(
                f"--algorithms names {name!r}; {did_you_mean(name, _KNOWN)} (or "
                "module:Class of an estimator)"
            )
    if len(set(names)) < len(names):
        raise SettingError("--algorithms names one twice; name each once")
    if not names:
        raise SettingError("--algorithms names nothing; give at least two names")
    return names


def _compared(
    again: Again, names: list[str] | None, dividing: Dividing, noise: Noise | None
) -> tuple[Training, Comparison]:
    """Evaluate all algorithms on the same splits of one table."""
    from treewright.evaluation.comparing.comparison import Comparison  # noqa: PLC0415
    from treewright.evaluation.errors.evaluation import Evaluation  # noqa: PLC0415
    from treewright.evaluation.errors.held_out_answers import outcomes_of  # noqa: PLC0415

    training = _read(again, names or ["cart"])
    columns = training.columns
    names = names or _names(_DEFAULT[columns.schema.target.kind])
    # classes are called without their modules, if that goes
    short = [name.partition(":")[2] or name for name in names]
    shown = short if len(set(short)) == len(short) else names
    divided = divided_rows(training, dividing, noise)
    within = None if len(divided.splits) == 1 else 1
    results, seconds = [], []
    with busy(f"comparing on {training.name}") as sign:
        for number, name in enumerate(names):
            what = f"{training.name}: {name}"

            def tell(done: float, of: int, what: str = what, n: int = number) -> None:
                sign.bar(what, n * of + done, len(names) * of, "splits")

            sign(what)
            start = time.perf_counter()
            outcomes = outcomes_of(
                columns,
                divided.splits,
                _asking(training, name, within, seed=dividing.seed, noise=noise),
                n_threads=1 if ":" in name else thread_count(None),
                tell=tell,
            )
            how, notes = divided.words, divided.notes
            results.append(Evaluation(shown[number], how, outcomes, notes=notes))
            seconds.append(time.perf_counter() - start)
    return training, Comparison(training.name, tuple(results), tuple(seconds))


def _read(again: Again, names: list[str]) -> Training:
    """Read a table for the first algorithm; what the target is, it is for all."""
    known = [name for name in names if ":" not in name]
    training = read_training(again, Recipe(known[0] if known else None, {}))
    kind = training.columns.schema.target.kind
    for name in known[1:]:
        task, _ = Recipe(name, {}).find_task(training.roles, training.table)
        if task != kind:
            raise SettingError(
                f"{name} predicts {task} and {known[0]} {kind} of this target; compare "
                "those of one kind, or say --nominal or --numeric of the target"
            )
    return training


def _asking(
    training: Training, name: str, n_jobs: int | None, *, seed: int, noise: Noise | None
) -> Ask:
    """Return what learns and answers, split by split."""
    from treewright.evaluation.errors.held_out_answers import asking  # noqa: PLC0415

    if ":" in name:
        from treewright.estimators.judged.others import asking_named  # noqa: PLC0415

        if noise is not None:
            raise SettingError(
                f"--noise is for the algorithms that have a name here, and {name} has "
                "none; leave one of the two out"
            )
        return asking_named(name, training.columns, seed=seed, words=training.words)
    training = replace(training, recipe=Recipe(name, {}))
    learner = with_noise_in(learning_from(training, seed=seed), noise)
    return asking(training.columns, learner.with_threads(n_jobs))


def _check_outputs(
    tables: tuple[str, ...], output: str | None, plot: str | None
) -> None:
    """Refuse files that cannot be written, before anything is learned."""
    inputs = [file for each in tables for file in input_files(each)]
    for path in (output, plot):
        check_can_write(path, *inputs)
    if plot is not None and not plot.lower().endswith(".svg"):
        raise SettingError(f"--plot {plot!r} does not end in .svg; only SVG is drawn")


def _lines(
    found: list[tuple[Training, Comparison]],
    result: Comparison | Ranks,
    dividing: Dividing,
) -> Iterator[str]:
    """Yield the whole report."""
    console = Console.of_stdout()
    training, comparison = found[0]
    if len(found) == 1:
        yield from head_lines(training, console)
    yield from console.wrap(comparison.evaluations[0].how)
    yield ""
    yield result.to_text(width=console.width, ascii=console.ascii)
    yield ""
    if result.best in _KNOWN:
        words = replace(training.again, algorithm=result.best).words("evaluate")
        more = " ".join(dividing.words())
        yield from console.wrap_command("next: ", f"{words} {more}".rstrip())
