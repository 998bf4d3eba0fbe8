"""Where two trees part: the first node, from the root on, that is not the same."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.neutral_tree import Branch, Node, Outline

Pair = tuple[Branch, Branch]


def first_difference(theirs: Outline, ours: Outline) -> str | None:
    """Return in words where the trees part, or None if they are the same.

    Nodes are visited depth first, branches in their order. Only what both sides tell is
    compared: a program that prints no errors cannot differ in them.
    """
    open_pairs = [(0, 0, "root")]
    while open_pairs:
        their_number, our_number, path = open_pairs.pop()
        their_node, our_node = theirs[their_number], ours[our_number]
        complaint = next(_complaints(their_node, our_node), None)
        if complaint is not None:
            return f"{path}: {complaint}"
        for their_branch, our_branch in reversed(_pairs(their_node, our_node) or []):
            way = f"{path} > {their_node.feature} {their_branch.says}"
            open_pairs.append((their_branch.child, our_branch.child, way))
    return None


def _complaints(theirs: Node, ours: Node) -> Iterator[str]:
    """Yield what differs at one node, the heaviest difference first."""
    if theirs.is_leaf and ours.is_leaf:
        yield from _about_answers(theirs, ours)
    elif theirs.is_leaf:
        yield f"theirs is {theirs}{_share(theirs)}, ours tests {ours}"
    elif ours.is_leaf:
        yield f"theirs tests {theirs}, ours is {ours}{_share(ours)}"
    elif not _same_question(theirs, ours):
        yield f"theirs tests {theirs}, ours {ours}"
    yield from _about_counts(theirs, ours)


def _about_answers(theirs: Node, ours: Node) -> Iterator[str]:
    if theirs.answer != ours.answer:
        yield f"theirs answers {theirs.answer}, ours {ours.answer}"
    if theirs.number and ours.number and not theirs.number.agrees(ours.number):
        yield f"theirs answers {theirs.number}, ours {ours.number}"


def _about_counts(theirs: Node, ours: Node) -> Iterator[str]:
    if theirs.weight and ours.weight and not theirs.weight.agrees(ours.weight):
        yield f"theirs has {theirs.weight} rows, ours {ours.weight}"
    if theirs.errors and ours.errors and not theirs.errors.agrees(ours.errors):
        yield f"theirs has {theirs.errors} errors, ours {ours.errors}"


def _share(leaf: Node) -> str:
    return f" of {leaf.weight} rows" if leaf.weight else ""


def _same_question(theirs: Node, ours: Node) -> bool:
    if theirs.feature != ours.feature:
        return False
    if theirs.cut is None or ours.cut is None:
        return theirs.cut is ours.cut and _pairs(theirs, ours) is not None
    return theirs.cut.agrees(ours.cut)


def _pairs(theirs: Node, ours: Node) -> list[Pair] | None:
    """Return their branches, each with that of ours, or None if they do not match.

    A program may leave out values that have no rows, so their values only have to be
    among ours.
    """
    if len(theirs.branches) != len(ours.branches):
        return None
    if theirs.cut is not None:
        return list(zip(theirs.branches, ours.branches, strict=True))
    left = list(ours.branches)
    pairs = []
    for branch in sorted(theirs.branches, key=lambda branch: branch.values is None):
        found = next((other for other in left if _covers(other, branch)), None)
        if found is None:
            return None
        left.remove(found)
        pairs.append((branch, found))
    return pairs


def _covers(ours: Branch, theirs: Branch) -> bool:
    if theirs.values is None or ours.values is None:
        return theirs.values is None or ours.values is None
    return theirs.values <= ours.values
