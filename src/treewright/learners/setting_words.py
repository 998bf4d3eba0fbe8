"""All settings of all learners, as tables for people: help, and docs/switches.md.

Nothing is written here that a row says; what a setting usually is comes from the
registry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from treewright.learners.registry import (
    BAGS,
    BOOSTS,
    LEARNERS,
    NODE_BY_NODE,
    ONE_TREE,
    ROW_BY_ROW,
    RULES,
    Learner,
    learners,
)
from treewright.settings.kinds import typed
from treewright.settings.row import Setting

_DIALECT = "whose trees they are: {}"


@dataclass(frozen=True)
class SettingLine:
    """A setting, what it takes, what holds if it is not set, and what it means."""

    name: str
    takes: str
    usual: str
    text: str


@dataclass(frozen=True)
class SettingTable:
    """The settings of some learners."""

    title: str  # whose they are, for the help of the command line
    prose: str  # the same for the page, in Markdown
    lines: tuple[SettingLine, ...]


def setting_tables() -> Iterator[SettingTable]:
    """Yield the settings of trees, and of all else that can be learned."""
    trees = tuple(learners(NODE_BY_NODE))
    yield SettingTable(
        "Switches for --set NAME=VALUE, with [default]. What they mean:\n"
        "docs/switches.md, or help(treewright.TreeClassifier) in Python.",
        _TREES,
        tuple(_lines(trees)),
    )
    for answers, title, prose in _OTHERS:
        yield SettingTable(title, prose, tuple(_lines(tuple(learners(*answers)))))
    known = {one.name for answers, *_ in _OTHERS for one in learners(*answers)}
    for one in learners():
        if one not in trees and one.name not in known:
            yield SettingTable(
                f"And for --algorithm {one.name}:",
                f"`--algorithm {one.name}` has:",
                tuple(_lines((one,))),
            )


def page() -> str:
    """Return docs/switches.md."""
    return "".join(
        f"{'' if number == 0 else chr(10)}{table.prose}\n\n"
        "| switch | values | default | meaning |\n| --- | --- | --- | --- |\n"
        + "".join(map(_row, table.lines))
        for number, table in enumerate(setting_tables())
    )


def _row(line: SettingLine) -> str:
    text = re.sub(r'(\w+)="(\w+)"', r"`\1=\2`", line.text)
    text = re.sub(r"(?<!\w)\"([\w:]+)\"", r"`\1`", text).replace("|", "\\|")
    return f"| `{line.name}` | {line.takes} | {line.usual} | {text} |\n"


def _lines(them: tuple[Learner, ...]) -> Iterator[SettingLine]:
    """Yield the settings that are their own, or all of one tree."""
    first = them[0]
    own = {} if first.own is None else dict(first.own.rows())
    if first.can(ONE_TREE):
        own = {name: one for each in them for name, one in each.rows().items()}
    for name, one in own.items():
        if name == "dialect":
            continue
        yield SettingLine(name, _takes(one, them), _usual(one, them), one.text)
        if name in {"n_estimators", "n_trees"}:
            yield _dialect_line(first)
    # what the usual trees are like here, where that differs from the dialect itself
    for name, usual in _limits(first).items():
        one = first.rows()[name]
        yield SettingLine(name, one.takes, usual, one.text)


def _takes(one: Setting, them: tuple[Learner, ...]) -> str:
    """Return what a setting takes, and who has it if not all do."""
    having = [each.name for each in them if one.name in each.rows()]
    return (
        one.takes if len(having) == len(them) else f"{', '.join(having)}: {one.takes}"
    )


def _dialect_line(learner: Learner) -> SettingLine:
    known = ", ".join(learner.trees)
    usual = learner.usual_dialect({})
    text = (
        f"Whose trees they are: {known}. They have the settings of their dialect, as "
        "far as these change something here."
    )
    return SettingLine("dialect", _DIALECT.format(known), usual, text)


def _limits(learner: Learner) -> dict[str, str]:
    """Return in which settings a learner's trees differ from those of one tree."""
    if not learner.can(BOOSTS):
        return {}
    by_dialect = {
        name: trees["classes"].settings()["max_depth"]
        for name, trees in learner.trees.items()
        if name in LEARNERS
    }
    return {"max_depth": _grouped(by_dialect, typed(None))}


def _usual(one: Setting, them: Iterable[Learner]) -> str:
    """Return what a setting usually is, by learner if they differ."""
    if one.usually:
        return one.usually
    values = {}
    for learner in them:
        if one.name not in learner.rows():
            continue
        said: list[str] = []
        for task in learner.tasks:
            settings: Any = learner.own_settings(task, {})
            if settings is None or one.name not in settings.rows():
                settings = learner.tree_settings(learner.usual_dialect({}), task)
            said.append(typed(getattr(settings, one.name)))
        values[learner.name] = said[0]
        if said[-1] != said[0]:
            values[learner.name] += f", for numbers {said[-1]}"
    default = one.default
    return _grouped(values, typed(default) if not callable(default) else None)


def _grouped(values: Mapping[str, str | Any], default: str | None) -> str:
    """Return "a, b: this; others: that"."""
    groups: dict[str, list[str]] = {}
    for name, value in values.items():
        groups.setdefault(value if isinstance(value, str) else typed(value), []).append(
            name
        )
    if len(groups) == 1:
        return next(iter(groups))
    others = default if default in groups else None
    if others is None and len(groups) == 2:
        others = max(groups, key=lambda value: len(groups[value]))
    parts = [
        f"{', '.join(names)}: {value}"
        for value, names in groups.items()
        if value != others
    ]
    return "; ".join([*parts, *([] if others is None else [f"others: {others}"])])


_TREES = """\
# Switches

What `--set NAME=VALUE` and the parameters of `TreeClassifier` and `TreeRegressor` mean;
the other estimators have those that suit them. An algorithm is a row of defaults:

- `id3`, `aima`: one branch per value, information gain; Quinlan 1986, and Russell and
  Norvig's textbook.
- `c45`, `j48`: gain ratio and error-based pruning; Quinlan's Release 8, and Weka.
- `lecture`: C4.5 as courses work it out by hand: gain ratio and midpoints, without
  pruning, without the corrections for numeric features and for small leaves.
- `cart`: two branches, gini or squared error, grown until nothing is left to split.
- `rpart`: CART as R's rpart grows it: at least 20 rows to split and 7 in a leaf,
  surrogates for missing values, pruned with cp=0.01."""

_OTHERS = (
    (
        (BAGS,),
        "And for --algorithm forest and extra-trees, whose trees are not pruned:",
        """\
`--algorithm forest` and `extra-trees` (`RandomForestClassifier`,
`ExtraTreesClassifier`, and those for numbers) take the switches of their trees, which
are not pruned, and these:""",
    ),
    (
        (BOOSTS,),
        "And for --algorithm adaboost, whose trees are pruned as their dialect says:",
        """\
`--algorithm adaboost` (`AdaBoostClassifier`) prunes trees as their dialect says, and
has:""",
    ),
    (
        (RULES,),
        "And for --algorithm c45rules, whose trees are not pruned:",
        """\
`--algorithm c45rules` (`C45RulesClassifier`) takes the switches of C4.5's trees, which
are not pruned; `confidence`, `confidence_limit` and `mostly_wrong` are those of the
rules' rates. Besides:""",
    ),
    (
        (ROW_BY_ROW,),
        "For --algorithm cal2 and cal3 these alone:",
        """\
`--algorithm cal2` and `cal3` (`CAL2Classifier`, `CAL3Classifier`; see [cal.md](cal.md))
learn from one row after the other. They have these, and none of the others:""",
    ),
)
