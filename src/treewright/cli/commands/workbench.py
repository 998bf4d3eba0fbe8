"""`treewright rules MODEL ROWS` with --row, --conflicts, --drop ...: the workbench."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

import click

from treewright.cli.commands.rule_sources import Saved
from treewright.cli.console import Console, file_size, put_out, remark, say
from treewright.cli.model_file import load_any
from treewright.cli.options.common import count_option, gathered
from treewright.cli.options.model_rows import numbered_rows
from treewright.cli.program import program
from treewright.errors import SettingError
from treewright.render.rules.bench_pages import BenchPage
from treewright.render.rules.rule_listing import tree_rules
from treewright.render.rules.rule_workbench import Workbench
from treewright.rules.rule_model import RuleModel

_EDITS = ("drop", "merge", "order")


@dataclass(frozen=True)
class Asked:
    """What is asked of the workbench; every field is an option."""

    row: int | None
    rows_of: int | None
    conflicts: bool
    worth: bool
    unused: bool
    drop: tuple[str, ...]
    merge: str | None
    order: str | None

    @property
    def options(self) -> list[str]:
        """The options that are given."""
        given = [one.name for one in fields(self) if getattr(self, one.name)]
        return [f"--{name.replace('_', '-')}" for name in given]

    @property
    def edits(self) -> list[str]:
        """The edits that are given."""
        return [name for name in _EDITS if getattr(self, name)]


_OPTIONS = (
    count_option(
        "--row",
        "N",
        1,
        "Workbench: which rules row N of ROWS meets, and by what it misses the others.",
    ),
    count_option(
        "--rows-of",
        "K",
        1,
        "Workbench: the rows that rule K answers for, right and wrong.",
    ),
    click.option(
        "--conflicts",
        is_flag=True,
        help="Workbench: which rules meet the same rows, and where they disagree.",
    ),
    click.option(
        "--worth",
        is_flag=True,
        help="Workbench: what dropping a rule, or a condition, costs in errors and "
        "bits.",
    ),
    click.option(
        "--unused", is_flag=True, help="Workbench: the rules that never answer."
    ),
    click.option(
        "--drop",
        metavar="K[.J]",
        multiple=True,
        help="Drop rule K, or its condition J; -o NEW.tw saves the rules. Again for "
        "more.",
    ),
    click.option("--merge", metavar="K,L", help="Make one rule of two."),
    click.option("--order", metavar="K,L,...", help="All rules in another order."),
)
bench_options = gathered("asked", Asked, _OPTIONS)


def show_bench(
    asked: Asked, saved: Saved, output: str | None, shown: Mapping[str, Any]
) -> None:
    """Print what is asked of the workbench; save rules that were edited."""
    option = asked.options[0]
    if not saved.is_named or saved.rows is None:
        command = f"{program()} rules MODEL.tw ROWS {option}"
        raise SettingError(
            f"{option} looks at the rules of a saved model on rows with the target: "
            f"{command}  ({program()} fit DATA -o MODEL.tw makes a model)"
        )
    _refuse_list_options(shown, option)
    if asked.edits and output is not None and not output.endswith(".tw"):
        raise SettingError(
            f"edited rules are saved as a model, and {output} does not end in .tw; "
            "use -o NEW.tw"
        )
    bench = _edited(_bench(saved, saved.rows), asked)
    console = Console.of(None if asked.edits else output)
    width = shown["width"] or console.width
    pages = [
        page.to_text(width=width, ascii=console.ascii) for page in _pages(bench, asked)
    ]
    text = "\n\n".join(pages)
    if asked.edits and output is not None:
        bench.save(output)
        say([text])
        remark(f"wrote {output} ({file_size(output)})")
    elif output is not None:
        put_out(output, text + "\n")
    elif asked.edits:
        files = f"{shlex.quote(saved.path)} {shlex.quote(saved.rows)}"
        end = f"{program()} rules {files} {_words(asked)} -o NEW.tw"
        say([text, "", *console.wrap_command("next: ", end)])
    else:
        say([text])


def _bench(saved: Saved, rows: str) -> Workbench:
    """The rules of a saved model on a workbench."""
    model = load_any(saved.path)
    if isinstance(model, RuleModel):
        saved.refuse_of_forests()
        reads: Any = model  # a table is read for rules as for trees
        known, numbers = numbered_rows(reads, rows, saved.how)
        return Workbench.of(model.rule_set, known, numbers, model.notes)
    model = saved.alone(model)
    is_forest = len(model.trees) > 1
    if not is_forest and saved.max_rules is not None:
        raise SettingError(
            f"--max-rules is for forests, and {saved.path} has one tree; leave it out"
        )
    known, numbers = numbered_rows(model, rows, saved.how)
    listing = saved.chosen(model, known) if is_forest else tree_rules(model, known)
    return Workbench.of(listing.rule_set, known, numbers)


def _edited(bench: Workbench, asked: Asked) -> Workbench:
    if len(asked.edits) > 1:
        raise SettingError(
            f"--{asked.edits[0]} and --{asked.edits[1]} together: an edit changes the "
            "numbers of rules; save after the first, and edit that model"
        )
    if asked.drop:
        return _dropped(bench, asked.drop)
    if asked.merge is not None:
        pair = _numbers(asked.merge, "--merge")
        if len(pair) != 2:
            raise SettingError(f"--merge {asked.merge}: name two rules, as in 2,5")
        return bench.merge(*pair)
    if asked.order is not None:
        return bench.reorder(_numbers(asked.order, "--order"))
    return bench


def _dropped(bench: Workbench, drops: tuple[str, ...]) -> Workbench:
    """The bench without some rules and conditions, all by their numbers here."""
    parsed = [_numbers(text, "--drop", ".") for text in drops]
    for text, one in zip(drops, parsed, strict=True):
        if len(one) > 2:
            raise SettingError(f"--drop {text}: name a rule (3), or a condition (3.1)")
    rules = [one[0] for one in parsed if len(one) == 1]
    conditions = [(one[0], one[1]) for one in parsed if len(one) > 1]
    both = [rule for rule, _ in conditions if rule in rules]
    if both:
        raise SettingError(
            f"rule {both[0]} is dropped as a whole and in part; leave one out"
        )
    if len({*map(tuple, parsed)}) < len(parsed):
        raise SettingError("--drop has the same number twice; name each once")
    for rule, condition in sorted(conditions, reverse=True):  # later ones first
        bench = bench.drop(rule, condition)
    return bench.drop_all(rules) if rules else bench


def _numbers(text: str, option: str, sign: str = ",") -> list[int]:
    parts = [part.strip() for part in text.split(sign)]
    if not all(part.isascii() and part.isdigit() for part in parts):
        example = "3 or 3.1" if sign == "." else "2,1,3"
        raise SettingError(f"{option} {text!r} is not {example}: numbers of rules")
    return [int(part) for part in parts]


def _pages(bench: Workbench, asked: Asked) -> Iterator[BenchPage]:
    """Yield the pages that are asked for; of edited rules first what they do now."""
    if asked.edits:
        yield bench
    for name in ("row", "rows_of"):
        number = getattr(asked, name)
        if number is not None:
            yield getattr(bench, name)(number)
    for name in ("conflicts", "worth", "unused"):
        if getattr(asked, name):
            yield getattr(bench, name)()


def _words(asked: Asked) -> str:
    """The edits as they were given."""
    edits = {"drop": asked.drop, "merge": (asked.merge,), "order": (asked.order,)}
    return " ".join(
        f"--{name} {shlex.quote(text)}"
        for name, texts in edits.items()
        for text in texts
        if text
    )


def _refuse_list_options(shown: Mapping[str, Any], option: str) -> None:
    """Refuse what is for the list of rules."""
    usual = {"sort": "tree", "label": None, "min_cover": 0.0, "formula": False}
    given = [name for name, value in usual.items() if shown[name] != value]
    given += ["format"] if shown["form"] not in (None, "text") else []
    if given:
        name = {"label": "class"}.get(given[0], given[0].replace("_", "-"))
        raise SettingError(
            f"--{name} is for the list of rules, not for {option}; leave it out"
        )
