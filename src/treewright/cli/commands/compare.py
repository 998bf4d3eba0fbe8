"""`treewright compare`: algorithms side by side on the same folds of tables."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.commands.evaluate import head_lines, say_written
from treewright.cli.console import Console, check_can_write, say, write_output
from treewright.cli.examples import examples
from treewright.cli.options.algorithm import Recipe
from treewright.cli.options.dividing import Dividing, dividing_options
from treewright.cli.options.learning import learning_from
from treewright.cli.options.noise_options import noise_options, with_noise_in
from treewright.cli.options.reading import columns_in, input_files, reading_options
from treewright.cli.options.roles import Wishes, role_options
from treewright.cli.options.training import Again, Training, jobs_option, read_training
from treewright.data.complaints import did_you_mean
from treewright.data.machine import thread_count
from treewright.data.readers.read_options import ReadOptions
from treewright.errors import SettingError, TreewrightError
from treewright.evaluation.noisy import Noise
from treewright.learners.registry import names
from treewright.render.sign_of_life import Sign, busy

if TYPE_CHECKING:
    from treewright.evaluation.comparing.comparison import Comparison
    from treewright.evaluation.comparing.ranks import Ranks
    from treewright.evaluation.division import Divided
    from treewright.evaluation.errors.held_out_answers import Ask

_KNOWN = tuple(names())
_DEFAULT = {"classes": "c45,cart,forest", "numbers": "cart,rpart,forest"}


@click.command(
    "compare",
    epilog=examples(
        "treewright compare iris.csv --target class --algorithms c45,cart,forest",
        "treewright compare glass.csv sonar.csv zoo.csv --algorithms c45,cart,adaboost",
        "treewright compare iris.csv --target class \\",
        "    --algorithms c45,sklearn.tree:DecisionTreeClassifier --repeats 3",
    ),
)
@click.argument("data", nargs=-1, required=True)
@role_options
@click.option(
    "--algorithms",
    metavar="A,B",
    help="Names as for 'treewright fit --algorithm', or module:Class of an estimator, "
    "as sklearn.tree:DecisionTreeClassifier.  [default: c45,cart,forest]",
)
@dividing_options
@noise_options
@click.option(
    "--drop-missing-target", is_flag=True, help="Leave out rows without a target."
)
@jobs_option
@click.option(
    "--plot",
    metavar="FILE.svg",
    help="Draw the errors, or over several tables the critical-difference diagram.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How it is written.  [default: text]",
)
@click.option("-o", "--output", metavar="FILE", help="Write to this file.")
@reading_options
def command(  # noqa: PLR0913, PLR0917 - an argument for each option
    data: tuple[str, ...],
    wishes: Wishes,
    how: ReadOptions,
    algorithms: str | None,
    dividing: Dividing,
    noise: Noise | None,
    drop_missing_target: bool,
    jobs: int | None,
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
    _check_outputs(data, output, plot)
    console = Console.of_stdout()
    found: list[tuple[Training, Comparison]] = []
    for each in data:
        columns = columns_in(each, how)
        dividing.check(columns)
        own = dividing.wishes(_with_target(wishes, columns, len(data) > 1))
        with naming_table(each, len(data) > 1):
            found.append(
                _compared(
                    each, own, how, names, dividing, drop_missing_target, jobs, noise
                )
            )
    comparisons = [comparison for _, comparison in found]
    if plot is not None:
        write_output(plot, _result(comparisons).to_svg())
    if form == "json":
        write_output(
            output, json.dumps(_result(comparisons).to_dict(), indent=2) + "\n"
        )
        say_written(output, plot, form)
        return
    first = _with_target(wishes, columns_in(data[0], how), len(data) > 1)
    again = Again(
        data[0],
        dividing.wishes(first),
        how,
        None,
        {},
        drop_missing_target,
    )
    lines = list(_lines(found, again, dividing, console))
    if output is None:
        say(lines)
    else:
        write_output(output, "\n".join(lines) + "\n")
    say_written(output, plot, form)


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


def _with_target(wishes: Wishes, columns: Any, several: bool) -> Wishes:
    """Of several tables without a named target the last column is it."""
    if not several or wishes.target or not columns:
        return wishes
    return replace(wishes, target=(columns[-1],))


def _compared(
    data: str,
    wishes: Wishes,
    how: ReadOptions,
    names: list[str] | None,
    dividing: Dividing,
    drop_missing_target: bool,
    jobs: int | None,
    noise: Noise | None = None,
) -> tuple[Training, Comparison]:
    """Evaluate all algorithms on the same splits of one table."""
    # scikit-learn's splitters are slow to load, so not before somebody wants them
    from treewright.estimators.judged.splitting import divide  # noqa: PLC0415
    from treewright.evaluation.comparing.comparison import Comparison  # noqa: PLC0415

    training = _read(data, wishes, how, names or ["cart"], drop_missing_target)
    columns = training.columns
    names = names or _names(_DEFAULT[columns.schema.target.kind])
    shown = _shown(names)
    divided = divide(columns, dividing.division(training.table, columns))
    if noise is not None:
        divided = replace(divided, words=f"{divided.words}; {noise.words()}")
    results, seconds = [], []
    with busy(f"comparing on {training.name}") as sign:
        for number, name in enumerate(names):
            sign(f"{training.name}: {name}")
            start = time.perf_counter()
            is_alone = len(divided.splits) == 1
            within = jobs if is_alone else 1
            ask = _asking(training, name, within, seed=dividing.seed, noise=noise)
            n_threads = 1 if ":" in name else thread_count(jobs)
            tell = _telling(sign, f"{training.name}: {name}", number, len(names))
            results.append(
                _evaluation(shown[number], divided, training, ask, n_threads, tell)
            )
            seconds.append(time.perf_counter() - start)
    return training, Comparison(training.name, tuple(results), tuple(seconds))


def _shown(names: list[str]) -> list[str]:
    """Return what learners are called: classes without their modules, if that goes."""
    short = [name.partition(":")[2] or name for name in names]
    return short if len(set(short)) == len(short) else names


def _telling(
    sign: Sign, what: str, number: int, total: int
) -> Callable[[float, int], None]:
    """Return what shows how far one of several algorithms is."""
    return lambda done, of: sign.bar(what, number * of + done, total * of, "splits")


def _evaluation(
    name: str,
    divided: Divided,
    training: Training,
    ask: Ask,
    n_threads: int,
    tell: Callable[[float, int], None],
) -> Any:
    from treewright.evaluation.errors.evaluation import Evaluation  # noqa: PLC0415
    from treewright.evaluation.errors.held_out_answers import outcomes_of  # noqa: PLC0415

    outcomes = outcomes_of(
        training.columns, divided.splits, ask, n_threads=n_threads, tell=tell
    )
    return Evaluation(name, divided.words, outcomes, notes=divided.notes)


def _read(
    data: str,
    wishes: Wishes,
    how: ReadOptions,
    names: list[str],
    drop_missing_target: bool,
) -> Training:
    """Read a table for the first algorithm; what the target is, it is for all."""
    known = [name for name in names if ":" not in name]
    recipe = Recipe(known[0] if known else None, {})
    training = read_training(
        data, wishes, how, recipe, drop_missing_target=drop_missing_target
    )
    for name in known[1:]:
        task, _ = Recipe(name, {}).find_task(training.roles, training.table)
        if task != training.columns.schema.target.kind:
            raise SettingError(
                f"{name} predicts {task} and {known[0]} "
                f"{training.columns.schema.target.kind} of this target; compare those "
                "of one kind, or say --nominal or --numeric of the target"
            )
    return training


def _asking(
    training: Training,
    name: str,
    n_jobs: int | None,
    *,
    seed: int,
    noise: Noise | None,
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
    learner = learning_from(training, seed=seed)
    learner = with_noise_in(learner, noise)
    return asking(training.columns, learner.with_threads(n_jobs))


def _check_outputs(data: tuple[str, ...], output: str | None, plot: str | None) -> None:
    """Refuse files that cannot be written, before anything is learned."""
    inputs = [file for each in data for file in input_files(each)]
    for path in (output, plot):
        check_can_write(path, *inputs)
    if plot is not None and not plot.lower().endswith(".svg"):
        raise SettingError(f"--plot {plot!r} does not end in .svg; only SVG is drawn")


def _result(comparisons: list[Comparison]) -> Comparison | Ranks:
    """Return the comparison, or over several tables the ranks."""
    from treewright.evaluation.comparing.ranks import ranks_of  # noqa: PLC0415

    return comparisons[0] if len(comparisons) == 1 else ranks_of(comparisons)


def _lines(
    found: list[tuple[Training, Comparison]],
    again: Again,
    dividing: Dividing,
    console: Console,
) -> Iterator[str]:
    """Yield the whole report."""
    from treewright.evaluation.comparing.ranks import ranks_of  # noqa: PLC0415

    how: dict[str, Any] = {"width": console.width, "ascii": console.ascii}
    if len(found) > 1:
        yield from console.wrap(found[0][1].evaluations[0].how)
        yield ""
        ranks = ranks_of([comparison for _, comparison in found])
        yield ranks.to_text(**how)
        best = ranks.names[int(ranks.mean_ranks.argmin())]
    else:
        training, comparison = found[0]
        yield from head_lines(training, console)
        yield from console.wrap(comparison.evaluations[0].how)
        yield ""
        yield comparison.to_text(**how)
        best = comparison.ranked[0].name
    yield ""
    if best in _KNOWN:
        words = replace(again, algorithm=best).words("evaluate")
        more = " ".join(dividing.words())
        yield from console.wrap_command("next: ", f"{words} {more}".rstrip())
