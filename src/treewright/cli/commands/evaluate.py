"""`treewright evaluate`: how good an algorithm is on rows that it has not seen."""

from __future__ import annotations

import io
import json
import shlex
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.console import Console, check_can_write, say, write_output
from treewright.cli.examples import examples
from treewright.cli.fitting.fit_report import check_lines
from treewright.cli.options.algorithm import Recipe, SwitchCommand
from treewright.cli.options.dividing import Dividing, dividing_options
from treewright.cli.options.learning import Learning, learning_from
from treewright.cli.options.noise_options import noise_options, with_noise_in
from treewright.cli.options.reading import columns_in, input_files, reading_options
from treewright.cli.options.roles import Wishes, role_options
from treewright.cli.options.training import (
    Again,
    Training,
    algorithm_option,
    growing_options,
    read_training,
)
from treewright.cli.program import program
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.machine import thread_count
from treewright.data.readers.read_options import ReadOptions
from treewright.errors import SettingError
from treewright.evaluation.noisy import Noise
from treewright.render.picture.matplotlib_axes import need_matplotlib
from treewright.render.sign_of_life import busy

if TYPE_CHECKING:
    from treewright.evaluation.errors.evaluation import Evaluation


@click.command(
    "evaluate",
    cls=SwitchCommand,
    epilog=examples(
        "treewright evaluate tennis --leave-one-out",
        "treewright evaluate iris.csv --target class --algorithm c45 --repeats 3",
        "treewright evaluate visits.csv --target ill --group patient --folds 5",
        "treewright evaluate iris.csv --target class --algorithm forest --format json",
        "treewright evaluate iris.csv --target class --algorithm c45 --noise 0.1",
    ),
)
@click.argument("data")
@role_options
@algorithm_option()
@dividing_options
@growing_options
@noise_options
@click.option(
    "--curves",
    is_flag=True,
    help="Learn again and again: error against training rows, and against leaves.",
)
@click.option(
    "--plot",
    metavar="FILE.svg",
    help="Draw ROC, calibration and curves (.svg, or .png with matplotlib).",
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
    data: str,
    wishes: Wishes,
    how: ReadOptions,
    algorithm: str | None,
    dividing: Dividing,
    noise: Noise | None,
    settings: dict[str, Any],
    drop_missing_target: bool,
    jobs: int | None,
    curves: bool,
    plot: str | None,
    form: str,
    output: str | None,
) -> None:
    """Say how good an algorithm is on rows of DATA that it has not seen.

    The rows are divided into folds, and each fold is answered by a tree of the others.
    All that is learned, intervals and pruning too, is learned without the rows that are
    asked about. DATA is as for 'treewright fit'.
    """
    dividing.check_options()
    recipe = Recipe(algorithm, settings)
    for file in (output, plot):
        check_can_write(file, *input_files(data))
    check_plot(plot)
    dividing.check(columns_in(data, how))
    wishes = dividing.wishes(wishes)
    training = read_training(
        data, wishes, how, recipe, drop_missing_target=drop_missing_target
    )
    learner = learning_from(training, seed=dividing.seed)
    drawn = curves or plot is not None
    found = evaluated(training, learner, dividing, curves=drawn, jobs=jobs, noise=noise)
    if plot is not None:
        write_plot(found, plot)
    if form == "json":
        write_output(output, json.dumps(found.to_dict(), indent=2) + "\n")
    else:
        again = Again(data, wishes, how, algorithm, settings, drop_missing_target)
        lines = _lines(training, learner, found, again, Console.of_stdout())
        if output is None:
            say(lines)
        else:
            write_output(output, "\n".join(lines) + "\n")
    say_written(output, plot, form)


def say_written(output: str | None, plot: str | None, form: str) -> None:
    """Name the files that were written, unless stdout is for data."""
    written = [f"wrote {file}" for file in (output, plot) if file is not None]
    if written and (output is not None or form == "text"):
        say(written)


def evaluated(
    training: Training,
    learner: Learning,
    dividing: Dividing,
    *,
    curves: bool,
    jobs: int | None,
    noise: Noise | None = None,
) -> Evaluation:
    """Learn and ask for every split, with a sign of life."""
    # scikit-learn's splitters are slow to load, so not before somebody wants them
    from treewright.estimators.judged.evaluating import (  # noqa: PLC0415
        Asked,
        evaluation_of,
    )
    from treewright.estimators.judged.splitting import divide  # noqa: PLC0415
    from treewright.evaluation.errors.held_out_answers import asking  # noqa: PLC0415

    columns = training.columns
    divided = divide(columns, dividing.division(training.table, columns))
    if noise is not None:
        learner = with_noise_in(learner, noise)
        divided = replace(divided, words=f"{divided.words}; {noise.words()}")

    def prepare(part: Columns) -> Columns:
        return training.divided(part if noise is None else noise.into(part))

    n_threads = min(thread_count(jobs), len(divided.splits))
    learn = learner.with_threads(jobs if n_threads == 1 else 1)
    asked = Asked(asking(columns, learn), prepare, learner.grow)
    with busy("evaluating") as sign:

        def tell(done: float, of: int) -> None:
            if curves and done == of:
                sign("learning again, for the curves")
            else:
                sign.bar("evaluating", done, of, "splits")

        return evaluation_of(
            learner.name,
            columns,
            divided,
            asked,
            curves=curves,
            seed=dividing.seed,
            n_threads=n_threads,
            tell=tell,
        )


def check_folds(training: Training, folds: int | None) -> None:
    """Refuse folds that cannot be made, before anything is grown."""
    if folds is None:
        return
    from treewright.estimators.judged.splitting import divide  # noqa: PLC0415

    columns = training.columns
    divide(columns, Dividing(folds=folds).division(training.table, columns))


def say_cross_validated(
    training: Training,
    *,
    folds: int,
    jobs: int | None,
) -> None:
    """Print the error of k-fold cross-validation, for who has fitted a model."""
    from treewright.evaluation.errors.evaluation_text import error_lines  # noqa: PLC0415

    dividing = Dividing(folds=folds)
    learner = learning_from(training, seed=dividing.seed)
    found = evaluated(training, learner, dividing, curves=False, jobs=jobs)
    console = Console.of_stdout()
    notes = [line for note in found.notes for line in console.wrap(f"note: {note}")]
    lines = [console.cut(line) for line in error_lines(found)]
    say(["", f"{found.how} ({program()} evaluate says more)", *lines, *notes])


def check_plot(path: str | None) -> None:
    """Refuse a picture of a kind that cannot be made, before anything is learned."""
    if path is None:
        return
    if path.lower().endswith(".png"):
        need_matplotlib()
    elif not path.lower().endswith(".svg"):
        raise SettingError(
            f"--plot {path!r} is neither .svg nor .png; choose one of these endings"
        )


def write_plot(found: Evaluation, path: str) -> None:
    """Write the curves into a file, all or nothing."""
    if path.lower().endswith(".svg"):
        write_output(path, found.to_svg())
        return
    from matplotlib import pyplot as plt  # noqa: PLC0415 - an extra

    axes = found.plot()
    figure = getattr(axes, "flat", [axes])[0].figure
    with io.BytesIO() as buffer:
        figure.savefig(buffer, format="png", dpi=150)
        write_output(path, buffer.getvalue())
    plt.close(figure)


def _lines(
    training: Training,
    learner: Learning,
    found: Evaluation,
    again: Again,
    console: Console,
) -> Iterator[str]:
    """Yield the whole report."""
    yield from head_lines(training, console)
    settings = "".join(f", {name}={value}" for name, value in again.settings.items())
    because = f", because {learner.why} (--algorithm to choose)" if learner.why else ""
    yield from console.wrap(f"algorithm {learner.name}{settings}{because}", indent=2)
    yield found.to_text(width=console.width, ascii=console.ascii)
    yield ""
    yield from check_lines(training, again.data, again.wishes, again.how)
    model = shlex.quote(training.name.split(".", maxsplit=1)[0] + ".tw")
    yield from console.wrap_command("next: ", f"{again.words()} -o {model}")


def head_lines(training: Training, console: Console) -> Iterator[str]:
    """Yield what the table is."""
    columns = training.columns
    target = columns.schema.target
    what = "a number"
    if target.kind == "classes":
        what = f"{len(target.classes[0]):,} classes"
    rows, features = columns.n_rows, len(columns.features)
    yield from console.wrap(
        f"{training.name}: {counted(rows, 'row')}, {counted(features, 'feature')}, "
        f"target {target.names[0]} ({what})",
        indent=2,
    )
