"""What `treewright fit` says of more than one tree: forests, boosting, rules.

The table, the choice and the error are told as for one tree (`fit_report.py`); what
stands between them is for each kind of learner in `_BODIES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from treewright.cli.console import Console, size_words
from treewright.cli.fitting.fit_report import (
    Fit,
    choice_lines,
    error_table_lines,
    head_lines,
    last_lines,
    note_lines,
)
from treewright.cli.fitting.training_error import TOO_GOOD, HeldOut
from treewright.cli.options.training import Training
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.errors import SettingError
from treewright.learners.boosting import adaboost
from treewright.learners.forest.forest import Forest
from treewright.learners.forest.out_of_bag import mean_deviation, measures_of
from treewright.learners.recipe import grow_tree
from treewright.learners.registry import BAGS, BOOSTS, RULES, Fitted, Plan
from treewright.learners.rules import c45rules
from treewright.render.listing.forest_text import forest_lines
from treewright.render.rules.rule_listing import rule_set_listing
from treewright.render.sign_of_life import Sign
from treewright.tree.compact_model import compact_model, model_bytes
from treewright.tree.measured_forest import Measures
from treewright.tree.model import Model


@dataclass(frozen=True, eq=False)
class Many:
    """What was learned, and from what."""

    training: Training
    columns: Columns
    plan: Plan
    fitted: Fitted
    model: Any  # with the notes of this run

    def leaf(self) -> Model:
        """Return one leaf: what the table says without a tree."""
        trees: Any = self.plan.trees
        limits: dict[str, Any] = {"min_samples_split": self.columns.n_rows + 1}
        if self.plan.learner.can(RULES):
            limits["pruning"] = None
        return grow_tree(self.columns, trees.change(**limits))

    def on_its_rows(self, who: str, error: float) -> HeldOut:
        """Return an error on the training rows, which is shown beside that of none."""
        weight = self.columns.total_weight
        return HeldOut(f"{who}, training rows", error, weight, TOO_GOOD)


def many_lines(many: Many, output: str | None) -> Iterator[str]:
    """Yield the whole report."""
    console, training = Console.of_stdout(), many.training
    learner = many.plan.learner
    leaf = many.leaf()
    fit = Fit(training, replace(leaf, learner=learner.name), training.recipe.told)
    yield from head_lines(fit, console)
    for line in choice_lines(fit):
        yield from console.wrap(line, indent=2)
    (body,) = (lines for word, lines in _BODIES.items() if learner.can(word))
    yield from body(many, fit.model, console)
    yield from note_lines(many.model, console)
    yield ""
    yield from last_lines(training.name, output, console)


def _forest_lines(many: Many, leaf: Model, console: Console) -> Iterator[str]:
    forest, model = many.fitted.made, many.model
    assert isinstance(forest, Forest)
    features = counted(len(many.columns.features), "feature")
    looked, n_combined = str(forest.n_features), model.settings["combined_features"]
    if n_combined is not None:
        sums = counted(forest.n_features, "weighted sum")
        looked = f"{sums} of {min(n_combined, len(many.columns.features))}"
    if model.settings["random_cuts"]:
        features += ", one drawn cut of each"
    yield f"each node looks at {looked} of {features}"
    yield ""
    yield from forest_lines(model, ascii=console.ascii)
    yield ""
    yield _size_line(model)
    yield ""
    held_out = _out_of_bag(forest)
    yield from error_table_lines(leaf, held_out, console, only_honest=True)
    if held_out is not None and _is_idle(leaf, held_out):
        yield from console.wrap(
            "That is no better than saying the same of all rows: these features do not "
            "help as they are."
        )
    if forest.out_of_bag is None:
        yield from console.wrap(
            "note: every tree has seen all rows, so none tells the error; --set "
            "bootstrap=true gives an out-of-bag error",
            indent=6,
        )


def _boosted_lines(many: Many, leaf: Model, console: Console) -> Iterator[str]:
    boosted = many.fitted.made
    assert isinstance(boosted, adaboost.Boosted)
    yield ""
    yield from forest_lines(many.model, ascii=console.ascii)
    yield ""
    yield from console.wrap(_round_words(boosted), indent=2)
    yield ""
    error = adaboost.training_error(boosted.model, many.columns)
    whole = many.on_its_rows("all trees", error)
    yield from error_table_lines(leaf, whole, console, only_honest=True)


def _rule_lines(many: Many, leaf: Model, console: Console) -> Iterator[str]:
    induced = many.fitted.made
    assert isinstance(induced, c45rules.Induced)
    yield from console.wrap(_origin(induced), indent=2)
    yield ""
    listing = rule_set_listing(many.model)
    yield listing.to_text(width=console.width, ascii=console.ascii)
    yield ""
    error = c45rules.training_error(induced.model, many.columns)
    whole = many.on_its_rows("all rules", error)
    yield from error_table_lines(leaf, whole, console, only_honest=True)


_BODIES: dict[str, Callable[[Many, Model, Console], Iterator[str]]] = {
    BAGS: _forest_lines,
    BOOSTS: _boosted_lines,
    RULES: _rule_lines,
}


def measured_forest(
    plan: Plan, columns: Columns, sign: Sign, what: str
) -> tuple[Fitted, Measures | None]:
    """Grow a forest, and ask its trees about rows that they have not seen, if any are.

    `what` is shown while it grows.
    """
    own: Any = plan.own
    fitted = plan.fit(
        columns,
        out_of_bag=not own.bagging(columns).takes_all,
        progress=lambda done, of: sign.bar(what, done, of, "trees"),
    )
    forest = fitted.made
    assert isinstance(forest, Forest)
    answers, grown = forest.out_of_bag, forest.grown_from
    if answers is None or answers.weight == 0 or grown is None:
        return fitted, None
    return fitted, measures_of(
        forest.model,
        grown,
        error=answers.error,
        progress=lambda done, of: sign.bar("asking the trees", done, of, "trees"),
    )


def _size_line(model: Model) -> str:
    """What the forest takes in memory, and would take without statistics."""
    n_nodes = sum(tree.node_count for tree in model.trees)
    size = size_words(model_bytes(model))
    line = f"{counted(len(model.trees), 'tree')}, {n_nodes:,} nodes, {size}"
    try:
        small = size_words(model_bytes(compact_model(model)))
    except SettingError:  # some models cannot be
        return line
    return f"{line} ({small} by 'treewright compact')"


def _is_idle(leaf: Model, held_out: HeldOut) -> bool:
    """Whether a forest errs as much as one answer for all rows, the leaf's."""
    tree, target = leaf.trees[0], leaf.schema.target
    if target.n_outputs > 1 or target.costs is not None:
        return False
    usual = float(tree.impurity[0])
    if target.kind == "classes":
        usual = 1 - float(tree.value[0].max() / tree.value[0].sum())
    return 0 < usual <= held_out.error


def _out_of_bag(forest: Forest) -> HeldOut | None:
    answers = forest.out_of_bag
    if answers is None or answers.weight == 0:
        return None
    assert forest.grown_from is not None  # who was asked
    columns, error = forest.grown_from.columns, answers.error
    if forest.model.settings.get("criterion") == "absolute_error":
        error = mean_deviation(answers, columns)
    remark = "each by trees that have not seen it"
    if columns.weights is not None:
        remark = f"by weight, {remark}"
    return HeldOut("out of bag", error, answers.weight, remark)


def _round_words(boosted: adaboost.Boosted) -> str:
    """What the rounds were like, by the weights of each."""
    errors = 100 * boosted.errors
    rounds = counted(len(errors), "tree")
    if len(errors) == 1:
        return f"{rounds}: error {errors[0]:.1f} %"
    return (
        f"{rounds}: error of the first {errors[0]:.1f} %, of the last "
        f"{errors[-1]:.1f} %, each by the weights of its round"
    )


def _origin(induced: c45rules.Induced) -> str:
    """Return where the rules come from."""
    n_trees, paths = len(induced.trees), len(induced.induction.paths)
    trees = "the unpruned tree" if n_trees == 1 else f"{n_trees} unpruned trees"
    n_left = sum(map(len, induced.induction.candidates.values()))
    return (
        f"{trees}: {paths:,} {'leaf' if paths == 1 else 'leaves'} with rows; "
        f"{counted(n_left, 'rule')} after generalising, "
        f"{len(induced.model.rule_set):,} in the set"
    )
