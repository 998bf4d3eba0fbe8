"""Trees in DOT, read back by a small parser of the language."""

from __future__ import annotations

import re

import handmade
import hostile
import pytest

from treewright.render import to_dot
from treewright.render.fitting.safe_text import visible

# https://graphviz.org/doc/info/lang.html, as far as it is used here
TOKEN = re.compile(
    r'\s*(?:(?P<id>[A-Za-z_]\w*)|(?P<text>"(?:[^"\\]|\\.)*")|(?P<sign>->|[{}\[\]=;,]))',
    re.DOTALL,
)


def tokens(text):
    position = 0
    text = text.strip()
    while position < len(text):
        match = TOKEN.match(text, position)
        assert match, f"no DOT at {text[position : position + 40]!r}"
        yield match[0].strip()
        position = match.end()


def attributes(items):
    """`[a=b, c=d]` as a dict; the opening bracket is gone."""
    found = {}
    while (name := next(items)) != "]":
        if name == ",":
            continue
        assert next(items) == "="
        found[name] = next(items)
    return found


def parse(text):
    """Nodes with their labels, and edges with theirs."""
    items = iter(tokens(text))
    assert [next(items) for _ in range(3)] == ["digraph", "tree", "{"]
    nodes, edges = {}, {}
    while (name := next(items)) != "}":
        sign = next(items)
        other = None
        if sign == "->":
            other, sign = next(items), next(items)
        assert sign == "["
        found = attributes(items)
        assert next(items) == ";"
        if other is not None:
            edges[name, other] = label_lines(found)
        elif name not in ("node", "edge", "graph"):
            nodes[name] = label_lines(found)
    assert list(items) == []
    return nodes, edges


def label_lines(found):
    """What Graphviz shows for a label."""
    lines = re.split(r"(?<!\\)((?:\\\\)*)\\n", found["label"][1:-1])
    lines = [a + b for a, b in zip(lines[::2], [*lines[1::2], ""], strict=True)]
    unescape = [re.sub(r"\\(.)", r"\1", line) for line in lines]
    return [line.replace("&amp;", "&") for line in unescape]


@pytest.mark.parametrize("name", handmade.ALL)
def test_every_node_and_edge_is_there(name):
    model = handmade.ALL[name]()
    nodes, edges = parse(to_dot(model))
    n_nodes = model.trees[0].node_count
    assert set(nodes) == {f"n{node}" for node in range(n_nodes)}
    assert len(edges) == n_nodes - 1


def test_labels():
    nodes, edges = parse(to_dot(handmade.cart()))
    assert nodes["n0"] == [
        "petal length",
        "150 rows",
        "setosa 50, versicolor 50, virginica 50",
    ]
    assert nodes["n1"] == ["setosa", "50 rows", "setosa 50", "pure"]
    assert edges["n0", "n1"] == ["<= 2.45"]
    assert edges["n0", "n2"] == ["> 2.45"]


def test_numbers():
    nodes, _ = parse(to_dot(handmade.regression()))
    assert nodes["n0"] == ["PS", "5 rows", "mean 53.7"]
    assert nodes["n2"] == ["120", "2 rows", "pure"]


def test_folded_nodes_are_counted():
    nodes, edges = parse(to_dot(handmade.tennis(), max_depth=1))
    assert len(nodes) == 4
    assert len(edges) == 3
    assert nodes["n2"][-1] == "… 2 nodes below"


def test_classes_keep_their_colour():
    lines = [line for line in to_dot(handmade.tennis()).splitlines() if "fillc" in line]
    colours = {line.split('"')[1][:2]: line.split('"')[3] for line in lines[1:]}
    assert len(colours) == 2
    assert len(set(colours.values())) == 2


@pytest.mark.parametrize("name", hostile.NAMES, ids=range(len(hostile.NAMES)))
def test_hostile_names_come_back(name):
    text = to_dot(hostile.model(name))
    text.encode()
    nodes, edges = parse(text)
    assert len(nodes) == 8
    shown = visible(name if name.strip() else f'"{name}"')
    if len(shown) > 60:
        shown = shown[:59] + "…"
    assert nodes["n0"][0] == shown
    if any(sign in name for sign in '"{'):  # a value that could be misread
        shown = visible('"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"')
    assert edges["n0", "n1"] == [shown]
