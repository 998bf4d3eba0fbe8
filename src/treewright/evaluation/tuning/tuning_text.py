"""A search for settings, for people: what was tried, what is chosen, what it is worth.

The error of the chosen settings in the table is too good, because it was looked for;
the honest one is that of the nested folds, and it stands below, marked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from treewright.data.complaints import counted
from treewright.evaluation.errors.evaluation_text import (
    aligned,
    error_and_interval,
    percent,
    report_lines,
    usual_class,
)
from treewright.evaluation.tuning.spaces import setting_words, value_text
from treewright.evaluation.tuning.tuning_search import MINIMUM, ONE_SE
from treewright.render.fitting.safe_text import short_number

if TYPE_CHECKING:
    from treewright.evaluation.tuning.tuning_result import Tuning

_MOST_TRIALS = 20
_RULE_WORDS = {
    ONE_SE: "chosen: the fewest {unit} among errors within 1 SE of the least",
    MINIMUM: "chosen: the least error",
}


def tuning_lines(
    found: Tuning, *, width: int = 80, ascii: bool = False
) -> Iterator[str]:
    """Return the report, part by part."""
    parts = [
        _head_lines(found),
        trial_lines(found),
        worth_lines(found),
        _word_lines(found),
        [f"note: {note}" for note in found.notes],
    ]
    return report_lines(parts, width, ascii=ascii)


def _head_lines(found: Tuning) -> Iterator[str]:
    names = _names(found)
    same = {
        name: value
        for name, value in found.trials[0].settings.items()
        if name not in names
    }
    common = f", all with {setting_words(same)}" if same else ""
    tried = counted(len(found.trials), "setting")
    yield f"{found.name}: {tried} tried by {found.inner}{common}"


def _names(found: Tuning) -> list[str]:
    """Return what the settings differ in; of a single one all."""
    first, *others = (trial.settings for trial in found.trials)
    names = [name for name in first if any(one[name] != first[name] for one in others)]
    return names or list(first)


def trial_lines(found: Tuning) -> Iterator[str]:
    """Yield the settings that were tried, the least error first."""
    order = sorted(
        range(len(found.trials)),
        key=lambda n: (found.trials[n].loss.value, found.trials[n].size, n),
    )
    kept = {*order[:_MOST_TRIALS], found.chosen, found.best, found.usual}
    shown = [number for number in order if number in kept]
    names = _names(found)
    measure = "error" if found.is_classes else "RMSE"
    rows = [[*names, measure, "SE", found.unit, ""]]
    for number in shown:
        trial = found.trials[number]
        values = [value_text(trial.settings[name]) for name in names]
        rows.append([*values, *_figures(found, number), _remark(found, number)])
    yield from aligned(rows, left={len(rows[0]) - 1})
    if len(shown) < len(order):
        yield f"  and {len(order) - len(shown):,} more"
    yield f"  {_RULE_WORDS[found.rule].format(unit=found.unit)}"


def _figures(found: Tuning, number: int) -> list[str]:
    trial = found.trials[number]
    error = found.error(trial)
    size = f"{trial.size:,.1f}"
    if found.is_classes:
        return [percent(error.value), f"{100 * error.standard_error:.1f}", size]
    return [short_number(error.value), f"{error.standard_error:.3g}", size]


def _remark(found: Tuning, number: int) -> str:
    """Return what a line of the table is."""
    places = {"chosen": found.chosen, "least": found.best, "untuned": found.usual}
    remarks = [word for word, place in places.items() if place == number]
    return f"<- {', '.join(remarks)}" if remarks else ""


def worth_lines(found: Tuning) -> Iterator[str]:
    """Yield the honest error beside that without tuning and that of no model."""
    nested = found.nested
    level = f"{100 * nested.level:g} % interval"
    usual = usual_class(nested) if found.is_classes else "always saying the mean"
    amount = percent if found.is_classes else short_number
    rows = [
        ["", "error" if found.is_classes else "RMSE", level, ""],
        ["tuned", *error_and_interval(nested), "<- expect this on new rows"],
        ["untuned", *error_and_interval(found.untuned), ""],
        [usual, amount(nested.baseline), "", ""],
    ]
    yield f"tuning as a whole on rows it has not seen: {nested.how}"
    yield from aligned(rows, left={0, 3})


def _word_lines(found: Tuning) -> Iterator[str]:
    """Yield what to make of it."""
    yield f"chosen: {setting_words(found.settings)}"
    yield _agreement(found)
    gain, p = found.gain
    if found.chosen == found.usual:
        yield "these are the settings that it has anyway: nothing needs to be tuned"
    else:
        says = "these folds show no difference between tuned and untuned"
        if p < 1 - found.nested.level:
            says = f"tuning {'lowers' if gain.value > 0 else 'raises'} the error"
        yield f"{says} (p = {p:.2g}, {gain.method})"


def _agreement(found: Tuning) -> str:
    """Return how many outer folds chose what all rows choose."""
    n_folds, n_agree = len(found.choices), found.n_agree
    same = f"{n_agree or 'none'} of {counted(n_folds, 'outer fold')} chose the same"
    if n_agree == n_folds:
        return same
    others = counted(len({*found.choices} - {found.chosen}), "other setting")
    return f"{same}, {'the others' if n_agree else 'but'} {others}"
