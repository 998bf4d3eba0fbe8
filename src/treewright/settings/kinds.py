"""What a setting may be set to: each kind checks a value and says what it takes.

A kind is a function of a name and a value that raises if the value will not do. `takes`
says in words what it takes, as the command line types it; `doc` is the type in a
docstring.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any, Protocol

from treewright.errors import SettingError


class Kind(Protocol):
    """What a value may be."""

    @property
    def takes(self) -> str:
        """What it takes, as the command line types it."""
        ...

    @property
    def doc(self) -> str:
        """The type in a docstring."""
        ...

    def __call__(self, name: str, value: Any) -> None:
        """Raise if the value will not do."""
        ...


def is_whole(value: object) -> bool:
    """Tell whether a value is a whole number, and not True or False."""
    if type(value) is int:  # soon: a fit looks at fifty settings
        return True
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_real(value: object) -> bool:
    """Tell whether a value is a finite number, and not True or False."""
    if type(value) is float:
        return math.isfinite(value)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return False
    return math.isfinite(float(value))


def is_flag(value: object) -> bool:
    """Tell whether a value is True or False, NumPy's and 1 and 0 too."""
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return True
    return isinstance(value, numbers.Real) and value in (0, 1)


def typed(value: object) -> str:
    """Return a value as it is typed after --set."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}".replace("e-0", "e-")
    return str(value)


class OneOf:
    """One of some values."""

    def __init__(self, *choices: object) -> None:
        self.choices = choices

    def __call__(self, name: str, value: object) -> None:
        """Raise if the value is none of them."""
        if value not in self.choices:
            wanted = ", ".join(repr(choice) for choice in self.choices)
            raise SettingError(f"{name} is {value!r}; it must be one of {wanted}")

    @property
    def takes(self) -> str:
        """The values."""
        return ", ".join(map(typed, self.choices))

    @property
    def doc(self) -> str:
        """The values, in braces."""
        said = ('"' + c + '"' if isinstance(c, str) else repr(c) for c in self.choices)
        return f"{{{', '.join(said)}}}"


class Flag:
    """True or False."""

    takes, doc = "true, false", "bool"

    def __call__(self, name: str, value: object) -> None:
        """Raise if the value is anything else."""
        if not is_flag(value):
            raise SettingError(f"{name} is {value!r}; it must be True or False")


class Whole:
    """A whole number in a closed range.

    `least`: the smallest. `most`: the largest; None: there is none. `beyond`: why not
    more, if there is a largest one.
    """

    doc = "int"

    def __init__(self, least: int, most: int | None = None, beyond: str = "") -> None:
        self.least, self.most, self.beyond = least, most, beyond

    def __call__(self, name: str, value: Any) -> None:
        """Raise if the value is anything else."""
        if not is_whole(value) or value < self.least:
            raise SettingError(f"{name} is {value!r}; it must be {self._words}")
        if self.most is not None and value > self.most:
            why = self.beyond or f"it must be {self._words}"
            raise SettingError(f"{name} is {value}; {why}")

    @property
    def _words(self) -> str:
        upto = "up" if self.most is None or self.beyond else f"to {self.most}"
        return f"a whole number from {self.least} {upto}"

    @property
    def takes(self) -> str:
        """The range."""
        return self._words


class RowCount:
    """A number of rows from `least` up, or a share of them in (0, 1]."""

    doc = "int or float"

    def __init__(self, least: int) -> None:
        self.least = least

    def __call__(self, name: str, value: Any) -> None:
        """Raise if the value is anything else."""
        if is_whole(value) and value >= self.least:
            return
        if not is_whole(value) and is_real(value) and 0.0 < value <= 1.0:
            return
        raise SettingError(
            f"{name} is {value!r}; it must be a whole number from {self.least} up, "
            "or a share of the rows between 0 and 1"
        )

    @property
    def takes(self) -> str:
        """The ranges."""
        return f"rows from {self.least} up, or a share as 0.1"


class Real:
    """A finite number in a closed range."""

    doc = "float"

    def __init__(self, low: float, high: float = math.inf) -> None:
        self.low, self.high = low, high

    def __call__(self, name: str, value: Any) -> None:
        """Raise if the value is anything else."""
        if is_real(value) and self.low <= value <= self.high:
            return
        raise SettingError(f"{name} is {value!r}; it must be {self.takes}")

    @property
    def takes(self) -> str:
        """The range."""
        upto = "up" if math.isinf(self.high) else f"to {self.high:g}"
        return f"a number from {self.low:g} {upto}"


class Between:
    """A finite number in an open range."""

    doc = "float"

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def __call__(self, name: str, value: Any) -> None:
        """Raise if the value is anything else."""
        if is_real(value) and self.low < value < self.high:
            return
        raise SettingError(
            f"{name} is {value!r}; it must be {self.takes}, both excluded"
        )

    @property
    def takes(self) -> str:
        """The range."""
        return f"a number between {self.low:g} and {self.high:g}"


class Above:
    """A finite number above `low`, at most `high`; `why` is added to what must be."""

    doc = "float"

    def __init__(self, low: float, high: float, why: str = "") -> None:
        self.low, self.high, self.why = low, high, why

    def __call__(self, name: str, value: Any) -> None:
        """Raise if the value is anything else."""
        if is_real(value) and self.low < value <= self.high:
            return
        raise SettingError(
            f"{name} is {value!r}; it must be a number above {self.low:g}{self.why} "
            f"and at most {self.high:g}"
        )

    @property
    def takes(self) -> str:
        """The range."""
        return f"a number above {self.low:g}, at most {self.high:g}"


class OrNone:
    """None, or what another kind takes."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def __call__(self, name: str, value: Any) -> None:
        """Raise if the value is anything else."""
        if value is None:
            return
        try:
            self.kind(name, value)
        except SettingError as error:
            said = str(error).replace("it must be ", "it must be None or ", 1)
            raise SettingError(said) from None

    @property
    def takes(self) -> str:
        """What the other takes, or none."""
        return f"{self.kind.takes}, none"

    @property
    def doc(self) -> str:
        """The other's type, or None."""
        return f"{self.kind.doc} or None"


class Anything:
    """A value that is checked where it is used, against the table."""

    def __init__(self, doc: str, takes: str = "") -> None:
        self.doc, self.takes = doc, takes

    def __call__(self, name: str, value: Any) -> None:
        """Take it: who uses it knows more."""


class Names:
    """Some different names, or None; the command line gives them with commas."""

    takes, doc = "names of features, as x2,x1", "sequence of str or None"

    def __call__(self, name: str, value: Any) -> None:
        """Raise if the value is anything else, or has a name twice."""
        if value is None:
            return
        is_list = isinstance(value, Sequence) and not isinstance(value, str)
        if not is_list or not all(isinstance(one, str) for one in value):
            raise SettingError(
                f"{name} is {value!r}; it must be None or the names of features in the "
                "order in which they are asked about"
            )
        if len(set(value)) < len(value):
            twice = sorted({one for one in value if list(value).count(one) > 1})
            raise SettingError(
                f"{name} names {', '.join(map(repr, twice))} twice; a feature is asked "
                "about once on a path"
            )
