"""The part of a report about the model: its picture or its size, and its rules."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted
from treewright.data.schema import Schema
from treewright.render.document.blocks import (
    Block,
    Command,
    DocumentColumn,
    DocumentTable,
    Line,
    Paragraph,
    Picture,
    Section,
    joined,
    named,
    titled,
)
from treewright.render.fitting.safe_text import short_number
from treewright.render.listing.outline import RELATIONS
from treewright.render.picture import View, scene_of
from treewright.render.picture.scene import Way
from treewright.render.picture.svg import svg_text
from treewright.render.rules.rule_listing import RuleListing
from treewright.render.rules.rule_table import grouped, percent
from treewright.render.rules.rule_words import rule_words
from treewright.reports.figure_words import share_words
from treewright.reports.subject import ReportSubject
from treewright.rules.rule import Rule
from treewright.rules.rule_model import RuleModel
from treewright.tree.model import Model
from treewright.tree.structure.branch_words import asked_name

MOST_NODES = 31  # in the picture
MOST_RULES = 10
_MOST_DEPTH = 3  # of a tree with more nodes
_MOST_VALUES = 5  # of a set, in a condition
_LONGEST_CONDITION = 160


def model_section(subject: ReportSubject) -> Section:
    """Return the tree as a picture; of a forest its size."""
    model = subject.model
    if isinstance(model, RuleModel):
        return Section("tree", "The rule set", (Paragraph(_rule_set_words(model)),))
    if subject.is_tree:
        return Section("tree", "The tree", tuple(_tree_blocks(subject, model)))
    title = f"The {subject.kind_words}"
    return Section("tree", title, tuple(_forest_blocks(subject, model)))


def size_words(subject: ReportSubject) -> Line:
    """Return how large the model is and what it asks first, as a sentence."""
    model = subject.model
    if isinstance(model, RuleModel):
        return _rule_set_words(model)
    tree = model.trees[0]
    if not subject.is_tree:
        n_leaves = sum(one.n_leaves for one in model.trees)
        trees = counted(len(model.trees), "tree")
        return (f"{trees} answer together; they have {n_leaves:,} leaves in all.",)
    if tree.n_leaves == 1:
        return ("The tree asks nothing: every row gets the same answer.",)
    asked = named(asked_name(model.schema, tree, 0), 80)
    return (
        f"The tree has {tree.n_leaves:,} leaves and asks first about ",
        asked,
        f"; no row is asked more than {counted(tree.depth, 'question')}.",
    )


def _rule_set_words(model: RuleModel) -> Line:
    n_rules = counted(len(model.rule_set), "rule")
    return (f"{n_rules}, in order: the first that a row meets answers.",)


def _tree_blocks(subject: ReportSubject, model: Model) -> Iterator[Block]:
    tree = model.trees[0]
    yield Paragraph(size_words(subject))
    is_large = tree.node_count > MOST_NODES
    view = View(max_depth=_MOST_DEPTH if is_large else None, max_nodes=MOST_NODES)
    way: Way = "down" if is_large else "auto"
    scene = scene_of(model, view=view, direction=way)
    alt = (*size_words(subject), " The rules below say the same in words.")
    yield Picture("tree", svg_text(scene), alt)
    if is_large:
        about = f"The picture shows the top of {tree.node_count:,} nodes. More of them:"
        yield Command((about,), subject.making.tree)


def _forest_blocks(subject: ReportSubject, model: Model) -> Iterator[Block]:
    words = "Each tree is grown from other rows, or looks at other features"
    if subject.is_boosted:
        words = "Each tree looks harder at the rows that those before it got wrong"
    how = "their answers are averaged"
    if model.voting.is_by_class:
        how = "the class with the most votes is the answer"
    yield Paragraph((f"{counted(len(model.trees), 'tree')}. {words}; {how}.",))
    yield _size_table(model)
    yield Command(("So many trees cannot be read. One of them:",), subject.making.tree)


def _size_table(model: Model) -> DocumentTable:
    def row(name: str, figures: list[int]) -> tuple[Line, ...]:
        low, high = f"{min(figures):,}", f"{max(figures):,}"
        return (name,), (low,), (f"{float(np.mean(figures)):,.1f}",), (high,)

    trees = model.trees
    rows = (
        row("nodes", [tree.node_count for tree in trees]),
        row("leaves", [tree.n_leaves for tree in trees]),
        row("depth", [tree.depth for tree in trees]),
    )
    titles = titled(["of a tree"], ["least", "mean", "most"])
    return DocumentTable(("How large the trees are",), titles, rows)


def rules_section(subject: ReportSubject) -> Section:
    """Return the most important rules."""
    listing = subject.rules
    if isinstance(listing, str):
        blocks: tuple[Block, ...] = (Paragraph((f"There are none: {listing}.",)),)
    else:
        blocks = tuple(_rule_blocks(subject, listing))
    return Section("rules", "In rules", blocks)


def _rule_blocks(subject: ReportSubject, listing: RuleListing) -> Iterator[Block]:
    if not len(listing.rule_set):
        yield Paragraph((named(listing.heading, 120), "."))
        return
    # rules that are asked in order only make sense in that order
    shown = listing if listing.ordered else listing.sorted("cover")
    positions = shown.shown[:MOST_RULES]
    n_more = len(listing) - len(positions)
    yield Paragraph(tuple(_about_rules(subject, listing, n_more)))
    yield _rule_table(subject, listing, positions)
    if listing.ordered:
        default = named(listing.answer_words(listing.rule_set.default))
        yield Paragraph(("A row that meets none of the rules gets ", default, "."))
    if n_more:
        about = f"And {n_more:,} more; all of them:"
        yield Command((about,), subject.making.rules)


def _about_rules(
    subject: ReportSubject, listing: RuleListing, n_more: int
) -> Iterator[str]:
    n_rules = counted(len(listing), "rule")
    if listing.ordered:
        if subject.kind_words == "forest":
            yield f"{n_rules} that answer as the forest does for most rows: "
        else:
            yield f"{n_rules}: "
        yield "they are asked in order, and the first that a row meets answers."
    else:
        yield f"The same in words: {n_rules}, one for each leaf; a row meets one. "
        yield "Those of most rows come first." if n_more else "Most rows first."
    likeness = listing.likeness
    if likeness is not None:
        share = f"{100 * likeness.agreement:.1f} %"
        if subject.is_classes:
            yield f" They agree with the forest on {share} of the rows."
        else:
            yield f" They explain {share} of how its answers differ (R squared)."
    yield " The figures are of the rows that were learned from"
    if not subject.is_classes:
        yield "."
    elif may_expect(subject, listing):
        yield ", so new rows will do a little worse."
    else:
        right = share_words(1 - subject.evaluation.error.value)
        if listing.likeness is None:
            yield f", and flatter: of new rows {right} are answered rightly."
        else:
            yield f", and flatter: of new rows the forest answers {right} rightly, "
            yield "and the rules fewer."


def may_expect(subject: ReportSubject, listing: RuleListing) -> bool:
    """Whether what the rules promise for new rows is not refuted by held-out rows.

    C4.5's estimate is for pruned trees; those that fit their rows to the end promise
    too much.
    """
    if not listing.expects_of_new_rows:
        return False
    weight, right = listing.figures.weight, listing.figures.pessimistic
    known = (weight > 0) & ~np.isnan(right)
    if not known.any():
        return True
    promised = float(np.average(1 - right[known], weights=weight[known]))
    return promised >= subject.evaluation.error.low


def _rule_table(
    subject: ReportSubject, listing: RuleListing, positions: tuple[int, ...]
) -> DocumentTable:
    schema, figures = listing.rule_set.schema, listing.figures
    expects = subject.is_classes and may_expect(subject, listing)
    figured = ["weight" if listing.by_weight else "rows"]
    figured += ["right"] if subject.is_classes else ["spread"]
    figured += ["expect"] if expects else []
    titles = (
        DocumentColumn(("rule",)),
        DocumentColumn(("if",), right=False, long=True),
        *titled(["then"], figured),
    )
    rows = []
    for k in positions:
        rule = listing.rule_set.rules[k]
        cells: list[Line] = [
            (str(k + 1),),
            _conditions(schema, rule),
            (named(listing.answer_words(rule.answer), 40),),
            (grouped(float(figures.weight[k])),),
        ]
        if subject.is_classes:
            cells.append((_percent(figures.confidence, k),))
            if expects:
                cells.append((_percent(figures.pessimistic, k),))
        else:
            spread = float(figures.spread[k])
            cells.append(("-" if np.isnan(spread) else short_number(spread),))
        rows.append(tuple(cells))
    caption = "Rules"
    if expects:
        caption += "; expect: the share to expect right on new rows (C4.5's estimate)"
    return DocumentTable((caption,), titles, tuple(rows))


def _percent(shares: npt.NDArray[np.float64], place: int) -> str:
    text = percent(float(shares[place]))
    return text if text == "-" else f"{text} %"


def _conditions(schema: Schema, rule: Rule) -> Line:
    words = rule_words(schema, rule, most=_MOST_VALUES, signs=RELATIONS)
    return joined([(named(one, _LONGEST_CONDITION),) for one in words], " and ")
