"""A pruning as blocks of a page: each node that was judged, and the decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treewright.grow.chalk.growing_record import Record
from treewright.prune.pruning_record import (
    Judgement,
    LeafEstimate,
    PruningRecord,
    Stage,
    SubtreeEstimate,
)
from treewright.render.chalk.blocks.branches import condition_line
from treewright.render.chalk.blocks.digits import Digits
from treewright.render.chalk.chalk_options import Options
from treewright.render.chalk.chalk_page import (
    Block,
    ChalkColumn,
    ChalkTable,
    FormulaLines,
    Heading,
    Line,
    Row,
    Sentence,
)
from treewright.render.chalk.expression import (
    Bracketed,
    Equation,
    Expression,
    Number,
    Sum,
)
from treewright.render.chalk.languages import LectureWords

MOST_JUDGEMENTS = 60
_MOST_FORMULAS = 12
_MOST_LEAVES = 8  # of a subtree whose estimate is written out
_WHOLE = ("weight", "n_leaves", "degrees_of_freedom", "heaviest_of_its_parent")
# errors that were counted, not estimated
_ERRORS = ("errors_as_leaf", "errors_as_tree")
# in the units of the measure
_MEASURES = ("gain", "risk", "risk_below", "own_alpha", "alpha", "bound")
_ERRORS_OF_RULE = {
    "reduced_error": ("as_leaf", "as_tree", "of_whole_tree"),
    "global_pruning": ("risk", "risk_below"),
}


class Prunings:
    """Makes the blocks of a pruning."""

    def __init__(self, record: Record, figures: Digits, options: Options) -> None:
        self.words = LectureWords(options.language)
        self.figures = figures
        self.paths = {step.node: step.conditions for step in record.steps}
        self.has_classes = bool(record.classes)
        self.is_whole = len(record.steps) == record.n_nodes

    def blocks(self, pruning: PruningRecord) -> Iterator[Block]:
        """Yield what each rule did; of a selection only what is about its nodes."""
        for stage in pruning.stages:
            judgements = [
                one
                for one in stage.judgements
                if self.is_whole or one.node in self.paths
            ]
            yield self._heading(stage)
            yield Sentence((self.words[f"rule_{stage.rule}"],))
            yield from self._held_out(stage)
            if not judgements:
                hidden = "_here" if stage.judgements else ""
                yield Sentence((self.words[f"no_judgement{hidden}"],))
                continue
            shown = judgements[:MOST_JUDGEMENTS]
            yield self._table(stage, shown)
            if len(shown) < len(judgements):
                n, whole = str(len(shown)), str(len(judgements))
                yield Sentence(self.words.fill("judgements_shown", n=n, all=whole))
            yield from self._formulas(shown)
            yield from self._added_errors(shown)

    def _heading(self, stage: Stage) -> Heading:
        settings = [
            self._setting(key, value)
            for key, value in stage.parameters.items()
            if value is not None
        ]
        rule = self.words[f"called_{stage.rule}"]
        return Heading(2, ((self.words["pruning"],), (rule,), *settings))

    def _setting(self, key: str, value: float | str) -> Line:
        if isinstance(value, str):
            return (self.words[f"setting_{key}_{value}"],)
        digits = max(self.figures.digits + 2, 6)
        return self.words.fill(f"setting_{key}", value=f"{value:.{digits}g}")

    def _held_out(self, stage: Stage) -> Iterator[Block]:
        """The errors of each node on the rows that were held out."""
        errors = {
            node: one
            for node, one in stage.held_out.items()
            if self.is_whole or node in self.paths
        }
        if not errors:
            return
        yield Sentence((self.words["about_held_out"],))
        columns = [
            ChalkColumn((self.words["node_title"],), right=False),
            ChalkColumn((self.words["way_there"],), right=False, pieces=True),
            ChalkColumn((self.words["held_out"],)),
        ]
        stops = any(one.stopped for one in errors.values())
        columns += [ChalkColumn((self.words["stopped"],))] if stops else []
        rows = []
        for node, one in list(errors.items())[:MOST_JUDGEMENTS]:
            numbers = [one.as_leaf, one.stopped] if stops else [one.as_leaf]
            cells = [((self._errors_text(number),),) for number in numbers]
            rows.append(Row((((str(node),),), self._way(node), *cells)))
        yield ChalkTable(tuple(columns), tuple(rows))
        if len(rows) < len(errors):
            n, whole = str(len(rows)), str(len(errors))
            yield Sentence(self.words.fill("nodes_shown", n=n, all=whole))

    def _errors_text(self, errors: float) -> str:
        """A weight of wrong rows; of numbers a sum of squares."""
        figures = self.figures
        return figures.weight(errors) if self.has_classes else figures.measure(errors)

    def _way(self, node: int) -> tuple[Line, ...]:
        if node == 0:
            return ((self.words["root"],),)
        path = self.paths.get(node, ())
        return tuple(condition_line(one, self.words) for one in path) or (("",),)

    def _table(self, stage: Stage, judgements: Sequence[Judgement]) -> ChalkTable:
        keys = list(dict.fromkeys(key for one in judgements for key in one.numbers))
        columns = (
            ChalkColumn((self.words["node_title"],), right=False),
            ChalkColumn((self.words["way_there"],), right=False, pieces=True),
            *(ChalkColumn((self.words[f"number_{key}"],)) for key in keys),
        )
        rows = []
        for one in judgements:
            numbers = [(self._number(stage, one, key),) for key in keys]
            cells = ((self._node(one),), self._way(one.node), *numbers)
            changed = one.decision != "kept"
            rows.append(Row(cells, changed, self._decision(one)))
        return ChalkTable(columns, tuple(rows))

    def _node(self, one: Judgement) -> Line:
        if one.round == 1:
            return (str(one.node),)
        return self.words.fill("again", node=str(one.node))

    def _number(self, stage: Stage, one: Judgement, key: str) -> Line:
        if key not in one.numbers:
            return ("-",)
        value = one.numbers[key]
        if key in _WHOLE:
            return (self.figures.weight(value),)
        is_count = key in _ERRORS or key in _ERRORS_OF_RULE.get(stage.rule, ())
        text = self.figures.share(value)
        if is_count:
            text = self._errors_text(value)
        elif key in _MEASURES:
            text = self.figures.measure(value)
        return (Number(text, True, _about(one, key)),)

    def _decision(self, one: Judgement) -> Line:
        branch = "" if one.branch is None else str(one.branch)
        return self.words.fill(f"decision_{one.decision}", branch=branch)

    def _formulas(self, judgements: Sequence[Judgement]) -> Iterator[Block]:
        """The estimates of error-based pruning, written out."""
        with_estimates = [one for one in judgements if one.estimates]
        for one in with_estimates[:_MOST_FORMULAS]:
            lines = []
            for key, estimate in one.estimates.items():
                label: Line = (self.words[f"number_as_{key}"],)
                if not _is_short(estimate):
                    n = str(estimate.n_leaves)
                    label = self.words.fill("sum_over", what=label, n=n)
                lines.append((label, self._estimate(one, key, estimate)))
            about = self.words.fill("node", n=str(one.node))
            yield FormulaLines(tuple(lines), about)

    def _estimate(
        self, one: Judgement, key: str, estimate: SubtreeEstimate
    ) -> Expression:
        """E + U(N, E) of each leaf if they are few, or their sums."""
        leaves: Sequence[SubtreeEstimate | LeafEstimate] = (estimate,)
        if _is_short(estimate):
            leaves = estimate.leaves
        sums = []
        for leaf in leaves:
            errors = Number(self.figures.weight(leaf.errors))
            added = Number(self.figures.share(leaf.added), hidden=True)
            sums.append(Sum((("+", errors), ("+", added))))
        left: Expression = sums[0]
        if len(sums) > 1:
            left = Sum(tuple(("+", Bracketed(each)) for each in sums))
        total = self.figures.share(one.numbers[f"as_{key}"])
        return Equation(left, Number(total, True, _about(one, f"as_{key}")))

    def _added_errors(self, judgements: Sequence[Judgement]) -> Iterator[Block]:
        """U(N, E) of every kind of leaf that the formulas are about."""
        shown = [one for one in judgements if one.estimates][:_MOST_FORMULAS]
        pairs: dict[tuple[str, str], str] = {}
        for one in shown:
            for estimate in one.estimates.values():
                for leaf in estimate.leaves if _is_short(estimate) else ():
                    kind = self.figures.weight(leaf.weight)
                    key = kind, self.figures.weight(leaf.errors)
                    pairs[key] = self.figures.share(leaf.added)
        if pairs:
            rows = tuple(
                Row((((n,),), ((errors,),), ((Number(added, True),),)))
                for (n, errors), added in sorted(
                    pairs.items(), key=lambda pair: tuple(map(float, pair[0]))
                )
            )
            columns = tuple(ChalkColumn((title,)) for title in ("N", "E", "U(N, E)"))
            yield ChalkTable(columns, rows, folded=True)


def _is_short(estimate: SubtreeEstimate) -> bool:
    """Whether each leaf of an estimate is written out."""
    return 0 < len(estimate.leaves) <= _MOST_LEAVES


def _about(one: Judgement, key: str) -> str:
    return f"pruning\n{one.node}\n{one.round}\n{key}"
