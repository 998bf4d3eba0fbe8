"""`treewright.tune`: settings that suit a table, and what they are honestly worth.

Here are estimators and their parameters; `searching.py` divides the rows and lets the
work be done, for the command line too.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import clone

from treewright.data.columns import Columns
from treewright.data.machine import keeping_to_n_jobs
from treewright.errors import SettingError
from treewright.estimators.c45_rules import C45RulesClassifier
from treewright.estimators.judged.evaluating import (
    by_row,
    check_level,
    learned,
    refuse_text,
    task_of,
)
from treewright.estimators.judged.searching import check_rule, planned, searched
from treewright.estimators.parts.model_estimator import ModelEstimator, takes_codes
from treewright.estimators.parts.parameters import refuse_unknown
from treewright.estimators.parts.progress import told
from treewright.estimators.parts.settings import (
    check_data_parameters,
    checked_dialect,
    seed_of,
)
from treewright.estimators.parts.tree_estimator import TreeEstimator
from treewright.evaluation.division import Division
from treewright.evaluation.tuning.spaces import (
    Settings,
    checked_space,
    settings_in,
    usual_settings,
)
from treewright.evaluation.tuning.tuning_result import Tuning
from treewright.evaluation.tuning.tuning_search import ONE_SE, Contender
from treewright.grow.dialect import Dialect
from treewright.learners.forest.forest_settings import ForestSettings
from treewright.learners.shared_growth import shared_growth

# they say how the table is read, which is done once for all settings
_READING = ("feature_kinds", "drop_missing_target", "strict", "n_jobs", "discretize")


@keeping_to_n_jobs
def tune(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    space: Mapping[str, Any] | None = None,
    rule: str = ONE_SE,
    folds: int | None = None,
    inner_folds: int | None = None,
    repeats: int = 1,
    hold_out: float | None = None,
    groups: Any = None,
    times: Any = None,
    sample_weight: Any = None,
    random_state: int = 0,
    level: float = 0.95,
    state: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    progress: Any = False,
) -> Tuning:
    """Look for settings that suit a table, and say honestly what they are worth.

    Parameters
    ----------
    estimator : estimator
        One of treewright's; it stays as it is. Its parameters hold for all settings
        that are tried, and as it stands it is what tuning is compared with.
    X, y : table and its answers
        As for the estimator's `fit`.
    space : dict from names to lists of values, optional
        What is tried: every combination. If not given, a small space that suits the
        estimator, without the parameters that were set.
    rule : {"one_se", "minimum"}
        Take the fewest leaves among the settings whose error is within one standard
        error of the least, or the least error.
    folds : int, optional
        Outer folds, which the honest error comes from; 5 if nothing else is asked for.
    inner_folds : int, optional
        Folds that the settings are compared on; 5, or as many as can be.
    repeats, hold_out, groups, times, sample_weight, random_state, level
        As for `evaluate`, for the outer folds. Groups and times hold for the inner
        folds, too.
    state : path, optional
        A file that keeps what is done, all the time. If it is there, the search goes on
        from it, and the result is the same as if it had not been interrupted.
    n_jobs : int or None
        Fits at the same time; None: as many as there are cores. The result is the same.
    progress : bool or function(done, total)
        As for the `fit` of forests: True shows a bar on stderr.

    Returns
    -------
    Tuning
        Print it, or read `settings`, `nested.error`, `untuned.error`, `trials`.

    Notes
    -----
    The least error among many settings is too good to be true, since it was looked for.
    So the search is done again without each of the outer folds, and what it chooses
    answers for the fold (nested cross-validation; Varma and Simon, 2006).

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.tennis()
    >>> found = tw.tune(tw.ID3Classifier(), X, y, space={"max_depth": [1, 2, None]})
    >>> found.settings
    {'max_depth': 2}
    >>> tree = tw.ID3Classifier(**found.settings).fit(X, y)
    """
    check_level(level)
    check_rule(rule)
    _check_estimator(estimator, y)
    usual = _seeded(estimator, random_state)
    tried = [(one, _changed(usual, one)) for one in _settings_of(usual, space)]
    others = [one for _, one in tried]
    columns = _reader(others, usual)._encoded(X, y, sample_weight)
    for one in (usual, *others):
        _check_with_table(one, columns)
    planning = planned(
        columns,
        tuple(_contender(settings, one) for settings, one in tried),
        _contender({}, usual),
        Division(
            folds=folds,
            repeats=repeats,
            hold_out=hold_out,
            groups=by_row("groups", groups, columns),
            times=by_row("times", times, columns),
            seed=random_state,
        ),
        inner_folds=inner_folds,
        rule=rule,
        unit="rules" if isinstance(estimator, C45RulesClassifier) else "leaves",
    )
    name, keys = type(estimator).__name__, [_key(one) for one in others]
    how: dict[str, Any] = {"doing": "tuning", "unit": "fits", "goes_on": True}
    with told(progress, planning.plan.n_fits, **how) as tell:
        return searched(
            name,
            planning,
            words=f"{name} {_key(usual)}",
            state=state,
            level=level,
            usual=keys.index(_key(usual)) if _key(usual) in keys else None,
            n_jobs=n_jobs,
            tell=tell or (lambda done, total: None),
        )


def _check_estimator(estimator: Any, y: Any) -> None:
    """Refuse what cannot be tuned here, or predicts another kind of target."""
    task = task_of(estimator)
    if not takes_codes(estimator):
        raise SettingError(
            f"the estimator is {type(estimator).__name__}, and tune is for treewright's"
            " own; GridSearchCV of scikit-learn tunes any"
        )
    refuse_text(y, estimator, task)


def _settings_of(estimator: ModelEstimator, given: Any) -> tuple[Settings, ...]:
    """Return what is tried: as given, or as usual."""
    if given is None:
        fresh = type(estimator)().get_params(deep=False)
        own = estimator.get_params(deep=False)
        taken = [name for name in own if not _is_same(own[name], fresh[name])]
        return usual_settings(
            estimator._plan().learner.name,
            taken,
            lambda settings: _check_parameters(_changed(estimator, settings)),
        )
    space = checked_space(given)
    refuse_unknown(type(estimator), space, estimator._get_param_names())
    for name in space:
        if name in _READING:
            raise SettingError(
                f"space has {name}, which says how the table is read, and that is done "
                "once; tune with each value of it, or use GridSearchCV of scikit-learn"
            )
    return settings_in(space)


def _is_same(one: Any, other: Any) -> bool:
    """Whether two parameters are the same; arrays are not asked."""
    return one is other or (isinstance(one, str | float | int) and bool(one == other))


def _seeded(estimator: ModelEstimator, seed: int) -> ModelEstimator:
    """Return a copy whose draws are the same in every fit."""
    copy: ModelEstimator = clone(estimator)
    given = getattr(copy, "random_state", 0)
    if not isinstance(copy, TreeEstimator) and not isinstance(given, int | np.integer):
        copy.set_params(random_state=seed if given is None else seed_of(given))
    return copy


def _changed(estimator: ModelEstimator, settings: Settings) -> ModelEstimator:
    copy: ModelEstimator = clone(estimator)
    return copy.set_params(**settings)


def _reader(tried: list[ModelEstimator], usual: ModelEstimator) -> ModelEstimator:
    """Return who reads the table: one that refuses missing values, if one does."""
    for one in tried:
        if checked_dialect(one).missing == "error":
            return one
    return usual


def _check_parameters(estimator: Any) -> Any:
    """Refuse values that are out of their range; return the settings of many trees."""
    checked_dialect(estimator)
    check_data_parameters(estimator)
    return estimator._settings()


def _check_with_table(estimator: Any, columns: Columns) -> None:
    """Refuse values that do not suit the table, before anything is learned."""
    settings = _check_parameters(estimator)
    if isinstance(settings, ForestSettings):
        settings.feature_counts(len(columns.features))
        settings.bagging(columns)


def _contender(settings: Settings, estimator: ModelEstimator) -> Contender:
    shared = None
    dialect = checked_dialect(estimator)
    if estimator.own is None and isinstance(dialect, Dialect):
        shared = shared_growth(dialect, settings, estimator._prepared)
    return Contender(
        settings, lambda part, n_jobs: learned(estimator, part, n_jobs), shared
    )


def _key(estimator: ModelEstimator) -> str:
    """Return all that a fit depends on besides the table."""
    parameters = estimator.get_params(deep=False)
    switches = checked_dialect(estimator).settings()
    own = {} if estimator.own is None else estimator.own.rows()
    # None may stand for what the dialect says, so switches are compared as they hold
    others = {
        name: value
        for name, value in parameters.items()
        if name not in switches or name in own
    }
    others.pop("n_jobs", None)
    shown = {name: _shown(value) for name, value in others.items()}
    return repr((sorted(switches.items(), key=str), sorted(shown.items(), key=str)))


def _shown(value: Any) -> str:
    return repr(value.tolist() if isinstance(value, np.ndarray) else value)
