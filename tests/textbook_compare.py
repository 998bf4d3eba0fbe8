"""Say where two trees in the format of `textbook.py` differ."""

from __future__ import annotations

import math
from typing import Any

Tree = dict[str, Any]


def first_difference(found: Tree, wanted: Tree, tolerance: float = 1e-9) -> str | None:
    """Return the first difference in words; None if the trees are equal.

    Tests, labels and row counts must be equal, thresholds to the last bit; weights,
    impurities, values and gains may differ by rounding.
    """
    pending = [("root", found, wanted)]
    while pending:
        place, a, b = pending.pop()
        if a.keys() != b.keys():
            tests = [tree.get("split", "a leaf") for tree in (a, b)]
            return f"{place}: {tests[0]} instead of {tests[1]}"
        for key in b.keys() - {"branches"}:
            if not is_equal(key, a[key], b[key], tolerance):
                return f"{place}: {key} is {a[key]!r} instead of {b[key]!r}"
        below, wanted_below = a.get("branches", []), b.get("branches", [])
        if len(below) != len(wanted_below):
            return f"{place}: {len(below)} branches instead of {len(wanted_below)}"
        pairs = enumerate(zip(below, wanted_below, strict=True))
        pending += [(f"{place}, branch {k}", *pair) for k, pair in pairs]
    return None


def is_equal(key: str, found: Any, wanted: Any, tolerance: float) -> bool:
    if key == "value":
        return len(found) == len(wanted) and all(
            math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
            for a, b in zip(found, wanted, strict=True)
        )
    if key in ("weight", "impurity", "gain"):
        return math.isclose(found, wanted, rel_tol=tolerance, abs_tol=tolerance)
    return found == wanted


def as_listing(tree: Tree, features: dict[str, Any], indent: str = "") -> list[str]:
    """Return the tree as text lines: one per branch, leaves with label and rows."""
    lines = []
    for k, branch in enumerate(tree.get("branches", [])):
        line = f"{indent}{condition(tree['split'], features, k)}"
        if "split" not in branch:
            line += f": {', '.join(map(str, branch['label']))} ({branch['rows']})"
        lines += [line, *as_listing(branch, features, indent + "| ")]
    return lines


def condition(test: tuple[Any, ...], features: dict[str, Any], branch: int) -> str:
    kind, name, *rest = test
    if kind == "multiway":
        return f"{name} {[*features[name], 'missing'][branch]}"
    if kind in ("cut", "order"):
        return f"{name} {(f'<= {rest[0]}', f'> {rest[0]}', 'missing')[branch]}"
    if kind == "subset":
        names = ", ".join(sorted(map(str, rest[0])))
        return f"{name} {(f'in {names}', f'not in {names}', 'missing')[branch]}"
    return f"{name} {('known', 'missing')[branch]}"
