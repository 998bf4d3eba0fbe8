"""`treewright.compare`: learners side by side, on the same splits of the same rows."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any

from treewright.data.complaints import did_you_mean, quoted
from treewright.errors import DataError, SettingError
from treewright.estimators.judged.evaluating import evaluate
from treewright.evaluation.comparing.comparison import Comparison
from treewright.evaluation.comparing.ranks import Ranks, ranks_of
from treewright.evaluation.errors.evaluation import Evaluation

_OWN = ("estimator", "X", "y")  # what compare has itself


def compare(
    estimators: Sequence[Any] | Mapping[str, Any], X: Any, y: Any = None, **how: Any
) -> Comparison | Ranks:
    """Compare estimators on the same splits of a table, or of several.

    Parameters
    ----------
    estimators : list of estimators, or dict of them by name
        Of treewright or of scikit-learn, all classifiers or all regressors.
    X, y : table and its answers
        As for `evaluate`. Or X is a dict from names of tables to pairs (X, y), and
        there is no y.
    **how
        How rows are divided, and more: the arguments of `evaluate`.

    Returns
    -------
    Comparison, or Ranks for several tables
        Print it, or read `ranked`, `differences`; `mean_ranks`, `pairs`.

    Notes
    -----
    Differences on one table are tested with the corrected resampled t-test of Nadeau
    and Bengio (2003), p values adjusted for all pairs (Holm). Over several tables there
    are mean ranks with the critical difference (Nemenyi), Friedman's test, and
    Wilcoxon's signed ranks for each pair (Demsar, 2006).

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.tennis()
    >>> trees = [tw.ID3Classifier(), tw.C45Classifier()]
    >>> found = tw.compare(trees, X, y, leave_one_out=True)
    >>> [one.name for one in found.ranked]
    ['ID3Classifier', 'C45Classifier']
    """
    known = [name for name in signature(evaluate).parameters if name not in _OWN]
    for name in how:
        if name not in known:
            raise SettingError(
                f"compare has no argument {name!r}; {did_you_mean(name, known)}"
            )
    named = _named(estimators)
    if y is not None:
        return _compared(named, "table", X, y, how)
    if not isinstance(X, Mapping) or not all(
        isinstance(pair, tuple) and len(pair) == 2 for pair in X.values()
    ):
        raise DataError(
            "there is no target (y is None); pass one value per row, or as X a dict "
            "from names of tables to pairs (X, y)"
        )
    pairs: dict[str, tuple[Any, Any]] = {str(name): pair for name, pair in X.items()}
    found = [_compared(named, name, X, y, how) for name, (X, y) in pairs.items()]
    if len(found) == 1:
        return found[0]
    return ranks_of(found, how.get("level", 0.95))


def _compared(
    named: Mapping[str, Any], table: str, X: Any, y: Any, how: Mapping[str, Any]
) -> Comparison:
    """Evaluate all estimators on one table."""
    found, seconds = [], []
    for name, estimator in named.items():
        start = time.perf_counter()
        one = evaluate(estimator, X, y, **how)
        seconds.append(time.perf_counter() - start)
        found.append(
            Evaluation(name, one.how, one.outcomes, one.level, one.notes, one.margins)
        )
    kinds = {one.outcomes.target.kind for one in found}
    if len(kinds) > 1:
        raise SettingError(
            f"some of {quoted(list(named))} predict classes and others numbers; "
            "compare one kind at a time"
        )
    return Comparison(table, tuple(found), tuple(seconds))


def _named(estimators: Sequence[Any] | Mapping[str, Any]) -> dict[str, Any]:
    """Return the estimators by name: as given, or by what they are called."""
    if isinstance(estimators, Mapping):
        named = {str(name): one for name, one in estimators.items()}
    else:
        named = {}
        for one in estimators:
            name = type(one).__name__
            number = 2
            while name in named:
                name, number = f"{type(one).__name__} {number}", number + 1
            named[name] = one
    if not named:
        raise SettingError("there are no estimators to compare; give at least two")
    return named
