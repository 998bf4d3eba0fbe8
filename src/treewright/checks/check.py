"""Check a table before anything is learned from it.

Each check is a function that looks at the codes of a table and yields findings; the
list is `CHECKS`. Weights of rows are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import numpy as np

from treewright.checks.balance import target_findings
from treewright.checks.copies import copies
from treewright.checks.drift import drift_findings
from treewright.checks.finding import Finding, Report
from treewright.checks.leaks import leaks
from treewright.checks.missing_patterns import missing_findings
from treewright.checks.same_rows import contradictions
from treewright.checks.single_columns import constants, identifiers, single_categories
from treewright.checks.table import CheckedTable
from treewright.data.columns import Columns
from treewright.data.encoding.encode import encode
from treewright.data.encoding.target import encode_target, read_target
from treewright.data.schema import Schema, TargetKind
from treewright.data.tables.frames import read_frame
from treewright.data.tables.raw import Numbers
from treewright.errors import SettingError

CHECKS: tuple[Callable[[CheckedTable], Iterator[Finding]], ...] = (
    target_findings,
    leaks,
    identifiers,
    contradictions,
    missing_findings,
    copies,
    constants,
    single_categories,
)
MANY_NUMBERS = 20  # whole numbers of more values are no classes


def check(
    table: Any,
    y: Any,
    *,
    test: Any = None,
    test_y: Any = None,
    task: TargetKind | None = None,
    feature_kinds: Mapping[str, Any] | None = None,
    ignore: Collection[str] = (),
) -> Report:
    """Look for faults in a table before learning from it.

    Parameters
    ----------
    table : data frame, array, mapping, list of rows or sparse matrix
        The features.
    y : series, array or list
        The target; rows without one are left out, and said.
    test, test_y : optional
        A second table, and its target, to compare with the first: drift.
    task : {"classes", "numbers"}, optional
        What the target is. Unless said: numbers if they have fractions or more than
        20 different values, else classes.
    feature_kinds, ignore
        As for learning: kinds that are not as found, and columns to leave out.

    Returns
    -------
    Report
        The findings, the heaviest first; it prints as text and has `to_json()`.

    Examples
    --------
    >>> X, y = {"size": [1.5, 2.5, 0.5], "same": ["a", "a", "a"]}, ["no", "yes", "no"]
    >>> print(check(X, y))
    3 rows, 2 features, target 'target': 1 thing to look at
    <BLANKLINE>
    constant  'same' is 'a' in all 3 rows; leave it out (--ignore same)
    """
    if task not in (None, "classes", "numbers"):
        raise SettingError(f"task is {task!r}; it must be 'classes', 'numbers' or None")
    task = task or _task_of(y)
    names = read_frame(table).names
    if not set(names) - set(ignore):
        columns = without_features(y, task)
    else:
        columns = encode(
            table,
            y,
            task=task,
            feature_kinds=feature_kinds,
            ignore=ignore,
            drop_missing_target=True,
        )
    return check_columns(columns, test=test, test_y=test_y)


def without_features(y: Any, task: TargetKind) -> Columns:
    """Return a target to which there are no features."""
    outputs = read_target(y, None)
    present = np.ones(outputs.n_rows, bool)
    rows = outputs.usable_rows(present, drop_missing=True)
    target, codes = encode_target(outputs.keep(rows), task)
    return Columns(Schema((), target), (), codes)


def check_columns(columns: Columns, *, test: Any = None, test_y: Any = None) -> Report:
    """Check an encoded table; see `check`."""
    table = CheckedTable.of(columns)
    findings = list(_no_features(table))
    for one_check in CHECKS:
        findings += one_check(table)
    if test is not None:
        findings += drift_findings(table, test, test_y)
    findings.sort(key=lambda finding: -finding.weight)
    target = columns.schema.target
    return Report(columns.n_rows, len(columns.features), target.names, tuple(findings))


def _no_features(table: CheckedTable) -> Iterator[Finding]:
    if not table.features:
        what = "there is no feature besides the target"
        yield Finding("no features", (), table.n_rows, 1.0, what, "add a column")


def _task_of(y: Any) -> TargetKind:
    """Return what a target holds, by its values."""
    for column in read_target(y, None).columns:
        if not isinstance(column, Numbers) or column.unit:
            return "classes"
        values = column.values[~column.is_missing()]
        if values.dtype.kind == "b":
            return "classes"
        whole = values.dtype.kind != "f" or bool((values == np.floor(values)).all())
        if whole and len(np.unique(values)) <= MANY_NUMBERS:
            return "classes"
    return "numbers"
