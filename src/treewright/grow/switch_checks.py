"""What a switch may be set to: each check refuses a value, with what it must be."""

from __future__ import annotations

import math
import numbers
from typing import Any

from treewright.errors import SettingError


def _is_whole(value: object) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def _is_real(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return False
    return math.isfinite(float(value))


class OneOf:
    """One of some values."""

    def __init__(self, *choices: object) -> None:
        self.choices = choices

    def __call__(self, name: str, value: object) -> None:
        """Raise if the value is none of them."""
        if not any(value is c or value == c for c in self.choices):
            wanted = ", ".join(repr(choice) for choice in self.choices)
            raise SettingError(f"{name} is {value!r}; it must be one of {wanted}")


class Whole:
    """A whole number from `least` up, or None."""

    def __init__(self, least: int) -> None:
        self.least = least

    def __call__(self, name: str, value: Any) -> None:
        """Raise if the value is anything else."""
        if value is None or (_is_whole(value) and value >= self.least):
            return
        raise SettingError(
            f"{name} is {value!r}; it must be None or a whole number "
            f"from {self.least} up"
        )


class Count:
    """A whole number from `least` up."""

    def __init__(self, least: int) -> None:
        self.least = least

    def __call__(self, name: str, value: Any) -> None:
        """Raise if the value is anything else."""
        if _is_whole(value) and value >= self.least:
            return
        raise SettingError(
            f"{name} is {value!r}; it must be a whole number from {self.least} up"
        )


class Rows:
    """A number of rows from `least` up, or a share of them in (0, 1]."""

    def __init__(self, least: int) -> None:
        self.least = least

    def __call__(self, name: str, value: Any) -> None:
        """Raise if the value is anything else."""
        if _is_whole(value) and value >= self.least:
            return
        if not _is_whole(value) and _is_real(value) and 0.0 < value <= 1.0:
            return
        raise SettingError(
            f"{name} is {value!r}; it must be a whole number from {self.least} up, "
            "or a share of the rows between 0 and 1"
        )


class Real:
    """A finite number in a closed range."""

    def __init__(self, low: float, high: float = math.inf) -> None:
        self.low, self.high = low, high

    def __call__(self, name: str, value: Any) -> None:
        """Raise if the value is anything else."""
        if _is_real(value) and self.low <= value <= self.high:
            return
        upto = "up" if math.isinf(self.high) else f"to {self.high:g}"
        raise SettingError(
            f"{name} is {value!r}; it must be a number from {self.low:g} {upto}"
        )


class Between:
    """A finite number in an open range."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def __call__(self, name: str, value: Any) -> None:
        """Raise if the value is anything else."""
        if _is_real(value) and self.low < value < self.high:
            return
        raise SettingError(
            f"{name} is {value!r}; it must be a number between {self.low:g} and "
            f"{self.high:g}, both excluded"
        )


class OrNone:
    """None, or what another check takes."""

    def __init__(self, check: Any) -> None:
        self.check = check

    def __call__(self, name: str, value: Any) -> None:
        """Raise if the value is anything else."""
        if value is not None:
            self.check(name, value)
