"""Random draws as `core/draw.hpp` describes them, with Python's own integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

WORD = 2**64


def mixed(state: int) -> int:
    """Return splitmix64's number for a state."""
    word = state % WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % WORD
    return word ^ word >> 31


def stream(key: int):
    """Yield the numbers of a key."""
    while True:
        key = (key + 0x9E3779B97F4A7C15) % WORD
        yield mixed(key)


def branch_key(key: int, branch: int) -> int:
    """Return the key of a branch of the node with this key."""
    return next(stream(key ^ (branch + 1) * 0xD1342543DE82EF95 % WORD))


def order_of(key: int, names: list[str]) -> list[str]:
    """Return the features in the random order of a key."""
    order, numbers = list(names), stream(key)
    for place in range(len(order)):
        other = place + (next(numbers) * (len(order) - place) >> 64)
        order[place], order[other] = order[other], order[place]
    return order


def draws_of(root_key: int, names: list[str], n_drawn: int) -> Callable[..., Any]:
    """Return, for the textbook, what each node of a tree draws."""

    def draws(path: tuple[int, ...]) -> list[list[str]]:
        key = root_key
        for branch in path:
            key = branch_key(key, branch)
        order = order_of(key, names)
        return [order[at : at + n_drawn] for at in range(0, len(order), n_drawn)]

    return draws
