"""What each column is for: target, feature of some kind, weights, or left out."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import click

from treewright.cli.options.common import (
    count_option,
    gathered,
    ignore_option,
    names_option,
    nominal_option,
    numeric_option,
    weights_option,
)
from treewright.cli.options.reading import refuse_other_separator
from treewright.data.complaints import did_you_mean, quoted, short
from treewright.data.readers.table_file import TableFile
from treewright.data.schema import WORD_WEIGHTS, FeatureKind, Label
from treewright.data.sparse.bag_of_words import WordSettings
from treewright.errors import DataError, SettingError

_OPTIONS = (
    names_option(
        "--target", "The column to predict; may be given several times.", "COL"
    ),
    nominal_option,
    numeric_option,
    names_option(
        "--ordinal",
        "A column of ordered categories, from small to large; or names A,B.",
        "A=S<M<L",
    ),
    ignore_option,
    names_option(
        "--not-applicable",
        "Cells of a nominal column that cannot have a value, as n/a: a category of "
        "their own. TEXT alone is for all columns that have it.",
        "COL=TEXT",
    ),
    names_option(
        "--text",
        "A column of texts: its words become features, the words of all rows that are "
        "learned from.",
        "COL",
    ),
    click.option(
        "--text-weights",
        type=click.Choice(WORD_WEIGHTS),
        help="What a word's number is: how often it is in the text, whether it is, or "
        "its share of the text's words.  [default: counts]",
    ),
    count_option(
        "--text-min-rows",
        "K",
        1,
        "Only words that are in K texts or more.  [default: 2]",
    ),
    count_option(
        "--text-max-words", "N", 1, "Only the N words that are in most texts."
    ),
    weights_option,
    names_option(
        "--discretize",
        "Divide numbers into intervals: COL=METHOD, or METHOD for all numeric columns "
        "(equal_width:k, quartiles, quantiles:k, mdl, cv); COL=2,5,12 for borders; "
        "COL=infant:0-2,toddler:3-5 for named ranges.",
        "COL=...",
    ),
)


@dataclass(frozen=True)
class Wishes:
    """The options about columns, as they were typed."""

    target: tuple[str, ...] = ()
    nominal: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    ordinal: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    weights: str | None = None
    discretize: tuple[str, ...] = ()
    not_applicable: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    text_weights: str | None = None
    text_min_rows: int | None = None
    text_max_words: int | None = None

    def __post_init__(self) -> None:
        self.word_settings()  # refuses settings of texts where there are none

    def word_settings(self) -> WordSettings:
        """Return how texts become words."""
        given = {
            "weights": self.text_weights,
            "min_rows": self.text_min_rows,
            "max_words": self.text_max_words,
        }
        said = {name: value for name, value in given.items() if value is not None}
        if said and not self.text:
            option = f"--text-{next(iter(said)).replace('_', '-')}"
            raise SettingError(
                f"{option} is about texts; name their column with --text"
            )
        return WordSettings(**said)  # type: ignore[arg-type]

    def maybe_not_applicable(self) -> tuple[tuple[str | None, str], ...]:
        """Return what may be columns, with their texts, before there is a table."""
        parts = (text.partition("=") for text in self.not_applicable)
        return tuple(
            (name, mark) if equals else (None, name) for name, equals, mark in parts
        )

    def maybe_nominal(self) -> set[str]:
        """Return what may be names of nominal columns, before there is a table."""
        texts = {*self.nominal, *(text.split("=")[0] for text in self.ordinal)}
        return texts.union(*(_split(text, ()) for text in texts))


@dataclass(frozen=True)
class Roles:
    """What each column is for."""

    targets: tuple[str, ...]  # the columns to predict
    # kinds that were said, of features and targets; an order is a list of labels
    kinds: Mapping[str, FeatureKind | Sequence[Label]]
    ignored: tuple[str, ...]  # columns that were asked to be left out
    weights: str | None  # the column with the rows' weights
    # the text of cells that cannot have a value, by column; of None: of all columns
    # that have it
    not_applicable: Mapping[str | None, str] = field(default_factory=dict)
    texts: tuple[str, ...] = ()  # columns whose words are features

    @property
    def feature_kinds(self) -> dict[str, FeatureKind | Sequence[Label]]:
        """The kinds that were said of features."""
        others = {*self.targets, *self.unused}
        return {name: kind for name, kind in self.kinds.items() if name not in others}

    @property
    def unused(self) -> tuple[str, ...]:
        """The columns that are neither features nor targets."""
        return self.ignored if self.weights is None else (*self.ignored, self.weights)


role_options = gathered("wishes", Wishes, _OPTIONS)


def find_roles(wishes: Wishes, table: TableFile) -> Roles:
    """Return what each column of a table is for, or refuse a name that it lacks."""
    columns = table.frame.columns
    ignored = _names("--ignore", wishes.ignore, columns)
    weights = (
        None if wishes.weights is None else _name("--weights", wishes.weights, columns)
    )
    targets = _targets(wishes.target, table)
    for name in targets:
        if name in (*ignored, weights):
            raise SettingError(
                f"the target {name!r} is also named by "
                f"{'--weights' if name == weights else '--ignore'}; drop one of the two"
            )
    marks = dict(_mark(text, columns) for text in wishes.not_applicable)
    for column in (*targets, *ignored, weights):
        if column is not None and column in marks:
            raise SettingError(
                f"--not-applicable names the column {column!r}, which is no feature; "
                "drop the option"
            )
    kinds = _kinds(wishes, columns)
    texts = tuple(_name("--text", name, columns) for name in wishes.text)
    for name in texts:
        if texts.count(name) > 1:
            raise SettingError(f"--text names the column {name!r} twice; say it once")
        others = (*targets, *ignored, weights, *kinds, *marks)
        if name in others:
            raise SettingError(
                f"--text names the column {name!r}, which is "
                f"{'the target' if name in targets else 'named by another option'}; "
                "drop one of the two"
            )
        _refuse_other_than_text(name, table)
    return Roles(targets, kinds, ignored, weights, marks, texts)


def _refuse_other_than_text(name: str, table: TableFile) -> None:
    """Raise if a column that was said to hold texts holds something else."""
    found = {column.name: column.kind for column in table.report}.get(name, "nominal")
    dtype = str(table.frame[name].dtype)
    if dtype.startswith(("String", "Categorical", "Enum", "Null")):
        return
    kind = "numbers" if found == "numeric" else f"values of type {dtype}"
    raise DataError(
        f"--text names the column {name!r}, which holds {kind}; name a column of texts"
    )


def refuse_no_features(roles: Roles, table: TableFile) -> None:
    """Raise if no column is left to learn from; name all that were left out, and why.

    The table's own reader may have left out some as well.
    """
    others = {*roles.targets, *roles.unused}
    if not others.issuperset(table.frame.columns):
        return
    reasons = {name: "--ignore" for name in roles.ignored}
    if roles.weights is not None:
        reasons[roles.weights] = "--weights"
    for column in table.report:
        if column.kind == "left out":
            reasons[column.name] = column.remark.removeprefix("left out: ")
    named = ", ".join(f"{short(name)} ({why})" for name, why in reasons.items())
    left_out = f"; left out: {named}" if named else ""
    raise DataError(
        f"0 columns; at least 1 is needed besides the target{left_out}; keep or add a "
        "feature"
    )


def _targets(wanted: Iterable[str], table: TableFile) -> tuple[str, ...]:
    """Return the target columns: those named, or the one that the format names."""
    columns = table.frame.columns
    targets = [name for text in wanted for name in _split(text, columns)]
    if not targets and table.target is not None:
        return (table.target,)
    if not targets:
        refuse_other_separator(columns)
        raise SettingError(
            "which column is to be predicted? Name it with --target; "
            f"there are {quoted(columns, 20)}"
        )
    refuse_unknown_target(wanted, columns)
    return tuple(dict.fromkeys(targets))


def refuse_unknown_target(wanted: Iterable[str], columns: Sequence[str] | None) -> None:
    """Raise if a target is not among the columns, as far as these are known."""
    if columns is None:
        return
    for name in (name for text in wanted for name in _split(text, columns)):
        if name not in columns:
            refuse_other_separator(columns)
            raise DataError(
                f"there is no target column {name!r}; {did_you_mean(name, columns)}"
            )


def _kinds(
    wishes: Wishes, columns: Collection[str]
) -> dict[str, FeatureKind | Sequence[Label]]:
    """Return the kinds that were said; one column cannot be of two kinds."""
    kinds: dict[str, FeatureKind | Sequence[Label]] = {}
    orders = [_order(text, columns) for text in wishes.ordinal]
    plain = [
        text for text, order in zip(wishes.ordinal, orders, strict=True) if not order
    ]
    said: list[tuple[str, FeatureKind | Sequence[Label]]] = [
        *((name, "nominal") for name in _names("--nominal", wishes.nominal, columns)),
        *((name, "numeric") for name in _names("--numeric", wishes.numeric, columns)),
        *((name, "ordinal") for name in _names("--ordinal", plain, columns)),
        *(order for order in orders if order),
    ]
    for name, kind in said:
        if name in kinds:
            raise SettingError(f"the column {name!r} is given two kinds; say one")
        kinds[name] = kind
    return kinds


def _order(text: str, columns: Collection[str]) -> tuple[str, list[Label]] | None:
    """Return a column and its categories from "size=S<M<L"; None for mere names."""
    if text in columns or "=" not in text:
        return None
    name, order = column_and_rest(text, columns)
    labels: list[Label] = [label.strip() for label in order.split("<")]
    if len(labels) < 2 or "" in labels:
        raise SettingError(
            f"--ordinal {text!r}: write the categories from small to large, "
            "as in --ordinal 'size=S<M<L'"
        )
    return _name("--ordinal", name.strip(), columns), labels


def _mark(text: str, columns: Collection[str]) -> tuple[str | None, str]:
    """Return a column and its text from "spouse=n/a"; None for a mere text."""
    if "=" not in text:
        return None, text
    name, mark = column_and_rest(text, columns)
    return _name("--not-applicable", name, columns), mark


def column_and_rest(text: str, columns: Collection[str]) -> tuple[str, str]:
    """Return what stands before and after "=" in "size=S<M<L".

    A column may have "=" in its name: the first part that is a column is taken.
    """
    name, _, rest = text.partition("=")
    while name not in columns and "=" in rest:
        more, _, rest = rest.partition("=")
        name = f"{name}={more}"
    return name, rest


def _names(
    option: str, texts: Iterable[str], columns: Collection[str]
) -> tuple[str, ...]:
    """Return the columns that an option lists."""
    names = [name for text in texts for name in _split(text, columns)]
    return tuple(dict.fromkeys(_name(option, name, columns) for name in names))


def _split(text: str, columns: Collection[str]) -> list[str]:
    """Return the names in a list such as A,B; quotes protect a comma in a name."""
    if text in columns:
        return [text]
    return [
        name for name in next(csv.reader([text], skipinitialspace=True), []) if name
    ]


def _name(option: str, name: str, columns: Collection[str]) -> str:
    if name not in columns:
        raise SettingError(
            f"{option} names the column {name!r}, which the table does not have; "
            f"{did_you_mean(name, columns)}"
        )
    return name
