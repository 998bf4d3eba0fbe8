"""What `model.rules()` returns: rules and figures, in the form a reader wants.

`tree_rules` lists those of a tree, `rule_set_listing` those of a rule set, both with
the figures of training rows or of rows that are given.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted, quoted
from treewright.data.schema import Label
from treewright.errors import SettingError
from treewright.prune.labelled_rows import LabelledRows
from treewright.render.fitting.safe_text import short_number, visible
from treewright.render.listing.outline import ListingLook
from treewright.render.rules.rule_forms import rules_frame, rules_json, rules_markdown
from treewright.render.rules.rule_table import (
    FigureColumn,
    RuleLine,
    answer_words,
    figure,
    grouped,
    number_cells,
    percent,
    rule_table_lines,
    totals_words,
)
from treewright.render.rules.rule_words import rule_formula, rule_words
from treewright.rules.figures import (
    Figures,
    Totals,
    figures_of_leaves,
    figures_on,
    totals_on,
)
from treewright.rules.from_forest import Likeness
from treewright.rules.from_tree import fires_of_tree, rule_set_of_tree
from treewright.rules.rule import Rule
from treewright.rules.rule_model import RuleModel
from treewright.rules.ruleset import RuleSet
from treewright.tree.compact_model import is_compact
from treewright.tree.model import DISTILLED_FROM, Model
from treewright.tree.structure.branch_words import label_text
from treewright.tree.structure.tree import Tree

if TYPE_CHECKING:
    import polars as pl

    from treewright.render.rules.rule_workbench import Workbench


NEVER = "never"  # the formula of a class without a rule
_MOST_VALUES = 12  # of a set, in a text that has a width
_KEYS: dict[str, dict[str, Callable[[Figures], npt.NDArray[Any]]]] = {
    "classes": {
        "cover": lambda f: -f.weight,
        "confidence": lambda f: -f.confidence,
        "lift": lambda f: -f.lift,
        "class": lambda f: np.where(f.answer < 0, np.iinfo(np.int64).max, f.answer),
    },
    "numbers": {
        "cover": lambda f: -f.weight,
        "mean": lambda f: -f.answer,
        "spread": lambda f: f.spread,
    },
}
SORTS = ("tree", "cover", "confidence", "lift", "class", "mean", "spread")


@dataclass(frozen=True, eq=False)
class RuleListing(Sequence[Rule]):
    """Rules and what they did; printed, a table."""

    rule_set: RuleSet  # the rules, in the order in which they answer
    figures: Figures  # their figures, in the same order
    title: str  # what they are the rules of
    # the positions of those that are listed, in the order of the list
    shown: tuple[int, ...]
    remarks: tuple[str, ...] = ()  # what stands below the table
    # what all rules did together: `n_rows`, `wrong`, `uncovered`, `error`
    totals: Totals | None = None
    # whether a row may meet several rules, of which the first answers
    ordered: bool = False
    # how well rules of a forest stand for it: `agreement`, `agreement_new`, `error`,
    # `forest_error`
    likeness: Likeness | None = None

    @classmethod
    def of(
        cls,
        rule_set: RuleSet,
        figures: Figures,
        title: str,
        remarks: Sequence[str] = (),
        *,
        totals: Totals | None = None,
        ordered: bool = False,
    ) -> RuleListing:
        """Return a list of all rules, in the order in which they answer."""
        shown = tuple(range(len(rule_set)))
        first = () if totals is None else (totals_words(totals, rule_set),)
        said = (*first, *remarks)
        return cls(rule_set, figures, title, shown, said, totals, ordered)

    def __len__(self) -> int:
        return len(self.shown)

    def __getitem__(self, place: Any) -> Any:
        positions = self.shown[place]
        if isinstance(place, slice):
            return [self.rule_set.rules[one] for one in positions]
        return self.rule_set.rules[positions]

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'rule')}: {self.heading}; print() shows them>"

    def __str__(self) -> str:
        return self.to_text()

    def sorted(self, by: str) -> RuleListing:
        """Return the list in another order; rules that are equal stay as they were.

        `by` ({"tree", "cover", "confidence", "lift", "class", "mean", "spread"}):
        "tree": as they answer. Most rows, confidence, lift or the largest mean first,
        the smallest spread, or by class. Confidence, lift and class are for classes,
        mean and spread for numbers. Equal ones: more rows first.
        """
        kind = self.rule_set.schema.target.kind
        keys = _KEYS[kind]
        if by != "tree" and by not in keys:
            raise SettingError(
                f"rules of {kind} cannot be sorted by {by!r}; use "
                f"{', '.join(['tree', *keys])}"
            )
        positions = np.array(sorted(self.shown), np.intp)
        if by != "tree" and len(positions):
            chosen = self.figures.taking(positions)
            # NaN sorts last
            order = np.lexsort((-chosen.weight, keys[by](chosen)))
            positions = positions[order]
        return dataclasses.replace(self, shown=tuple(positions.tolist()))

    def covering(self, min_cover: float) -> RuleListing:
        """Return those rules that cover at least so many rows, by weight."""
        if isinstance(min_cover, bool) or not isinstance(min_cover, Real):
            raise SettingError(f"min_cover is {min_cover!r}; it must be a number")
        kept = tuple(k for k in self.shown if self.figures.weight[k] >= min_cover)
        return self._only(kept, f"fewer than {min_cover:g} rows")

    def of_class(self, label: Label) -> RuleListing:
        """Return the rules that answer one class."""
        code = self._code(label, "none is for a class")
        kept = tuple(k for k in self.shown if self.rule_set.rules[k].answer == code)
        return self._only(kept, "other classes")

    def predict(self, table: Any) -> npt.NDArray[Any]:
        """Return the answer of the first rule that each row meets, listed or not."""
        return self.rule_set.predict(table)

    def workbench(self, table: Any, y: Any, sample_weight: Any = None) -> Workbench:
        """Put all rules on a workbench, with rows whose classes are known.

        It tells which rules a row meets and misses, where rules disagree, what dropping
        a rule or a condition costs, and takes edits by hand.

        Parameters
        ----------
        table, y, sample_weight : table and its classes
            The rows.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> bench = tw.ID3Classifier().fit(X, y).rules().workbench(X, y)
        >>> bench.drop(2).change.errors
        2.0
        """
        # here, because it is wanted seldom
        from treewright.render.rules.rule_workbench import Workbench  # noqa: PLC0415

        reads: Any = self.rule_set  # a table is read for rules as for trees
        rows = LabelledRows.of_table(reads, table, y, sample_weight, use="on the bench")
        return Workbench.of(self.rule_set, rows)

    def formula(self, label: Label) -> str:
        """Return when the answer is a class, as a disjunction of conjunctions.

        Where rules are `ordered`, a row must meet no earlier rule of another class,
        too; `to_text(formula=True)` has the numbers of the rules.

        Parameters
        ----------
        label : class
            As in the data.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> tw.ID3Classifier().fit(X, y).rules().formula("No")
        '(Outlook=Rain and Wind=Strong) or (Outlook=Sunny and Humidity=High)'
        """
        return self._formula(self._code(label))

    def formulas(self) -> dict[Label, str]:
        """Return the formula of each class."""
        self._refuse_numbers()
        labels = self.rule_set.schema.target.classes[0]
        return {label: self._formula(code) for code, label in enumerate(labels)}

    def to_text(
        self, *, width: int | None = 80, ascii: bool = False, formula: bool = False
    ) -> str:
        """Return the rules as a table of text, without a newline at the end.

        `width`: no line is longer; None for no limit. `ascii`: whether to keep to ASCII
        characters. `formula`: whether to show the formula of each class instead.
        """
        look = ListingLook(width=width, ascii=ascii)
        lines = self._formula_lines(look) if formula else self._text_lines(look)
        return "\n".join(lines)

    def to_markdown(self) -> str:
        """Return the rules as a table in Markdown, ending in a newline."""
        return rules_markdown(self)

    def to_json(self) -> str:
        """Return the rules as JSON: every condition in parts, every figure in full."""
        return rules_json(self)

    def to_frame(self) -> pl.DataFrame:
        """Return a polars data frame with one row for each rule."""
        return rules_frame(self)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def answer_words(self, answer: float) -> str:
        """Return an answer: the class's label, or a number."""
        return answer_words(self.rule_set.schema.target, answer)

    @property
    def heading(self) -> str:
        """The title, and which rule answers where a row may meet several."""
        if not len(self.rule_set):
            name = self.rule_set.schema.target.names[0]
            default = self.answer_words(self.rule_set.default)
            return f"no rules for {name}: every row gets {default}"
        return f"{self.title}; {self.order_words}" if self.ordered else self.title

    @property
    def order_words(self) -> str:
        """Which of the rules that a row meets answers."""
        if self.shown == tuple(range(len(self.rule_set))):
            return "the first that a row meets answers"
        return "the rule with the lowest number that a row meets answers"

    @property
    def by_weight(self) -> bool:
        """Whether the figures are sums of weights that are not 1."""
        return not np.array_equal(self.figures.weight, self.figures.n_rows)

    def _only(self, kept: tuple[int, ...], others: str) -> RuleListing:
        """The list of some rules, with a remark on the others."""
        left = len(self.shown) - len(kept)
        more = (f"{counted(left, 'rule')} of {others} left out",) if left else ()
        return dataclasses.replace(self, shown=kept, remarks=(*self.remarks, *more))

    def _code(self, label: Label, what: str = "a formula is for one class") -> int:
        self._refuse_numbers(what)
        labels = self.rule_set.schema.target.classes[0]
        for code, known in enumerate(labels):
            if known == label or label_text(known) == label:
                return code
        raise SettingError(f"there is no class {label!r}; they are {quoted(labels)}")

    def _refuse_numbers(self, what: str = "a formula is for one class") -> None:
        if self.rule_set.schema.target.kind == "numbers":
            raise SettingError(
                f"these rules give numbers, and {what}; print all rules instead"
            )

    def _formula(self, code: int, *, numbered: bool = False) -> str:
        disjuncts = []
        for position in self.shown:
            rule = self.rule_set.rules[position]
            if rule.answer == code:
                text = visible(rule_formula(self.rule_set.schema, rule))
                disjuncts.append(f"{position + 1}{text}" if numbered else text)
        return " or ".join(disjuncts) or NEVER

    def _formula_lines(self, look: ListingLook) -> Iterator[str]:
        """Yield the formula of each class; of a part of the rules, of those there."""
        is_part = len(self.shown) < len(self.rule_set)
        self._refuse_numbers()
        for code, label in enumerate(self.rule_set.schema.target.classes[0]):
            text = self._formula(code, numbered=self.ordered)
            if text != NEVER or not is_part:
                yield look.shown(f"{label_text(label)}: {text}")
        if self.ordered:
            default = self.answer_words(self.rule_set.default)
            order = "of the rules that a row meets, the one with the lowest number"
            yield from look.paragraph(f"{order} answers; otherwise {default}")

    def _text_lines(self, look: ListingLook) -> Iterator[str]:
        yield from look.paragraph(self.heading)
        if len(self.rule_set):
            yield ""
        if self.shown:
            rules = self._rule_lines(look)
            yield from rule_table_lines(rules, self._columns(), look)
        elif len(self.rule_set):
            yield "no rule is left to show"
        if len(self.rule_set):
            default = self.answer_words(self.rule_set.default)
            yield from look.paragraph(f"otherwise {default}")
        if self.remarks:
            yield ""
        for remark in self.remarks:
            yield from look.paragraph(remark)

    def _rule_lines(self, look: ListingLook) -> list[RuleLine]:
        most = None if look.width is None else _MOST_VALUES
        schema, signs = self.rule_set.schema, look.relations
        lines = []
        for position in self.shown:
            rule = self.rule_set.rules[position]
            words = map(look.shown, rule_words(schema, rule, most=most, signs=signs))
            answer = look.shown(self.answer_words(rule.answer))
            lines.append(RuleLine(position + 1, [*words], answer))
        return lines

    def _columns(self) -> list[FigureColumn]:
        figures = self.figures.taking(self.shown)
        title = "weight" if self.by_weight else "rows"
        cover = FigureColumn(title, [*map(grouped, figures.weight.tolist())])
        if self.rule_set.schema.target.kind == "numbers":
            share = [percent(one) for one in figures.share.tolist()]
            mean, spread = number_cells(figures.mean), number_cells(figures.spread)
            # other rows than those that the answers come from have means of their own
            is_other = ~np.isclose(figures.mean, figures.answer, rtol=1e-9, atol=0)
            is_other &= ~np.isnan(figures.mean)
            return [
                *([FigureColumn("mean", mean, rank=0)] if is_other.any() else []),
                cover,
                FigureColumn("%", share, rank=2),
                FigureColumn("spread", spread, rank=1),
            ]
        group = "right %"
        new = FigureColumn("new", [*map(percent, figures.pessimistic)], group, rank=4)
        return [
            cover,
            FigureColumn("wrong", [*map(grouped, figures.wrong.tolist())], rank=1),
            FigureColumn("seen", [*map(percent, figures.confidence)], group, rank=2),
            *([new] if self.expects_of_new_rows else []),
            FigureColumn("lift", [*map(figure, figures.lift)], rank=3),
        ]

    @property
    def expects_of_new_rows(self) -> bool:
        """Whether C4.5's estimate holds: not for rules that were chosen from many."""
        return self.likeness is None


def tree_rules(model: Model, rows: LabelledRows | None = None) -> RuleListing:
    """Return one rule for each leaf of a model of one tree.

    `rows`: count these rows; if not given, the figures are those of the leaves in
    training.
    """
    if len(model.trees) > 1:
        raise SettingError(
            f"this model has {len(model.trees):,} trees that vote, and rules are of "
            "one; choose a tree, or ask a random forest, whose rules are chosen by its "
            "answers"
        )
    if rows is None and is_compact(model):
        raise SettingError(
            "this model is compact and does not know the training rows of its leaves; "
            "pass rows to count (X and y), or use the model that it was made from"
        )
    rule_set, leaves = rule_set_of_tree(model)
    name = model.schema.target.names[0]
    title = f"{counted(len(rule_set), 'rule')} for {name}, one for each leaf"
    if len(leaves) < model.trees[0].n_leaves:
        title += " that a row can reach"
    if rows is None:
        tree = model.trees[0]
        figures = figures_of_leaves(model, tree, rule_set, leaves)
        totals, spread = _training_totals(model, tree, figures)
        return RuleListing.of(rule_set, figures, title, spread, totals=totals)
    fired = fires_of_tree(model, rule_set, leaves, rows.cells)
    target = rows.target[:, 0]
    figures = figures_on(rule_set, rows.cells, target, rows.weights, fired=fired)
    totals = totals_on(rule_set, fired, target, rows.weights)
    return RuleListing.of(rule_set, figures, title, totals=totals)


def _training_totals(
    model: Model, tree: Tree, figures: Figures
) -> tuple[Totals, list[str]]:
    """What the leaves know of all rows; of numbers, the spread within them, too."""
    of = "made rows" if DISTILLED_FROM in model.settings else "training rows"
    n_rows, weight = int(tree.n_rows[0]), float(figures.weight.sum())
    if len(figures.total):
        return Totals(n_rows, weight, float(figures.wrong.sum()), 0.0, None, of), []
    totals = Totals(n_rows, weight, None, 0.0, None, of)
    has_rows = figures.weight > 0
    if not has_rows.any():
        return totals, []
    # which mean of the spreads is that of all rows
    power = 1 if model.settings.get("criterion") == "absolute_error" else 2
    spreads = figures.spread[has_rows] ** power
    inside = float(np.average(spreads, weights=figures.weight[has_rows])) ** (1 / power)
    return totals, [f"spread within the rules {short_number(inside)}"]


def rule_set_listing(
    model: RuleModel,
    *,
    rows: LabelledRows | None = None,
    of: str = "rows",
) -> RuleListing:
    """Return the rules in the order in which they are asked.

    `model`: the rule set. `rows`: rows to count; if not given, the figures are those of
    the training rows that each rule covers, also where a rule before it answers. `of`:
    what these rows are called.
    """
    rule_set = model.rule_set
    remarks, totals = [], None
    title = f"{counted(len(rule_set), 'rule')} for {model.schema.target.names[0]}"
    if rows is not None:
        target = rows.target[:, 0]
        figures = figures_on(rule_set, rows.cells, target, rows.weights)
        fired = rule_set.fires(rows.cells)
        totals = totals_on(rule_set, fired, target, rows.weights, of)
    else:
        figures, totals = model.figures(), _training_totals_of_rules(model)
        if not totals.uncovered:
            remarks.append(f"every {totals.of.removesuffix('s')} meets a rule")
    return RuleListing.of(
        rule_set, figures, title, remarks, totals=totals, ordered=True
    )


def _training_totals_of_rules(model: RuleModel) -> Totals:
    """What a model knows of all its rows: not which of them are wrong."""
    weight, left = float(model.totals.sum()), float(model.class_weights[-1].sum())
    # the default of rules that every row meets has the classes of all rows
    is_all = np.array_equal(model.class_weights[-1], model.totals)
    uncovered = 0.0 if is_all and len(model.rule_set) else left
    of = "rows" if model.is_edited else "training rows"
    return Totals(round(weight), weight, None, uncovered, None, of)
