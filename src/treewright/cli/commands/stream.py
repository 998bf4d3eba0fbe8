"""`treewright stream`: a tree that learns from rows as they come."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from typing import Any

import click

from treewright.cli.console import Console, check_can_write, file_size, remark, say
from treewright.cli.options.algorithm import set_option
from treewright.cli.options.common import (
    count_option,
    drop_option,
    gathered,
    ignore_option,
    nominal_option,
    numeric_option,
    weights_option,
)
from treewright.cli.options.reading import input_files, reading_options, reading_words
from treewright.cli.options.roles import Wishes
from treewright.cli.program import example_command, program
from treewright.cli.streaming.stream_input import Input, InputPlan
from treewright.cli.streaming.stream_run import (
    Ending,
    Keeping,
    RunFigures,
    StreamState,
    learn_stream,
)
from treewright.data.complaints import counted
from treewright.data.readers.read_options import ReadOptions
from treewright.errors import FileReadError, SettingError
from treewright.evaluation.errors.prequential import Prequential
from treewright.learners.streams.hoeffding import (
    HOEFFDING,
    HOEFFDING_NUMBERS,
    HoeffdingSettings,
)
from treewright.learners.streams.hoeffding_learner import HoeffdingLearner
from treewright.learners.streams.hoeffding_model import model_of
from treewright.tree.file.save import save


def _wishes(
    target: str | None,
    nominal: tuple[str, ...],
    numeric: tuple[str, ...],
    ignore: tuple[str, ...],
    weights: str | None,
) -> Wishes:
    wanted = () if target is None else (target,)
    return Wishes(wanted, nominal, numeric, ignore=ignore, weights=weights)


@example_command(
    "stream",
    "treewright stream big.csv.gz --target income -o income.tw",
    "treewright stream big.csv --target y --checkpoint y.tw --every 100000",
    "treewright stream big.csv --target y --checkpoint y.tw --resume",
    "sensor | treewright stream - --target state --set grace_period=500",
    more=f"\n\nSwitches for --set: {', '.join(HoeffdingSettings.rows())}.",
)
@click.argument("data")
@click.option("--target", metavar="COL", help="The column to predict.")
@nominal_option
@numeric_option
@ignore_option
@weights_option
@set_option("grace_period=500; see below.")
@click.option(
    "--window",
    type=click.IntRange(1, 1_000_000),
    metavar="ROWS",
    help="How many rows are the last ones.  [default: 1000]",
)
@drop_option
@click.option(
    "--checkpoint",
    metavar="FILE",
    help="Keep the tree in this file, so that learning can go on.",
)
@count_option(
    "--every", "ROWS", 1, "Write the checkpoint after so many rows.  [default: 100000]"
)
@click.option("--resume", is_flag=True, help="Go on from the checkpoint.")
@click.option(
    "-o", "--output", metavar="MODEL.tw", help="Save the tree at the end as a model."
)
@gathered("keeping", Keeping)
@gathered("wishes", _wishes)
@reading_options
def command(  # noqa: PLR0913, PLR0917 - an argument for each option
    data: str,
    how: ReadOptions,
    wishes: Wishes,
    keeping: Keeping,
    settings: dict[str, Any],
    window: int | None,
    drop_missing_target: bool,
    resume: bool,
    output: str | None,
) -> None:
    """Learn a Hoeffding tree from the rows of DATA, each looked at once.

    DATA is a file as for 'treewright fit', or - for standard input, which may have no
    end. Each row is answered before it is learned: the share of wrong answers so far,
    and of the last rows, is printed beside that of the most common class. Ctrl-C ends
    it cleanly, with a last checkpoint.
    """
    given = {
        "--nominal": wishes.nominal,
        "--numeric": wishes.numeric,
        "--ignore": wishes.ignore,
        "--weights": (wishes.weights,) if wishes.weights else (),
        "--set": tuple(f"{name}={value}" for name, value in settings.items()),
        "--window": (str(window),) if window else (),
    }
    typed = [(option, text) for option, texts in given.items() for text in texts]
    _check_options(data, keeping, output, typed, resume=resume)
    source = Input(data, how)
    ending = Ending()
    with ending.heard():
        state = _resumed(keeping, wishes.target, source) if resume else None
        if state is None:
            made = _dialects(settings)
            plan = ending.until(lambda: source.start(wishes))
            if plan is None:
                raise KeyboardInterrupt
            state = _fresh(plan, made, window or 1000, drop=drop_missing_target)
        state.learner.drop_missing_target |= drop_missing_target
        console = Console.of_stdout()
        figures = RunFigures(state.preq)
        say([*_head(state, source, console), *figures.head(console)])
        learn_stream(source, state, figures, keeping, ending)
        figures.clear()
        if output is not None and state.learner.n_rows:
            save(model_of(state.learner), output)
        words = [word for pair in typed for word in pair]
        words += ["--drop-missing-target"] if drop_missing_target else []
        again = _again(source, state, how, keeping, words)
        say(_end(state, figures, keeping, output, ending, again))
    if ending.code:
        raise click.exceptions.Exit(ending.code)


def _check_options(
    data: str,
    keeping: Keeping,
    output: str | None,
    typed: list[tuple[str, str]],
    *,
    resume: bool,
) -> None:
    """Refuse options that do not go together, before anything is read."""
    inputs = [] if data == "-" else input_files(data)
    check_can_write(output, *inputs)
    check_can_write(keeping.checkpoint, *inputs, option="--checkpoint")
    same = output is not None and keeping.checkpoint is not None
    if same and os.path.realpath(str(output)) == os.path.realpath(
        str(keeping.checkpoint)
    ):
        raise SettingError(
            "-o and --checkpoint name the same file; choose another name"
        )
    if keeping.checkpoint is None:
        for is_given, name in ((resume, "--resume"), (keeping.every, "--every")):
            if is_given:
                raise SettingError(f"{name} needs the file of --checkpoint FILE")
        return
    if not resume:
        if os.path.exists(keeping.checkpoint):
            raise FileReadError(
                f"there is a file {keeping.checkpoint!r} already; add --resume to go "
                "on from it, or choose another name for --checkpoint"
            )
        return
    if typed and os.path.exists(keeping.checkpoint):
        raise SettingError(
            f"{typed[0][0]} is as in the checkpoint; drop it, or start anew in another "
            "file"
        )


def _dialects(settings: dict[str, Any]) -> dict[str, HoeffdingSettings]:
    """Return the switches for classes and for numbers, as far as they can be."""
    made, errors = {}, []
    for task, usual in (("classes", HOEFFDING), ("numbers", HOEFFDING_NUMBERS)):
        try:
            dialect = usual.change(**settings)
            if dialect.task == task:
                made[task] = dialect
        except SettingError as error:
            errors.append(error)
    if not made:
        raise errors[0]
    return made


def _fresh(
    plan: InputPlan, made: dict[str, HoeffdingSettings], window: int, *, drop: bool
) -> StreamState:
    if plan.task not in made:
        raise SettingError(
            f"--set criterion is not for {plan.task}, and the target {plan.target!r} "
            f"holds {plan.task}; drop it"
        )
    learner = HoeffdingLearner(made[plan.task], drop_missing_target=drop)
    return StreamState(plan, learner, Prequential(plan.task, window))


def _resumed(
    keeping: Keeping, wanted: tuple[str, ...], source: Input
) -> StreamState | None:
    """Return what the checkpoint holds; None if there is none yet."""
    assert keeping.checkpoint is not None
    if not os.path.exists(keeping.checkpoint):
        remark(
            f"there is no checkpoint {keeping.checkpoint!r} yet: from the first row on"
        )
        return None
    state = StreamState.load(keeping.checkpoint)
    state.refuse_other_target(wanted)
    if not source.has_end:
        remark(
            f"going on after {counted(state.n_read, 'row')}: {source.path} is taken to "
            "have a header and the rows after these"
        )
        state.n_skipped = 0
    else:
        state.n_skipped = state.n_read
    return state


def _head(state: StreamState, source: Input, console: Console) -> Iterator[str]:
    """Yield what is learned."""
    plan = state.plan
    start = f" from row {state.n_read + 1:,} on" if state.n_read else ""
    yield from console.wrap(
        f"{source.path}{start}: {plan.target} ({plan.task}) from "
        f"{counted(len(plan.features), 'column')}",
        indent=2,
    )
    for report in plan.reports:
        if report.name in plan.features and (
            "not numeric because" in report.remark or "dates" in report.remark
        ):
            yield from console.wrap(f"note: {report.name}: {report.remark}", indent=2)
    yield ""


def _end(
    state: StreamState,
    figures: RunFigures,
    keeping: Keeping,
    output: str | None,
    ending: Ending,
    again: str,
) -> Iterator[str]:
    """Yield how it ended, and what to do next."""
    console = Console.of_stdout()
    learner = state.learner
    yield ""
    what = "interrupted after" if ending.code else "learned"
    n_asleep = int(model_of(learner).trees[0].n_leaves) - learner.core.n_awake
    words = counted(n_asleep, "leaf").replace("leafs", "leaves")
    asleep = f", {words} asleep (max_bytes)" if n_asleep > 0 else ""
    yield from console.wrap(
        f"{what} {counted(learner.n_rows, 'row')}, {figures.rate()}{asleep}", indent=2
    )
    nexts = []
    if keeping.checkpoint is not None:
        yield f"checkpoint {keeping.checkpoint} ({file_size(keeping.checkpoint)})"
        nexts = [again] if ending.code else []
    if output is not None:
        yield f"saved {output} ({file_size(output)})"
        by_bayes = state.learner.dialect.leaf_prediction != "majority"
        if state.plan.task == "classes" and by_bayes:
            yield from console.wrap(
                "note: a saved tree answers by the majority of its leaves; the errors "
                "above are of naive Bayes at the leaves (--set "
                "leaf_prediction=majority measures what is saved)",
                indent=2,
            )
    model = output or keeping.checkpoint
    if model is not None:
        nexts.append(f"{program()} show {shlex.quote(model)}")
    for number, words in enumerate(nexts or [again]):
        yield from console.wrap_command("      " if number else "next: ", words)


def _again(
    source: Input,
    state: StreamState,
    how: ReadOptions,
    keeping: Keeping,
    typed: list[str],
) -> str:
    """Return the command that goes on, or keeps the tree."""
    words = [source.data, "--target", state.plan.target, *reading_words(how)]
    if keeping.checkpoint is None:
        words += [*typed, "-o", "MODEL.tw"]
    else:
        words += ["--checkpoint", keeping.checkpoint, "--resume"]
    return f"{program()} stream {shlex.join(words)}"
