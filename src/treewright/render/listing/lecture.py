"""The listing that lectures and C4.5 print: one line per branch.

    Outlook Overcast: Yes (4)
    Outlook Rain
    | Wind Strong: No (2)

A leaf has its rows in brackets, and after a slash those that are of another class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from treewright.data.schema import Target
from treewright.render.fitting.safe_text import clip, short_number, weight_text
from treewright.render.listing.outline import (
    ListingLook,
    OutlineStep,
    depth_mark,
    outline,
    prediction_words,
)
from treewright.render.listing.phrase import Phrase
from treewright.tree.model import Model
from treewright.tree.structure.branch_words import BranchCondition, branch_condition
from treewright.tree.structure.tree import NO_CLASS, NodeKind, Tree
from treewright.tree.way import UNCLASSIFIED

# Longest list of categories that is spelled out; at 80 columns no more would be seen.
_MOST_CATEGORIES = 40
Reword = Callable[[BranchCondition], BranchCondition]


def lecture_lines(
    model: Model,
    tree: Tree,
    look: ListingLook,
    reword: Reword | None = None,
    unclassified: str = UNCLASSIFIED,
) -> Iterator[str]:
    """Yield the lines of the listing; `reword` puts a condition in other words.

    `unclassified` is the word for a leaf without a class.
    """
    sizes = tree.subtree_sizes()
    target, slots = model.schema.target, model.schema.target.slots
    is_leaf = (tree.kind == NodeKind.LEAF).tolist()
    for step in outline(tree, look, bar="| ", gap="| "):
        if step.parent < 0 and not is_leaf[step.node] and not step.is_folded:
            continue
        head, tail = _branch_words(model, tree, step, look, reword), ""
        if is_leaf[step.node]:
            tail = (": " if head else "") + _leaf_words(target, slots, tree, step.node)
            if tree.label.size and tree.label[step.node, 0] == NO_CLASS:
                tail = tail.replace(UNCLASSIFIED, unclassified)
        elif step.is_folded:
            tail = f" ... {sizes[step.node] - 1} nodes below"
        line = Phrase(
            step.bars + depth_mark(step, look),
            head,
            look.shown(tail),
        )
        yield (
            str(line) if look.width is None else line.clip(look.width, ascii=look.ascii)
        )


def _branch_words(
    model: Model,
    tree: Tree,
    step: OutlineStep,
    look: ListingLook,
    reword: Reword | None,
) -> str:
    """The branch to a node: "Outlook Sunny", but "PS <= 195"; nothing for the root."""
    if step.parent < 0:
        return ""
    most = None if look.width is None else _MOST_CATEGORIES
    condition = branch_condition(
        model.schema, tree, step.parent, step.branch, most=most
    )
    if reword is not None:
        condition = reword(condition)
    name = look.shown(condition.feature)
    if look.width is not None:
        # of a long name a part must do, so that the value is seen too
        name = clip(name, max(look.width // 2, 1), ascii=look.ascii)
    is_multiway = tree.kind_of(step.parent) == NodeKind.MULTIWAY
    relation = "" if is_multiway and condition.relation == "=" else condition.relation
    words = [name, relation, look.shown(condition.value)]
    return " ".join(word for word in words if word)


def _leaf_words(target: Target, slots: list[slice], tree: Tree, node: int) -> str:
    """Prediction and rows: "Yes (4)", "Yes (5/1)", "9.5 (3)"."""
    weight = weight_text(float(tree.weight[node]))
    if target.kind == "numbers":
        answer = ", ".join(short_number(number) for number in tree.value[node].tolist())
        return f"{answer} ({weight})"
    wrong = [
        weight_text(float(tree.value[node, slot].sum() - tree.value[node, slot][code]))
        for slot, code in zip(slots, tree.label[node].tolist(), strict=True)
    ]
    # the weights of a leaf without rows are its parent's
    if tree.weight[node] > 0 and any(words != "0" for words in wrong):
        weight += "/" + ", ".join(wrong)
    return f"{', '.join(prediction_words(target, tree, node))} ({weight})"
