"""`python -m conformance.rules_table`: trees and rule sets side by side.

For each classification set of the shared collection: C4.5's pruned tree and the rule
set of C4.5rules, how large they are on all rows, and their error in the ten folds of
the collection. Writes the page docs/rules-table.md; what is said of the figures there
is in `rules_remarks.md` beside this file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

import treewright
from conformance.datasets import ROOT, Dataset, NoDataError, load, names

PAGE = ROOT / "docs" / "rules-table.md"
REMARKS = ROOT / "conformance" / "rules_remarks.md"
HEAD = """\
# Trees and rule sets side by side

C4.5's pruned tree (`C45Classifier`) and the rule set of C4.5rules
(`C45RulesClassifier`), both as they are by default, on the classification sets of the
shared collection that have folds. Sizes are those of the models of all rows: leaves
that a row can reach, rules, and conditions with those on one feature merged. The error
is that of ten folds, all rows together. *z* is the number of rows that only the rules
get wrong less those that only the tree gets wrong, over the square root of their sum:
beyond 2 or -2 it is hardly chance.
`make rules-table` writes this page.

| set | rows | leaves | conditions | error % | rules | conditions | error % | z |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""
CLEAR = 2.0


@dataclass(frozen=True)
class Line:
    """What one data set says."""

    name: str
    n_rows: int
    leaves: int
    tree_conditions: int
    tree_error: float
    rules: int
    rule_conditions: int
    rule_error: float
    z: float

    def __str__(self) -> str:
        return (
            f"| {self.name} | {self.n_rows:,} | {self.leaves:,} | "
            f"{self.tree_conditions:,} | {100 * self.tree_error:.1f} | "
            f"{self.rules:,} | {self.rule_conditions:,} | "
            f"{100 * self.rule_error:.1f} | {self.z:+.1f} |"
        )


def measured(data: Dataset) -> Line:
    """Fit and cross-validate both."""
    tree = treewright.C45Classifier().fit(data.inputs, data.target)
    rules = treewright.C45RulesClassifier().fit(data.inputs, data.target).rules_
    of_tree = tree.rules().rule_set
    tree_wrong = _wrong(treewright.C45Classifier, data)
    rules_wrong = _wrong(treewright.C45RulesClassifier, data)
    only_rules = int((rules_wrong & ~tree_wrong).sum())
    only_tree = int((tree_wrong & ~rules_wrong).sum())
    return Line(
        data.name,
        data.n_rows,
        len(of_tree),
        of_tree.n_conditions,
        float(tree_wrong.mean()),
        len(rules),
        rules.n_conditions,
        float(rules_wrong.mean()),
        (only_rules - only_tree) / sqrt(max(only_rules + only_tree, 1)),
    )


def _wrong(kind: Any, data: Dataset) -> npt.NDArray[np.bool_]:
    """Which rows are wrong in the fold in which they are tested."""
    folds = data.folds
    assert folds is not None
    truth = data.target.cast(str).to_numpy()
    wrong = np.zeros(data.n_rows, bool)
    for fold in np.unique(folds):
        test = np.flatnonzero(folds == fold)
        train = np.flatnonzero(folds != fold)
        model = kind().fit(data.inputs[train], data.target[train])
        wrong[test] = model.predict(data.inputs[test]).astype(str) != truth[test]
    return wrong


def summary(lines: Sequence[Line]) -> Iterator[str]:
    """Yield what the table says in numbers."""
    fewer = sum(one.rules < one.leaves for one in lines)
    shorter = sum(one.rule_conditions < one.tree_conditions for one in lines)
    better = [one.name for one in lines if one.z < -CLEAR]
    worse = [one.name for one in lines if one.z > CLEAR]
    tree = float(np.mean([one.tree_error for one in lines]))
    rules = float(np.mean([one.rule_error for one in lines]))
    yield (
        f"Of {len(lines)} sets the rule set has fewer rules than the tree has leaves "
        f"in {fewer}, and fewer conditions in {shorter}. The mean error is "
        f"{100 * tree:.1f} % for trees and {100 * rules:.1f} % for rules. Clearly "
        f"better are the rules on {len(better)} ({', '.join(better) or 'none'}), "
        f"clearly worse on {len(worse)} ({', '.join(worse) or 'none'})."
    )


def page(lines: Sequence[Line]) -> str:
    """The whole page."""
    remarks = REMARKS.read_text(encoding="utf-8") if REMARKS.exists() else ""
    rows = "".join(f"{one}\n" for one in lines)
    return f"{HEAD}{rows}\n{' '.join(summary(lines))}\n\n{remarks}".rstrip() + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, and write the page if it is all."""
    parser = argparse.ArgumentParser(prog="rules_table", description=__doc__)
    parser.add_argument(
        "sets", nargs="*", metavar="SET", help="only these, not written"
    )
    options = parser.parse_args(arguments)
    try:
        chosen = options.sets or names()
        lines = []
        for name in chosen:
            data = load(name)
            if data.task == "classification" and data.folds is not None:
                lines.append(measured(data))
                print(lines[-1], file=sys.stderr, flush=True)
    except NoDataError as error:
        print(error, file=sys.stderr)
        return 1
    if options.sets:
        print(page(lines))
    else:
        PAGE.write_text(page(lines), encoding="utf-8")
        print(f"wrote {PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
