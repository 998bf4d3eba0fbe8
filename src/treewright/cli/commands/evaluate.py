"""`treewright evaluate`: how good an algorithm is on rows that it has not seen."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.console import Console, check_can_write, say, write_output
from treewright.cli.fitting.fit_report import check_lines
from treewright.cli.options.algorithm import chosen_words, switch_command
from treewright.cli.options.common import form_option, output_option
from treewright.cli.options.dividing import Dividing, dividing_options
from treewright.cli.options.learning import Learning, learning_from
from treewright.cli.options.noise_options import noise_options, with_noise_in
from treewright.cli.options.training import (
    Again,
    Training,
    again_options,
    growing_options,
    learner_options,
    read_training,
)
from treewright.cli.program import program
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.machine import thread_count
from treewright.errors import SettingError
from treewright.evaluation.noisy import Noise
from treewright.render.picture.matplotlib_axes import need_matplotlib
from treewright.render.sign_of_life import busy

if TYPE_CHECKING:
    from treewright.evaluation.division import Divided
    from treewright.evaluation.errors.evaluation import Evaluation


@switch_command(
    "evaluate",
    "treewright evaluate tennis --leave-one-out",
    "treewright evaluate iris.csv --target class --algorithm c45 --repeats 3",
    "treewright evaluate visits.csv --target ill --group patient --folds 5",
    "treewright evaluate iris.csv --target class --algorithm forest --format json",
    "treewright evaluate iris.csv --target class --algorithm c45 --noise 0.1",
)
@click.argument("data")
@learner_options()
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
@form_option()
@output_option
@again_options
def command(
    again: Again,
    dividing: Dividing,
    noise: Noise | None,
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
    recipe = again.recipe()
    for file in (output, plot):
        check_can_write(file, *again.inputs)
    check_plot(plot)
    dividing.check(again.columns)
    training = read_training(dividing.leaving_out(again), recipe)
    learner = learning_from(training, seed=dividing.seed)
    drawn = curves or plot is not None
    found = evaluated(training, learner, dividing, curves=drawn, noise=noise)
    if plot is not None:
        write_plot(found, plot)
    put_out(found, _lines(training, learner, found), form, output, plot)


def put_out(
    found: Any, lines: Iterable[str], form: str, output: str | None, plot: str | None
) -> None:
    """Print or write what was found; name the files, unless stdout is for data."""
    if form == "json":
        write_output(output, json.dumps(found.to_dict(), indent=2) + "\n")
    elif output is None:
        say(lines)
    else:
        write_output(output, "\n".join(lines) + "\n")
    written = [f"wrote {file}" for file in (output, plot) if file is not None]
    if written and (output is not None or form == "text"):
        say(written)


def divided_rows(
    training: Training, dividing: Dividing, noise: Noise | None = None
) -> Divided:
    """Divide the rows of a table; refuse folds that cannot be made."""
    # scikit-learn's splitters are slow to load, so not before somebody wants them
    from treewright.estimators.judged.splitting import divide  # noqa: PLC0415

    divided = divide(training.columns, dividing.division(training))
    if noise is None:
        return divided
    return replace(divided, words=f"{divided.words}; {noise.words()}")


def evaluated(
    training: Training,
    learner: Learning,
    dividing: Dividing,
    *,
    curves: bool,
    noise: Noise | None = None,
) -> Evaluation:
    """Learn and ask for every split, with a sign of life."""
    from treewright.estimators.judged.evaluating import (  # noqa: PLC0415
        Examinee,
        evaluation_of,
    )
    from treewright.evaluation.errors.held_out_answers import asking  # noqa: PLC0415

    columns = training.columns
    divided = divided_rows(training, dividing, noise)
    learner = with_noise_in(learner, noise)

    def prepare(part: Columns) -> Columns:
        return training.divided(part if noise is None else noise.into(part))

    n_threads = min(thread_count(None), len(divided.splits))
    learn = learner.with_threads(None if n_threads == 1 else 1)
    asked = Examinee(asking(columns, learn), prepare, learner.grow)
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


def say_cross_validated(training: Training, *, folds: int) -> None:
    """Print the error of k-fold cross-validation, for who has fitted a model."""
    from treewright.evaluation.errors.evaluation_text import error_lines  # noqa: PLC0415

    dividing = Dividing(folds=folds)
    learner = learning_from(training, seed=dividing.seed)
    found = evaluated(training, learner, dividing, curves=False)
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


def _lines(training: Training, learner: Learning, found: Evaluation) -> Iterator[str]:
    """Yield the whole report."""
    console, again = Console.of_stdout(), training.again
    yield from head_lines(training, console)
    chosen = chosen_words(learner.name, again.settings, learner.why)
    yield from console.wrap(chosen, indent=2)
    yield found.to_text(width=console.width, ascii=console.ascii)
    yield ""
    yield from check_lines(training)
    yield from console.wrap_command(
        "next: ", f"{again.words()} -o {training.model_file}"
    )


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
