"""C4.5's oracle and the engine on one table, and the random tables for them.

The tables of `tables.py` are noise, in which C4.5 finds little; here most rows follow a
rule of two columns, so that trees have several levels.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import tables
from hypothesis import assume
from tables import LETTERS, NUMBERS, WEIGHTS, Table

from engine_as_textbook import as_textbook
from textbook_c45 import grow_c45
from textbook_c45_answers import collapse
from textbook_c45_splits import Rules, Undecided
from textbook_compare import first_difference
from treewright.grow.dialect import Dialect

Tree = dict[str, Any]

SWITCHES = [field.name for field in dataclasses.fields(Rules)]


def rows_of(table: Table) -> list[dict[str, Any]]:
    names = list(table.cells)
    cells = zip(*table.cells.values(), strict=True)
    return [dict(zip(names, row, strict=True)) for row in cells]


def features_of(table: Table) -> dict[str, Any]:
    return {name: table.categories.get(name) for name in table.cells}


def grow_oracle(table: Table, dialect: Dialect) -> Tree:
    """Grow a tree with the oracle; skip the table where rounding decides."""
    switches = {name: getattr(dialect, name) for name in SWITCHES}
    try:
        return grow_c45(
            rows_of(table),
            features_of(table),
            table.target,
            table.weights,
            classes=table.classes[0],
            **switches,
        )
    except Undecided:
        assume(False)


def check(table: Table, dialect: Dialect) -> None:
    """Fail with the first difference between the trees as grown."""
    wanted = grow_oracle(table, dialect)
    if dialect.collapse is not None:
        wanted = collapse(wanted, dialect.collapse)
    found = as_textbook(tables.grow(table, dialect))
    assert first_difference(found, wanted) is None


def ruled_table(
    seed: int,
    *,
    most_missing: float = 0.3,
    whole: bool = False,
    most_rows: int = 30,
    letters: str = LETTERS,
) -> Table:
    """Make a table of some rows and up to 4 columns, most of which follow a rule.

    Some columns have one value, some categories and classes no rows. `whole` weights
    are integers; the others have halves and quarters.
    """
    random = np.random.default_rng(seed)
    n_rows = int(random.integers(2, most_rows + 1))
    cells, kinds, categories = {}, {}, {}
    missing = random.choice([0.0, most_missing / 3, most_missing])
    for name in [f"x{k}" for k in range(random.integers(1, 5))]:
        kinds[name] = str(random.choice(["numeric", "nominal"]))
        values: list[Any] = list(NUMBERS)
        if kinds[name] == "nominal":
            n_values = random.integers(1, len(letters) + 1)
            values = categories[name] = list(letters[:n_values])
        codes = random.integers(0, random.integers(1, len(values) + 1), n_rows)
        is_missing = random.random(n_rows) < missing
        cells[name] = [
            None if gone else values[code]
            for code, gone in zip(codes, is_missing, strict=True)
        ]
    classes = list("pqrs"[: random.integers(2, 5)])
    weights = random.choice([1.0, 2.0, 3.0] if whole else WEIGHTS, n_rows).tolist()
    return Table(
        cells=cells,
        kinds=kinds,
        categories=categories,
        target=follow_rule(random, cells, classes),
        classes=[classes],
        weights=weights if random.random() < 0.5 else None,
    )


def follow_rule(random: Any, cells: dict[str, list[Any]], classes: list[str]) -> Any:
    """Draw classes: of two columns' values where both are known, mostly."""
    n_used = int(random.integers(1, len(classes) + 1))  # the other classes have no row
    names = random.choice(list(cells), 2)
    values = {v for name in names for v in cells[name] if v is not None}
    number = {value: k for k, value in enumerate(sorted(values, key=str))}
    target = []
    for a, b in zip(*[cells[name] for name in names], strict=True):
        drawn = int(random.integers(n_used))
        if a is not None and b is not None and random.random() < 0.8:
            drawn = (number[a] + 2 * number[b]) % n_used
        target.append(classes[drawn])
    return target
