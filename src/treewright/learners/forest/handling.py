"""One forest out of another: with more trees, with fewer, with those of a second one.

A tree follows from the table, the settings, a seed and its number. So each tree's seed
and number are kept where they are not simply the forest's, and bags can be drawn again
for out-of-bag answers whatever was done to the forest.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.machine import thread_count
from treewright.data.schema import Schema
from treewright.errors import DataError, SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.chalked import dialect_of
from treewright.learners.forest.bags import (
    TREE_DRAWS,
    Draw,
    draws_of,
    keys_of,
    tree_keys,
)
from treewright.learners.forest.forest import (
    Forest,
    Growing,
    Progress,
    lasting_notes,
    silent,
    stop_note,
)
from treewright.learners.forest.forest_settings import ForestSettings
from treewright.learners.forest.grown_from import check_rows, check_schema, settings_of
from treewright.tree.compact_model import with_own_answers
from treewright.tree.fingerprint import fingerprint
from treewright.tree.join import join
from treewright.tree.model import FEATURES_PER_NODE, Model
from treewright.tree.structure.part import on_its_own

# what may differ between forests whose trees come about in the same way
_FREE = ("n_estimators", "random_state", "oob_score", TREE_DRAWS)


def recipe_of(model: Model) -> tuple[Dialect, ForestSettings]:
    """Return the switches of a forest's trees, and its settings."""
    whose = str(model.settings.get("dialect", model.learner))
    dialect = dialect_of(dataclasses.replace(model, learner=whose))
    return dialect, settings_of(model)


def growing_of(model: Model, columns: Columns) -> Growing:
    """Return what grows the trees of a forest, from its training table.

    That it is that table is seen by a tree that grows again from it, and by the rows
    that the others know of.
    """
    dialect, settings = recipe_of(model)
    growing = Growing.of(_named_as(model.schema, columns), dialect, settings)
    check_schema(model.schema, growing.columns.schema)
    n_looked = settings.feature_counts(len(columns.features))[0]
    n_looked = model.settings.get(FEATURES_PER_NODE, n_looked)
    if n_looked > settings.most_looked(len(columns.features)):
        raise SettingError(
            f"the model says that its nodes looked at {n_looked} of "
            f"{counted(len(columns.features), 'feature')}; it is damaged: fit the "
            "forest again"
        )
    growing = growing.looking_at(n_looked)
    for tree, (seed, number) in _first_trees(draws_of(model)):
        again = growing.model(tree_keys(seed, range(number, number + 1)), 1, silent)
        if _mark(again, 0) != _mark(model, tree):
            raise DataError(
                f"tree {tree + 1} of the forest does not grow from these rows; pass "
                "the table and weights that the forest was fitted with (another table "
                "needs a forest of its own: warm_start=False, and merge)"
            )
    check_rows(model, growing.grown_from(keys_of(model)))
    return growing


def _named_as(then: Schema, columns: Columns) -> Columns:
    """Return a table with the names of another one, where one of them has none.

    A frame and its array are the same rows; a name of the target changes nothing.
    """
    now = columns.schema
    features = now.features
    if len(features) == len(then.features) and not (now.has_names and then.has_names):
        features = tuple(
            dataclasses.replace(feature, name=other.name)
            for feature, other in zip(features, then.features, strict=True)
        )
    target = now.target
    if target.n_outputs == then.target.n_outputs:
        target = dataclasses.replace(target, names=then.target.names)
    schema = dataclasses.replace(
        now, features=features, target=target, has_names=then.has_names
    )
    return dataclasses.replace(columns, schema=schema)


def _first_trees(draws: list[Draw]) -> Iterator[tuple[int, Draw]]:
    """Yield the first tree of each forest that went into this one."""
    before: Draw | None = None
    for tree, draw in enumerate(draws):
        if before is None or draw[0] != before[0] or draw[1] <= before[1]:
            yield tree, draw
        before = draw


def _mark(model: Model, tree: int) -> str:
    return fingerprint(model.schema, (model.trees[tree],), model.smoothing)


def with_more_trees(
    model: Model,
    columns: Columns,
    n_more: int,
    *,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Model:
    """Return a forest with more trees: those that would have come next.

    `model`: a forest. `columns`: the table that it was grown from. `n_more`: how many.
    `n_jobs`, `progress`: as for `grow_forest`.
    """
    draws = draws_of(model)
    growing = growing_of(model, columns)
    if n_more == 0:
        return dataclasses.replace(model, notes=lasting_notes(model))
    seed = int(model.settings["random_state"])
    start = max((number for one, number in draws if one == seed), default=-1) + 1
    keys = tree_keys(seed, range(start, start + n_more))
    more = growing.model(keys, thread_count(n_jobs), progress or silent)
    more = dataclasses.replace(more, voting=model.voting)
    draws += [(seed, start + number) for number in range(len(more.trees))]
    notes = lasting_notes(model)
    model = dataclasses.replace(join(model, more), notes=notes, measures=None)
    if len(more.trees) < n_more:
        stopped = stop_note(model, len(draws) - len(more.trees) + n_more)
        model = dataclasses.replace(model, notes=(*model.notes, stopped))
    return _with_draws(model, draws)


def with_trees(model: Model, numbers: Sequence[int]) -> Model:
    """Return a forest of some of the trees, by their numbers from 0."""
    trees = tuple(model.trees[number] for number in numbers)
    if 2 * len(trees) < len(model.trees):  # else they are most of what they share
        trees = tuple(map(on_its_own, trees))
    draws = None
    if _runs(model) is not None:
        known = draws_of(model)
        draws = [known[number] for number in numbers]
    notes = lasting_notes(model)
    model = dataclasses.replace(model, trees=trees, notes=notes, measures=None)
    return _with_draws(with_own_answers(model), draws)


def merged(first: Model, second: Model) -> Model:
    """Return a forest of the trees of two."""
    joined = join(first, second)
    kept = lasting_notes(first)
    notes = [note for note in lasting_notes(second) if note not in kept]
    different = sorted(
        name
        for name in {*first.settings, *second.settings} - {*_FREE}
        if first.settings.get(name) != second.settings.get(name)
    )
    draws: list[Draw] | None = None
    if different:
        n_first = len(first.trees)
        notes.append(
            f"the trees up to {n_first} and those behind were grown with other "
            f"settings: {', '.join(different)}"
        )
    elif None not in (_runs(first), _runs(second)):
        draws = draws_of(first) + draws_of(second)
        if len(set(draws)) < len(draws):
            notes.append(
                "both forests were grown with the same random_state: if their tables "
                "were the same, too, some trees count twice"
            )
    joined = dataclasses.replace(joined, notes=(*kept, *notes), measures=None)
    return _with_draws(joined, draws)


def _runs(model: Model) -> Any:
    return model.settings.get(TREE_DRAWS, ())


def _with_draws(model: Model, draws: Iterable[Draw] | None) -> Model:
    """Return a forest that says of each tree how it was drawn."""
    settings = {**model.settings, "n_estimators": len(model.trees)}
    settings.pop(TREE_DRAWS, None)
    if draws is None:
        settings[TREE_DRAWS] = None
        return dataclasses.replace(model, settings=settings)
    runs: list[list[int]] = []
    for seed, number in draws:
        if runs and runs[-1][0] == seed and runs[-1][2] == number:
            runs[-1][2] += 1
        else:
            runs.append([seed, number, number + 1])
    if runs != [[settings.get("random_state"), 0, len(model.trees)]]:
        settings[TREE_DRAWS] = runs
    return dataclasses.replace(model, settings=settings)


def forest_again(model: Model, columns: Columns, *, asks: bool) -> Forest:
    """Return a forest with its training table, and out-of-bag answers if asked."""
    growing = growing_of(model, columns)
    keys = keys_of(model)
    answers = None
    if asks:
        growing.bagging.check_leaves_rows("an out-of-bag answer")
        answers = growing.ask(model, keys)
    per_node = model.settings.get(FEATURES_PER_NODE, 0)
    return Forest(model, per_node, answers, {}, growing.grown_from(keys))
