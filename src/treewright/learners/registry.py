"""The registry of learners: every algorithm that can be named, in one table.

A `Learner` says what its trees are, what can be set besides, how it learns from an
encoded table, and what can be asked of what it learned. Estimators, the command line,
evaluation, tuning, reports, chalk and `load` look here; nobody compares the name of a
model with a string. To add a learner: write its settings (rows) and its `fit`, and add
its row to `LEARNERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from treewright.data.columns import Columns
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect, TreeSettings
from treewright.learners.boosting import adaboost
from treewright.learners.boosting.adaboost import (
    AdaBoostSettings,
    Boosted,
    grow_adaboost,
)
from treewright.learners.cal.cal2 import CAL2
from treewright.learners.cal.cal3 import CAL3
from treewright.learners.cal.cal_grow import grow_cal
from treewright.learners.cal.cal_settings import CALSettings
from treewright.learners.dialects.aima import AIMA
from treewright.learners.dialects.c45 import C45, J48, LECTURE
from treewright.learners.dialects.c50 import C50
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.id3 import ID3
from treewright.learners.dialects.rpart import RPART, RPART_NUMBERS
from treewright.learners.dialects.unpruned import UNPRUNED
from treewright.learners.forest.forest import Forest, grow_forest
from treewright.learners.forest.forest_settings import ForestSettings
from treewright.learners.growers import refuse_too_large
from treewright.learners.recipe import grow_tree
from treewright.learners.rules import c45rules
from treewright.learners.rules.c45rules import C45RulesSettings, Induced, grow_c45rules
from treewright.learners.streams.hoeffding import HOEFFDING, HOEFFDING_NUMBERS
from treewright.rules.rule_model import RuleModel
from treewright.settings.row import Setting, Settings
from treewright.sources.sparse import has_sparse, refuse_large
from treewright.tree.model import Model

# what can be asked of a learner, or of what it learned
ONE_TREE = "one tree"  # it can be shown, explained, pruned, made rules of
NODE_BY_NODE = "node by node"  # each node is grown from all of its rows
ROW_BY_ROW = "row by row"  # the tree changes with every row
VOTES = "votes"  # many trees give one answer
BAGS = "bags"  # each tree has rows that it has not seen
BOOSTS = "boosts"  # each tree learns from the mistakes of those before
RULES = "rules"  # a list of rules, and no tree
SHOWS_WORK = "shows its work"  # every step can be printed
STREAM = "stream"  # it learns from rows as they come, and not from a table

Trees = Mapping[str, TreeSettings]  # by task: "classes", "numbers"


@dataclass(frozen=True, eq=False)
class Fitted:
    """What was learned, and how it came about, if there is more to say than a model."""

    model: Any
    made: Forest | Boosted | Induced | None = None


@dataclass(frozen=True, eq=False)
class Learner:
    """An algorithm."""

    name: str  # as --algorithm and model files say
    # whose trees it can grow, by the name of the dialect, and for each task that it
    # knows; the first is the usual one
    trees: Mapping[str, Trees]
    # (columns, settings of the trees, own settings, n_jobs, ...) to `Fitted`; None if
    # it learns from a stream
    fit: Callable[..., Fitted] | None
    answers: frozenset[str]  # what it is: the words above
    own: Settings | None = None  # what can be set besides the trees, as it usually is
    # where its estimators are in `estimators/`, by task; `load` gives models as these
    estimators: Mapping[str, str] = field(default_factory=dict)
    # where that depends on the task
    own_by_task: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    # from own settings that were given to the dialect, where that is not the first
    whose: Callable[[Mapping[str, Any]], str] | None = None
    # settings of trees that change nothing here, and what is said of them
    refuses: Mapping[str, str] = field(default_factory=dict)
    # (columns, settings of the trees): refuses tables before anything is learned
    check: Callable[[Columns, Any], None] | None = None

    def can(self, answer: str) -> bool:
        """Tell whether it is what a word says."""
        return answer in self.answers

    @property
    def tasks(self) -> tuple[str, ...]:
        """Whether it predicts classes, numbers, or both."""
        return tuple(dict.fromkeys(t for trees in self.trees.values() for t in trees))

    @property
    def has_dialects(self) -> bool:
        """Whether one can choose whose trees they are."""
        return self.own is not None

    def usual_dialect(self, own: Mapping[str, Any]) -> str:
        """Return whose trees they are if nobody says so."""
        return next(iter(self.trees)) if self.whose is None else self.whose(own)

    def tree_settings(self, dialect: str, task: str) -> TreeSettings:
        """Return the settings of the trees before any is changed."""
        if dialect not in self.trees:
            known = ", ".join(self.trees)
            raise SettingError(f"dialect is {dialect!r}; the trees can be {known}")
        by_task = self.trees[dialect]
        return by_task.get(task, next(iter(by_task.values())))

    def dialects(self, task: str) -> dict[str, TreeSettings]:
        """Return the settings of the trees of every dialect that knows a task."""
        return {n: one[task] for n, one in self.trees.items() if task in one}

    def own_settings(self, task: str, given: Mapping[str, Any]) -> Settings | None:
        """Return what is set besides the trees, with what was given."""
        if self.own is None:
            return None
        return self.own.change(**{**self.own_by_task.get(task, {}), **given})

    def rows(self) -> dict[str, Setting]:
        """Return every setting that it has: its own ones, then those of its trees."""
        trees = self.tree_settings(next(iter(self.trees)), self.tasks[0])
        own = {} if self.own is None else self.own.rows()
        kept = {n: one for n, one in trees.rows().items() if n not in self.refuses}
        return {**own, **{n: one for n, one in kept.items() if n not in own}}

    def tries(self) -> dict[str, tuple[Any, ...]]:
        """Return what tuning tries if nobody says what: values of some settings."""
        found = {}
        for name, one in self.rows().items():
            values = one.tries.get(self.name, one.tries.get("", ()))
            if values:
                found[name] = values
        return found


@dataclass(frozen=True, eq=False)
class Plan:
    """A learner with all that was decided: it only needs a table."""

    learner: Learner  # who learns
    trees: TreeSettings  # the settings of its trees
    own: Settings | None = None  # what is set besides

    def fit(
        self, columns: Columns, *, n_jobs: int | None = None, **more: Any
    ) -> Fitted:
        """Learn from an encoded table."""
        assert self.learner.fit is not None
        return self.learner.fit(columns, self.trees, self.own, n_jobs=n_jobs, **more)

    def check(self, columns: Columns) -> None:
        """Refuse a table that cannot be learned from, before anything is done."""
        if self.learner.check is not None:
            self.learner.check(columns, self.trees)
        if not has_sparse(columns):
            return
        if isinstance(self.own, ForestSettings) and self.own.random_cuts:
            refuse_large(columns, "drawing cuts at random")
        elif isinstance(self.trees, Dialect):
            refuse_too_large(columns, self.trees)

    def settings(self) -> dict[str, Any]:
        """Return all that is set, as a model file keeps it."""
        if self.own is None:
            return self.trees.settings()
        own = {**self.own.settings(), "dialect": self.trees.name}
        return {**self.trees.settings(), **own}


def _fit_tree(
    columns: Columns, trees: Any, own: None, *, n_jobs: int | None, **more: Any
) -> Fitted:
    return Fitted(grow_tree(columns, trees, n_jobs=n_jobs, **more))


def _fit_cal(
    columns: Columns, trees: Any, own: None, *, n_jobs: int | None, **more: Any
) -> Fitted:
    return Fitted(grow_cal(columns, trees, **more))


def _fit_forest(
    columns: Columns, trees: Any, own: Any, *, n_jobs: int | None, **more: Any
) -> Fitted:
    forest = grow_forest(columns, trees, own, n_jobs=n_jobs, **more)
    return Fitted(forest.model, forest)


def _fit_adaboost(
    columns: Columns, trees: Any, own: Any, *, n_jobs: int | None, **more: Any
) -> Fitted:
    boosted = grow_adaboost(columns, trees, own, n_jobs=n_jobs, **more)
    return Fitted(boosted.model, boosted)


def _fit_c45rules(
    columns: Columns, trees: Any, own: Any, *, n_jobs: int | None, **more: Any
) -> Fitted:
    induced = grow_c45rules(columns, trees, own, n_jobs=n_jobs, **more)
    return Fitted(induced.model, induced)


def _check_c45rules(columns: Columns, trees: Dialect) -> None:
    c45rules.check_target(columns)
    c45rules.check_dialect(trees)


def _one_tree(*by_task: TreeSettings, **estimators: str) -> Learner:
    """Return the learner of one tree that is grown node by node."""
    (name,) = {one.name for one in by_task}
    trees = {name: {one.task: one for one in by_task}}
    return Learner(
        name,
        trees,
        _fit_tree,
        frozenset({ONE_TREE, NODE_BY_NODE, SHOWS_WORK}),
        estimators=estimators,
    )


def _cal(settings: CALSettings, estimator: str) -> Learner:
    return Learner(
        settings.name,
        {settings.name: {"classes": settings}},
        _fit_cal,
        frozenset({ONE_TREE, ROW_BY_ROW, SHOWS_WORK}),
        estimators={"classes": estimator},
    )


def _forest(name: str, own: ForestSettings, *more: str, **estimators: str) -> Learner:
    dialects = (CART, RPART, ID3, AIMA, C45, J48, LECTURE)
    trees: dict[str, dict[str, TreeSettings]] = {
        one.name: {"classes": one.change(**UNPRUNED)} for one in dialects
    }
    for one in (CART_NUMBERS, RPART_NUMBERS):
        trees[one.name]["numbers"] = one.change(**UNPRUNED)
    complaint = (
        "{} is about pruning, and the trees of a forest are not pruned; leave it out"
    )
    return Learner(
        name,
        trees,
        _fit_forest,
        frozenset({VOTES, BAGS, *more}),
        own,
        estimators,
        own_by_task={"numbers": {"max_features": None}},
        refuses={setting: complaint.format(setting) for setting in UNPRUNED},
    )


# Trees that are not pruned would leave no error to learn from: they are stumps.
_STUMPS = tuple(one.change(max_depth=1) for one in (CART, ID3, LECTURE))
_ADABOOST = Learner(
    "adaboost",
    {
        one.name: {"classes": one}
        for one in (_STUMPS[0], RPART, *_STUMPS[1:], C45, J48, C50)
    },
    _fit_adaboost,
    frozenset({VOTES, BOOSTS}),
    AdaBoostSettings(),
    {"classes": "adaboost.AdaBoostClassifier"},
    whose=lambda own: "c50" if own.get("boosting") == "c50" else "cart",
    check=lambda columns, trees: adaboost.check_target(columns),
)
_C45RULES = Learner(
    "c45rules",
    # the estimate of the rates has the settings of error-based pruning
    {
        one.name: {"classes": one}
        for one in (C45, J48, LECTURE.change(pruning="error_based"))
    },
    _fit_c45rules,
    frozenset({RULES, SHOWS_WORK}),
    C45RulesSettings(),
    {"classes": "c45_rules.C45RulesClassifier"},
    refuses={
        "pruning": "rules come from unpruned trees, and pruning would change them; "
        "leave it out"
    },
    check=_check_c45rules,
)
_HOEFFDING = Learner(
    "hoeffding",
    {"hoeffding": {"classes": HOEFFDING, "numbers": HOEFFDING_NUMBERS}},
    None,
    frozenset({ONE_TREE, ROW_BY_ROW, STREAM}),
    estimators={
        "classes": "hoeffding.HoeffdingTreeClassifier",
        "numbers": "hoeffding.HoeffdingTreeRegressor",
    },
)

_CART = {"classes": "trees.CARTClassifier", "numbers": "trees.CARTRegressor"}
LEARNERS: dict[str, Learner] = {
    one.name: one
    for one in (
        _one_tree(ID3, classes="id3.ID3Classifier"),
        _one_tree(AIMA),
        _one_tree(C45, classes="c45.C45Classifier"),
        _one_tree(J48, classes="c45.C45Classifier"),
        _one_tree(LECTURE, classes="c45.C45Classifier"),
        _one_tree(CART, CART_NUMBERS, **_CART),
        _one_tree(RPART, RPART_NUMBERS, **_CART),
        _cal(CAL2, "cal.CAL2Classifier"),
        _cal(CAL3, "cal.CAL3Classifier"),
        _forest(
            "forest",
            ForestSettings(),
            SHOWS_WORK,
            classes="forests.RandomForestClassifier",
            numbers="forests.RandomForestRegressor",
        ),
        _forest(
            "extra-trees",
            ForestSettings(bootstrap=False, random_cuts=True),
            classes="forests.ExtraTreesClassifier",
            numbers="forests.ExtraTreesRegressor",
        ),
        _ADABOOST,
        _C45RULES,
        _HOEFFDING,
    )
}


def learners(*answers: str) -> Iterator[Learner]:
    """Yield the learners from tables that are all that some words say, in order."""
    for one in LEARNERS.values():
        if one.fit is not None and all(map(one.can, answers)):
            yield one


def names(*answers: str) -> list[str]:
    """Return the names of such learners."""
    return [one.name for one in learners(*answers)]


def is_a(model: Model | RuleModel, answer: str) -> bool:
    """Tell whether the learner of a model is what a word says."""
    known = LEARNERS.get(model.learner)
    return known is not None and known.can(answer)
