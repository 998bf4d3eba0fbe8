"""What learns from a part of a table, for each algorithm that can be named.

Shared by the commands that learn again and again: `evaluate`, `compare`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from treewright.cli.adaboost_fit import ADABOOST, adaboost_recipe
from treewright.cli.algorithm import Recipe
from treewright.cli.c45rules_fit import C45RULES, c45rules_recipe
from treewright.cli.forest_fit import FORESTS, forest_recipe, forest_settings
from treewright.cli.training import Training
from treewright.data.columns import Columns
from treewright.evaluation.errors.held_out_answers import Learn
from treewright.grow.dialect import Dialect
from treewright.learners.adaboost import grow_adaboost
from treewright.learners.adaboost_settings import AdaBoostSettings, check_target
from treewright.learners.c45rules import grow_c45rules
from treewright.learners.c45rules_settings import C45RulesSettings, check_dialect
from treewright.learners.c45rules_settings import check_target as check_rules_target
from treewright.learners.forest import grow_forest
from treewright.learners.growers import refuse_too_large
from treewright.learners.recipe import grow_tree
from treewright.learners.unpruned import unpruned
from treewright.rules.rule_model import RuleModel
from treewright.sources.sparse import has_sparse, refuse_large
from treewright.tree.model import Model

Own = dict[str, Any]
OTHERS = (*FORESTS, ADABOOST, C45RULES)  # than the algorithms of one tree


def recipe_of(algorithm: str | None, settings: dict[str, Any]) -> tuple[Recipe, Own]:
    """Return the recipe of the trees, and the settings of those that vote."""
    if algorithm in FORESTS:
        return forest_recipe(settings)
    if algorithm == ADABOOST:
        return adaboost_recipe(settings)
    if algorithm == C45RULES:
        return c45rules_recipe(settings)
    return Recipe(algorithm, settings), {}


@dataclasses.dataclass(frozen=True, eq=False)
class Learner:
    """What learns: its name, why it was chosen if nobody said so, and how."""

    name: str
    why: str
    learn: Callable[[Columns, int | None], Model | RuleModel]
    grow: Learn | None = None  # one tree without pruning it, if it is one

    def with_threads(self, n_jobs: int | None) -> Learn:
        """Return what learns with so many threads."""
        return lambda part: self.learn(part, n_jobs)


def learner_of(
    training: Training, algorithm: str | None, own: Own, *, seed: int
) -> Learner:
    """Return what learns from parts of a table, intervals too.

    Parameters
    ----------
    training : Training
        The table, with the recipe.
    algorithm : str or None
        The name; None: as the data suggest.
    own : dict
        The settings of trees that vote.
    seed : int
        Of their draws, unless it is among the settings.
    """
    # without a name the kinds of the columns decide, and intervals count as nominal
    known = training.columns if algorithm is not None else training.divided()
    dialect, why = training.recipe.dialect(known)
    _refuse_too_large(training, dialect, algorithm)
    if algorithm in FORESTS:
        settings = forest_settings(known, algorithm, {"random_state": seed, **own})

        def forest(part: Columns, n_jobs: int | None) -> Model:
            divided = training.divided(part)
            return grow_forest(divided, dialect, settings, n_jobs=n_jobs).model

        return Learner(algorithm, why, forest)
    if algorithm == ADABOOST:
        check_target(known)
        if training.recipe.start.get("grouping") == "c50":
            dialect = dataclasses.replace(dialect, name="c50")
        boosting = AdaBoostSettings(**{"random_state": seed, **own})

        def adaboost(part: Columns, n_jobs: int | None) -> Model:
            divided = training.divided(part)
            return grow_adaboost(divided, dialect, boosting, n_jobs=n_jobs).model

        return Learner(algorithm, why, adaboost)
    if algorithm == C45RULES:
        check_rules_target(known)
        check_dialect(dialect)
        ruling = C45RulesSettings(**own)

        def rules(part: Columns, n_jobs: int | None) -> RuleModel:
            return grow_c45rules(
                training.divided(part), dialect, ruling, n_jobs=n_jobs
            ).model

        return Learner(algorithm, why, rules)

    def tree(part: Columns, n_jobs: int | None) -> Model:
        return grow_tree(training.divided(part), dialect, n_jobs=n_jobs)

    whole = unpruned(dialect)

    def grow(part: Columns) -> Model:
        assert whole is not None
        return grow_tree(training.divided(part), whole)

    return Learner(dialect.name, why, tree, None if whole is None else grow)


def _refuse_too_large(
    training: Training, dialect: Dialect, algorithm: str | None
) -> None:
    """Refuse a sparse table that must be dense and cannot be, before it is divided."""
    if not has_sparse(training.columns):
        return
    columns = training.divided()
    if algorithm in FORESTS and FORESTS[algorithm].get("random_cuts"):
        refuse_large(columns, "drawing cuts at random")
    else:
        refuse_too_large(columns, dialect)
