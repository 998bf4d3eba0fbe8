"""The tables of a step as data frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from treewright.grow.chalk.growing_record import Candidate, Part, Record, Step
from treewright.render.chalk.blocks.branches import Counts
from treewright.render.chalk.blocks.digits import figures_of
from treewright.render.chalk.blocks.node_tables import in_order
from treewright.render.chalk.languages import LectureWords

if TYPE_CHECKING:
    import polars as pl


def candidate_frame(record: Record, step: Step) -> pl.DataFrame:
    """One row for each feature that was compared, the winner first."""
    counts = Counts(record, figures_of(record, 4), LectureWords("en"))
    pays = any(one.cost or one.charge for one in step.candidates)
    by_ratio = step.compared_by == "gain_ratio"
    columns: dict[str, Any] = {"feature": "str", "branches": "str"}
    columns |= dict.fromkeys(["remainder", "gain"], "float")
    columns |= dict.fromkeys(["cost", "net_gain"] if pays else [], "float")
    columns |= dict.fromkeys(
        ["split_information", "gain_ratio"] if by_ratio else [], "float"
    )
    columns |= {"verdict": "str"}
    rows = []
    for one in in_order(step):
        row = {
            "feature": one.feature,
            "branches": "  ".join(
                f"{part.name} {counts.of(part)}" for part in one.parts
            ),
            "remainder": one.remainder,
            "gain": one.gain,
            "cost": one.cost + one.charge,
            "net_gain": one.net,
            "split_information": one.split_information,
            "gain_ratio": one.ratio,
            "verdict": one.verdict,
        }
        rows.append([row[key] for key in columns])
    return _frame(columns, rows)


def branch_frame(record: Record, step: Step) -> pl.DataFrame:
    """One row for each branch of each feature, with the weight of each class."""
    columns = {"feature": "str", "branch": "str", "is_counted": "bool", **_of_part()}
    names = _value_names(record)
    columns |= dict.fromkeys(names, "float")
    rows = []
    for one in step.candidates:
        for part, counted in _branches(one):
            cells = [one.feature, part.name, counted, *_cells(part)]
            rows.append([*cells, *_values(part)])
    return _frame(columns, rows)


def cut_frame(record: Record, step: Step) -> pl.DataFrame:
    """One row for each cut that was tried."""
    columns = {"feature": "str", "threshold": "float", "gain": "float"}
    names = [*_of_part(), *_value_names(record)]
    for side in ("low", "high"):
        columns |= {f"{side} {name}": "float" for name in names}
    rows = []
    for one in step.candidates:
        for cut in one.cuts:
            sides = [
                value
                for part in (cut.low, cut.high)
                for value in (*_cells(part), *_values(part))
            ]
            rows.append([one.feature, cut.threshold, cut.gain, *sides])
    return _frame(columns, rows)


def _frame(columns: dict[str, str], rows: list[list[Any]]) -> pl.DataFrame:
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    kinds = {"str": pl.String, "float": pl.Float64, "bool": pl.Boolean}
    schema = {name: kinds[kind] for name, kind in columns.items()}
    return pl.DataFrame(rows, schema=schema, orient="row", strict=False)


def _branches(one: Candidate) -> Iterator[tuple[Part, bool]]:
    for part in one.parts:
        yield part, True
    if one.missing is not None:
        yield one.missing, False


def _of_part() -> dict[str, str]:
    return dict.fromkeys(["rows", "weight", "impurity"], "float")


def _cells(part: Part) -> tuple[float, float, float]:
    return part.n_rows, part.weight, part.impurity


def _values(part: Part) -> list[float]:
    if part.counts:
        return [count for counts in part.counts for count in counts]
    return list(part.values)


def _value_names(record: Record) -> list[str]:
    """Names of the columns of classes or means; none of them twice."""
    if not record.classes:
        names = list(record.target)
    elif len(record.classes) == 1:
        names = list(record.classes[0])
    else:
        pairs = zip(record.target, record.classes, strict=True)
        names = [f"{target} {one}" for target, labels in pairs for one in labels]
    taken = {"feature", "branch", "is_counted", *_of_part()}
    unique = []
    for one in names:
        shown = one
        while shown in taken:
            shown += "_"
        taken.add(shown)
        unique.append(shown)
    return unique
