"""The tables of the shared collection, as our estimators take them, and the records.

A nominal column becomes an Enum with the declared values in their order, whether they
occur or not; so does the class. An empty cell is a missing value. Rows without a class
are left out, as the reference programs do: they neither train on them nor count them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"

Rows = npt.NDArray[np.intp]


class NoDataError(Exception):
    """The shared collection is not there, or has no set of this name."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table with its target, folds and split.

    Attributes
    ----------
    name, task : str
        Its name; "classification" or "regression".
    inputs, target : DataFrame, Series
        The columns, and what is predicted.
    ordinal : tuple of str
        The nominal inputs whose declared order has a meaning.
    folds : int array or None
        The fold in which each row is tested.
    train_rows, test_rows : int array or None
        The fixed split.
    """

    name: str
    task: str
    inputs: pl.DataFrame
    target: pl.Series
    ordinal: tuple[str, ...]
    folds: Rows | None
    train_rows: Rows | None
    test_rows: Rows | None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.target)

    @property
    def features(self) -> dict[str, tuple[str, ...]]:
        """The declared values of each input; none for a numeric one."""
        return {name: _values(dtype) for name, dtype in self.inputs.schema.items()}

    @property
    def classes(self) -> tuple[str, ...]:
        """The declared classes; none if numbers are predicted."""
        return _values(self.target.dtype)


def check_data() -> None:
    """Raise if the collection is not beside the repository."""
    if not (DATA / "datasets.json").is_file():
        raise NoDataError(
            f"the shared data sets are not at {DATA}; conformance needs the folder "
            "'shared' beside the repository"
        )


def load(name: str) -> Dataset:
    """Return the data set of this name."""
    entry = _entries().get(name)
    if entry is None:
        raise NoDataError(f"no data set {name!r}; there are {', '.join(_entries())}")
    attributes = entry["attributes"]
    table = pl.read_csv(DATA / entry["file"], infer_schema=False).select(
        pl.col(attribute["name"]).cast(_dtype(attribute)) for attribute in attributes
    )
    target = entry["target"]
    known = table[target].is_not_null().to_numpy()
    split = entry["split"] or {}
    return Dataset(
        name=name,
        task=entry["task"],
        inputs=table.drop(target).filter(known),
        target=table[target].filter(known),
        ordinal=tuple(a["name"] for a in attributes if a["kind"] == "ordinal"),
        folds=_folds(entry["folds_file"], known),
        train_rows=_rows(split.get("train_rows"), known),
        test_rows=_rows(split.get("test_rows"), known),
    )


def names() -> list[str]:
    """Names of all sets, the smallest first."""
    return sorted(_entries(), key=n_rows)


def n_rows(name: str) -> int:
    """Number of rows of a set, without loading it."""
    return int(_entries()[name]["rows"])


@cache
def recorded_results() -> dict[str, dict[str, Any]]:
    """What the programs counted: data set, program, figures."""
    results: dict[str, dict[str, Any]] = _read("reference-results.json")["results"]
    return results


@cache
def recorded_trees() -> dict[str, dict[str, str]]:
    """The trees as the programs print them: data set, program, text."""
    trees: dict[str, dict[str, str]] = _read("reference-trees.json")["trees"]
    return trees


@cache
def _entries() -> dict[str, dict[str, Any]]:
    return {entry["name"]: entry for entry in _read("datasets.json")["datasets"]}


def _read(file: str) -> Any:
    check_data()
    return json.loads((DATA / file).read_text(encoding="utf-8"))


def _dtype(attribute: dict[str, Any]) -> pl.Enum | type[pl.Float64]:
    if attribute["kind"] == "numeric":
        return pl.Float64
    return pl.Enum(attribute["values"])


def _values(dtype: Any) -> tuple[str, ...]:
    return tuple(dtype.categories) if isinstance(dtype, pl.Enum) else ()


def _folds(file: str | None, known: npt.NDArray[np.bool_]) -> Rows | None:
    """Return the fold of each row: one digit per row in the file."""
    if file is None:
        return None
    text = (DATA / file).read_text(encoding="ascii")
    digits = np.array([int(digit) for digit in text if digit.isdigit()], np.intp)
    return digits[known]


def _rows(ends: list[int] | None, known: npt.NDArray[np.bool_]) -> Rows | None:
    """Return the row numbers from one end to the other, both included."""
    if ends is None:
        return None
    new_number = np.cumsum(known) - 1
    rows = np.arange(ends[0], ends[1] + 1)
    kept: Rows = new_number[rows[known[rows]]]
    return kept
