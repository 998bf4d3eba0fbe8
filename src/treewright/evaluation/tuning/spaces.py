"""What is tried for each algorithm, if nobody says it: a small space of settings.

The values stand in the rows of the settings (`tries`): depth, leaf size, C4.5's
confidence, the price of a leaf (`cp`, alpha as a share of the root's risk, so that it
suits any table), the features that a node of a forest looks at, how much CAL3 wants to
see of a leaf. What the algorithm does by itself is among them, or for CART, which does
not prune by itself, next to it (cp=0).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from treewright.data.complaints import short
from treewright.errors import SettingError
from treewright.learners.registry import LEARNERS

Space = Mapping[str, tuple[Any, ...]]
Settings = dict[str, Any]

MOST_SETTINGS = 1000


def usual_settings(
    algorithm: str, taken: Iterable[str], check: Callable[[Settings], object]
) -> tuple[Settings, ...]:
    """Return what is tried for an algorithm, as far as it goes with what is given.

    `algorithm`: a name of the registry. `taken`: settings that have a value already.
    `check`: raises SettingError for settings that do not go with that.
    """
    possible, complaint = [], ""
    for settings in settings_in(_usual_space(algorithm, taken)):
        try:
            check(settings)
        except SettingError as error:
            complaint = complaint or str(error)
        else:
            possible.append(settings)
    if not possible:
        raise SettingError(
            "what is usually tried does not go with these settings: "
            f"{complaint.partition(';')[0]}; give a space of your own"
        )
    return tuple(possible)


def _usual_space(algorithm: str, taken: Iterable[str]) -> Space:
    space, given = LEARNERS[algorithm].tries(), set(taken)
    left = {name: values for name, values in space.items() if name not in given}
    if not left:
        raise SettingError(
            f"nothing is left to try: all of {', '.join(space)} are set; leave one "
            "out, or give a space of your own"
        )
    return left


def checked_space(given: Any) -> Space:
    """Return a space that a user gave: names, and the values of each."""
    if not isinstance(given, Mapping) or not given:
        raise SettingError(
            f"space is {short(given)}; it must be a dict from names to lists of "
            "values, as {'max_depth': [3, 5, None]}"
        )
    space: dict[str, tuple[Any, ...]] = {}
    for name, values in given.items():
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise SettingError(
                f"space has {short(values)} for {name!r}; give a list of values, as "
                f"[{short(values)}]"
            )
        space[str(name)] = tuple(values)
        _check_values(str(name), space[str(name)])
    return space


def _check_values(name: str, values: tuple[Any, ...]) -> None:
    if not values:
        raise SettingError(
            f"space has no values for {name!r}; give at least one, or leave it out"
        )
    seen: list[tuple[type, Any]] = []
    for value in values:
        # True is 1 to Python, and another value of a switch
        if (type(value), value) in seen:
            raise SettingError(
                f"space has {short(value)} twice for {name!r}; name each value once"
            )
        seen.append((type(value), value))


def settings_in(space: Space) -> tuple[Settings, ...]:
    """Return every combination of values; the last name changes fastest."""
    n_settings = 1
    for values in space.values():
        n_settings *= len(values)
    if n_settings > MOST_SETTINGS:
        raise SettingError(
            f"space has {n_settings:,} combinations, and at most "
            f"{MOST_SETTINGS:,} can be tried; give fewer values"
        )
    return tuple(
        dict(zip(space, values, strict=True))
        for values in itertools.product(*space.values())
    )


def value_text(value: Any) -> str:
    """Return the value of a setting as it is typed."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return str(value)


def setting_words(settings: Settings) -> str:
    """Return settings in one line."""
    return ", ".join(f"{name}={value_text(value)}" for name, value in settings.items())
