"""Drift: how the rows of a second table differ from those of the first.

    numbers     D, the Kolmogorov-Smirnov distance: the largest difference between the
                shares of rows at or below any value
    categories  TV, the total variation distance: half the sum of the differences of
                the shares; and of single categories, chance decides

A column has drifted if the distance is 0.1 or more and chance does not make it, with
the level divided among the columns. Numbers outside the first table's range count if
more of them are there than chance would put beyond either end. New categories are said
always: they are a fact about the second table.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright.checks.chance import (
    all_on_one_side,
    is_chance,
    joint_count,
    largest_gap,
)
from treewright.checks.finding import Finding
from treewright.checks.table import Checked, CheckedTable, Floats, listed, percent
from treewright.data.complaints import counted
from treewright.data.encoding.encode import encode
from treewright.data.encoding.encode_rows import UNSEEN, cells_of
from treewright.data.encoding.target import read_target
from treewright.data.sparse.bag_of_words import rows_with_words
from treewright.data.tables.convert import as_labels
from treewright.data.tables.frames import read_frame
from treewright.data.tables.raw import RawColumn
from treewright.errors import TreewrightError
from treewright.render.fitting.safe_text import short_number

DRIFT = 0.1  # distance, from 0 to 1
_MOST_CATEGORIES = 200  # that are looked at one by one


@dataclass(frozen=True)
class Compared:
    """One column of both tables: places of the values, and how many are missing."""

    one: Checked
    cells: Floats  # of the second table; NaN is missing
    n_tests: int

    @property
    def known(self) -> Floats:
        """The cells that are not missing."""
        return self.cells[~np.isnan(self.cells)]


def drift_findings(
    table: CheckedTable, test: Any, test_y: Any = None
) -> Iterator[Finding]:
    """Yield how a second table differs from the checked one.

    `table`: the first table. `test`: the second; columns are matched by name. `test_y`:
    its target.
    """
    there = _columns_of(table, test)
    # missing, spread, and both ends of the range
    n_tests = 4 * (len(table.features) + len(table.goals))
    absent = [one.feature for one in table.features if one.name not in there]
    columns = (one.name if one.word is None else one.word.column for one in absent)
    lacking = list(dict.fromkeys(columns))
    if lacking:
        ignored = shlex.quote(",".join(lacking))
        yield Finding(
            "lacks",
            tuple(lacking),
            0,
            1.0,
            f"the second table lacks {counted(len(lacking), 'column')}: "
            f"{listed(lacking)}",
            f"add them, or leave them out here (--ignore {ignored})",
        )
    features = {one.name for one in table.features}
    words = (one.feature.word for one in table.features)
    texts = {word.column for word in words if word is not None}
    more = [name for name in there if name not in features | texts]
    if more:
        yield Finding(
            "more columns",
            tuple(more),
            0,
            0.1,
            f"the second table has {counted(len(more), 'column')} that the first "
            f"lacks: {listed(more)}",
            "a tree of the first table does not ask about them",
        )
    pairs = [(one, there[one.name]) for one in table.features if one.name in there]
    if test_y is not None:
        pairs += list(_targets(table, test_y))
    for one, column in pairs:
        try:
            # every value a cut: wide numbers become their places among the values
            feature = one.feature
            if feature.is_wide:
                feature = replace(feature, cuts=one.column.values)
            cells, _ = cells_of(feature, column, "stop")
        except TreewrightError as error:
            yield Finding(
                "drift",
                (one.name,),
                len(column),
                0.9,
                f"{one.name!r} cannot be read as in the first table: {error}",
                "make both tables alike",
            )
            continue
        if len(cells):
            yield from _column(Compared(one, cells, n_tests), column)


def _columns_of(table: CheckedTable, test: Any) -> Mapping[str, RawColumn]:
    read = read_frame(test)
    names, schema = read.names, table.columns.schema
    if not schema.has_names and len(names) == len(table.features):
        names = schema.names
    there = dict(zip(names, read.columns, strict=True))
    texts = {one.word.column for one in schema.features if one.word is not None}
    if texts and texts <= {*names}:
        words = rows_with_words(read, schema)
        columns = zip(words.names, np.asarray(words.cells()).T, strict=True)
        counts = read_frame(dict(columns))
        there |= dict(zip(counts.names, counts.columns, strict=True))
    return there


def _targets(table: CheckedTable, y: Any) -> Iterator[tuple[Checked, RawColumn]]:
    """Yield the outputs as if they were features, where they are classes or numbers."""
    target = table.columns.schema.target
    outputs = read_target(y, target.names if len(target.names) > 1 else None)
    for k, column in enumerate(outputs.columns):
        codes = table.columns.target[:, k]
        cells = codes
        if target.kind == "classes":
            labels = np.empty(len(target.classes[k]), object)
            labels[:] = target.classes[k]
            cells = labels[codes]
        name = target.names[k]
        kinds = {name: "nominal"} if target.kind == "classes" else {}
        nothing = np.zeros(len(codes))
        as_feature = encode({name: cells}, nothing, task="numbers", feature_kinds=kinds)
        yield CheckedTable.of(as_feature).features[0], column


def _column(both: Compared, column: RawColumn) -> Iterator[Finding]:
    yield from _missing(both)
    if len(both.known) == 0 or both.one.n_known == 0:
        return
    if both.one.feature.kind == "numeric":
        yield from _numbers(both)
    else:
        yield from _new_categories(both, column)
        yield from _categories(both)


def _missing(both: Compared) -> Iterator[Finding]:
    one, n_there = both.one, len(both.cells)
    n_rows, n_missing = len(one.column.codes), n_there - len(both.known)
    here, now = one.n_missing / n_rows, n_missing / n_there
    bound = joint_count(n_missing, one.n_missing + n_missing, n_there, n_rows + n_there)
    if abs(here - now) >= DRIFT and not is_chance(bound, both.n_tests):
        yield Finding(
            "drift",
            (one.name,),
            n_missing,
            0.5 + 0.3 * abs(here - now),
            f"{one.name!r} is missing in {percent(now)} of the second table's rows, "
            f"and in {percent(here)} here",
            "find out what changed",
            {"share": here, "share_there": now, "limit": DRIFT},
        )


def _numbers(both: Compared) -> Iterator[Finding]:
    one, known = both.one, np.sort(both.known)
    values = one.column.values
    assert values is not None
    occurs = one.counts[:-1] > 0
    places: Floats = np.asarray(values, np.float64)[occurs]
    if one.feature.is_wide:
        places = np.flatnonzero(occurs).astype(np.float64)
    counts = one.counts[:-1][occurs]
    grid = np.union1d(places, known)
    below_here = np.append(0, np.cumsum(counts))[
        np.searchsorted(places, grid, side="right")
    ]
    below_there = np.searchsorted(known, grid, side="right")
    gaps = np.abs(below_here / one.n_known - below_there / len(known))
    distance = float(gaps.max())
    bound = largest_gap(distance, one.n_known, len(known))
    if distance >= DRIFT and not is_chance(bound, both.n_tests):
        what = (
            f"the numbers of {one.name!r} differ in the second table: the middle one "
            f"is {_middle(one, places, counts)} here and {_middle(one, known)} there; "
            f"Kolmogorov-Smirnov D {distance:.2f} (limit {DRIFT:g})"
        )
        yield _drifted(both, what, ks_distance=distance)
    yield from _outside(both, places, known)


def _middle(one: Checked, places: Floats, counts: Any = None) -> str:
    """The median of rising places, each as often as it is counted, as it is written."""
    up_to = np.arange(1, len(places) + 1) if counts is None else np.cumsum(counts)
    place = float(places[int(np.searchsorted(up_to, up_to[-1] / 2))])
    if not one.feature.is_wide:
        return short_number(place)
    # values between two of the first table's have the place of the upper one
    last = one.column.n_codes - 1
    return one.label(int(place)) if place <= last else f"after {one.label(last)}"


def _outside(both: Compared, places: Floats, known: Floats) -> Iterator[Finding]:
    one = both.one
    n_both = one.n_known + len(known)

    def is_usual(number: int) -> bool:
        bound = all_on_one_side(number, len(known), n_both)
        return is_chance(bound, both.n_tests)

    low = int(np.searchsorted(known, places[0], side="left"))
    high = len(known) - int(np.searchsorted(known, places[-1], side="right"))
    ends = [
        (number, word, code)
        for number, word, code in (
            (low, "below", int(np.argmax(one.counts[:-1] > 0))),
            (high, "above", int(np.flatnonzero(one.counts[:-1])[-1])),
        )
        if number and not is_usual(number)
    ]
    if ends:
        n_rows = sum(number for number, _, _ in ends)
        parts = [f"{number:,} {word} {one.label(code)}" for number, word, code in ends]
        yield Finding(
            "new range",
            (one.name,),
            n_rows,
            0.55 + 0.3 * n_rows / len(known),
            f"{one.name!r} leaves its range in {counted(n_rows, 'row')} of the second "
            f"table: {', '.join(parts)}",
            "trees answer there as at the end of the range; learn from such rows too",
            {"n_below": low, "n_above": high},
        )


def _new_categories(both: Compared, column: RawColumn) -> Iterator[Finding]:
    new = both.cells == UNSEEN
    n_new = int(new.sum())
    if n_new == 0:
        return
    names = sorted({str(label) for label in as_labels(column.keep(new)).labels})
    yield Finding(
        "new categories",
        (both.one.name,),
        n_new,
        0.5 + 0.3 * n_new / len(both.cells),
        f"{both.one.name!r} has {counted(len(names), 'value')} in "
        f"{counted(n_new, 'row')} of the second table that the first lacks: "
        f"{listed(names)}",
        "correct them, or say what they are (--set unseen=missing)",
        {"n_categories": len(names)},
    )


def _categories(both: Compared) -> Iterator[Finding]:
    one = both.one
    codes = both.known[both.known >= 0].astype(np.int64)
    there = np.bincount(codes, minlength=one.column.n_codes)
    here, n_there = one.counts[:-1], len(both.known)
    apart = np.abs(here / one.n_known - there / n_there)
    new = 1 - there.sum() / n_there
    distance = float(apart.sum() + new) / 2
    if distance < DRIFT:
        return
    most = np.argsort(-apart, kind="stable")[:_MOST_CATEGORIES].tolist()
    n_rows = one.n_known + n_there
    bounds = [
        joint_count(int(there[k]), int(here[k] + there[k]), n_there, n_rows)
        for k in most
    ]
    # those looked at were chosen among all: all count as tests
    if is_chance(min(bounds), both.n_tests * len(here)):
        return
    code = most[int(np.argmin(bounds))]
    what = (
        f"the shares of {one.name!r} differ in the second table: total variation "
        f"{distance:.2f} (limit {DRIFT:g}), most in {one.label(code)!r}: "
        f"{percent(here[code] / one.n_known)} here, "
        f"{percent(there[code] / n_there)} there"
    )
    yield _drifted(both, what, total_variation=distance)


def _drifted(both: Compared, what: str, **distance: float) -> Finding:
    """Return that the values differ; by a distance, which is named."""
    (amount,) = distance.values()
    todo = "a tree of these rows may not fit those; find out what changed"
    columns, figures = (both.one.name,), {**distance, "limit": DRIFT}
    weight = 0.6 + 0.3 * amount
    return Finding("drift", columns, len(both.known), weight, what, todo, figures)
