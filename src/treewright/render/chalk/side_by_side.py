"""Two steps beside each other: what each of two dialects compared at one node.

            lecture                       c45
feature       gain   ratio                  gain    cost   ratio
colour      0.1081  0.0684                0.1081       -  0.0684  < average
sugar       0.3493  0.4000  <- taken      0.3493  0.2240  0.1434  < average
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treewright.grow.chalk.growing_record import Candidate, Step
from treewright.prune.pruning_record import Judgement
from treewright.render.fitting.safe_text import clip, display_width, pad, visible

_GAP = "   "
_LONGEST_NAME = 24
_SHORTEST_NAME = 12
_MOST_FEATURES = 30
_REMARKS = {
    "best": "<- best",
    "tie": "tie",
    "below_guard": "too little",
    "no_gain": "no gain",
    "no_information": "no split info",
}
_WHY = {
    "one_value": "one value",
    "too_few_rows": "too few rows",
    "used_above": "used above",
    "not_drawn": "not drawn",
}


def compared(
    names: Sequence[str],
    steps: Sequence[Step],
    *,
    width: int,
    digits: int = 4,
    ascii: bool = False,
) -> Iterator[str]:
    """Yield a table of all features, the figures of each step beside the other's.

    If they are too wide for that, one table comes after the other.
    """
    features = list(
        dict.fromkeys(
            name
            for step in steps
            for name in (
                *(one.feature for one in step.candidates),
                *(one.feature for one in step.left_out),
            )
        )
    )
    features, n_more = _worth_most(features, steps)
    titles = [visible(name, ascii=ascii) for name in features]
    titles = [clip(title, _LONGEST_NAME, ascii=ascii) for title in titles]
    by_measure = len({step.measure for step in steps}) > 1
    blocks = [
        _block(clip(name, width - 8, ascii=ascii), step, features, digits, by_measure)
        for name, step in zip(names, steps, strict=True)
    ]
    head = ["", "feature", *([""] if by_measure else [])]
    room = width - 2 - sum(display_width(block[0]) + len(_GAP) for block in blocks)
    beside = _narrowed(titles, room, ascii)
    if beside is not None:
        yield from _beside([*head, *beside], blocks)
    else:
        for block in blocks:
            yield from _beside([*head, *titles], [block])
    if n_more:
        yield f"  ... and {n_more} more features, which are worth less"


def _narrowed(titles: list[str], room: int, ascii: bool) -> list[str] | None:
    """The names cut to the room there is; None if they cannot be told apart then."""
    if room < _SHORTEST_NAME:
        return None
    cut = [clip(title, room, ascii=ascii) for title in titles]
    return cut if len(set(cut)) == len(set(titles)) else None


def _beside(first: list[str], blocks: list[list[str]]) -> Iterator[str]:
    """Yield the lines of a table: a column of names, then blocks."""
    width = max(map(display_width, first))
    for place, title in enumerate(first):
        cells = [pad(title, width), *(block[place] for block in blocks)]
        yield f"  {_GAP.join(cells)}".rstrip()


def _worth_most(features: list[str], steps: Sequence[Step]) -> tuple[list[str], int]:
    """The features that are worth most on either side, and the number of others."""
    n_more = len(features) - _MOST_FEATURES
    if n_more <= 0:
        return features, 0
    worth = {name: -1.0 for name in features}
    for step in steps:
        highest = max((abs(one.worth) for one in step.candidates), default=1.0)
        for one in step.candidates:
            share = 2.0 if one.verdict == "best" else one.worth / (highest or 1.0)
            worth[one.feature] = max(worth[one.feature], share)
    kept = {*sorted(features, key=lambda name: -worth[name])[:_MOST_FEATURES]}
    return [name for name in features if name in kept], n_more


def _block(
    name: str, step: Step, features: list[str], digits: int, by_measure: bool
) -> list[str]:
    """The lines of one step, all of one width: its name, the titles, the features.

    With the measure, which the gain is of, under the titles if asked for.
    """
    kinds = _kinds(step)
    found = {one.feature: one for one in step.candidates}
    left_out = {one.feature: one.why for one in step.left_out}
    rows = [[*kinds, ""]]
    if by_measure:
        measure = f"({step.measure.replace('_', ' ')})"
        rows.append([measure, *("" for _ in kinds)])
    for feature in features:
        one = found.get(feature)
        if one is None:
            why = _WHY.get(left_out.get(feature, ""), "")
            rows.append([*("-" for _ in kinds), why])
        else:
            figures = [_figure(one, kind, digits) for kind in kinds]
            rows.append([*figures, _remark(one, step)])
    widths = [max(len(row[place]) for row in rows) for place in range(len(kinds) + 1)]
    lines = [
        "  ".join(
            pad(text, width, right=place < len(kinds))
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    width = max(display_width(line) for line in [name, *lines])
    return [pad(line, width) for line in [name, *lines]]


def _remark(one: Candidate, step: Step) -> str:
    if one.verdict == "below_guard" and step.guard == "c45":
        return "< average"
    return _REMARKS.get(one.verdict, "")


def _kinds(step: Step) -> list[str]:
    """The figures that a dialect compares by."""
    kinds = ["gain"]
    if any(one.cost or one.charge for one in step.candidates):
        kinds += ["cost"]
    if step.compared_by == "gain_ratio":
        kinds += ["ratio"]
    return kinds


def _figure(one: Candidate, kind: str, digits: int) -> str:
    if kind == "cost":
        cost = one.cost + one.charge
        return f"{cost:.{digits}f}" if cost else "-"
    value = one.gain if kind == "gain" else one.ratio
    return "-" if value is None else f"{value:.{digits}f}"


def judged(
    names: Sequence[str],
    judgements: Sequence[Sequence[tuple[str, Judgement]]],
    *,
    digits: int = 4,
) -> Iterator[str]:
    """Yield how the pruning rules of both sides judged a node."""
    width = max(map(display_width, names))
    for name, own in zip(names, judgements, strict=True):
        if not own:
            yield f"  {pad(name, width)}   not judged: no pruning rule looks at it"
        for rule, judgement in own:
            numbers = ", ".join(
                f"{key.replace('_', ' ')} {number:.{digits}g}"
                for key, number in judgement.numbers.items()
            )
            yield f"  {pad(name, width)}   {rule}: {numbers}: {judgement.decision}"
