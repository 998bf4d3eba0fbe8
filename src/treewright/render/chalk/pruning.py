"""A pruning as blocks of a page: each node that was judged, and the decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treewright.grow.chalk.record import Record
from treewright.prune.record import Estimate, Judgement, PruningRecord, Stage
from treewright.render.chalk.expression import Equation, Expression, Group, Number, Sum
from treewright.render.chalk.figures import Figures
from treewright.render.chalk.options import Options
from treewright.render.chalk.page import (
    Block,
    Column,
    Formulas,
    Heading,
    Line,
    Row,
    Sentence,
    Table,
    name,
)
from treewright.render.chalk.words import Words, word_table

MOST_JUDGEMENTS = 60
_MOST_FORMULAS = 12
_MOST_LEAVES = 8  # of a subtree whose estimate is written out
_WHOLE = ("weight", "n_leaves", "degrees_of_freedom")


class Prunings:
    """Makes the blocks of a pruning."""

    def __init__(self, record: Record, figures: Figures, options: Options) -> None:
        self.words = Words(options.language)
        self.figures = figures
        self.paths = {step.node: step.path for step in record.steps}
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
            yield Sentence((self._word(f"rule_{stage.rule}", stage.rule),))
            if not judgements:
                hidden = "_here" if stage.judgements else ""
                yield Sentence((self.words[f"no_judgement{hidden}"],))
                continue
            shown = judgements[:MOST_JUDGEMENTS]
            yield self._table(shown)
            if len(shown) < len(judgements):
                n, whole = str(len(shown)), str(len(judgements))
                yield Sentence(self.words.fill("judgements_shown", n=n, all=whole))
            yield from self._formulas(shown)
            yield from self._added_errors(shown)

    def _heading(self, stage: Stage) -> Heading:
        settings = [
            f"{key} {self._setting(value)}"
            for key, value in stage.parameters.items()
            if value is not None
        ]
        pieces: list[Line] = [(self.words["pruning"],), (stage.rule,)]
        return Heading(2, (*pieces, *((one,) for one in settings)))

    def _setting(self, value: float | str) -> str:
        return value if isinstance(value, str) else f"{value:.6g}"

    def _table(self, judgements: Sequence[Judgement]) -> Table:
        keys = list(dict.fromkeys(key for one in judgements for key in one.numbers))
        columns = (
            Column((self.words["node_title"],), right=False),
            Column((self.words["way_there"],), right=False, pieces=True),
            *(Column((self._word(f"number_{key}", key),)) for key in keys),
        )
        rows = []
        for one in judgements:
            path = self.paths.get(one.node, ())
            way = tuple((name(condition),) for condition in path) or (("",),)
            if one.node == 0:
                way = ((self.words["root"],),)
            numbers = [(self._number(one, key),) for key in keys]
            cells = ((self._node(one),), way, *numbers)
            changed = one.decision != "kept"
            rows.append(Row(cells, changed, self._decision(one)))
        return Table(columns, tuple(rows))

    def _node(self, one: Judgement) -> Line:
        if one.round == 1:
            return (str(one.node),)
        return self.words.fill("again", node=str(one.node))

    def _number(self, one: Judgement, key: str) -> Line:
        if key not in one.numbers:
            return ("",)
        value = one.numbers[key]
        if key in _WHOLE:
            return (self.figures.weight(value),)
        return (Number(self.figures.share(value), True, _about(one, key)),)

    def _decision(self, one: Judgement) -> Line:
        branch = "" if one.branch is None else str(one.branch)
        return self.words.fill(f"decision_{one.decision}", branch=branch)

    def _formulas(self, judgements: Sequence[Judgement]) -> Iterator[Block]:
        """The estimates of error-based pruning, written out."""
        with_estimates = [one for one in judgements if one.estimates]
        for one in with_estimates[:_MOST_FORMULAS]:
            lines = [
                ((self._word(f"number_as_{key}", key),), formula)
                for key, estimate in one.estimates.items()
                if (formula := self._estimate(one, key, estimate)) is not None
            ]
            if lines:
                about = self.words.fill("node", n=str(one.node))
                yield Formulas(tuple(lines), about)

    def _estimate(
        self, one: Judgement, key: str, estimate: Estimate
    ) -> Expression | None:
        """E + U(N, E), summed over the leaves if they are few."""
        leaves = estimate.leaves
        if not leaves or len(leaves) > _MOST_LEAVES:
            return None
        sums = [
            Sum((("+", self._errors(leaf.errors)), ("+", self._added(leaf.added))))
            for leaf in leaves
        ]
        left: Expression = sums[0]
        if len(sums) > 1:
            left = Sum(tuple(("+", Group(each)) for each in sums))
        total = self.figures.share(estimate.errors + estimate.added)
        return Equation(left, Number(total, True, _about(one, f"as_{key}")))

    def _added_errors(self, judgements: Sequence[Judgement]) -> Iterator[Block]:
        """U(N, E) of every kind of leaf that the formulas are about."""
        shown = [one for one in judgements if one.estimates][:_MOST_FORMULAS]
        pairs: dict[tuple[str, str], str] = {}
        for one in shown:
            for estimate in one.estimates.values():
                few = len(estimate.leaves) <= _MOST_LEAVES
                for leaf in estimate.leaves if few else ():
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
            columns = tuple(Column((title,)) for title in ("N", "E", "U(N, E)"))
            yield Table(columns, rows, folded=True)

    def _errors(self, errors: float) -> Number:
        return Number(self.figures.weight(errors))

    def _added(self, added: float) -> Number:
        return Number(self.figures.share(added), hidden=True)

    def _word(self, key: str, otherwise: str) -> str:
        return self.words[key] if key in word_table() else otherwise


def _about(one: Judgement, key: str) -> str:
    return f"pruning\n{one.node}\n{one.round}\n{key}"
