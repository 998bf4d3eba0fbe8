"""Clean tables, and faults to plant into them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Table = dict[str, Any]
Generator = np.random.Generator


def clean(
    seed: int, n_rows: int = 400, task: str = "classes"
) -> tuple[Table, np.ndarray]:
    """Return numbers, whole numbers and categories, and a target that needs several."""
    draw = np.random.default_rng(seed)
    table: Table = {
        "height": draw.normal(170, 10, n_rows),
        "weight": draw.gamma(20, 3.5, n_rows),
        "age": draw.integers(18, 90, n_rows),
        "income": draw.lognormal(10, 1, n_rows),
        "colour": draw.choice(["red", "green", "blue"], n_rows),
        "smokes": draw.choice(["yes", "no"], n_rows, p=[0.3, 0.7]),
    }
    score = table["age"] / 20 + (table["colour"] == "red") + draw.normal(size=n_rows)
    if task == "numbers":
        return table, score
    return table, np.where(score > np.median(score), "ill", "well")


def order(y: np.ndarray) -> np.ndarray:
    """Return a number that says the target."""
    return y if y.dtype.kind == "f" else (y == "ill").astype(float)


def leak(table: Table, y: np.ndarray, draw: Generator) -> tuple[Table, np.ndarray]:
    return {**table, "outcome": 3 + 2 * order(y)}, y


def near_leak(table: Table, y: np.ndarray, draw: Generator) -> tuple[Table, np.ndarray]:
    said = order(y)
    noise = draw.normal(scale=0.02 * said.std(), size=len(y))
    flips = draw.random(len(y)) < (0.01 if y.dtype.kind != "f" else 0)
    return {**table, "almost": np.where(flips, 1 - said, said) + noise}, y


def leak_of_names(
    table: Table, y: np.ndarray, draw: Generator
) -> tuple[Table, np.ndarray]:
    places = np.searchsorted(np.quantile(order(y), [0.2, 0.4, 0.6, 0.8]), order(y))
    names = np.array(["treated", "sent home", "seen", "called", "lost"])
    return {**table, "label": names[places]}, y


def identifier(
    table: Table, y: np.ndarray, draw: Generator
) -> tuple[Table, np.ndarray]:
    return {**table, "number": 1000 + draw.permutation(len(y))}, y


def rising_identifier(
    table: Table, y: np.ndarray, draw: Generator
) -> tuple[Table, np.ndarray]:
    return {**table, "ticket": np.cumsum(draw.integers(1, 1000, len(y)))}, y


def name(table: Table, y: np.ndarray, draw: Generator) -> tuple[Table, np.ndarray]:
    return {**table, "name": [f"person {k}" for k in range(len(y))]}, y


def constant(table: Table, y: np.ndarray, draw: Generator) -> tuple[Table, np.ndarray]:
    return {**table, "country": ["NO"] * len(y)}, y


def empty(table: Table, y: np.ndarray, draw: Generator) -> tuple[Table, np.ndarray]:
    return {**table, "nothing": [None] * len(y)}, y


def monotone(table: Table, y: np.ndarray, draw: Generator) -> tuple[Table, np.ndarray]:
    return {**table, "inches": np.log(table["height"])}, y


def opposite(table: Table, y: np.ndarray, draw: Generator) -> tuple[Table, np.ndarray]:
    return {**table, "left": 100 - table["age"]}, y


def rounded(table: Table, y: np.ndarray, draw: Generator) -> tuple[Table, np.ndarray]:
    return {**table, "grams": np.round(table["weight"])}, y


def renamed(table: Table, y: np.ndarray, draw: Generator) -> tuple[Table, np.ndarray]:
    words = {"red": "rot", "green": "grün", "blue": "blau"}
    return {**table, "farbe": [words[each] for each in table["colour"]]}, y


def nearly_renamed(
    table: Table, y: np.ndarray, draw: Generator
) -> tuple[Table, np.ndarray]:
    said = np.where(table["smokes"] == "yes", 1, 0)
    said[:2] = 1 - said[:2]
    return {**table, "cigarettes": said}, y


def once(table: Table, y: np.ndarray, draw: Generator) -> tuple[Table, np.ndarray]:
    city = draw.choice(["Oslo", "Bergen"], len(y)).astype(object)
    city[[3, 7]] = "Hamar", "Molde"
    return {**table, "city": city}, y


def half_missing(
    table: Table, y: np.ndarray, draw: Generator
) -> tuple[Table, np.ndarray]:
    pulse = draw.normal(60, 5, len(y))
    pulse[draw.random(len(y)) < 0.7] = np.nan
    return {**table, "pulse": pulse}, y


def missing_together(
    table: Table, y: np.ndarray, draw: Generator
) -> tuple[Table, np.ndarray]:
    gone = draw.random(len(y)) < 0.15
    lab = {key: draw.normal(size=len(y)) for key in ("iron", "zinc", "lead")}
    for values in lab.values():
        values[gone] = np.nan
    return {**table, **lab}, y


def missing_tells(
    table: Table, y: np.ndarray, draw: Generator
) -> tuple[Table, np.ndarray]:
    dose = draw.normal(size=len(y))
    dose[(order(y) > np.median(order(y)) - 0.5) & (draw.random(len(y)) < 0.4)] = np.nan
    return {**table, "dose": dose}, y


def contradictions(
    table: Table, y: np.ndarray, draw: Generator
) -> tuple[Table, np.ndarray]:
    """Copy five rows and give the copies another answer."""
    longer = {
        key: np.concatenate([values, values[:5]])
        for key, values in ((key, np.asarray(table[key])) for key in table)
    }
    other = (
        y[:5] + 1 if y.dtype.kind == "f" else np.where(y[:5] == "ill", "well", "ill")
    )
    return longer, np.concatenate([y, other])


Plant = Callable[[Table, np.ndarray, Generator], tuple[Table, np.ndarray]]

# what is planted, and what must be found: the kind and the columns
FAULTS: dict[str, tuple[Plant, str, tuple[str, ...]]] = {
    "leak": (leak, "leak", ("outcome",)),
    "near leak": (near_leak, "leak", ("almost",)),
    "identifier": (identifier, "identifier", ("number",)),
    "rising identifier": (rising_identifier, "identifier", ("ticket",)),
    "name": (name, "identifier", ("name",)),
    "constant": (constant, "constant", ("country",)),
    "empty": (empty, "constant", ("nothing",)),
    "monotone copy": (monotone, "copy", ("height", "inches")),
    "opposite copy": (opposite, "copy", ("age", "left")),
    "rounded copy": (rounded, "copy", ("weight", "grams")),
    "renamed copy": (renamed, "copy", ("colour", "farbe")),
    "nearly renamed copy": (nearly_renamed, "copy", ("smokes", "cigarettes")),
    "seen once": (once, "seen once", ("city",)),
    "mostly missing": (half_missing, "mostly missing", ("pulse",)),
    "missing together": (
        missing_together,
        "missing together",
        ("iron", "zinc", "lead"),
    ),
    "missing tells": (missing_tells, "missing tells", ("dose", "target")),
    "contradictions": (contradictions, "contradictions", ("target",)),
}
