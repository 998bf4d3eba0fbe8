"""A tree of CAL2 or CAL3 at every step of its record, and in the lectures' notation.

It starts as *, where nothing is known. A is a class (CAL3: for good), /A2 B1/ is what
CAL3 has counted, 2 rows of A and 1 of B. x1(A, *) is a question about x1, with a tree
for each of its values.
"""

from __future__ import annotations

from treewright.grow.chalk.cal_record import CALRecord, CALStep, Change
from treewright.render.chalk.page import Line, Span, name

_NOTHING = -1


class Replay:
    """The tree after some of the steps."""

    def __init__(self, record: CALRecord) -> None:
        self.record = record
        self.feature = [_NOTHING]
        self.first_child = [_NOTHING]
        self.label = [_NOTHING]
        self.depth = [0]
        self.n_leaves = 1
        self.counts: dict[int, dict[int, int]] = {}

    def apply(self, step: CALStep) -> None:
        """Take one step."""
        k = self.record.answers[step.row]
        if step.counts:
            self.counts[step.leaf] = dict(step.counts)
        if step.change is Change.NAMED:
            self.label[step.leaf] = k
        elif step.change is Change.CLOSED:
            self.label[step.leaf] = max(step.counts, key=lambda one: one[1])[0]
        elif step.change is Change.SPLIT:
            branch = self._split(step.leaf, step.row)
            if step.counts:
                self.counts[branch] = {k: 1}
            else:
                self.label[branch] = k

    def _split(self, leaf: int, row: int) -> int:
        feature = self.record.order[self.depth[leaf]]
        n_new = len(self.record.features[feature][1])
        self.feature[leaf] = feature
        self.first_child[leaf] = len(self.feature)
        self.label[leaf] = _NOTHING
        for values in (self.feature, self.first_child, self.label):
            values.extend([_NOTHING] * n_new)
        self.depth += [self.depth[leaf] + 1] * n_new
        self.n_leaves += n_new - 1
        return self.first_child[leaf] + self.record.codes[feature][row]

    def path(self, row: int) -> list[int]:
        """Return the nodes that a row passes, the leaf last."""
        node, nodes = 0, [0]
        while self.feature[node] >= 0:
            code = self.record.codes[self.feature[node]][row]
            node = self.first_child[node] + code
            nodes.append(node)
        return nodes

    def notation(self, root: int = 0) -> Line:
        """Return a tree, or what is below a node, as the lectures write it."""
        line: list[Span] = []
        stack: list[int | str] = [root]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                line.append(node)
                continue
            feature = self.feature[node]
            if feature < 0:
                line += self.leaf(node)
                continue
            title, values = self.record.features[feature]
            line += [name(title), "("]
            branches: list[int | str] = [")"]
            for code in range(len(values) - 1, -1, -1):
                branches.append(self.first_child[node] + code)
                if code:
                    branches.append(", ")
            stack += branches
        return tuple(line)

    def leaf(self, node: int) -> Line:
        """Return what stands at a leaf."""
        label, counts = self.label[node], self.counts.get(node)
        if label >= 0:
            return (name(self.record.classes[label]),)
        return counted_line(self.record, counts) if counts else ("*",)


def counted_line(record: CALRecord, counts: dict[int, int]) -> Line:
    """Return the counts of a leaf: /A2 B1/."""
    line: list[Span] = ["/"]
    for place, (k, count) in enumerate(counts.items()):
        label = record.classes[k]
        # without a sign between them, a longer class would run into its count
        between = "" if len(label) == 1 and not label.isdigit() else ":"
        line += [" "] if place else []
        line += [name(label), f"{between}{count}"]
    return (*line, "/")
