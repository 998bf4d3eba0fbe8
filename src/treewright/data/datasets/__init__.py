"""The worked examples of textbooks and lectures, as tables that come with the package.

Each function returns `(X, y)`: a polars DataFrame and a polars Series. The target is
the last column of the file. `waveform`, `twonorm`, `threenorm` and `ringnorm` are drawn
afresh from a seed (`drawn.py`), and so are the streams `hyperplane`, `sea` and
`stagger` (`moving.py`), whose classes change on the way.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from treewright.data.complaints import did_you_mean
from treewright.data.datasets.drawn import ringnorm, threenorm, twonorm, waveform
from treewright.data.datasets.moving import hyperplane, sea, stagger
from treewright.errors import DataError

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "cars",
    "dungeon",
    "frame",
    "hyperplane",
    "names",
    "path",
    "patients",
    "restaurant",
    "ringnorm",
    "sea",
    "six_rows",
    "split",
    "stagger",
    "target",
    "tennis",
    "threenorm",
    "twonorm",
    "watermelon",
    "watermelon_missing",
    "waveform",
]

# Digits in the other columns are names of categories, not amounts.
_NUMERIC = {"cars": ("PS",), "watermelon": ("编号", "密度", "含糖率")}


def cars() -> tuple[pl.DataFrame, pl.Series]:
    """Five cars: power and colour, and whether they are cheap, middling or dear."""
    return split("cars")


def dungeon() -> tuple[pl.DataFrame, pl.Series]:
    """Six situations of a monster, and whether it attacks, flees or heals itself."""
    return split("dungeon")


def patients() -> tuple[pl.DataFrame, pl.Series]:
    """Five patients with or without cough and fever, healthy or ill."""
    return split("patients")


def restaurant() -> tuple[pl.DataFrame, pl.Series]:
    """Twelve visits to a restaurant: wait or leave (Russell and Norvig)."""
    return split("restaurant")


def six_rows() -> tuple[pl.DataFrame, pl.Series]:
    """Six rows of three features for the blackboard."""
    return split("six_rows")


def tennis() -> tuple[pl.DataFrame, pl.Series]:
    """Fourteen days of weather: play tennis or not (Mitchell)."""
    return split("tennis")


def watermelon() -> tuple[pl.DataFrame, pl.Series]:
    """Seventeen watermelons, ripe or not (Zhou, data set 3.0)."""
    return split("watermelon")


def watermelon_missing() -> tuple[pl.DataFrame, pl.Series]:
    """Seventeen watermelons with missing values (Zhou, data set 2.0 alpha)."""
    return split("watermelon_missing")


def names() -> list[str]:
    """Return the names of the tables."""
    return sorted(file.stem for file in Path(__file__).parent.glob("*.csv"))


def path(name: str) -> Path:
    """Return the CSV file of a table."""
    if name not in names():
        raise DataError(
            f"there is no built-in table {name!r}; {did_you_mean(name, names())}"
        )
    return Path(__file__).with_name(f"{name}.csv")


def frame(name: str) -> pl.DataFrame:
    """Return a whole table, target included. Only empty cells are missing."""
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    text = pl.read_csv(path(name), infer_schema=False)
    return text.with_columns(
        pl.col(column).cast(
            pl.Float64
            if text[column].str.contains(".", literal=True).any()
            else pl.Int64
        )
        for column in _NUMERIC.get(name, ())
    )


def target(name: str) -> str:
    """Return the name of a table's target column."""
    return frame(name).columns[-1]


def split(name: str) -> tuple[pl.DataFrame, pl.Series]:
    """Return a table's features and its target."""
    table = frame(name)
    return table.drop(table.columns[-1]), table[table.columns[-1]]
