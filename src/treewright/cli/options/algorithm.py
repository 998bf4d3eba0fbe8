"""Which algorithm grows the tree, with which switches, and why."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import click

from treewright.cli.options.common import Option
from treewright.cli.options.roles import Roles
from treewright.cli.program import example_command, program
from treewright.data.columns import Columns
from treewright.data.readers.table_file import ColumnReport, TableFile
from treewright.data.schema import TargetKind
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.registry import LEARNERS, Learner, Plan, learners
from treewright.learners.setting_words import SettingTable, setting_tables
from treewright.render.fitting.wrapping import wrapped
from treewright.settings.row import refuse_about_classes, refuse_idle
from treewright.sources.node_statistics import NUMBER_CRITERIA


@dataclass(frozen=True)
class Recipe:
    """What was asked for."""

    algorithm: str | None  # a name of the registry; None: the data decide
    settings: dict[str, Any]  # settings to change, as they were typed

    def __post_init__(self) -> None:
        # a wrong name or value is refused before the table is read
        likely = self._likely()
        refuse_idle(self._of_trees(), likely.trees)
        if likely.own is not None:
            refuse_idle(self.own, likely.own)

    @functools.cached_property
    def own(self) -> dict[str, Any]:
        """What was typed of a learner's own settings, its trees' left out."""
        usual = self._known().own
        rows = {} if usual is None else usual.rows()
        own = {name: one for name, one in self.settings.items() if name in rows}
        features = own.get("max_features")
        if isinstance(features, str) and features.replace(",", "").isdigit():
            own["max_features"] = [int(one) for one in features.split(",") if one]
        return own

    @property
    def told(self) -> dict[str, Any]:
        """The settings that were typed, those of the learner itself first."""
        dialect = self.settings.get("dialect")
        if dialect == self._known().usual_dialect(self.own):
            dialect = None
        first = {} if dialect is None else {"dialect": dialect}
        return {**first, **self.own, **self._of_trees()}

    @property
    def refuses_missing(self) -> bool:
        """Whether missing values are an error: no algorithm says so by itself."""
        return bool(self._likely().trees.settings()["missing"] == "error")

    @property
    def unseen(self) -> str:
        """What a value does that is in no interval: the same in all algorithms."""
        return str(self._likely().trees.settings()["unseen"])

    def find_task(self, roles: Roles, table: TableFile) -> tuple[TargetKind, bool]:
        """Return whether classes or numbers are predicted, and if the data decided."""
        said = self._said_tasks(roles)
        if len(set(said.values())) > 1:
            what = ", but ".join(f"{who} is about {task}" for who, task in said.items())
            raise SettingError(f"{what}; drop one of them")
        if said:
            return next(iter(said.values())), False
        if self.algorithm is not None and self._tasks() == ("classes",):
            return "classes", False
        found = {column.name: column for column in table.report}
        numeric = all(found[name].kind == "numeric" for name in roles.targets)
        answers = (is_yes_or_no(found[name], table) for name in roles.targets)
        return ("numbers" if numeric and not all(answers) else "classes"), True

    def plan(self, columns: Columns, *, seed: int | None = None) -> tuple[Plan, str]:
        """Return who learns, and why this algorithm if nobody asked for it.

        `seed`: of the draws, unless it was typed.
        """
        task = columns.schema.target.kind
        learner, why = self._known(), ""
        if self.algorithm is None:
            name, why = _fitting_algorithm(columns, numbers=task == "numbers")
            learner = LEARNERS[name]
        draws = learner.own is not None and learner.own.rows()["random_state"].usually
        given = {"random_state": seed} if seed is not None and draws else {}
        return self._plan(learner, task, given), why

    def dialect(self, columns: Columns) -> tuple[Dialect, str]:
        """Return the settings of a tree that is grown node by node, and why these."""
        plan, why = self.plan(columns)
        assert isinstance(plan.trees, Dialect)
        return plan.trees, why

    def _known(self) -> Learner:
        return LEARNERS[self.algorithm or "cart"]

    def _plan(self, learner: Learner, task: str, given: dict[str, Any]) -> Plan:
        refuse_unknown(self.settings, learner)
        others = self._of_trees()
        for name in others:
            if name in learner.refuses:
                raise SettingError(learner.refuses[name])
        own = learner.own_settings(task, {**given, **self.own})
        usual = learner.tree_settings(self._dialect(learner), task)
        trees = usual.change(**others)
        if trees.task == "numbers":
            refuse_about_classes(others, usual)
        return Plan(learner, trees, own)

    def _dialect(self, learner: Learner) -> Any:
        """Return whose trees were asked for, else the usual ones."""
        usual = learner.usual_dialect(self.own)
        return self.settings.get("dialect", usual) if learner.has_dialects else usual

    def _of_trees(self) -> dict[str, Any]:
        """Return what was typed of the trees' settings."""
        not_theirs = {*self.own, "dialect"} if self._known().has_dialects else self.own
        return {n: one for n, one in self.settings.items() if n not in not_theirs}

    def _tasks(self) -> tuple[str, ...]:
        """Return what trees of the dialect that was asked for can predict."""
        learner = self._known()
        dialect = self._dialect(learner)
        known = LEARNERS.get(dialect)
        # who boosts trees that know numbers is told so by the learner itself
        return known.tasks if known is not None else tuple(learner.trees[dialect])

    def _said_tasks(self, roles: Roles) -> dict[str, TargetKind]:
        """Return which options settle what is predicted."""
        said: dict[str, TargetKind] = {}
        if "criterion" in self.settings:
            task: TargetKind = "classes"
            if self.settings["criterion"] in NUMBER_CRITERIA:
                task = "numbers"
            said[f"--set criterion={self.settings['criterion']}"] = task
        for name in roles.targets:
            kind = roles.kinds.get(name)
            if kind == "numeric":
                said[f"--numeric {name}"] = "numbers"
            elif kind is not None:
                said[f"--nominal {name}"] = "classes"
        return said

    def _likely(self) -> Plan:
        """Return what is known before the table is."""
        numbers = self.settings.get("criterion") in NUMBER_CRITERIA
        return self._plan(self._known(), "numbers" if numbers else "classes", {})


def chosen_words(name: str, settings: Mapping[str, Any], why: str) -> str:
    """Say who learns with what, and why if nobody asked for it."""
    changed = "".join(f", {name}={value}" for name, value in settings.items())
    because = f", because {why} (--algorithm to choose)" if why else ""
    return f"algorithm {name}{changed}{because}"


def is_yes_or_no(column: ColumnReport, table: TableFile) -> bool:
    """Return whether a column holds two whole numbers, as 0 and 1 for no and yes."""
    if column.kind != "numeric" or column.n_values != 2:
        return False
    series = table.frame[column.name]
    if not series.dtype.is_numeric():
        return False
    return all(float(number).is_integer() for number in series.drop_nulls().unique())


def _fitting_algorithm(columns: Columns, *, numbers: bool) -> tuple[str, str]:
    """Return the algorithm that suits the data, and why."""
    if numbers:
        return "cart", "the target is numeric"
    kinds = [feature.kind for feature in columns.schema.features]
    for kind in ("numeric", "ordinal"):
        if kind in kinds:
            n_found = kinds.count(kind)
            verb = "feature is" if n_found == 1 else "features are"
            return "cart", f"{n_found} {verb} {kind}"
    divided = any(feature.intervals for feature in columns.schema.features)
    return "id3", f"every feature is nominal{' or in intervals' if divided else ''}"


def parse_settings(
    ctx: click.Context, param: click.Parameter, texts: Sequence[str]
) -> dict[str, Any]:
    """Return the switches that were typed as NAME=VALUE."""
    settings = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(
                f"{text!r} has no '='; write NAME=VALUE, for example max_depth=3",
                ctx,
                param,
            )
        settings[name.strip().replace("-", "_")] = parse_value(value.strip())
    return settings


def set_option(example: str) -> Option[Any]:
    """Return --set, with an example of a switch."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        callback=parse_settings,
        help=f"Change a switch, for example {example}",
    )


def parse_value(text: str) -> int | float | bool | str | None:
    """Return what a text stands for: none, true, false, a number, or itself."""
    words = {"none": None, "true": True, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


# ---- The settings of `--set`, as `treewright fit --help` lists them.

_WIDTH = 76
_NAME_WIDTH = 26


def switch_table() -> str:
    """Return the table as a part of an epilog, whose lines click does not join."""
    return "\n".join(("\b", *(line for t in setting_tables() for line in _lines(t))))


def _lines(table: SettingTable) -> Iterator[str]:
    yield table.title
    for one in table.lines:
        name = one.name
        for line in wrapped(f"{one.takes}  [{one.usual}]", _WIDTH - _NAME_WIDTH):
            yield f"  {name:<{_NAME_WIDTH}}{line}"
            name = ""


# ---- What is said of a switch that does not exist, or does nothing, or is no switch.

# parameters of the estimators that are options here
_OPTIONS = {
    "discretize": "--discretize",
    "cost_matrix": "--costs FILE.csv",
    "costs": "--costs FILE.csv",
    "class_weight": "--weights COL, a column with the weight of each row",
    "sample_weight": "--weights COL, a column with the weight of each row",
    "weights": "--weights COL",
    "feature_kinds": "--nominal, --numeric and --ordinal",
    "not_applicable": "--not-applicable",
    "drop_missing_target": "--drop-missing-target",
    "dialect": "--algorithm",
    "algorithm": "--algorithm",
    "n_jobs": "--jobs",
    "target": "--target",
    "missing_values": "--missing-values",
}
# what other programs call it
_ELSEWHERE = {
    **dict.fromkeys(
        ("ntree", "ntrees", "n_trees", "num_trees", "trees", "trials", "rounds"),
        "n_estimators",
    ),
    "mtry": "max_features",
    "seed": "random_state",
}


def refuse_unknown(settings: Mapping[str, Any], learner: Learner) -> None:
    """Refuse a setting that does not exist, and name the option that is meant."""
    own = [] if learner.own is None else [*learner.own.rows(), "dialect"]
    trees = learner.tree_settings(next(iter(learner.trees)), learner.tasks[0])
    known = [*own, *trees.rows()]
    for name in settings:
        if name in known:
            continue
        if name in Dialect.rows() and not isinstance(trees, Dialect):
            raise SettingError(trees.unknown(name))
        # what the algorithm has of its own is meant sooner than a setting of trees
        near = get_close_matches(name, own, n=1) or get_close_matches(name, known, n=1)
        others = [one.name for one in learners() if name in one.rows()]
        if _ELSEWHERE.get(name) in known:
            hint = f"here it is called {_ELSEWHERE[name]!r}"
        elif name in _OPTIONS and name not in own:
            hint = f"use the option {_OPTIONS[name]}"
        elif others:
            hint = f"it goes with --algorithm {' or '.join(others)}"
        elif near:
            hint = f"did you mean {near[0]!r}?"
        else:
            hint = f"'{program()} fit --help' lists the switches"
        raise SettingError(f"unknown setting {name!r}; {hint}")


def switch_command(
    name: str, *examples: str, more: str = ""
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command that learns, with examples at the end of its help."""
    return example_command(name, *examples, more=more, cls=_SwitchCommand)


class _SwitchCommand(click.Command):
    """A command that knows its switches when they are typed as options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; say how a switch is typed."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            name = error.option_name.lstrip("-").replace("-", "_")
            takes = {one.name: one.takes for one in Dialect.rows().values()}
            if name not in takes:
                raise
            raise click.UsageError(
                f"{error.option_name} is a switch, not an option; write --set "
                f"{name}=VALUE ({takes[name]})",
                ctx,
            ) from None
