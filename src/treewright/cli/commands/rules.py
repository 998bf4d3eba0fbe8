"""`treewright rules`: a tree, or what a forest does, as rules that people can read."""

from __future__ import annotations

import os
import shlex
from dataclasses import fields, replace
from typing import Any

import click

from treewright.cli.commands.rule_sources import (
    MAX_RULES,
    forest_listing,
    grown_forest_listing,
    made_listing,
    saved_listing,
    with_seed,
)
from treewright.cli.commands.workbench import Asked, bench_options, show_bench
from treewright.cli.console import (
    MIN_WIDTH,
    Console,
    check_can_write,
    file_size,
    remark,
    say,
    write_output,
)
from treewright.cli.examples import examples
from treewright.cli.options.algorithm import Recipe, SwitchCommand
from treewright.cli.options.cost_file import costs_option, read_cost_file
from treewright.cli.options.reading import input_files, reading_options, reading_words
from treewright.cli.options.roles import Wishes, role_options
from treewright.cli.options.training import (
    Again,
    algorithm_option,
    growing_options,
)
from treewright.cli.program import program
from treewright.cli.saved.model_file import is_model, load_any
from treewright.cli.saved.model_rows import known_rows
from treewright.data.readers.read_options import ReadOptions
from treewright.errors import SettingError
from treewright.learners.registry import (
    LEARNERS,
    ONE_TREE,
    RULES,
    SHOWS_WORK,
    VOTES,
)
from treewright.render.rules.rule_listing import (
    SORTS,
    RuleListing,
    tree_rules,
)
from treewright.render.sign_of_life import busy
from treewright.rules.rule_model import RuleModel
from treewright.tree.compact_model import is_compact
from treewright.tree.model import Model
from treewright.tree.one_tree import one_tree

FORMATS = ("text", "markdown", "json", "csv")
_SUFFIXES = {".txt": "text", ".md": "markdown", ".json": "json", ".csv": "csv"}
_MANY = 40  # rules are more than anyone reads


@click.command(
    "rules",
    cls=SwitchCommand,
    epilog=examples(
        "treewright rules tennis",
        "treewright rules tennis --formula",
        "treewright rules iris.tw --sort confidence --class Iris-setosa",
        "treewright rules loans.csv --target default --algorithm c45 -o rules.csv",
        "treewright rules forest.tw loans.csv --max-rules 8",
        "treewright rules loans.tw loans.csv --conflicts --worth",
        "treewright rules loans.tw loans.csv --drop 3 -o shorter.tw",
    ),
)
@click.argument("source", metavar="MODEL.tw|DATA")
@click.argument("rows", required=False, metavar="[ROWS]")
@role_options
@algorithm_option(SHOWS_WORK)
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
@click.option(
    "--max-rules",
    metavar="N",
    type=click.IntRange(1),
    help=f"Of a forest: most rules.  [default: {MAX_RULES}]",
)
@click.option("--tree", metavar="K", type=int, help="Of a forest, this tree.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="As the name after -o ends (.txt, .md, .json, .csv), else text.",
)
@click.option(
    "--width",
    metavar="N",
    type=click.IntRange(min=MIN_WIDTH),
    help="Longest line of text; as wide as the terminal, else 80.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to this file.")
@bench_options
@reading_options
def command(  # noqa: PLR0913, PLR0917 - an argument for each option
    source: str,
    rows: str | None,
    wishes: Wishes,
    how: ReadOptions,
    algorithm: str | None,
    settings: dict[str, Any],
    drop_missing_target: bool,
    jobs: int | None,
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
    if asked.options:
        check_can_write(output, source, *([] if rows is None else input_files(rows)))
        _refuse_growing_options(wishes, algorithm, settings, costs)
        show_bench(
            asked,
            source,
            rows,
            how,
            max_rules=max_rules,
            tree=tree,
            output=output,
            shown=shown,
        )
        return
    form = _form(shown.pop("form"), output, formula=shown["formula"])
    check_can_write(output, source, *([] if rows is None else input_files(rows)))
    again = Again(source, wishes, how, algorithm, settings, drop_missing_target)
    if is_model(source) or source.endswith(".tw"):
        _refuse_growing_options(wishes, algorithm, settings, costs)
        listing, following = _saved(source, rows, how, max_rules, tree)
        words = [source, *([] if rows is None else [rows]), *reading_words(how)]
        typed = f"{program()} rules {shlex.join(words)}"
    else:
        _refuse_model_options(source, rows, algorithm, max_rules, tree)
        again = with_seed(again) if _votes(algorithm) else again
        listing = _of_data(again, costs, max_rules, jobs)
        following, typed = _saving(again), again.words("rules")
    is_whole = shown["sort"] == "tree" and not shown["min_cover"]
    if len(listing) > _MANY and is_whole and max_rules is None:
        which = "" if tree is None else f" --tree {tree}"
        following = f"{typed}{which} --sort cover --min-cover 10"
    _write(_chosen(listing, shown), form, output, shown, following)


def _saved(
    source: str,
    rows: str | None,
    how: ReadOptions,
    max_rules: int | None,
    tree: int | None,
) -> tuple[RuleListing, str]:
    """The rules of a saved model, and what to do next."""
    model, file = load_any(source), shlex.quote(source)
    following = f"{program()} predict {file} DATA"
    if isinstance(model, RuleModel):
        listing = saved_listing(
            model, source, rows, how, max_rules=max_rules, tree=tree
        )
        return listing, following
    listing = _of_model(model, source, rows, how, max_rules, tree)
    if len(model.trees) == 1 and not is_compact(model):
        following = f"{program()} explore {file}"
    elif len(model.trees) > 1 and tree is None and max_rules is None:
        words = shlex.join([source, str(rows), *reading_words(how)])
        following = f"{program()} distil {words} -o tree.tw"
        if len(listing) >= MAX_RULES:
            following = f"{program()} rules {words} --max-rules {2 * MAX_RULES}"
    return listing, following


def _of_model(
    model: Model,
    path: str,
    rows: str | None,
    how: ReadOptions,
    max_rules: int | None,
    tree: int | None,
) -> RuleListing:
    """The rules of a saved model."""
    if tree is not None:
        model = one_tree(model, tree)
    known = None if rows is None else known_rows(model, rows, how)
    if len(model.trees) > 1:
        return forest_listing(model, path, known, max_rules or MAX_RULES)
    if max_rules is not None:
        raise SettingError(
            f"--max-rules is for forests, and {path} has one tree; use --min-cover"
        )
    return tree_rules(model, known)


def _of_data(
    again: Again, costs: str | None, max_rules: int | None, jobs: int | None
) -> RuleListing:
    """The rules of a tree, or a forest, that is grown now."""
    cost_matrix = read_cost_file(costs)
    if _votes(again.algorithm):
        return grown_forest_listing(again, cost_matrix, max_rules or MAX_RULES, jobs)
    if LEARNERS[again.algorithm or "cart"].can(RULES):
        return made_listing(again, cost_matrix, jobs)
    recipe = Recipe(again.algorithm, again.settings)
    training = again.read(recipe, cost_matrix)
    columns = training.divided()
    plan, why = recipe.plan(columns)
    with busy("growing"):
        model = plan.fit(columns, n_jobs=jobs).model
    listing = tree_rules(model)
    if not why:
        return listing
    chosen = f"algorithm {plan.learner.name}, because {why} (--algorithm to choose)"
    return replace(listing, remarks=(*listing.remarks, chosen))


def _saving(again: Again) -> str:
    """The command that keeps the model of these rules."""
    learner = LEARNERS[again.algorithm or "cart"]
    files = {VOTES: "forest.tw", RULES: "rules.tw", ONE_TREE: "tree.tw"}
    (file,) = (name for word, name in files.items() if learner.can(word))
    return f"{again.words('fit')} -o {file}"


def _votes(algorithm: str | None) -> bool:
    return algorithm is not None and LEARNERS[algorithm].can(VOTES)


def _chosen(listing: RuleListing, shown: dict[str, Any]) -> RuleListing:
    """The rules that were asked for, in the order that was asked for."""
    listing = listing.sorted(shown["sort"])
    if shown["label"] is not None:
        listing = listing.of_class(shown["label"])
    return listing.covering(shown["min_cover"])


def _write(
    listing: RuleListing,
    form: str,
    output: str | None,
    shown: dict[str, Any],
    following: str,
) -> None:
    """Print the rules and what to do next, or write them to a file."""
    console = Console.of_stdout() if output is None else Console()
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
    write_output(output, text)
    if output is not None:
        remark(f"wrote {output} ({file_size(output)})")


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


def _refuse_growing_options(
    wishes: Wishes, algorithm: str | None, settings: dict[str, Any], costs: str | None
) -> None:
    """Refuse what says how to grow a tree, if there is one already."""
    given = [field.name for field in fields(wishes) if getattr(wishes, field.name)]
    given += [name for name in ("algorithm",) if algorithm is not None]
    given += ["set"] if settings else []
    given += ["costs"] if costs is not None else []
    if given:
        option = given[0].replace("_", "-")
        raise SettingError(
            f"--{option} is for growing a tree from DATA, and the model is grown "
            "already; leave it out"
        )


def _refuse_model_options(
    source: str,
    rows: str | None,
    algorithm: str | None,
    max_rules: int | None,
    tree: int | None,
) -> None:
    """Refuse what only a saved model, or a forest, has a use for."""
    if rows is not None:
        raise SettingError(
            f"{source} is a table: its rules are counted on its own rows; leave out "
            f"{rows!r}, or save a model first (treewright fit ... -o MODEL.tw)"
        )
    if tree is not None:
        raise SettingError("--tree is for a saved forest; leave it out")
    if max_rules is not None and not _votes(algorithm):
        raise SettingError(
            "--max-rules is for --algorithm forest; of one tree use --min-cover"
        )
