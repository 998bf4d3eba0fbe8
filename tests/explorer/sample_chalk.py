"""Chalk as a page takes it, worked out here with plain Python for small trees."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np


def entropy(labels: list[str]) -> float:
    n = len(labels)
    return -sum(k / n * math.log2(k / n) for k in Counter(labels).values())


def chalk_of(model: Any, table: dict[str, list[Any]], labels: list[str]) -> dict:
    """The steps of a grown tree, a node at a time, from the top down."""
    tree = model.tree_
    indptr, indices = model.model_.decision_path(table)
    rows_at: dict[int, list[int]] = {node: [] for node in range(tree.node_count)}
    for row in range(len(labels)):
        for node in indices[indptr[row] : indptr[row + 1]].tolist():
            rows_at[node].append(row)
    parent = tree.parents().tolist()
    names = list(model.model_.schema.names)
    classes = sorted(set(labels))
    steps = []
    for node in range(tree.node_count):
        rows = rows_at[node]
        path, at = [], node
        while at:
            above = parent[at]
            name = names[tree.feature[above]]
            path.insert(0, f"{name} = {table[name][rows_at[at][0]]}")
            at = above
        own = [labels[row] for row in rows]
        step = {
            "number": node + 1,
            "node": node,
            "path": path,
            "n_rows": len(rows),
            "weight": len(rows),
            "counts": _counts(own, classes),
            "measure": "entropy",
            "impurity": entropy(own),
            "candidates": [],
            "leaf_reason": tree.reason_words(node) or None,
            "label": None,
        }
        if tree.n_children[node]:
            found = [_candidate(name, table[name], labels, rows) for name in names]
            found.sort(key=lambda one: -one["gain"])
            step["candidates"] = found
            step["winner"] = names[tree.feature[node]]
            step["runner_up"] = found[1]["feature"]
            step["margin"] = found[0]["gain"] - found[1]["gain"]
            step["ties"] = []
        else:
            step["label"] = str(model.classes_[int(tree.label[node, 0])])
        steps.append(step)
    return {"steps": steps}


def _counts(labels: list[str], classes: list[str]) -> list[dict[str, Any]]:
    tally = Counter(labels)
    return [{"name": one, "weight": tally[one]} for one in classes]


def _candidate(
    name: str, cells: list[Any], labels: list[str], rows: list[int]
) -> dict[str, Any]:
    classes = sorted(set(labels))
    whole = entropy([labels[row] for row in rows])
    cut, cuts = None, []
    if isinstance(cells[0], float):
        values = sorted({cells[row] for row in rows})
        for low, high in pairwise(values):
            middle = low / 2 + high / 2
            sides = _sides(lambda row, m=middle: cells[row] > m, rows)
            rest = _remainder(sides.values(), labels, rows)
            cuts.append({"threshold": middle, "gain": whole - rest})
        best = max(cuts, key=lambda one: one["gain"], default=None)
        cut = None if best is None else best["threshold"]
        branches = _sides(
            lambda row: f"> {cut}" if cells[row] > (cut or 0) else f"<= {cut}", rows
        )
    else:
        branches = _sides(lambda row: cells[row], rows)
    rest = _remainder(branches.values(), labels, rows)
    terms = [
        f"{len(own)}/{len(rows)}*{entropy([labels[row] for row in own]):.4f}"
        for own in branches.values()
    ]
    return {
        "feature": name,
        "status": "candidate",
        "branches": [
            {
                "name": str(branch),
                "n_rows": len(own),
                "weight": len(own),
                "counts": _counts([labels[row] for row in own], classes),
                "impurity": entropy([labels[row] for row in own]),
            }
            for branch, own in sorted(branches.items())
        ],
        "remainder": rest,
        "gain": whole - rest,
        "cut": cut,
        "cuts": cuts,
        "formula": f"{whole:.4f} - {' - '.join(terms)} = {whole - rest:.4f}",
    }


def _sides(side_of: Any, rows: list[int]) -> dict[Any, list[int]]:
    sides: dict[Any, list[int]] = {}
    for row in rows:
        sides.setdefault(side_of(row), []).append(row)
    return sides


def _remainder(sides: Any, labels: list[str], rows: list[int]) -> float:
    return float(
        np.sum(
            [
                len(own) / len(rows) * entropy([labels[row] for row in own])
                for own in sides
            ]
        )
    )
