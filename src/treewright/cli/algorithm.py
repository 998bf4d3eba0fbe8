"""Which algorithm grows the tree, with which switches, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from treewright.cli.roles import Roles
from treewright.cli.switch_names import refuse_idle, refuse_unknown
from treewright.data.columns import Columns
from treewright.data.readers.table_file import ColumnReport, TableFile
from treewright.data.schema import TargetKind
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.aima import AIMA
from treewright.learners.c45 import C45, J48, LECTURE
from treewright.learners.cal2 import CAL2
from treewright.learners.cal3 import CAL3
from treewright.learners.cal_dialect import own_switches
from treewright.learners.cart import CART, CART_NUMBERS
from treewright.learners.id3 import ID3
from treewright.learners.rpart import RPART, RPART_NUMBERS
from treewright.sources.node_statistics import NUMBER_CRITERIA

ALGORITHMS = {
    "id3": ID3,
    "aima": AIMA,
    "c45": C45,
    "j48": J48,
    "lecture": LECTURE,
    "cart": CART,
    "rpart": RPART,
    "cal2": CAL2,
    "cal3": CAL3,
}
# those that grow a node from all of its rows, which CAL2 and CAL3 do not
NODE_BY_NODE = {n: one for n, one in ALGORITHMS.items() if type(one) is Dialect}
# the algorithms that predict numbers, too
FOR_NUMBERS = {"cart": CART_NUMBERS, "rpart": RPART_NUMBERS}


@dataclass(frozen=True)
class Recipe:
    """What was asked for.

    Attributes
    ----------
    algorithm : str or None
        One of ALGORITHMS; None: the data decide.
    settings : dict
        Switches to change.
    start : dict
        Switches that are changed before, and that nobody asked for.
    """

    algorithm: str | None
    settings: dict[str, Any]
    start: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # a wrong name or value is refused before the table is read
        refuse_unknown(self.settings, own_switches(_start(self.algorithm or "cart")))
        refuse_idle(self.settings, self._likely())

    @property
    def refuses_missing(self) -> bool:
        """Whether missing values are an error: no algorithm says so by itself."""
        return self._likely().missing == "error"

    @property
    def unseen(self) -> str:
        """What a value does that is in no interval: the same in all algorithms."""
        return self._likely().unseen

    def find_task(self, roles: Roles, table: TableFile) -> tuple[TargetKind, bool]:
        """Return whether classes or numbers are predicted, and if the data decided."""
        said = self._said_tasks(roles)
        if len(set(said.values())) > 1:
            what = ", but ".join(f"{who} is about {task}" for who, task in said.items())
            raise SettingError(f"{what}; drop one of them")
        if said:
            return next(iter(said.values())), False
        if self.algorithm not in (None, *FOR_NUMBERS):
            return "classes", False
        found = {column.name: column for column in table.report}
        numeric = all(found[name].kind == "numeric" for name in roles.targets)
        answers = (is_yes_or_no(found[name], table) for name in roles.targets)
        return ("numbers" if numeric and not all(answers) else "classes"), True

    def dialect(self, columns: Columns) -> tuple[Dialect, str]:
        """Return the switches, and why this algorithm if nobody asked for it."""
        numbers = columns.schema.target.kind == "numbers"
        if self.algorithm is not None:
            name, why = self.algorithm, ""
        else:
            name, why = _fitting_algorithm(columns, numbers=numbers)
        return self._changed(_start(name, numbers=numbers)), why

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

    def _likely(self) -> Dialect:
        """Return the switches as far as they are known before the table is."""
        numbers = self.settings.get("criterion") in NUMBER_CRITERIA
        return self._changed(_start(self.algorithm or "cart", numbers=numbers))

    def _changed(self, dialect: Dialect) -> Dialect:
        return dialect.change(**{**self.start, **self.settings})


def _start(name: str, *, numbers: bool = False) -> Dialect:
    """Return the switches of an algorithm, for numbers if it can predict them."""
    return FOR_NUMBERS.get(name, ALGORITHMS[name]) if numbers else ALGORITHMS[name]


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
