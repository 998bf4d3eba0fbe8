"""The nodes of a page: what their headings say, and that parents and branches agree."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from check_rows import Rows, impurity, joined, of_counts
from intervals import Interval, exact, number, weight
from printed import PrintedPart

_MEASURES = "entropy|gini|error|variance|mean deviation"
NUMBER = r"-?[\d.]+(?:e[-+]?\d+)?"


@dataclass
class Node:
    """A node as its heading has it."""

    step: int
    node: int
    path: str
    n_rows: int
    rows: Rows
    measure: str  # empty at a pure leaf
    part: PrintedPart
    branches: list[Node] = field(default_factory=list)
    parent: Node | None = None

    @property
    def name(self) -> str:
        """The condition on the way from its parent."""
        above = self.parent.path if self.parent else ""
        return self.path.removeprefix(above).removeprefix(", ")

    @property
    def winner(self) -> str | None:
        table = self.part.comparison
        marked = [row for row in table.rows if row.marked] if table else []
        return marked[0].cells[0][0] if marked else None


def read_tree(
    parts: list[PrintedPart], classes: tuple[tuple[str, ...], ...]
) -> dict[int, Node]:
    """Read every step; a node's parent is the one whose path is continued."""
    steps = [part for part in parts if part.heading[0].startswith("Step ")]
    nodes = [_read(part, classes) for part in steps]
    measure = next((one.measure for one in nodes if one.measure), "")
    for one in nodes:
        one.measure = one.measure or measure
    above = {one.path: one for one in nodes if one.n_rows}
    for one in nodes:
        words = one.path.split(", ")
        for n in range(len(words) - 1, -1, -1):
            parent = above.get(", ".join(words[:n]))
            if parent is not None and parent is not one:
                one.parent = parent
                parent.branches.append(one)
                break
    return {one.node: one for one in nodes}


def _read(part: PrintedPart, classes: tuple[tuple[str, ...], ...]) -> Node:
    heading = part.heading
    node = 0 if heading[1] == "root" else int(heading[1].removeprefix("node "))
    path = "" if node == 0 else heading[2]
    found = [
        match
        for piece in heading
        if (match := re.fullmatch(f"({_MEASURES}) (\\S+)", piece))
    ]
    measure = found[0][1] if found else ""
    spread = number(found[0][2]) if found else exact(0.0)
    (size,) = [
        match
        for piece in heading[2:4]
        if (match := re.fullmatch(rf"(\d+) rows?(?:, weight ({NUMBER}))?", piece))
    ]
    weighs = weight(size[2] or size[1])
    rest = heading[3 if node == 0 else 4 :]
    if classes:
        counts = _counts("   ".join(rest), classes)
        rows = of_counts(counts, measure)
        if found:
            assert impurity(counts, measure).meets(spread), heading
        if size[1] == "0":
            assert all(one == exact(0.0) for each in counts for one in each), heading
        else:
            assert all(of_counts([one], "").weight.meets(weighs) for one in counts), (
                heading
            )
    else:
        values = re.fullmatch(r"(?:mean|median) (.*)", rest[0])[1]
        middles = [number(one) for one in values.split(", ")]
        rows = Rows(weighs, [], middles, spread)
    step = int(heading[0].removeprefix("Step "))
    assert step == node + 1, heading
    return Node(step, node, path, int(size[1]), rows, measure, part)


def _counts(text: str, classes: tuple[tuple[str, ...], ...]) -> list[list[Interval]]:
    found = []
    for labels in classes:
        pattern = r"\s+".join(rf"{re.escape(one)} ({NUMBER})" for one in labels)
        numbers = re.search(rf"(?<![\w=]){pattern}(?!\S)", text)
        assert numbers, (pattern, text)
        found.append([weight(one) for one in numbers.groups()])
        text = text[numbers.end() :]
    return found


def check_tree(nodes: dict[int, Node], *, divides: bool, keeps_all: bool) -> int:
    """The rows of a node are those of its branches; so are its counts and its mean."""
    n_checked = 0
    for node in nodes.values():
        n_checked += _check_answer(node)
        filled = [one for one in node.branches if one.n_rows]
        if not filled or not keeps_all:
            continue
        n_rows = sum(one.n_rows for one in filled)
        if not (n_rows >= node.n_rows if divides else n_rows == node.n_rows):
            raise AssertionError(f"{node.part.heading}: the branches have {n_rows}")
        together = joined([one.rows for one in filled], node.measure)
        assert together.same_as(node.rows), node.part.heading
        assert together.spread.meets(node.rows.spread), node.part.heading
        n_checked += 2
    return n_checked


def _check_answer(node: Node) -> int:
    """A leaf answers with its most frequent class, or its mean."""
    texts = [*node.part.heading, *node.part.sentences]
    (leaf, *_) = [*(one for one in texts if one.startswith("leaf ")), ""]
    if not leaf or node.n_rows == 0 or len(node.rows.counts) > 1:
        return 0
    answer = leaf.removeprefix("leaf ").partition(": ")[0]
    if node.rows.middles:
        for one, value in zip(answer.split(", "), node.rows.middles, strict=True):
            assert number(one) == value, (leaf, value)
    else:
        (most,) = (max(one, key=lambda c: c.low) for one in node.rows.counts)
        found = re.search(
            rf"(?<!\S){re.escape(answer)} ({NUMBER})(?!\S)",
            "   ".join(node.part.heading),
        )
        assert found and weight(found[1]).high >= most.low, leaf
    return 1
