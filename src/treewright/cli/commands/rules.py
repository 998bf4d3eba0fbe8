"""`treewright rules`: a tree, or what a forest does, as rules that people can read."""

from __future__ import annotations

import os
import shlex
from dataclasses import fields
from typing import Any

import click

from treewright.cli.commands.rule_sources import (
    MAX_RULES,
    Saved,
    grown_listing,
    with_seed,
)
from treewright.cli.commands.workbench import Asked, bench_options, show_bench
from treewright.cli.console import Console, check_can_write, put_out, say
from treewright.cli.model_file import load_any
from treewright.cli.options.algorithm import switch_command
from treewright.cli.options.common import count_option, output_option, width_option
from treewright.cli.options.cost_file import costs_option, read_cost_file
from treewright.cli.options.reading import input_files
from treewright.cli.options.training import (
    Again,
    again_options,
    growing_options,
    learner_options,
)
from treewright.cli.program import program
from treewright.errors import SettingError
from treewright.learners.registry import LEARNERS, ONE_TREE, RULES, SHOWS_WORK, VOTES
from treewright.render.rules.rule_listing import SORTS, RuleListing
from treewright.rules.rule_model import RuleModel
from treewright.tree.compact_model import is_compact

FORMATS = ("text", "markdown", "json", "csv")
_SUFFIXES = {".txt": "text", ".md": "markdown", ".json": "json", ".csv": "csv"}
_MANY = 40  # rules are more than anyone reads


@switch_command(
    "rules",
    "treewright rules tennis",
    "treewright rules tennis --formula",
    "treewright rules iris.tw --sort confidence --class Iris-setosa",
    "treewright rules loans.csv --target default --algorithm c45 -o rules.csv",
    "treewright rules forest.tw loans.csv --max-rules 8",
    "treewright rules loans.tw loans.csv --conflicts --worth",
    "treewright rules loans.tw loans.csv --drop 3 -o shorter.tw",
)
@click.argument("data", metavar="MODEL.tw|DATA")
@click.argument("rows", required=False, metavar="[ROWS]")
@learner_options(SHOWS_WORK)
@costs_option
@growing_options
@click.option(
    "--sort",
    type=click.Choice(SORTS),
    default="tree",
    help="As the leaves stand; most rows covered, confidence or lift first, or by "
    "class; of numbers the largest mean or the smallest spread first.",
)
@click.option("--class", "label", metavar="CLASS", help="Only the rules of this class.")
@click.option(
    "--min-cover",
    metavar="N",
    type=click.FloatRange(0),
    default=0.0,
    help="Only rules that cover at least N rows.",
)
@click.option(
    "--formula",
    is_flag=True,
    help="For each class the rules in one line: (A=b and C=d) or (A=e).",
)
@count_option(
    "--max-rules", "N", 1, f"Of a forest: most rules.  [default: {MAX_RULES}]"
)
@click.option("--tree", metavar="K", type=int, help="Of a forest, this tree.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="As the name after -o ends (.txt, .md, .json, .csv), else text.",
)
@width_option
@output_option
@bench_options
@again_options
def command(
    again: Again,
    rows: str | None,
    costs: str | None,
    max_rules: int | None,
    tree: int | None,
    output: str | None,
    asked: Asked,
    **shown: Any,
) -> None:
    """Show a tree as rules, one for each leaf, with what they are worth.

    Of a model the figures are those of its training rows; of ROWS, a table with the
    target, if it is given. The rules of a forest are the few that agree best with its
    answers on ROWS. Of DATA a tree, or with --algorithm forest a forest, is grown
    first, as by 'treewright fit'; --algorithm c45rules makes a rule set.

    The rules of a tree answer as it does, but for rows with missing values and values
    not seen in training: these meet no condition, also not 'A != b'.

    Workbench options look at the rules of a model on ROWS, or edit them: --drop,
    --merge and --order say what an edit costs in errors and bits.
    """
    saved = Saved(again.data, rows, again.how, max_rules, tree)
    form = ""
    if not asked.options:
        form = _form(shown.pop("form"), output, formula=shown["formula"])
    check_can_write(output, saved.path, *([] if rows is None else input_files(rows)))
    if asked.options:
        _refuse_growing_options(again, costs)
        show_bench(asked, saved, output, shown)
        return
    if saved.is_named:
        _refuse_growing_options(again, costs)
        listing, following = _saved(saved)
        typed = saved.words("rules")
    else:
        _refuse_model_options(saved, again.algorithm)
        again = with_seed(again) if _votes(again.algorithm) else again
        listing = grown_listing(again, read_cost_file(costs), max_rules)
        following, typed = _saving(again), again.words("rules")
    is_whole = shown["sort"] == "tree" and not shown["min_cover"]
    if len(listing) > _MANY and is_whole and max_rules is None:
        which = "" if tree is None else f" --tree {tree}"
        following = f"{typed}{which} --sort cover --min-cover 10"
    listing = listing.sorted(shown["sort"])
    if shown["label"] is not None:
        listing = listing.of_class(shown["label"])
    listing = listing.covering(shown["min_cover"])
    _write(listing, form, output, shown, following)


def _saved(saved: Saved) -> tuple[RuleListing, str]:
    """The rules of a saved model, and what to do next."""
    model = load_any(saved.path)
    listing = saved.listing(model)
    following = f"{program()} predict {shlex.quote(saved.path)} DATA"
    if isinstance(model, RuleModel):
        return listing, following
    if len(model.trees) == 1 and not is_compact(model):
        following = f"{program()} explore {shlex.quote(saved.path)}"
    elif len(model.trees) > 1 and saved.tree is None and saved.max_rules is None:
        following = f"{saved.words('distil')} -o tree.tw"
        if len(listing) >= MAX_RULES:
            following = f"{saved.words('rules')} --max-rules {2 * MAX_RULES}"
    return listing, following


def _saving(again: Again) -> str:
    """The command that keeps the model of these rules."""
    learner = LEARNERS[again.algorithm or "cart"]
    files = {VOTES: "forest.tw", RULES: "rules.tw", ONE_TREE: "tree.tw"}
    (file,) = (name for word, name in files.items() if learner.can(word))
    return f"{again.words('fit')} -o {file}"


def _votes(algorithm: str | None) -> bool:
    return algorithm is not None and LEARNERS[algorithm].can(VOTES)


def _write(
    listing: RuleListing,
    form: str,
    output: str | None,
    shown: dict[str, Any],
    following: str,
) -> None:
    """Print the rules and what to do next, or write them to a file."""
    console = Console.of(output)
    if form == "csv":
        text = listing.to_frame().write_csv()
    elif form == "text":
        text = listing.to_text(
            width=shown["width"] or console.width,
            ascii=console.ascii,
            formula=shown["formula"],
        )
        if output is None:
            say([text, "", *console.wrap_command("next: ", following)])
            return
        text += "\n"
    else:
        text = getattr(listing, f"to_{form}")().rstrip() + "\n"
    put_out(output, text)


def _form(form: str | None, output: str | None, *, formula: bool) -> str:
    """The format, as asked for or as a file's name says."""
    suffix = os.path.splitext(output or "")[1].lower()
    if suffix and suffix not in _SUFFIXES and output != os.devnull:
        raise SettingError(
            f"-o {output}: the ending {suffix} is not known; use one of "
            f"{', '.join(_SUFFIXES)}"
        )
    by_name = _SUFFIXES.get(suffix)
    if form and by_name and form != by_name:
        raise SettingError(
            f"--format {form} and -o {output}, which is {by_name}, contradict each "
            "other; leave --format out, or change the name"
        )
    form = form or by_name or "text"
    if formula and form != "text":
        raise SettingError(f"--formula is text; leave it out with --format {form}")
    return form


def _refuse_growing_options(again: Again, costs: str | None) -> None:
    """Refuse what says how to grow a tree, if there is one already."""
    wishes = again.wishes
    options = {one.name: getattr(wishes, one.name) for one in fields(wishes)}
    options["algorithm"] = again.algorithm
    options |= {"set": again.settings, "costs": costs is not None}
    given = [name for name, value in options.items() if value]
    if given:
        option = given[0].replace("_", "-")
        raise SettingError(
            f"--{option} is for growing a tree from DATA, and the model is grown "
            "already; leave it out"
        )


def _refuse_model_options(saved: Saved, algorithm: str | None) -> None:
    """Refuse what only a saved model, or a forest, has a use for."""
    if saved.rows is not None:
        raise SettingError(
            f"{saved.path} is a table: its rules are counted on its own rows; leave "
            f"out {saved.rows!r}, or save a model first (treewright fit ... -o "
            "MODEL.tw)"
        )
    if saved.tree is not None:
        raise SettingError("--tree is for a saved forest; leave it out")
    if saved.max_rules is not None and not _votes(algorithm):
        raise SettingError(
            "--max-rules is for --algorithm forest; of one tree use --min-cover"
        )
