"""The tables of a step as data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treewright.grow.chalk.growing_record import Part, Record, Step
from treewright.render.chalk.blocks.branches import Counts
from treewright.render.chalk.blocks.digits import figures_of
from treewright.render.chalk.blocks.node_tables import in_order
from treewright.render.chalk.languages import LectureWords

if TYPE_CHECKING:
    import polars as pl


_OF_PART = ("rows", "weight", "impurity")


def candidate_frame(record: Record, step: Step) -> pl.DataFrame:
    """One row for each feature that was compared, the winner first."""
    counts = Counts(record, figures_of(record, 4), LectureWords("en"))
    figures = ["remainder", "gain"]
    if any(one.cost or one.charge for one in step.candidates):
        figures += ["cost", "net_gain"]
    if step.compared_by == "gain_ratio":
        figures += ["split_information", "gain_ratio"]
    columns = {"feature": "str", "branches": "str"}
    columns |= {**dict.fromkeys(figures, "float"), "verdict": "str"}
    rows = []
    for one in in_order(step):
        branches = (f"{part.name} {counts.of(part)}" for part in one.parts)
        row = {
            "feature": one.feature,
            "branches": "  ".join(branches),
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
    columns = {"feature": "str", "branch": "str", "is_counted": "bool"}
    columns |= dict.fromkeys([*_OF_PART, *_value_names(record)], "float")
    rows: list[list[Any]] = []
    for one in step.candidates:
        rows += [[one.feature, part.name, True, *_cells(part)] for part in one.parts]
        if one.missing is not None:
            rows.append([one.feature, one.missing.name, False, *_cells(one.missing)])
    return _frame(columns, rows)


def cut_frame(record: Record, step: Step) -> pl.DataFrame:
    """One row for each cut that was tried."""
    columns = {"feature": "str", "threshold": "float", "gain": "float"}
    names = [*_OF_PART, *_value_names(record)]
    for side in ("low", "high"):
        columns |= {f"{side} {name}": "float" for name in names}
    rows = [
        [one.feature, cut.threshold, cut.gain, *_cells(cut.low), *_cells(cut.high)]
        for one in step.candidates
        for cut in one.cuts
    ]
    return _frame(columns, rows)


def _frame(columns: dict[str, str], rows: list[list[Any]]) -> pl.DataFrame:
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    kinds = {"str": pl.String, "float": pl.Float64, "bool": pl.Boolean}
    schema = {name: kinds[kind] for name, kind in columns.items()}
    return pl.DataFrame(rows, schema=schema, orient="row", strict=False)


def _cells(part: Part) -> list[float]:
    """Rows, weight and impurity of a part, and its classes or means."""
    values = [count for counts in part.counts for count in counts] or part.values
    return [part.n_rows, part.weight, part.impurity, *values]


def _value_names(record: Record) -> list[str]:
    """Names of the columns of classes or means; none of them twice."""
    if not record.classes:
        names = list(record.target)
    elif len(record.classes) == 1:
        names = list(record.classes[0])
    else:
        pairs = zip(record.target, record.classes, strict=True)
        names = [f"{target} {one}" for target, labels in pairs for one in labels]
    taken = {"feature", "branch", "is_counted", *_OF_PART}
    unique = []
    for one in names:
        shown = one
        while shown in taken:
            shown += "_"
        taken.add(shown)
        unique.append(shown)
    return unique
