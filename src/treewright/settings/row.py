"""A row: all that is to be said of one setting, in one place.

A class of settings is a frozen dataclass whose fields are rows:

    @dataclass(frozen=True)
    class JamSettings(Settings):
        sweetness: int = row(Whole(0), "How sweet.", default=3, tries=(1, 3, 9))

The field has the name and the type; the row has what it may be, what it means, when it
does nothing, what it does not go with, what tuning tries, and which estimators have it.
Checks, docstrings, signatures, --set, help, the reference page, model files and `tune`
are made of that. To add a setting: write its row, obey it, test it.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import numbers
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from treewright.errors import SettingError
from treewright.settings.kinds import Flag, Kind

_KEY = "treewright.setting"
_PLAIN = (bool, int, float, str, type(None))


@dataclass(frozen=True)
class Clash:
    """Settings that do not go together."""

    holds: Callable[[Any], bool]  # tells whether they meet
    complaint: str  # what is wrong, and the remedy


@dataclass(frozen=True)
class Need:
    """What a setting needs, to mean anything."""

    holds: Callable[[Any], bool]  # tells whether it is there
    what: str  # what must be set, as it is typed


@dataclass(frozen=True)
class Setting:
    """A row."""

    name: str  # as users write it
    kind: Kind  # what it may be
    text: str  # what it means, for docstrings and the reference page
    annotation: str  # its type, as in the source
    default: Any  # what holds if nobody says so; MISSING if every dialect says it
    # what it takes, as typed, and its type in docstrings: the kind's, or other words
    takes: str
    doc: str
    # the default in words, where it depends on what nobody can see in a row
    usually: str
    # without it the setting does nothing, and the command line refuses it
    needs: Need | None
    clashes: tuple[Clash, ...]  # what it does not go with
    classes_only: bool  # whether it means nothing where numbers are predicted
    # families of estimators that have it as a parameter with the usual default, besides
    # those that have every row
    on: tuple[str, ...]
    as_dialect: tuple[str, ...]  # those in which the default is "as the dialect says"
    hidden: tuple[str, ...]  # those that have every row, but not this one
    # what `tune` tries, for each learner; the key "" is for all
    tries: Mapping[str, tuple[Any, ...]]


def row(  # noqa: PLR0913 - an argument for each part of a row
    kind: Kind,
    text: str,
    *,
    default: Any = dataclasses.MISSING,
    takes: str = "",
    doc: str = "",
    usually: str = "",
    needs: Need | None = None,
    clashes: Sequence[Clash] = (),
    classes_only: bool = False,
    on: str = "",
    as_dialect: str = "",
    hidden: str = "",
    tries: Mapping[str, tuple[Any, ...]] | tuple[Any, ...] = (),
) -> Any:
    """Return a field of a class of settings; `Setting` says what the words mean."""
    said = {
        "kind": kind,
        "text": text,
        "takes": takes or kind.takes,
        "doc": doc or kind.doc,
        "usually": usually,
        "needs": needs,
        "clashes": tuple(clashes),
        "classes_only": classes_only,
        "on": tuple(on.split()),
        "as_dialect": tuple(as_dialect.split()),
        "hidden": tuple(hidden.split()),
        "tries": tries if isinstance(tries, Mapping) else {"": tries} if tries else {},
    }
    return field(default=default, metadata={_KEY: said}, kw_only=True)


def shared(kind: type[Settings], name: str, *, clashes: bool = False) -> Any:
    """Return the row of another class again: the same setting, said once.

    What it does not go with is mostly a setting that only the other class has; it comes
    along if `clashes` says so.
    """
    (found,) = (one for one in dataclasses.fields(kind) if one.name == name)
    said = dict(found.metadata[_KEY])
    if not clashes:
        said["clashes"] = ()
    return field(default=found.default, metadata={_KEY: said}, kw_only=True)


@dataclass(frozen=True)
class Settings:
    """The base of the classes of settings, whose fields are rows."""

    def __post_init__(self) -> None:
        for one in self.rows().values():
            value = getattr(self, one.name)
            one.kind(one.name, value)
            if isinstance(one.kind, Flag) and type(value) is not bool:
                object.__setattr__(self, one.name, bool(value))
        kind: Any = type(self)
        for clash in _clashes(kind):
            if clash.holds(self):
                raise SettingError(clash.complaint)

    @classmethod
    def rows(cls) -> Mapping[str, Setting]:
        """Return the rows by name, in their order."""
        kind: Any = cls
        return _rows(kind)

    def change(self, **settings: Any) -> Self:
        """Return the same with other settings; unknown names are refused."""
        rows, now, others = self.rows(), vars(self), {}
        for name, value in settings.items():
            if name not in rows:
                raise SettingError(self.unknown(name))
            old = now[name]  # it was checked when it came
            if value is not old and (type(value) is not type(old) or value != old):
                others[name] = value
        return dataclasses.replace(self, **others) if others else self

    def unknown(self, name: str) -> str:
        """Return what is said of a setting that is not among these."""
        return unknown_name("setting", name, list(self.rows()))

    def settings(self) -> dict[str, Any]:
        """Every setting as a plain value, as a model file keeps it."""
        return dict(self._plain_values)

    @functools.cached_property
    def _plain_values(self) -> dict[str, Any]:
        # once: a small tree would wait for it
        fields = (one.name for one in dataclasses.fields(self))
        return {name: plain(getattr(self, name)) for name in fields if name != "name"}


@functools.cache
def _rows(kind: Any) -> Mapping[str, Setting]:
    return {
        one.name: Setting(
            name=one.name,
            annotation=str(one.type),
            default=one.default,
            **one.metadata[_KEY],
        )
        for one in dataclasses.fields(kind)
        if _KEY in one.metadata
    }


@functools.cache
def _clashes(kind: Any) -> tuple[Clash, ...]:
    return tuple(clash for one in _rows(kind).values() for clash in one.clashes)


def refuse_idle(given: Mapping[str, Any], settings: Settings) -> None:
    """Refuse a setting that was typed and changes nothing."""
    rows = settings.rows()
    for name in given:
        need = rows[name].needs if name in rows else None
        if need is not None and not need.holds(settings):
            raise SettingError(
                f"{name} is for {need.what}, which is not set; set that too, or leave "
                f"{name} out"
            )


def refuse_about_classes(given: Mapping[str, Any], usual: Settings) -> None:
    """Refuse a setting that was typed and means nothing where numbers are predicted.

    Unless it stays as it usually is.
    """
    for name, value in given.items():
        if usual.rows()[name].classes_only and value != getattr(usual, name):
            raise SettingError(
                f"{name} is about classes, and the target is numbers; leave {name} out"
            )


def unknown_name(what: str, name: str, known: Sequence[str]) -> str:
    """One line for a name that does not exist, with the nearest that does."""
    near = difflib.get_close_matches(name, known, n=1)
    hint = (
        f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}"
    )
    return f"unknown {what} {name!r}; {hint}"


def plain(value: Any) -> Any:
    """Return a value as a file keeps it: Python's own numbers, lists for tuples."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    return value
