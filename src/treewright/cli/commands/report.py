"""`treewright report`: one page about a table and a model of it, to be sent on."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright import __version__
from treewright.checks.check import check_columns
from treewright.cli.commands.evaluate import evaluated
from treewright.cli.console import Console, check_can_write, file_size, say
from treewright.cli.fitting.fit_many import measured_forest
from treewright.cli.fitting.fit_report import check_words
from treewright.cli.options.algorithm import switch_command
from treewright.cli.options.dividing import Dividing, dividing_options
from treewright.cli.options.learning import Learning, learning_from
from treewright.cli.options.training import (
    Again,
    Training,
    again_options,
    growing_options,
    learner_options,
    read_training,
)
from treewright.cli.program import program
from treewright.cli.wording import on_the_command_line
from treewright.data.columns import Columns
from treewright.data.complaints import quoted
from treewright.learners.registry import BAGS, ONE_TREE
from treewright.render.fitting.safe_text import visible
from treewright.render.sign_of_life import busy
from treewright.rules.rule_model import RuleModel
from treewright.tree.model import Model

if TYPE_CHECKING:
    from treewright.reports.model_report import ModelReport
    from treewright.reports.subject import Making


@switch_command(
    "report",
    "treewright report tennis",
    "treewright report loans.csv --target default -o loans.html",
    "treewright report cars.csv --target price --algorithm forest -o cars.md",
    "treewright report visits.csv --target ill --group patient --folds 5",
)
@click.argument("data")
@learner_options()
@dividing_options
@growing_options
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="The page: .html, one file; .md, Markdown with pictures beside it.  "
    "[default: DATA-report.html]",
)
@click.option("--open", "shown", is_flag=True, help="Open the page in a browser.")
@again_options
def command(again: Again, dividing: Dividing, output: str | None, shown: bool) -> None:
    """Write a page about DATA and what can be learned from it.

    It has the data, the tree, its rules, its error on rows that it has not seen beside
    that of no model, what counts, what is confused, whether more rows would help, and
    what to watch out for: one file that opens from disk, without a network. DATA is as
    for 'treewright fit'; the error is found as by 'treewright evaluate', and of more
    than 100 000 rows on 30 % of them unless you say how.
    """
    from treewright.reports.model_report import report_form  # noqa: PLC0415 - loads much

    name = os.path.basename(again.data.rstrip("/"))
    page = output or f"{name.split('.', maxsplit=1)[0]}-report.html"
    report_form(page)
    recipe = again.recipe()
    check_can_write(page, *again.inputs)
    dividing.check(again.columns)
    training = read_training(dividing.leaving_out(again), recipe)
    report = report_of(training, dividing, again, page)
    with busy("writing"):
        files = report.save(page)
    say(_last_lines(report, files, _following(report, training, again, dividing)))
    if shown:
        click.launch(Path(page).resolve().as_uri())


def report_of(
    training: Training, dividing: Dividing, again: Again, page: str
) -> ModelReport:
    """Check the table, learn from it, measure, and put all that together."""
    from treewright.reports.model_report import ModelReport  # noqa: PLC0415
    from treewright.reports.subject import ReportSubject, rules_of  # noqa: PLC0415

    divided = training.divided()
    learner = learning_from(training, seed=dividing.seed)
    with busy("checking the table"):
        findings = check_columns(divided)
    measured = _usual(dividing, training.columns.n_rows)
    found = evaluated(training, learner, measured, curves=True)
    model = _model(training, divided, learner)
    with busy("choosing rules") as sign:
        rules = rules_of(
            model,
            divided,
            lambda done, of: sign.bar("choosing rules", done, of, "rules"),
        )
    making = _making(training, learner, dividing, again, page)
    known = training.kept(training.columns)
    return ModelReport(
        ReportSubject(training.name, known, model, found, findings, rules, making)
    )


def _usual(dividing: Dividing, n_rows: int) -> Dividing:
    """Return how rows are divided: as typed, else as usual for so many."""
    from treewright.reports.subject import usual_division  # noqa: PLC0415

    if replace(dividing, seed=0) != Dividing():
        return dividing
    return replace(dividing, **usual_division(n_rows))


def _model(
    training: Training, columns: Columns, learner: Learning
) -> Model | RuleModel:
    """Learn from all rows; of a forest measure what its out-of-bag rows say, too."""
    if not learner.plan.learner.can(BAGS):
        with busy("learning from all rows"):
            return learner.learn(training.columns, None)
    with busy("growing the trees") as sign:
        found = measured_forest(learner.plan, columns, sign, "growing")
    fitted, measures = found
    model: Model = replace(fitted.model, measures=measures)
    return model


def _making(
    training: Training, learner: Learning, dividing: Dividing, again: Again, page: str
) -> Making:
    """Return how the report is made, with commands to type."""
    from treewright.reports.subject import Making  # noqa: PLC0415

    own_words = shlex.join([*dividing.words(), "-o", page])
    roles = training.roles
    names = training.columns.schema.names
    used = {*roles.targets, roles.weights, *roles.texts, *names}
    left_out = [one.name for one in training.table.report if one.name not in used]
    alike, model = training.again, training.model_file
    if learner.plan.learner.can(BAGS):  # the same forest, and not another draw
        settings = {"random_state": dividing.seed, **again.settings}
        alike = replace(alike, settings=settings)
    which = "" if learner.plan.learner.can(ONE_TREE) else " --tree 1"
    # rules that are asked in order are listed in that order
    sort = " --sort cover" if learner.plan.learner.can(ONE_TREE) else ""
    show = f"{program()} show {model}{which} -o tree.svg --max-nodes 1000"
    return Making(
        algorithm=learner.name,
        why=learner.why,
        settings=again.settings,
        seed=dividing.seed,
        version=__version__,
        command=_plain(f"{again.words('report')} {own_words}"),
        rules=_plain(alike.words("rules") + sort),
        tree=_plain(f"{alike.words('fit')} -o {model}\n{show}"),
        findings=_plain(check_words(training)),
        smaller=lambda n_leaves: _plain(_smaller(again, dividing, n_leaves)),
        as_classes=f"--nominal {shlex.quote(roles.targets[0])}",
        left_out=tuple(left_out),
        weights=roles.weights,
        wording=on_the_command_line,
    )


def _smaller(again: Again, dividing: Dividing, n_leaves: int) -> str:
    """Return the command for a report on a tree of so many leaves."""
    words = again.words("report", max_leaf_nodes=n_leaves)
    return " ".join([words, *map(shlex.quote, dividing.words())])


def _plain(command: str) -> str:
    """Return a command with nothing in it that does not print; lines are kept."""
    lines = [visible(line) for line in command.split("\n")]
    # as one types it, wherever it was started from
    return "\n".join(line.replace(program(), "treewright", 1) for line in lines)


def _last_lines(report: ModelReport, files: list[str], following: str) -> Iterator[str]:
    """Yield the honest figure, what was written, and what to do next."""
    from treewright.reports.figure_words import error_words  # noqa: PLC0415

    console = Console.of_stdout()
    yield from console.wrap(error_words(report.subject.evaluation))
    page, *pictures = files
    beside = ""
    if pictures:
        beside = f", and {len(pictures)} pictures beside it ({pictures[0]}, ...)"
    yield from console.wrap(f"wrote {page} ({file_size(page)}){beside}", indent=2)
    personal = _naming_rows(report)
    if personal:
        yield from console.wrap(
            f"note: the page shows values of {quoted(personal)}, which name rows or "
            "are texts; leave such columns out before you send it on (--ignore)",
            indent=2,
        )
    yield from console.wrap_command("next: ", following)


def _naming_rows(report: ModelReport) -> list[str]:
    """The columns whose values are of single rows, as customers' numbers."""
    found = report.subject.findings
    names = [one.columns for one in found if one.kind in ("identifier", "text")]
    return [name for columns in names for name in columns]


def _following(
    report: ModelReport, training: Training, again: Again, dividing: Dividing
) -> str:
    """Return the next useful command."""
    n_leaves = report.subject.better_size
    if n_leaves is not None and not _naming_rows(report):
        return f"{_smaller(again, dividing, n_leaves)}   # a smaller tree"
    if len(report.subject.findings):
        return check_words(training)
    return f"{training.again.words('fit')} -o {training.model_file}"
