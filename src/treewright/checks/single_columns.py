"""Columns that teach little: constants, identifiers, texts, categories of one row."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import numpy as np

from treewright.checks.finding import Finding
from treewright.checks.table import Checked, CheckedTable, ignoring, listed, percent

MIN_ROWS = 20  # of fewer rows it is no wonder that all differ
MANY_CATEGORIES = 0.5  # of the rows: each has nearly its own
WORDS = 4  # in a text, on average
_LOOKED_AT = 200  # texts
DENSE = 1.5  # whole numbers of so many times the rows are a numbering


def constants(table: CheckedTable) -> Iterator[Finding]:
    """Yield columns of which every row has the same."""
    if table.n_rows < 2:
        return
    for one in table.features:
        if one.n_seen == 0:
            what = f"{one.name!r} has no value in any row"
        elif one.is_constant:
            value = one.label(int(np.argmax(one.counts[:-1])))
            what = f"{one.name!r} is {value!r} in all {table.n_rows:,} rows"
        else:
            continue
        todo = f"leave it out ({ignoring([one])})"
        yield Finding("constant", (one.name,), table.n_rows, 0.2, what, todo)


def identifiers(table: CheckedTable) -> Iterator[Finding]:
    """Yield columns whose values name rows."""
    for one in table.features:
        why = identifies(one)
        if why and _has_texts(one):
            yield Finding(
                "text",
                (one.name,),
                one.n_known,
                0.6,
                f"{one.name!r} holds texts, {one.n_seen:,} different ones in "
                f"{one.n_known:,} rows",
                f"make its words features (--text {shlex.quote(one.name)}), or leave "
                f"it out ({ignoring([one])})",
                {"n_values": one.n_seen},
            )
        elif why:
            yield Finding(
                "identifier",
                (one.name,),
                one.n_known,
                0.8,
                f"{one.name!r} looks like an identifier: {why}",
                f"new rows have other values; leave it out ({ignoring([one])})",
                {"n_values": one.n_seen},
            )


def identifies(one: Checked) -> str:
    """Return why a column looks like an identifier; empty if it does not."""
    if one.n_known < MIN_ROWS:
        return ""
    if one.is_nominal:
        many = one.n_seen > MANY_CATEGORIES * one.n_known
        return f"{one.n_seen:,} categories in {one.n_known:,} rows" if many else ""
    return _numbering(one) if one.n_seen == one.n_known else ""


def _has_texts(one: Checked) -> bool:
    """Whether the categories of a column are sentences rather than names."""
    if not one.is_nominal:
        return False
    codes = np.flatnonzero(one.counts[:-1])[:_LOOKED_AT].tolist()
    return bool(np.mean([len(one.label(code).split()) for code in codes]) >= WORDS)


def _numbering(one: Checked) -> str:
    """Return why different numbers look like a numbering of the rows."""
    values = one.column.values
    if values is None or one.feature.storage.startswith(("datetime", "timedelta")):
        return ""
    values = values[one.counts[:-1] > 0]
    if values.dtype.kind == "f" and not (values == np.floor(values)).all():
        return ""
    if float(values[-1]) - float(values[0]) < DENSE * one.n_known:
        return f"whole numbers with hardly a gap, one for each of {one.n_known:,} rows"
    codes = one.column.codes[one.column.codes < one.column.n_codes]
    if (codes[1:] > codes[:-1]).all():
        return f"whole numbers that rise from row to row, {one.n_known:,} of them"
    return ""


def single_categories(table: CheckedTable) -> Iterator[Finding]:
    """Yield nominal columns with categories that only one row has."""
    for one in table.features:
        if not one.is_nominal or one.n_seen < 2 or identifies(one):
            continue
        codes = np.flatnonzero(one.counts[:-1] == 1)
        # in a very short table every category is rare
        if len(codes) == 0 or one.n_known < MIN_ROWS:
            continue
        names = listed([one.label(code) for code in codes.tolist()])
        share = len(codes) / one.n_known
        has = f"{len(codes):,} categories, each in one row"
        if len(codes) == 1:
            has = "a category in one row"
        yield Finding(
            "seen once",
            (one.name,),
            len(codes),
            0.1 + 0.2 * share,
            f"{one.name!r} has {has}: {names}; about "
            f"{percent(share)} of new rows will have a new one",
            "join rare ones as 'other', or treat new ones as missing (--set "
            "unseen=missing)",
            {"n_categories": len(codes), "expected_unseen": share},
        )
