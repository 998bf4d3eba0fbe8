"""The tables: for a terminal, and for docs/breiman.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from breiman.figures import FAR, Figure, Results
from breiman.published import COLUMNS, HEADS, ROWS, Row
from conformance.datasets import NoDataError, recorded_results

PAGE = Path(__file__).resolve().parents[1] / "docs" / "breiman.md"
START, END = "<!-- table: make breiman -->", "<!-- end of table -->"


def figures_of(methods: Mapping[str, Mapping[str, Figure]]) -> dict[str, Figure]:
    """Return our figures of a data set by the columns of the table."""
    ours = {**methods.get("forest", {}), **methods.get("adaboost", {})}
    return {column: ours[column] for column in COLUMNS if column in ours}


def table(results: Results, seconds: Mapping[str, float]) -> str:
    """Return the table for a terminal: ours, its standard error, the published figure.

    A sign stands before a published figure that ours is more than two standard errors
    of the difference above (>) or below (<).
    """
    lines = [["", "n", *(HEADS[column] for column in COLUMNS), "seconds"]]
    for name, methods in results.items():
        row, ours = ROWS[name], figures_of(methods)
        n_trials = next((str(one.n_trials) for one in ours.values()), "")
        cells = [_cell(row, column, ours.get(column)) for column in COLUMNS]
        lines.append([row.title, n_trials, *cells, f"{seconds.get(name, 0):.0f}"])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _cell(row: Row, column: str, figure: Figure | None) -> str:
    if figure is None:
        return f"- ({row.published(column):.1f})"
    return (
        f"{figure.mean:.1f} ± {figure.standard_error:.1f} "
        f"({sign(row, column, figure)}{row.published(column):.1f})"
    )


def sign(row: Row, column: str, figure: Figure) -> str:
    """How ours stands to the published figure: above (>), below (<) or near it."""
    distance = figure.distance(row, column)
    return ">" if distance > FAR else "<" if distance < -FAR else ""


def difference(method: str) -> str:
    """The name under which a method's errors minus ours are kept."""
    return f"{method} minus ours"


def cells_outside(results: Results) -> Iterator[str]:
    """Yield the figures that are worse than published, and what others get."""
    for name, methods in results.items():
        row = ROWS[name]
        for column, figure in figures_of(methods).items():
            distance = figure.distance(row, column)
            if distance > FAR:
                yield (
                    f"{row.title}, {HEADS[column]}: {figure.mean:.2f} against "
                    f"{row.published(column):.1f}, {distance:.1f} standard errors above"
                    + _others(name, methods, column)
                )


def _others(name: str, methods: Mapping[str, Mapping[str, Figure]], column: str) -> str:
    """What scikit-learn got from the same rows, and what is recorded of R."""
    text, ours = "", methods.get("forest", {})
    if column == "one_tree" and "one_tree_several" in ours:
        single, several = ours["one_tree_single"], ours["one_tree_several"]
        text += (
            f"; trees of F = 1 {single.mean:.2f}, of the larger F {several.mean:.2f}"
        )
    peer = "sklearn_adaboost" if column == "adaboost" else "sklearn"
    if column in methods.get(difference(peer), {}):
        theirs, apart = methods[peer][column], methods[difference(peer)][column]
        text += (
            f"; scikit-learn {theirs.mean:.2f}, "
            f"{apart.mean:+.2f} ± {apart.standard_error:.2f} from ours"
        )
    in_r = recorded(name, column)
    return text if in_r is None else f"{text}; randomForest (R) {in_r:.2f}"


def recorded(name: str, column: str) -> float | None:
    """The error of R's randomForest by the same protocol, where it is recorded."""
    try:
        figures = recorded_results()[name]["randomForest_breiman2001_protocol"]
    except (NoDataError, KeyError):
        return None
    found: float | None = figures.get({"single": "single_input"}.get(column, column))
    return found


def write_page(results: Results, page: Path = PAGE) -> None:
    """Put the table into the page, between its marks."""
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(START)
    after = rest.split(END)[1]
    page.write_text(
        f"{before}{START}\n{markdown(results)}\n{END}{after}", encoding="utf-8"
    )


def markdown(results: Results) -> str:
    """Return the table for the page; figures that are worse stand in bold type."""
    heads = ["data set", "trials", *(HEADS[column] for column in COLUMNS)]
    lines = [heads, ["---"] * len(heads)]
    for row in ROWS.values():
        ours = figures_of(results.get(row.name, {}))
        if row.kind == "absent":
            cells = [f"({row.published(column):.1f})" for column in COLUMNS]
            lines.append([row.title, "no data", *cells])
            continue
        cells = []
        for column in COLUMNS:
            cell = _cell(row, column, ours.get(column))
            cells.append(f"**{cell}**" if "(>" in cell else cell)
        n_trials = next((str(one.n_trials) for one in ours.values()), "")
        lines.append([row.title, n_trials, *cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
