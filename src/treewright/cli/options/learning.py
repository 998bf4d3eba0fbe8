"""What learns from a part of a table, for the commands that learn again and again."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from treewright.cli.options.training import Training
from treewright.data.columns import Columns
from treewright.evaluation.errors.held_out_answers import Learn
from treewright.grow.dialect import Dialect
from treewright.learners.dialects.unpruned import unpruned
from treewright.learners.recipe import grow_tree
from treewright.learners.registry import NODE_BY_NODE, Plan
from treewright.rules.rule_model import RuleModel
from treewright.tree.model import Model


@dataclasses.dataclass(frozen=True, eq=False)
class Learning:
    """Who learns, why that one if nobody said so, and how."""

    plan: Plan
    why: str
    learn: Callable[[Columns, int | None], Model | RuleModel]
    grow: Learn | None = None  # one tree without pruning it, if it is one

    @property
    def name(self) -> str:
        """The name of the algorithm."""
        return self.plan.learner.name

    def with_threads(self, n_jobs: int | None) -> Learn:
        """Return what learns with so many threads."""
        return lambda part: self.learn(part, n_jobs)


def learning_from(training: Training, *, seed: int) -> Learning:
    """Return what learns from parts of a table, intervals too.

    `training`: the table, with the recipe. `seed`: of the draws, unless it is among the
    settings.
    """
    # without a name the kinds of the columns decide, and intervals count as nominal
    named = training.recipe.algorithm is not None
    known = training.columns if named else training.divided()
    plan, why = training.recipe.plan(known, seed=seed)
    plan.check(training.divided())

    def learn(part: Columns, n_jobs: int | None) -> Model | RuleModel:
        model: Model | RuleModel = plan.fit(training.divided(part), n_jobs=n_jobs).model
        return model

    trees = plan.trees
    whole = unpruned(trees) if isinstance(trees, Dialect) else None
    if whole is None or not plan.learner.can(NODE_BY_NODE):
        return Learning(plan, why, learn)
    return Learning(
        plan, why, learn, lambda part: grow_tree(training.divided(part), whole)
    )
