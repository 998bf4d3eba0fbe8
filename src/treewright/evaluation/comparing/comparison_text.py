"""Comparisons for people: a line for each learner, the best first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from treewright.data.complaints import counted
from treewright.evaluation.errors.evaluation_text import (
    aligned,
    error_and_interval,
    fitted,
    percent,
)
from treewright.evaluation.errors.verdict import verdict, verdict_words
from treewright.render.fitting.safe_text import clip, short_number, visible
from treewright.render.fitting.wrapping import wrapped

if TYPE_CHECKING:
    from treewright.evaluation.comparing.comparison import Comparison
    from treewright.evaluation.comparing.ranks import Ranks

_MOST_NAME = 30
_CHANCE = 0.05
_DIAGRAM = 60  # signs


def comparison_lines(
    found: Comparison, *, width: int = 80, ascii: bool = False
) -> Iterator[str]:
    """Yield a line for each learner, the best first, and what to think of it."""
    best = found.ranked[0]
    is_classes = best.outcomes.is_classes
    level = f"{100 * best.level:g} % interval"
    seconds = dict(zip(found.names, found.seconds, strict=False))
    heads = ["learner", "error" if is_classes else "RMSE", level, "leaves", "seconds"]
    rows = [[*heads, "p"]]
    for one in found.ranked:
        spent = seconds.get(one.name)
        rows.append(
            [
                clip(one.name, _MOST_NAME),
                *error_and_interval(one),
                f"{np.mean(one.n_leaves):.0f}" if len(one.n_leaves) else "",
                "" if spent is None else f"{spent:.2f}",
                "" if one is best else p_text(found.p_of(one.name, best.name)),
            ]
        )
    usual = percent(best.baseline) if is_classes else short_number(best.baseline)
    rows.append(["(always the same answer)", usual, "", "", "", ""])
    for line in fitted(rows, width, left={0}):
        yield clip(visible(line, ascii=ascii), width, ascii=ascii)
    yield ""
    yield from wrapped(visible(_verdict(found), ascii=ascii), width, indent=2)
    if verdict(best) != "better":
        warning = f"{best.name} beside no model: {verdict_words(best)}"
        yield from wrapped(visible(warning, ascii=ascii), width, indent=2)
    for note in dict.fromkeys(note for one in found.evaluations for note in one.notes):
        yield from wrapped(visible(f"note: {note}", ascii=ascii), width, indent=6)


def p_text(p: float) -> str:
    """Return a p value: three digits, or that it is less."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _verdict(found: Comparison) -> str:
    """Return which learners chance may well have put behind the best."""
    best, others = found.ranked[0], found.ranked[1:]
    if not others:
        return "one learner only: name others to compare it with"
    how = (
        f"p: as good as {best.name}? Corrected resampled t-test on the same folds, "
        "adjusted for all pairs (Holm)"
    )
    alike = [one.name for one in others if found.p_of(one.name, best.name) >= _CHANCE]
    if not alike:
        return f"{best.name} is better than all others; {how}"
    who = "any other" if len(alike) == len(others) else ", ".join(alike)
    return f"these rows cannot tell whether {best.name} is better than {who}; {how}"


def rank_lines(found: Ranks, *, width: int = 80, ascii: bool = False) -> Iterator[str]:
    """Yield errors by table, mean ranks, the diagram, and the tests."""
    names = [clip(name, 14) for name in found.names]
    rows = [["table", *names]]
    for one, ranks in zip(found.comparisons, found.ranks, strict=True):
        cells = [error_and_interval(each)[0] for each in one.evaluations]
        marked = [
            f"{'*' if rank == ranks.min() else ' '}{cell}"
            for cell, rank in zip(cells, ranks, strict=True)
        ]
        rows.append([clip(one.table, 24), *marked])
    rows.append(["mean rank", *(f"{rank:.2f}" for rank in found.mean_ranks)])
    for line in aligned(rows, left={0}):
        yield clip(visible(line, ascii=ascii), width, ascii=ascii)
    yield ""
    for line in diagram_lines(found):
        yield clip(visible(line, ascii=ascii), width, ascii=ascii)
    yield ""
    for text in _remarks(found):
        yield from wrapped(visible(text, ascii=ascii), width, indent=2)


def _rank_verdict(found: Ranks) -> str:
    """Return what the ranks say of the best, in words."""
    order = np.argsort(found.mean_ranks, kind="stable").tolist()
    best, others = order[0], order[1:]
    gap = found.critical_difference
    behind = [n for n in others if found.mean_ranks[n] - found.mean_ranks[best] > gap]
    alike = [n for n in others if n not in behind]

    def names(numbers: list[int]) -> str:
        return ", ".join(found.names[number] for number in numbers)

    if not behind:
        return f"these tables cannot tell {names([best])} from {names(alike)} by ranks"
    rest = f"; from {names(alike)} it cannot be told" if alike else ""
    return (
        f"{names([best])} is better than {names(behind)} by ranks{rest} (Wilcoxon's "
        "test, of pairs alone, may say less)"
    )


def diagram_lines(found: Ranks) -> Iterator[str]:
    """Yield the mean ranks on a line; bars join what cannot be told apart."""
    order = np.argsort(found.mean_ranks, kind="stable").tolist()
    n_learners = len(order)

    def place(rank: float) -> int:
        return round((rank - 1) / (n_learners - 1) * (_DIAGRAM - 1))

    # narrow figures at whole ranks
    scale = [" "] * (_DIAGRAM + 2)
    for rank in range(1, n_learners + 1):
        for shift, sign in enumerate(str(rank)):
            scale[place(rank) + shift] = sign
    yield "  mean rank, 1 is the best:"
    yield "  " + "".join(scale).rstrip()
    line = ["-"] * _DIAGRAM
    for rank in range(1, n_learners + 1):
        line[place(rank)] = "+"
    yield "  " + "".join(line)
    for number in order:
        at = place(found.mean_ranks[number])
        name = f"{clip(found.names[number], 20)} ({found.mean_ranks[number]:.2f})"
        before = " " * at
        if at + len(name) + 2 <= _DIAGRAM + 14:
            yield f"  {before}| {name}"
        else:
            yield f"  {' ' * (at - len(name) - 1)}{name} |"
    for group in found.groups:
        start, end = (place(found.mean_ranks[n]) for n in (group[0], group[-1]))
        yield "  " + " " * start + "=" * max(end - start + 1, 2)


def _remarks(found: Ranks) -> Iterator[str]:
    tables = counted(len(found.tables), "table")
    yield (
        f"critical difference {found.critical_difference:.2f} (Nemenyi, "
        f"{100 * found.level:g} %): learners that a bar of = joins cannot be told apart"
    )
    yield (
        f"Friedman's test (Iman-Davenport) that all are alike, over {tables}: p "
        f"{p_text(found.friedman_p)}"
    )
    yield _rank_verdict(found)
    for pair in found.pairs:
        yield (
            f"{pair.first} against {pair.second}: better on {pair.wins}, worse on "
            f"{pair.losses}; Wilcoxon p {p_text(pair.p)}, of all pairs "
            f"{p_text(pair.adjusted_p)}"
        )
    if len(found.tables) < 5:
        yield f"note: {tables} are few for such tests; 10 or more would tell"
