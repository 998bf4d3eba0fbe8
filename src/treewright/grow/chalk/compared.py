"""The candidates of each node that was watched, in the data's own names."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.schema import Schema
from treewright.grow.chalk.bush import Bush, PartMaker, bush_of, class_slots
from treewright.grow.chalk.growing_record import Candidate, CutTried, LeftOut, Part
from treewright.grow.chalk.watch import Items, Look, Watch, thinned
from treewright.grow.choose import AVERAGE_SLACK, ENOUGH
from treewright.grow.dialect import Dialect
from treewright.grow.finish import thresholds_between
from treewright.grow.impurity import entropy_of_weights
from treewright.sources.node_statistics import Statistics
from treewright.sources.source import ONE_VALUE, Tabulated
from treewright.tree.structure.branch_words import BranchCondition, label_text
from treewright.tree.structure.tree import NodeKind, Tree

_MOST_OF_CURVE = 400
EQUAL = 1e-12  # worths that differ by rounding alone
_QUESTIONS = {
    NodeKind.CUT: "cut",
    NodeKind.ORDER: "cut",
    NodeKind.MULTIWAY: "values",
    NodeKind.SUBSET: "set",
    NodeKind.GROUPS: "groups",
    NodeKind.KNOWN: "known",
}


@dataclass(frozen=True, eq=False)
class Grown:
    """A tree as it was grown, before any pruning, and what it was grown with."""

    tree: Tree
    schema: Schema
    columns: Columns
    statistics: Statistics
    dialect: Dialect
    kinds: npt.NDArray[np.uint8]  # the `NodeKind` of a split on each feature


@dataclass(frozen=True)
class AtNode:
    """What was compared at a node: `best` is a place among the candidates."""

    candidates: tuple[Candidate, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    best: int | None = None
    least_gain: float | None = None


class ComparedNodes:
    """Gives the candidates of each node that was looked at."""

    def __init__(self, watch: Watch, grown: Grown) -> None:
        self._grown = grown
        self._place = {
            node: (look, index)
            for look in watch.looks
            for index, node in enumerate(look.nodes.tolist())
        }
        self._splits = _Counted(grown, [(one, one.items) for one in watch.looks])
        self._cuts = _Counted(grown, [(one, one.cuts) for one in watch.looks])

    def at(self, node: int) -> AtNode:
        """What was compared at a node; nothing if it was a leaf before."""
        if node not in self._place:
            return AtNode()
        look, index = self._place[node]
        candidates: list[Candidate] = []
        left_out: list[LeftOut] = []
        best = None
        for feature, one in enumerate(self._grown.schema.features):
            if (node, feature) not in self._splits.items:
                why = _why_left_out(look, index, feature)
                left_out.append(LeftOut(label_text(one.name), why))
                continue
            if int(look.best[index]) == feature:
                best = len(candidates)
            candidates.append(self._candidate(look, index, node, feature))
        least = float(look.weighed.least[index])
        if self._grown.dialect.single_precision and best is not None:
            candidates = _with_equals(candidates, candidates[best])
        return AtNode(
            tuple(candidates),
            tuple(left_out),
            best,
            self._shown_least(least, candidates) if np.isfinite(least) else None,
        )

    def _shown_least(self, least: float, candidates: list[Candidate]) -> float:
        """The guard's least gain; of 32-bit gains, as it follows from those shown."""
        counted = [one.net for one in candidates if one.in_average]
        dialect = self._grown.dialect
        if dialect.single_precision and counted:
            exact = sum(counted) / len(counted)
            is_c50 = dialect.gain_guard == "c50"
            exact = ENOUGH * exact if is_c50 else exact - AVERAGE_SLACK
            if abs(exact - least) < 1e-6:
                return exact
        return least

    def _candidate(self, look: Look, index: int, node: int, feature: int) -> Candidate:
        (item,) = self._splits.items[node, feature]
        splits, dialect = self._splits, self._grown.dialect
        parts = splits.bush.branches(item)
        known = splits.known.part(item)
        missing = None
        if splits.tables.n_missing[item]:
            missing = splits.missing.part(item, BranchCondition("", "is", "missing"))
        factor = 1.0
        if missing is not None and dialect.discount_missing:
            factor = known.weight / (known.weight + missing.weight)
        remainder = sum(one.weight * one.impurity for one in parts) / known.weight
        gain = _number(look.weighed.gain, index, feature)
        cost = _number(look.weighed.cost, index, feature)
        charge = _number(look.weighed.charge, index, feature)
        n_cuts = _number(look.candidates.n_cuts, index, feature)
        if dialect.single_precision:  # what is shown must follow from what is shown
            gain = factor * (known.impurity - remainder)
            weight = known.weight + (missing.weight if missing else 0.0)
            cost = math.log2(max(n_cuts, 1.0)) / weight if cost else 0.0
            charge = float(look.candidates.charge[index, feature]) / weight
        net = gain - cost - charge
        by_ratio = dialect.criterion == "gain_ratio"
        information = float(look.candidates.split_information[index, feature])
        if dialect.single_precision:
            sizes = [one.weight for one in (*parts, *filter(None, [missing]))]
            information = float(entropy_of_weights(np.array(sizes)))
        ratio = net / information if information else 0.0
        scored = look.scored.get((node, feature))
        return Candidate(
            feature=label_text(self._grown.schema.features[feature].name),
            question=_QUESTIONS[splits.bush.tree.kind_of(item)],
            parts=parts,
            known=known if missing else None,
            missing=missing,
            factor=factor,
            threshold=splits.bush.threshold(item),
            remainder=remainder,
            gain=gain,
            n_cuts=n_cuts,
            cost=cost,
            charge=charge,
            net=net,
            split_information=information if by_ratio else None,
            ratio=ratio if by_ratio else None,
            worth=ratio if by_ratio else net,
            verdict=_verdict(look, index, feature),
            in_average=bool(look.in_average[index, feature]),
            cuts=self._tried(node, feature, known, factor, gain),
            curve=self._curve(node, feature, look),
            n_tried=0 if scored is None else len(scored.gain),
        )

    def _tried(
        self, node: int, feature: int, known: Part, factor: float, best: float
    ) -> tuple[CutTried, ...]:
        """The cuts of a feature with their counts, from low to high."""
        tried = []
        (chosen,) = self._splits.items[node, feature]
        for item in self._cuts.items.get((node, feature), []):
            low, high, *others = self._cuts.bush.branches(item)
            threshold = self._cuts.bush.threshold(item)
            assert threshold is not None
            gain = self._cuts.gains[item]
            if self._grown.dialect.single_precision and not others:
                rest = low.weight * low.impurity + high.weight * high.impurity
                gain = factor * (known.impurity - rest / known.weight)
            if self._cuts.position[item] == self._splits.position[chosen]:
                gain = best  # the same cut, whose sums may be rounded another way
            tried.append(CutTried(threshold, low, high, gain))
        return tuple(tried)

    def _curve(
        self, node: int, feature: int, look: Look
    ) -> tuple[tuple[float, float], ...]:
        """Threshold and gain of every cut of a feature, or of many."""
        scored = look.scored.get((node, feature))
        if scored is None or len(scored.gain) == 0:
            return ()
        shown = thinned(scored.gain, _MOST_OF_CURVE)
        where = thresholds_between(
            self._grown.columns,
            feature,
            scored.low[shown],
            scored.high[shown],
            self._grown.dialect,
        )
        gain = scored.gain[shown] * look.per_score[look.nodes.tolist().index(node)]
        return tuple(zip(where.tolist(), gain.tolist(), strict=True))


class _Counted:
    """Splits that were counted, as a bush, and where those of a node stand in it."""

    def __init__(self, grown: Grown, looked: list[tuple[Look, Items]]) -> None:
        self.items: dict[tuple[int, int], list[int]] = {}
        self.gains: list[float] = []
        for count, (pair, gain) in enumerate(_pairs(looked)):
            self.items.setdefault(pair, []).append(count)
            self.gains.append(gain)
        filled = [items for _, items in looked if len(items.node)]
        if not filled:
            return
        self.tables = _joined([items.tables for items in filled])
        features = np.concatenate([items.feature for items in filled])
        self.position = np.concatenate([items.position for items in filled])
        kinds = grown.kinds[features]
        # as in the grower: the question is whether the value is known
        kinds[(self.position > 0) & (self.tables.low == self.tables.high)] = (
            NodeKind.KNOWN
        )
        self.bush: Bush = bush_of(
            self.tables,
            features,
            kinds,
            grown.columns,
            grown.statistics,
            grown.dialect,
        )
        slots = class_slots(grown.schema)
        never = np.zeros(len(features), bool)
        n_missing = self.tables.n_missing
        n_known = self.bush.tree.n_rows[: len(features)]
        self.known = PartMaker(
            grown.statistics, self.tables.known, never, n_known, slots
        )
        self.missing = PartMaker(
            grown.statistics, self.tables.missing, never, n_missing, slots
        )


def _pairs(
    looked: list[tuple[Look, Items]],
) -> Iterator[tuple[tuple[int, int], float]]:
    """Yield node and feature of each split, and its gain if it is one of many cuts."""
    for look, items in looked:
        rows = zip(
            items.node.tolist(),
            items.feature.tolist(),
            items.position.tolist(),
            strict=True,
        )
        for index, feature, position in rows:
            node = int(look.nodes[index])
            gain = 0.0
            scored = look.scored.get((node, feature))
            if scored is not None:
                at = int(np.searchsorted(scored.position, position))
                if at < len(scored.gain):
                    gain = float(scored.gain[at] * look.per_score[index])
            yield (node, feature), gain


def _joined(tables: list[Tabulated]) -> Tabulated:
    return Tabulated(
        **{
            one.name: np.concatenate([getattr(table, one.name) for table in tables])
            for one in fields(Tabulated)
        }
    )


def _with_equals(candidates: list[Candidate], best: Candidate) -> list[Candidate]:
    """The candidates, those of the best one's worth as ties, whatever 32 bits say."""
    return [
        replace(one, verdict="tie")
        if one.verdict == "compared" and abs(one.worth - best.worth) < EQUAL
        else one
        for one in candidates
    ]


def _number(array: npt.NDArray[np.float64], index: int, feature: int) -> float:
    """An entry of an array per node and feature, or of one that is 0 for all."""
    return float(array[index, feature] if array.size > 1 else array[0, 0])


def _why_left_out(look: Look, index: int, feature: int) -> str:
    if not look.drawn[index, feature]:
        return "not_drawn"
    if not look.allowed[index, feature]:
        return "used_above"
    one = look.candidates.gain[index, feature] == ONE_VALUE
    return "one_value" if one else "too_few_rows"


def _verdict(look: Look, index: int, feature: int) -> str:
    """How a feature fared at a node."""
    weighed, best = look.weighed, int(look.best[index])
    if feature == best:
        return "best"
    if weighed.valid[index, feature]:
        worth = weighed.worth[index]
        close = best >= 0 and worth[best] - worth[feature] <= look.tolerance[index]
        return "tie" if close else "compared"
    if not weighed.counts[index, feature]:
        return "no_gain"
    if weighed.net[index, feature] < weighed.least[index]:
        return "below_guard"
    return "no_information"
