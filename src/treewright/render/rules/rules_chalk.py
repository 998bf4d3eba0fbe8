"""Chalk for C4.5rules: every count and every bit that the rules rest on.

The page follows `rules/induction/procedure.py` step by step; each number on it can be
recomputed from those above it. Text is made here line by line; the record is plain data
(`to_json`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from treewright.data.complaints import counted
from treewright.render.fitting.safe_text import aligned, visible, weight_text
from treewright.render.fitting.wrapping import wrapped
from treewright.render.rules.rule_words import condition_words
from treewright.rules.condition import Condition
from treewright.rules.induction.generalise import LEVEL, Generalised, RuleLook
from treewright.rules.induction.order import ClassTurn
from treewright.rules.induction.polish import MOST_RATE, Polished
from treewright.rules.induction.procedure import KEPT, Induction
from treewright.rules.induction.subset import INCLUSIONS, ChosenSubset
from treewright.rules.rule_model import RuleModel
from treewright.tree.structure.branch_words import label_text

_MOST_FEATURES = 12  # whose bits are listed
MOST_RULES = 40  # whose looks are shown, unless more are asked for


@dataclass(frozen=True, eq=False)
class RulesChalk:
    """How a rule set came about; printed, it is the working as text."""

    model: RuleModel  # the rules
    conditions: tuple[Condition, ...]  # what the numbers in `induction` stand for
    induction: Induction  # what every step found, with the looks

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        n_paths = counted(len(self.induction.paths), "rule")
        return f"<chalk: {n_paths} at first; print() shows the working>"

    def to_json(self) -> str:
        """Return the record in full as JSON."""
        data = rules_chalk_data(self.model, self.conditions, self.induction)
        return json.dumps(data, ensure_ascii=False, allow_nan=False)

    def to_text(
        self,
        *,
        digits: int = 4,
        ascii: bool = False,
        max_rules: int | None = MOST_RULES,
    ) -> str:
        """Return the working as text, without a newline at the end.

        `digits`: decimals of rates and bits. `ascii`: whether to keep to ASCII
        characters. `max_rules`: of how many rules the generalising is shown; None: of
        all.
        """
        page = _Page(self, digits, max_rules)
        return "\n".join(visible(line, ascii=ascii) for line in page.lines()).rstrip()


class _Page:
    """The lines of a page."""

    def __init__(self, chalk: RulesChalk, digits: int, max_rules: int | None) -> None:
        self.model, self.found = chalk.model, chalk.induction
        self.schema = chalk.model.schema
        self.conditions, self.digits = chalk.conditions, digits
        self.max_rules = len(self.found.paths) if max_rules is None else max_rules
        # candidates are called by the rule that they come from
        self.names: dict[tuple[tuple[int, ...], int], int] = {}
        pairs = zip(self.found.generalised, self.found.verdicts, strict=True)
        for position, (rule, verdict) in enumerate(pairs, 1):
            if verdict == KEPT:
                self.names.setdefault((rule.conditions, rule.of_class), position)

    def lines(self) -> Iterator[str]:
        target = self.schema.target.names[0]
        total = weight_text(float(self.model.totals.sum()))
        paths = len(self.found.paths)
        leaves = "leaf" if paths == 1 else "leaves"
        yield f"C4.5rules for {target}: {total} rows, {paths:,} {leaves} with rows"
        yield ""
        yield from self._generalising()
        yield from self._throwing_away()
        yield from self._choosing()
        yield from self._ordering()
        yield from self._polishing()

    # ---- words ---------------------------------------------------------------------

    def _label(self, of_class: int) -> str:
        return label_text(self.schema.target.classes[0][of_class])

    def _condition(self, number: int) -> str:
        return condition_words(self.schema, self.conditions[number], most=12).spoken()

    def _rule(self, conditions: Sequence[int], of_class: int) -> str:
        words = " and ".join(map(self._condition, conditions)) or "always"
        return f"{words} → {self._label(of_class)}"

    def _name(self, rule: Generalised) -> str:
        return f"rule {self.names[rule.conditions, rule.of_class]}"

    def _named(self, rule: Generalised) -> str:
        return f"{self._name(rule)}: {self._rule(rule.conditions, rule.of_class)}"

    def _number(self, value: float) -> str:
        return f"{value:.{self.digits}f}"

    # ---- steps ---------------------------------------------------------------------

    def _generalising(self) -> Iterator[str]:
        yield "1. Generalise: leave out conditions that do not earn their place"
        confidence = self.model.settings["confidence"]
        yield f"   rate = (E + U(N, E)) / N with CF {confidence:g}"
        yield "   N rows meet the conditions, E of them are of another class"
        yield ""
        by_rule: dict[int, list[RuleLook]] = {}
        for look in self.found.looks or ():
            by_rule.setdefault(look.rule, []).append(look)
        for rule in range(min(self.max_rules, len(self.found.paths))):
            path, of_class = self.found.paths[rule], self.found.classes[rule]
            yield f"rule {rule + 1}: {self._rule(path, of_class)}"
            for look in by_rule.get(rule, ()):
                yield from self._look(look)
            yield ""
        left = len(self.found.paths) - self.max_rules
        if left > 0:
            yield f"and {counted(left, 'more rule')}, not shown"
            yield ""

    def _look(self, look: RuleLook) -> Iterator[str]:
        rows = [["", "N", "E", "E/N", "rate"]]
        rows.append(self._figures("as it is", look.covered, look.wrong, look.rate))
        for place, number in enumerate(look.conditions):
            n, e = look.covered_without[place], look.wrong_without[place]
            who = f"without {self._condition(number)}"
            rows.append(self._figures(who, n, e, look.rate_without[place]))
        if look.chances is not None:
            chances = ["chance", "-", *map(self._number, look.chances.tolist())]
            rows = [[*row, chance] for row, chance in zip(rows, chances, strict=True)]
        yield from _table(rows)
        if look.dropped >= 0:
            words = self._condition(look.conditions[look.dropped])
            yield f"  leave out {words}: {self._why(look)}"
        elif look.covered > 0:
            yield "  all stay" if look.conditions else "  nothing is left"
        else:
            yield "  covers no row: nothing can be said"

    def _why(self, look: RuleLook) -> str:
        """What decided that a condition goes; it is the one with the lowest rate."""
        place = look.dropped
        rate = float(look.rate_without[place])
        if rate <= look.rate:
            return (
                f"the rate {self._number(rate)} is not above {self._number(look.rate)}"
            )
        covered, wrong = look.covered_without[place], look.wrong_without[place]
        if wrong / covered <= look.wrong / look.covered:
            error = self._share(wrong, covered)
            before = self._share(look.wrong, look.covered)
            return f"E/N {error} is not above {before}"
        if look.chances is not None and look.chances[place] > LEVEL:
            return f"its chance is above {LEVEL:g}"
        return "without it the rate is lowest, and one of them could go"

    def _share(self, part: float, whole: float) -> str:
        return self._number(part / whole) if whole > 0 else "-"

    def _figures(self, who: str, n: float, e: float, rate: float) -> list[str]:
        figures = (weight_text(n), weight_text(e), self._share(e, n))
        return [who, *figures, self._number(rate)]

    def _throwing_away(self) -> Iterator[str]:
        yield "2. Throw away rules that say no more than the default"
        yield "   rates must be below 1 - (n_class + 1) / (n + 2):"
        for of_class, rate in enumerate(self.found.default_rates.tolist()):
            n = weight_text(float(self.model.totals[of_class]))
            total = weight_text(float(self.model.totals.sum()))
            yield (
                f"   {self._label(of_class)}: 1 - ({n} + 1) / ({total} + 2) = "
                f"{self._number(rate)}"
            )
        shown = 0
        for position, verdict in enumerate(self.found.verdicts):
            if verdict != KEPT and shown < self.max_rules:
                shown_rate = self._number(self.found.generalised[position].rate)
                yield f"   rule {position + 1} (rate {shown_rate}) goes: {verdict}"
                shown += 1
        n_gone = sum(verdict != KEPT for verdict in self.found.verdicts)
        yield f"   {len(self.found.verdicts) - n_gone:,} stay, {n_gone:,} go"
        yield ""

    def _choosing(self) -> Iterator[str]:
        yield "3. For each class, the rules that describe it in the fewest bits"
        choice = self._number(self.found.choice)
        yield f"   a condition: {choice} bits to name its feature, and for its values"
        yield from wrapped(f"      {', '.join(self._value_bits())}", 80, indent=6)
        yield "   a rule of n conditions: their bits + log2 n - log2 n!"
        yield "   theory, of k rules: 0.5 (their bits - log2 k!)"
        yield "   exceptions: log2 of all rows, and to name the rows that are covered"
        yield "   wrongly and those that are missed; each error by its rate, which in"
        yield "   the larger group (covered or not) is half of all errors over its rows"
        yield ""
        for subset in self.found.subsets:
            yield from self._subset(subset)

    def _value_bits(self) -> Iterator[str]:
        """Yield what it takes to say which values of each feature are meant."""
        by_name: dict[tuple[str, float], None] = {}
        for number, bits in self.found.branch_bits.items():
            feature = self.schema.features[self.conditions[number].feature]
            by_name.setdefault((visible(label_text(feature.name)), bits))
        for name, bits in [*by_name][:_MOST_FEATURES]:
            yield f"{name} {self._number(bits)}"
        if len(by_name) > _MOST_FEATURES:
            yield f"and {len(by_name) - _MOST_FEATURES:,} more"

    def _subset(self, subset: ChosenSubset) -> Iterator[str]:
        own = self.found.candidates[subset.of_class]
        label = self._label(subset.of_class)
        way = "all subsets" if not len(subset.climbs) else f"{len(INCLUSIONS)} climbs"
        yield f"class {label}: {counted(len(own), 'candidate')}, {way}"
        rows = [["", "conditions", "bits", ""]]
        for position, rule in enumerate(own[: self.max_rules]):
            bits = " + ".join(
                self._number(self.found.choice + self.found.branch_bits[one])
                for one in rule.conditions
            )
            kept = "kept" if position in subset.chosen else ""
            rows.append(
                [
                    self._named(rule),
                    bits if len(rule.conditions) <= 4 else "...",
                    self._number(float(subset.rule_bits[position])),
                    kept,
                ]
            )
        yield from _table(rows)
        if len(subset.climbs):
            reached = ", ".join(f"{bits:.1f}" for bits in subset.climbs.tolist())
            yield f"  the climbs reach {reached} bits"
        yield (
            f"  {counted(len(subset.chosen), 'rule')}: they cover "
            f"{weight_text(subset.covered)}, {weight_text(subset.false_positives)} "
            f"wrongly, and miss {weight_text(subset.false_negatives)}"
        )
        yield (
            f"  theory {self._number(subset.theory)} + exceptions "
            f"{self._number(subset.exceptions)} = {self._number(subset.bits)} bits"
        )
        yield ""

    def _ordering(self) -> Iterator[str]:
        yield "4. Order the classes: fewest false positives on rows not yet covered"
        for turn in self.found.ordered.turns:
            yield f"   {self._turn(turn)}"
        left = self.found.ordered.uncovered
        counts = ", ".join(
            f"{self._label(k)} {weight_text(weight)}"
            for k, weight in enumerate(left.tolist())
        )
        default = self._label(self.found.ordered.default)
        yield f"   rows that no rule covers: {counts}; the default is {default}"
        yield ""

    def _turn(self, turn: ClassTurn) -> str:
        counts = ", ".join(
            f"{self._label(k)} {weight_text(weight)}"
            for k, weight in turn.false_positives.items()
        )
        return f"{counts}: {self._label(turn.of_class)} comes next"

    def _polishing(self) -> Iterator[str]:
        yield "5. Polish: drop rules that do more harm than good on the training rows"
        idle = [r for r in self.found.ordered.rules if r.rate > MOST_RATE]
        for rule in idle[: self.max_rules]:
            yield (
                f"   {self._name(rule)} never fires: its rate "
                f"{self._number(rule.rate)} is above {MOST_RATE:g}"
            )
        for turn, count in enumerate(self.found.polished):
            is_last = turn == len(self.found.polished) - 1
            if is_last or len(count.rules) <= self.max_rules:
                yield from self._count(count)
            else:
                rule = count.rules[count.dropped]
                yield f"   {self._name(rule)} is dropped"

    def _count(self, count: Polished) -> Iterator[str]:
        figures = zip(count.good.tolist(), count.harm.tolist(), strict=True)
        rows = [
            [self._named(rule), *map(weight_text, both)]
            for rule, both in zip(count.rules, figures, strict=True)
        ]
        yield from _table([["", "good", "harm"], *rows])
        said = "no rule does more harm than good"
        if count.dropped >= 0:
            said = f"{self._name(count.rules[count.dropped])} is dropped"
        yield f"  {weight_text(count.errors)} rows wrong; {said}"


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    return (f"  {line}".rstrip() for line in aligned(rows))


def rules_chalk_data(
    model: RuleModel, conditions: Sequence[Condition], induction: Induction
) -> dict[str, Any]:
    """Return every number of a record; conditions stand once and go by their number."""
    classes = model.schema.target.classes[0]
    return {
        "format": "treewright-rules-chalk",
        "version": 1,
        "target": model.schema.target.names[0],
        "classes": [label_text(label) for label in classes],
        "class_weights": model.totals.tolist(),
        "conditions": [
            condition_words(model.schema, one).spoken() for one in conditions
        ],
        "paths": [
            {"conditions": list(path), "class": of_class}
            for path, of_class in zip(induction.paths, induction.classes, strict=True)
        ],
        "looks": list(map(_fields, induction.looks or ())),
        "generalised": [
            {**_fields(rule), "verdict": verdict}
            for rule, verdict in zip(
                induction.generalised, induction.verdicts, strict=True
            )
        ],
        "default_rates": induction.default_rates.tolist(),
        "feature_bits": induction.choice,
        "branch_bits": {str(k): bits for k, bits in induction.branch_bits.items()},
        "subsets": [_subset(one, induction) for one in induction.subsets],
        "order": list(map(_fields, induction.ordered.turns)),
        "default": induction.ordered.default,
        "uncovered": induction.ordered.uncovered.tolist(),
        "polishing": [
            {**_fields(count), "rules": list(map(_fields, count.rules))}
            for count in induction.polished
        ],
    }


def _fields(record: Generalised | RuleLook | ClassTurn | Polished) -> dict[str, Any]:
    """The fields of a record; `of_class` is called class."""
    named = {field.name: getattr(record, field.name) for field in fields(record)}
    return {
        name.removeprefix("of_"): one.tolist() if isinstance(one, np.ndarray) else one
        for name, one in named.items()
    }


def _subset(subset: ChosenSubset, induction: Induction) -> dict[str, Any]:
    return {
        "class": subset.of_class,
        "candidates": [_fields(one) for one in induction.candidates[subset.of_class]],
        "rule_bits": subset.rule_bits.tolist(),
        "chosen": list(subset.chosen),
        "covered": subset.covered,
        "false_positives": subset.false_positives,
        "false_negatives": subset.false_negatives,
        "theory": subset.theory,
        "exceptions": subset.exceptions,
        "climbs": subset.climbs.tolist(),
    }
