"""Random draws as `core/draw.hpp` describes them, with Python's own integers."""

from __future__ import annotations

import math
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


def key_of(root_key: int, path: tuple[int, ...]) -> int:
    """Return the key of the node that a path of branches leads to."""
    for branch in path:
        root_key = branch_key(root_key, branch)
    return root_key


def draws_of(
    root_key: int, names: list[str], n_drawn: int, *, counts_constant: bool = True
) -> Callable[..., Any]:
    """Return, for the textbook, the features that each node of a tree looks at.

    They are taken in random order: `n_drawn` of them, and more until one can split the
    node; or, if the others do not count, until `n_drawn` can. Of equals the first drawn
    one wins; a node that looks at all of them takes the first column.
    """

    def draws(path: tuple[int, ...], can_split: Callable[[str], bool]) -> list[str]:
        looked_at: list[str] = []
        for name in order_of(key_of(root_key, path), names):
            n_useful = sum(map(can_split, looked_at))
            if counts_constant and len(looked_at) >= n_drawn and n_useful > 0:
                break
            if not counts_constant and n_useful == n_drawn:
                break
            looked_at.append(name)
        return looked_at if n_drawn < len(names) else names

    return draws


def cuts_of(root_key: int, features: dict[str, Any]) -> Callable[..., Any]:
    """Return, for the textbook, the one test of a feature that a node draws."""

    def cuts(path: tuple[int, ...], name: str, found: set[Any]) -> tuple[Any, ...]:
        place, categories = list(features).index(name), features[name]
        key = key_of(root_key, path)
        draw = next(stream(key ^ (place + 1) * 0xA0761D6478BD642F % WORD)) >> 2
        share = (draw >> 9) / 2**53
        if categories is None:
            low, high = min(found), max(found)
            return "cut", name, low + share * (high - low)
        if isinstance(categories, tuple):
            ranks = [categories.index(value) for value in found]
            rank = math.floor(min(ranks) + share * (max(ranks) - min(ranks)))
            return "order", name, categories[rank]
        return "subset", name, drawn_set(draw, categories, found)

    return cuts


def drawn_set(seed: int, categories: list[Any], found: set[Any]) -> frozenset[Any]:
    """Throw a coin for each category until those that are found are parted."""
    numbers = stream(seed)
    while True:
        coins: list[int] = []
        while len(coins) < len(categories):
            word = next(numbers)
            coins += [word >> bit & 1 for bit in range(64)]
        chosen = {value for place, value in enumerate(categories) if coins[place]}
        if chosen & found and found - chosen:
            return frozenset(chosen)


def sums_of(
    root_key: int, scales: dict[str, float], n_sums: int, n_combined: int
) -> Callable[..., Any]:
    """Return, for the textbook, the weighted sums that a node draws: terms each."""

    def sums(path: tuple[int, ...], rows: list[Any]) -> list[tuple[Any, ...]]:
        key, found = key_of(root_key, path), []
        for number in range(n_sums):
            draw = next(stream(key ^ (number + 1) * 0xA0761D6478BD642F % WORD)) >> 2
            numbers = stream(branch_key(draw, 0))
            useful = [
                name
                for name in order_of(draw, list(scales))
                if len({row[name] for row in rows}) > 1
            ]
            found.append(
                tuple(
                    (name, coefficient(next(numbers)) * scales[name])
                    for name in useful[:n_combined]
                )
            )
        return [terms for terms in found if terms]

    return sums


def coefficient(word: int) -> float:
    """Return a number from -1 up to 1 for 64 random bits."""
    signed = word - WORD if word >= WORD // 2 else word
    return (signed >> 10) / 2**53
