"""Whether a model is better than none, in a word and in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright.tree.structure.branch_words import label_text

if TYPE_CHECKING:
    from treewright.evaluation.errors.evaluation import Evaluation


def verdict(found: Evaluation) -> str:
    """Return whether the model is better than none: "better", "unsure" or "no"."""
    if found.error.value >= found.baseline:
        return "no"
    return "better" if found.error.high < found.baseline else "unsure"


def verdict_words(found: Evaluation) -> str:
    """Say whether a model is worth having."""
    said = verdict(found)
    usual = usual_answer(found)
    if said == "better":
        share = 1 - found.error.value / found.baseline
        what = "mistakes" if found.outcomes.is_classes else "error (RMSE)"
        less = f"{100 * share:.0f} % {'fewer' if what == 'mistakes' else 'less'} {what}"
        return f"That is clearly better than no model: {less} than {usual}."
    if said == "unsure":
        return (
            f"That is a little better than {usual}, but on so few rows it may be luck."
        )
    if found.baseline == 0:
        return f"There is nothing to gain: {usual} is always right here."
    return f"That is no better than {usual}: these features do not help as they are."


def usual_answer(found: Evaluation) -> str:
    """Return what is said without a model."""
    outcomes = found.outcomes
    if not outcomes.is_classes:
        return "always saying the mean"
    said = set(outcomes.usual.tolist())
    if len(said) > 1:
        return "always saying the most common class"
    label = label_text(outcomes.target.classes[0][int(said.pop())])
    return f"always saying {quoted_label(label)}"


def quoted_label(label: object, most: int = 40) -> str:
    """Return a class in quotes, cut where it is very long."""
    text = str(label)
    return f"'{text}'" if len(text) <= most else f"'{text[: most - 1]}…'"
