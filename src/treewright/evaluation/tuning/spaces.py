"""What is tried for each algorithm, if nobody says it: a small space of settings.

Each is the product of a few values of two or three switches: depth, leaf size, C4.5's
confidence, the price of a leaf (`cp`, alpha as a share of the root's risk, so that it
suits any table), the features that a node of a forest looks at, how much CAL3 wants to
see of a leaf. What the algorithm does
by itself is among them, or for CART, which does not prune by itself, next to it (cp=0).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from treewright.data.complaints import short
from treewright.errors import SettingError

Space = Mapping[str, tuple[Any, ...]]
Settings = dict[str, Any]

MOST_SETTINGS = 1000

_DEPTH_AND_LEAF: Space = {
    "max_depth": (1, 2, 3, 5, None),
    "min_samples_leaf": (1, 2, 5),
}
_C45: Space = {"confidence": (0.05, 0.1, 0.25, 0.5), "min_samples_leaf": (2, 5, 10)}
_FOREST: Space = {"max_features": ("sqrt", 0.33, None), "min_samples_leaf": (1, 3, 10)}
SPACES: Mapping[str, Space] = {
    "id3": _DEPTH_AND_LEAF,
    "aima": _DEPTH_AND_LEAF,
    "lecture": _DEPTH_AND_LEAF,
    "c45": _C45,
    "j48": _C45,
    "cal2": {"max_passes": (1, 10, 1000), "when_exhausted": ("stop", "go_on")},
    "cal3": {"s1": (2, 4, 8), "s2": (0.6, 0.7, 0.8, 0.9)},
    "cart": {
        "max_depth": (3, 6, None),
        "min_samples_leaf": (1, 5),
        "pruning": ("cost_complexity",),
        "cp": (0, 0.005, 0.02),
    },
    "rpart": {
        "cp": (0.001, 0.003, 0.01, 0.03),
        "min_samples_leaf": (2, 7, 20),
    },
    "forest": _FOREST,
    "extra-trees": _FOREST,
    "adaboost": {"max_depth": (1, 2, 4), "learning_rate": (0.3, 1)},
    "c45rules": {"confidence": (0.1, 0.25, 0.5), "min_samples_leaf": (2, 5)},
}


def usual_settings(
    algorithm: str, taken: Iterable[str], check: Callable[[Settings], object]
) -> tuple[Settings, ...]:
    """Return what is tried for an algorithm, as far as it goes with what is given.

    Parameters
    ----------
    algorithm : str
        A key of `SPACES`.
    taken : iterable of str
        Settings that have a value already.
    check : callable
        Raises SettingError for settings that do not go with that.
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
    space, given = SPACES[algorithm], set(taken)
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
