"""`treewright fit --algorithm forest` (or extra-trees): many trees that vote."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Iterator
from typing import Any

from treewright.cli.algorithm import NODE_BY_NODE, Recipe
from treewright.cli.console import Console, say, size_words
from treewright.cli.fit_report import (
    error_table_lines,
    last_lines,
    note_lines,
    seed_note,
    told_settings,
)
from treewright.cli.held_out import HeldOut
from treewright.cli.many_trees_report import fit_of_many, table_and_choice_lines
from treewright.cli.model_file import keep
from treewright.cli.switch_names import refuse_unknown
from treewright.cli.training import Training
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.machine import thread_note
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.forest import Forest, Progress, grow_forest
from treewright.learners.forest_settings import ForestSettings
from treewright.learners.measured import measures_of
from treewright.learners.out_of_bag import mean_deviation
from treewright.learners.unpruned import UNPRUNED
from treewright.render.listing.forest_text import forest_lines
from treewright.render.sign_of_life import busy
from treewright.tree.asked_words import only_asked_words
from treewright.tree.compact_model import compact_model, model_bytes
from treewright.tree.measured_forest import Measures
from treewright.tree.model import Model

# name to what it is, besides what is typed
FOREST = "forest"
FORESTS: dict[str, dict[str, Any]] = {
    FOREST: {},
    "extra-trees": {"random_cuts": True, "bootstrap": False},
}
_USUAL_DIALECT = "cart"
_OWN = {field.name for field in dataclasses.fields(ForestSettings)} - {"random_cuts"}


def forest_recipe(settings: dict[str, Any]) -> tuple[Recipe, dict[str, Any]]:
    """Return the recipe of the trees, and the settings of the forest."""
    refuse_unknown(settings, (*_OWN, "dialect"))
    own = {name: value for name, value in settings.items() if name in _OWN}
    features = own.get("max_features")
    if isinstance(features, str) and features.replace(",", "").isdigit():
        own["max_features"] = [int(one) for one in features.split(",") if one]
    others = {n: v for n, v in settings.items() if n not in _OWN and n != "dialect"}
    for name in UNPRUNED.keys() & others.keys():
        raise SettingError(
            f"{name} is about pruning, and the trees of a forest are not pruned; "
            "leave it out"
        )
    name = settings.get("dialect", _USUAL_DIALECT)
    if name not in NODE_BY_NODE:
        known = ", ".join(NODE_BY_NODE)
        raise SettingError(f"dialect is {name!r}; the trees can be {known}")
    return Recipe(name, others, start=dict(UNPRUNED)), own


def forest_settings(
    columns: Columns, algorithm: str, own: dict[str, Any]
) -> ForestSettings:
    """Return the settings of a forest: as typed, else as usual for the target."""
    is_classes = columns.schema.target.kind == "classes"
    usual = {"max_features": "sqrt" if is_classes else None}
    seed = {"random_state": secrets.randbits(32)}
    settings = ForestSettings(**{**usual, **seed, **FORESTS[algorithm], **own})
    settings.check()
    return settings


def fit_forest(
    training: Training,
    algorithm: str,
    own: dict[str, Any],
    output: str | None,
    jobs: int | None,
    cost_matrix: Any = None,
) -> None:
    """Grow a forest, keep it, and say how good it is."""
    columns = training.divided()
    dialect, _ = training.recipe.dialect(columns)
    settings = forest_settings(columns, algorithm, own)
    asks = not settings.bagging(columns).takes_all
    n_trees = settings.n_estimators
    what = f"growing {counted(n_trees, 'tree')}"
    with busy(what) as sign:
        forest = grow_forest(
            columns,
            dialect,
            settings,
            n_jobs=jobs,
            out_of_bag=asks,
            progress=lambda done, total: sign.bar(what, done, total, "trees"),
        )
        asking = "asking the trees"
        measures = out_of_bag_measures(
            forest, jobs, lambda done, of: sign.bar(asking, done, of, "trees")
        )
    kept = {
        **forest.model.settings,
        **dataclasses.asdict(settings),
        "dialect": dialect.name,
        "oob_score": asks,
        "discretize": training.intervals,
        "cost_matrix": cost_matrix,
    }
    notes = (
        *forest.model.notes,
        *forest.notes(with_error=measures is None),
        *seed_note(settings.random_state, own),
    )
    model = dataclasses.replace(
        forest.model, settings=kept, notes=notes, measures=measures
    )
    if output is not None:
        # before anything is printed: a closed pipe must not cost the model
        keep(only_asked_words(model), output)
    model = dataclasses.replace(model, notes=(*notes, *thread_note(jobs)))
    report = _lines(training, columns, dialect, model, forest, own, output)
    say(report)


def _lines(
    training: Training,
    columns: Columns,
    dialect: Dialect,
    model: Model,
    forest: Forest,
    own: dict[str, Any],
    output: str | None,
) -> Iterator[str]:
    console = Console.of_stdout()
    told = told_settings(own, dialect.name, usual=_USUAL_DIALECT)
    fit = fit_of_many(training, columns, dialect, model.learner, told)
    yield from table_and_choice_lines(fit, console)
    features = counted(len(columns.features), "feature")
    looked, n_combined = str(forest.n_features), model.settings["combined_features"]
    if n_combined is not None:
        sums = counted(forest.n_features, "weighted sum")
        looked = f"{sums} of {min(n_combined, len(columns.features))}"
    if model.settings["random_cuts"]:
        features += ", one drawn cut of each"
    yield f"each node looks at {looked} of {features}"
    yield ""
    yield from forest_lines(model, ascii=console.ascii)
    yield ""
    yield _size_line(model)
    yield ""
    held_out = _out_of_bag(forest)
    yield from error_table_lines(fit.model, held_out, console, only_honest=True)
    if held_out is not None and _is_idle(fit.model, held_out):
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
    yield from note_lines(model, console)
    yield ""
    yield from last_lines(training.name, output, console)


def out_of_bag_measures(
    forest: Forest, jobs: int | None, progress: Progress
) -> Measures | None:
    """Ask the trees about the rows that they have not seen, if there are any."""
    answers, grown = forest.out_of_bag, forest.grown_from
    if answers is None or answers.weight == 0 or grown is None:
        return None
    return measures_of(
        forest.model,
        grown,
        error=answers.error,
        n_jobs=jobs,
        progress=progress,
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
