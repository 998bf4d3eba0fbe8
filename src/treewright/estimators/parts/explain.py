"""One row's way through a tree, or the rule that answers for it, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from treewright.data.complaints import counted
from treewright.data.schema import Target
from treewright.errors import DataError
from treewright.render.fitting.safe_text import short_number, visible
from treewright.render.rules.rule_words import rule_words
from treewright.rules.rule_model import RuleModel
from treewright.tree.model import Model
from treewright.tree.predict.walk import Cells
from treewright.tree.structure.branch_words import label_text
from treewright.tree.structure.tree import NO_CLASS
from treewright.tree.way import Way, WayPart, way_of

_MOST_PARTS = 20
_MOST_OTHERS = 10  # rules that a row meets, too


def explain_row(model: Model, row: Any) -> str:
    """Return the questions that a row is asked on its way, and the answer.

    `row`: mapping, series, sequence of cells, or table of one row; cells are matched by
    name where it has names.
    """
    target = model.schema.target
    way = way_of(model, encoded_row(model, row))
    lines = [*way.path]
    if way.divided_by is None:
        lines += [*filter(None, [way.stop]), _part_answer(target, way.parts[0])]
    else:
        lines.append(f"{way.divided_by} is missing: goes down all branches, in shares")
        lines += _part_lines(target, way.parts)
        lines.append(_mean_answer(target, way))
    return "\n".join(map(visible, lines))


def encoded_row(model: Model, row: Any) -> Cells:
    """Return one row as the model reads it, of shape (1, n_features)."""
    cells, _ = model.encode(_as_table(row))
    if len(cells) != 1:
        raise DataError(
            f"there are {counted(len(cells), 'row')} to explain; pass 1 row, for "
            "example the first of a frame, X.iloc[0], or of an array, X[0]"
        )
    return cells


def _part_lines(target: Target, parts: tuple[WayPart, ...]) -> Iterator[str]:
    """Yield a line for each part of a divided row: its share, its way, its answer."""
    for part in parts[:_MOST_PARTS]:
        way = ", ".join(part.path)
        yield f"  {100 * part.share:.3g} %: {way} {_part_answer(target, part)}"
    if len(parts) > _MOST_PARTS:
        rest = 100 * sum(part.share for part in parts[_MOST_PARTS:])
        yield f"  {rest:.3g} %: {len(parts) - _MOST_PARTS} more parts"


def _mean_answer(target: Target, way: Way) -> str:
    """Return the prediction for a divided row: that of the mean over its parts."""
    share = ""
    if len(way.codes) == 1 and way.codes[0] != NO_CLASS:
        share = f"; {100 * way.shares[0][way.codes[0]]:.3g} % of this class"
    return f"→ {_said(target, way.answer)} (the mean over the parts{share})"


def _as_table(row: Any) -> Any:
    """Return a row as a table of one row; a table stays as it is."""
    if isinstance(row, Mapping):
        return {name: [cell] for name, cell in row.items()}
    if isinstance(row, np.ndarray) and row.ndim == 1 and row.dtype.names is None:
        return row.reshape(1, -1)
    if isinstance(row, list | tuple):
        has_rows = any(isinstance(cell, list | tuple | Mapping) for cell in row)
        return row if has_rows else [list(row)]
    if hasattr(row, "index") and hasattr(row, "items") and not hasattr(row, "columns"):
        cells = dict(row.items())  # a pandas Series: a row of a frame
        if all(isinstance(name, str) for name in cells):
            return {name: [cell] for name, cell in cells.items()}
        return [list(cells.values())]
    return row


def _said(target: Target, answer: tuple[str | float, ...]) -> str:
    """Return the answers with the names of the outputs."""
    words = [one if isinstance(one, str) else short_number(one) for one in answer]
    pairs = zip(target.names, words, strict=True)
    return ", ".join(f"{name} {word}" for name, word in pairs)


def _part_answer(target: Target, part: WayPart) -> str:
    """Return the prediction and the training rows that it stands on."""
    rows = counted(part.n_rows, "training row") if part.n_rows else ""
    share = ""
    # a branch without rows answers for its parent: there is no share to tell
    if len(part.codes) == 1 and part.n_rows:
        (counts,) = part.counts
        share = f"{100 * counts[part.codes[0]] / sum(counts):.3g} % of this class"
    remarks = "; ".join(filter(None, [rows, share, part.reason]))
    return f"→ {_said(target, part.answer)} ({remarks})"


def explain_by_rules(model: RuleModel, row: Any) -> str:
    """Return the first rule that a row meets, and those that come too late."""
    rule_set, schema = model.rule_set, model.schema
    reads: Any = model  # a row is read for rules as for trees
    met = np.flatnonzero(rule_set.covers(encoded_row(reads, row))[:, 0]).tolist()
    first = met[0] if met else -1
    weights = model.class_weights[first]
    answer = int(rule_set.rules[first].answer if met else rule_set.default)
    rows = counted(int(model.n_rows[first]), "training row")
    share = "none of this class"
    if weights[answer] > 0:
        share = f"{100 * weights[answer] / weights.sum():.3g} % of this class"
    said = f"{schema.target.names[0]} {label_text(schema.target.classes[0][answer])}"
    lines = [_told(model, first) if met else "no rule is met: the default"]
    lines.append(f"→ {said} ({rows}; {share})")
    others = met[1:]
    if others:
        lines.append("also met, but later:")
        for position in others[:_MOST_OTHERS]:
            label = schema.target.classes[0][int(rule_set.rules[position].answer)]
            lines.append(f"  {_told(model, position)} → {label_text(label)}")
        if len(others) > _MOST_OTHERS:
            lines.append(f"  and {len(others) - _MOST_OTHERS} more")
    return "\n".join(map(visible, lines))


def _told(model: RuleModel, position: int) -> str:
    words = rule_words(model.schema, model.rule_set.rules[position])
    return f"rule {position + 1}: {' and '.join(words)}"
