"""Branches and a row's way in the reader's language: "x fehlt", "x nicht in {a, b}"."""

from __future__ import annotations

from treewright.grow.chalk.growing_record import Part
from treewright.render.chalk.chalk_page import Line, Span, name
from treewright.render.chalk.languages import LectureWords
from treewright.tree.structure.branch_words import NOT_APPLICABLE, BranchCondition
from treewright.tree.way import Way, WayStep

_WORDED = {"in": "relation_in", "not in": "relation_not_in"}


def condition_line(condition: BranchCondition, words: LectureWords) -> Line:
    """A condition: "Outlook = Sunny"; signs are the same in every language."""
    feature = name(condition.feature)
    value = _value(condition.relation, condition.value, words)
    if condition.relation == "is":
        return words.fill("is", feature=feature, value=value)
    relation = _relation(condition.relation, words)
    return (feature, f" {relation} ", value)


def branch_line(part: Part, words: LectureWords) -> Line:
    """The name of a branch: "Sunny", "<= 66.5", "not in {a, b}"."""
    value = part.name.removeprefix(f"{part.relation} ")
    if part.relation in ("=", "is", ""):
        return (_value(part.relation, part.name, words),)
    shown = _value(part.relation, value, words)
    return (f"{_relation(part.relation, words)} ", shown)


def step_line(step: WayStep, words: LectureWords) -> Line:
    """A branch that a row takes, and why if its value is missing."""
    taken = condition_line(step.condition, words)
    if not step.missing:
        return taken
    feature = name(step.condition.feature)
    if step.surrogate is None:
        return words.fill("goes_with", feature=feature, branch=taken)
    key = "goes_by_surrogate" if step.holds else "goes_by_surrogate_not"
    surrogate = condition_line(step.surrogate, words)
    return words.fill(key, feature=feature, surrogate=surrogate, branch=taken)


def stop_line(way: Way, words: LectureWords) -> Line:
    """Why a walk ends before a leaf."""
    return words.fill(f"stops_{way.stop_key}", feature=name(way.stopped_by))


def path_line(conditions: tuple[BranchCondition, ...], words: LectureWords) -> Line:
    """The conditions that lead to a node, one after the other."""
    line: list[Span] = []
    for place, condition in enumerate(conditions):
        line += [", "] if place else []
        line += condition_line(condition, words)
    return tuple(line)


def reworded(condition: BranchCondition, words: LectureWords) -> BranchCondition:
    """The same condition with the words of the language, for the lectures' listing."""
    value = condition.value
    if condition.relation == "is":
        return BranchCondition(condition.feature, "", words[value])
    if value == NOT_APPLICABLE:
        value = words["not_applicable"]
    return BranchCondition(
        condition.feature, _relation(condition.relation, words), value
    )


def _relation(relation: str, words: LectureWords) -> str:
    return words[_WORDED[relation]] if relation in _WORDED else relation


def _value(relation: str, value: str, words: LectureWords) -> Span:
    if relation == "is":
        return words[value]  # missing or known
    if value == NOT_APPLICABLE:
        return words["not_applicable"]
    return name(value)
