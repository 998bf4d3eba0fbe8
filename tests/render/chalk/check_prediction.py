"""A row's way: shares from the steps' weights, class shares from the counts."""

from __future__ import annotations

import re

from check_rows import numbers_in
from check_tree import Node, read_tree
from checker import Expected
from intervals import Interval, exact, number, results_with, total, weight
from printed import PrintedPart


def check_predictions(parts: list[PrintedPart], expected: Expected) -> int:
    """Check every way of a page whose tree is not pruned; how many there are."""
    with results_with(expected.decimals, fixed=bool(expected.classes)):
        nodes = read_tree(parts, expected.classes)
        ways = [part for part in parts if part.heading[0] == "Prediction"]
        for part in ways:
            _Way(part, nodes, expected).check()
    return len(ways)


class _Way:
    def __init__(self, part: PrintedPart, nodes: dict[int, Node], expected) -> None:
        self.part = part
        self.expected = expected
        self.by_path = {node.path: node for node in nodes.values()}
        self.top = ", ".join(
            piece for piece in part.heading[2:] if not re.fullmatch(r"node \d+", piece)
        )

    def check(self) -> None:
        table = [one for one in self.part.tables if one.titles[0] == "share"]
        ends: list[tuple[Interval, Node]] = []
        if table:
            for row in table[0].rows:
                path = ", ".join(filter(None, [self.top, *row.cells[1]]))
                node = self.by_path[path]
                assert row.cells[2][0] == f"node {node.node}", row
                assert self._counts(row.cells[3][0], node), row
                ends.append((exact(1.0), node))
            paths = [node.path for _, node in ends]
            ends = [(self._share(node, paths), node) for _, node in ends]
            for row, (share, _) in zip(table[0].rows, ends, strict=True):
                assert share.meets(number(row.cells[0][0])), (row, share)
            assert total([share for share, _ in ends]).meets(exact(1.0))
        elif "goes with" not in self.top and self.top in self.by_path:
            node = self.by_path[self.top]
            assert self.part.heading[-1] == f"node {node.node}", self.part.heading
            ends = [(exact(1.0), node)]
        if ends:
            self._check_answer(ends)

    def _counts(self, text: str, node: Node) -> bool:
        if not self.expected.classes:
            return all(
                number(one).meets(mean)
                for one, mean in zip(text.split(", "), node.rows.middles, strict=True)
            )
        counts = [weight(one) for one in text.partition(" | ")[0].split("/")]
        pairs = zip(counts, node.rows.counts[0], strict=True)
        return all(one.meets(other) for one, other in pairs)

    def _share(self, node: Node, paths: list[str]) -> Interval:
        """By the weights of the branches, wherever the row is divided."""
        share, one = exact(1.0), node
        while one.path != self.top:
            above = one.parent
            taken = [
                each
                for each in above.branches
                if any(f"{path}, ".startswith(f"{each.path}, ") for path in paths)
            ]
            if len(taken) > 1:
                among = [each.rows.weight for each in above.branches if each.n_rows]
                share = share * (one.rows.weight / total(among))
            one = above
        return share

    def _check_answer(self, ends: list[tuple[Interval, Node]]) -> None:
        """The formulas of the class shares, and the class with the largest."""
        said = next(
            one for one in self.part.sentences if one.startswith("prediction: ")
        )
        answer = said.removeprefix("prediction: ")
        if not self.expected.classes:
            mean = total([share * node.rows.middles[0] for share, node in ends])
            assert mean.meets(number(answer)), (said, mean)
            return
        (labels,) = self.expected.classes
        shares = {
            label: total(
                [share * (node.rows.counts[0][k] / node.rows.weight)
                 for share, node in ends]
            )
            for k, label in enumerate(labels)
        }  # fmt: skip
        assert shares[answer].high >= max(one.low for one in shares.values()), said
        for formula in self.part.formulas:
            numbers = numbers_in(formula.text)
            label, _, n_parts = formula.label.partition(", sum over its ")
            value = shares[label]
            assert value.meets(number(numbers[-1])), (formula, value)
            if n_parts:
                assert n_parts == f"{len(ends)} parts", formula
            else:
                self._check_terms(label, numbers[:-1], ends)

    def _check_terms(self, label: str, numbers: list[str], ends) -> None:
        """0.2*3/15 + 0.8*1/7, or 3/15."""
        code = self.expected.classes[0].index(label)
        per_end = len(numbers) // len(ends)
        for place, (share, node) in enumerate(ends):
            terms = numbers[place * per_end : (place + 1) * per_end]
            if per_end == 3:
                assert share.meets(number(terms[0])), (terms, share)
            assert weight(terms[-2]).meets(node.rows.counts[0][code]), terms
            assert weight(terms[-1]).meets(node.rows.weight), terms
