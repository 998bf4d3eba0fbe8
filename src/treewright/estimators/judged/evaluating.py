"""`treewright.evaluate`: how good an estimator is on rows that it has not seen.

Estimators of treewright share one encoded table: each split takes its rows, and what
is learned (intervals, filling, pruning, choosing) is learned from these alone. Others
are cloned, fitted and asked as scikit-learn's `cross_val_score` does it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import _safe_indexing

from treewright.data.columns import Columns
from treewright.data.encoding.target import encode_target, read_target
from treewright.data.encoding.weights import read_weights
from treewright.data.machine import keeping_to_n_jobs, thread_count
from treewright.data.schema import Schema, TargetKind
from treewright.data.tables.frames import read_column
from treewright.data.tables.raw import Numbers
from treewright.errors import (
    DataError,
    DataTypeError,
    SettingError,
    TreewrightError,
)
from treewright.estimators.judged.splitting import divide, given_splits
from treewright.estimators.parts.model_estimator import ModelEstimator, takes_codes
from treewright.estimators.parts.progress import told
from treewright.estimators.parts.settings import checked_dialect
from treewright.estimators.parts.tree_estimator import TreeEstimator
from treewright.evaluation.division import Divided, Division
from treewright.evaluation.errors.evaluation import Evaluation
from treewright.evaluation.errors.held_out_answers import (
    Answer,
    Ask,
    Learn,
    Split,
    Tell,
    asking,
    codes_in,
    losses,
    outcomes_of,
)
from treewright.evaluation.errors.learning_curves import leaf_curve, learning_curve
from treewright.evaluation.errors.stability import Margin, margins_of
from treewright.learners.dialects.unpruned import unpruned
from treewright.learners.recipe import grow_tree
from treewright.tree.model import Model


@keeping_to_n_jobs
def evaluate(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    folds: Any = None,
    repeats: int = 1,
    hold_out: float | None = None,
    leave_one_out: bool = False,
    groups: Any = None,
    times: Any = None,
    sample_weight: Any = None,
    random_state: int = 0,
    level: float = 0.95,
    curves: bool = False,
    n_jobs: int | None = None,
    progress: Any = False,
) -> Evaluation:
    """Say how good an estimator is on rows that it has not seen.

    Parameters
    ----------
    estimator : estimator
        One of treewright's, or any of scikit-learn's; it stays as it is.
    X, y : table and its answers
        As for the estimator's `fit`.
    folds : int, splitter or list of (train, test), optional
        Folds of a cross-validation, 10 if nothing else is asked for; or a splitter of
        scikit-learn; or pairs of row numbers.
    repeats : int
        How often the rows are divided into folds, or held out.
    hold_out : float, optional
        Instead of folds: the share of the rows that is held out.
    leave_one_out : bool
        Instead of folds: each row is held out on its own.
    groups : array-like, optional
        A group for each row: rows of one group are never on both sides.
    times : array-like, optional
        A time for each row: training rows are always earlier than those held out.
    sample_weight : array-like, optional
        A weight for each row, in learning and in all figures.
    random_state : int
        Seed of the folds. scikit-learn's splitters make the same ones of it.
    level : float
        Confidence of the intervals.
    curves : bool
        Whether to learn again and again for the learning curve, and for one tree the
        error against the number of leaves; `plot` and `to_svg` draw them.
    n_jobs : int or None
        Splits that are looked at at the same time; None: as many as there are cores.
    progress : bool or function(done, total)
        As for the `fit` of forests: True shows a bar on stderr.

    Returns
    -------
    Evaluation
        Print it, or read `error`, `baseline`, `confusion`, `places` and more.

    Notes
    -----
    Folds of classes are stratified. The interval of a single hold-out is Wilson's (for
    numbers Student's t over the rows), any other the corrected resampled t of Nadeau
    and Bengio (2003).

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.tennis()
    >>> found = tw.evaluate(tw.ID3Classifier(), X, y, leave_one_out=True)
    >>> round(found.error.value, 3), round(found.baseline, 3)
    (0.214, 0.357)
    """
    check_level(level)
    task = task_of(estimator)
    refuse_text(y, estimator, task)
    is_ours = takes_codes(estimator)
    columns = (
        estimator._encoded(X, y, sample_weight)
        if is_ours
        else answers_alone(y, task, sample_weight)
    )
    divided = _divided(
        columns,
        folds,
        {
            "repeats": repeats,
            "hold_out": hold_out,
            "leave_one_out": leave_one_out,
            "groups": by_row("groups", groups, columns),
            "times": by_row("times", times, columns),
            "seed": random_state,
        },
    )
    n_splits = len(divided.splits)
    threads = min(thread_count(n_jobs), n_splits) if is_ours else 1
    # threads within a tree are for the case that there is one split only
    within = n_jobs if threads == 1 else 1
    asked = _asked(estimator, X, y, columns, within)
    with told(progress, n_splits, doing="evaluating", unit="splits") as tell:
        return evaluation_of(
            type(estimator).__name__,
            columns,
            divided,
            asked,
            level=level,
            curves=curves,
            seed=random_state,
            n_threads=threads,
            tell=tell or (lambda done, total: None),
        )


def check_level(level: float) -> None:
    """Refuse what is no confidence."""
    is_number = isinstance(level, float | int | np.floating)
    if not is_number or not 0 < level < 1:
        raise SettingError(f"level is {level!r}; it must be between 0 and 1, as 0.95")


def task_of(estimator: Any) -> TargetKind:
    """Return whether an estimator predicts classes or numbers."""
    if isinstance(estimator, type):
        raise SettingError(
            f"the estimator is the class {estimator.__name__}; pass an instance, as "
            f"{estimator.__name__}()"
        )
    # without tags, scikit-learn raises an error about inheritance
    if hasattr(estimator, "__sklearn_tags__"):
        if is_classifier(estimator):
            return "classes"
        if is_regressor(estimator):
            return "numbers"
    raise SettingError(
        f"the estimator is {type(estimator).__name__}, which is neither a classifier "
        "nor a regressor; pass one of these"
    )


def refuse_text(y: Any, estimator: Any, task: TargetKind) -> None:
    """Refuse a target that is no number, where numbers are predicted."""
    if task == "classes" or y is None or np.ndim(y) != 1:
        return
    if not isinstance(read_column("target", y), Numbers):
        name = type(estimator).__name__
        other = name.replace("Regressor", "Classifier")
        raise DataError(
            f"the target holds text, and {name} predicts numbers; use a classifier"
            + (f", as {other}" if other != name else "")
        )


def _asked(
    estimator: Any, X: Any, y: Any, columns: Columns, n_jobs: int | None
) -> Examinee:
    """Return what is evaluated: learned from codes, or as scikit-learn does it."""
    if not takes_codes(estimator):
        return Examinee(asking_estimator(estimator, X, y, columns))
    return Examinee(
        asking(columns, lambda part: learned(estimator, part, n_jobs)),
        prepare=estimator._prepared,
        grow=_growing(estimator, n_jobs),
    )


@dataclass(frozen=True, eq=False)
class Examinee:
    """What is evaluated."""

    ask: Ask  # learns and answers, split by split
    # makes of rows what a tree is grown from, for the margins of one tree
    prepare: Callable[[Columns], Columns] | None = None
    # grows one tree without pruning it, for the error against its leaves
    grow: Learn | None = None


def evaluation_of(
    name: str,
    columns: Columns,
    divided: Divided,
    asked: Examinee,
    *,
    level: float = 0.95,
    curves: bool = False,
    seed: int = 0,
    n_threads: int = 1,
    tell: Tell = lambda done, total: None,
) -> Evaluation:
    """Learn and ask for every split, and make figures of the answers.

    `n_threads` splits are looked at at the same time; `tell` is told how many are done,
    and of how many.
    """
    margins: dict[tuple[int, ...], Margin] = {}

    def ask(split: Split) -> Answer:
        answer = asked.ask(split)
        if split is divided.splits[0]:
            # here, because others learn meanwhile: and from now on this thread prunes
            # while another one grows, and they wait less for Python's lock
            margins.update(top_margins(columns, answer.model, asked.prepare))
        return answer

    outcomes = outcomes_of(columns, divided.splits, ask, n_threads=n_threads, tell=tell)
    found = Evaluation(name, divided.words, outcomes, level, divided.notes, margins)
    if not curves:
        return found
    return with_curves(found, divided, asked, seed=seed, n_threads=n_threads)


def with_curves(
    found: Evaluation, divided: Divided, asked: Examinee, *, seed: int, n_threads: int
) -> Evaluation:
    """Return an evaluation with its curves."""
    columns, notes = found.outcomes.columns, found.notes
    if divided.for_curves is not None:
        divided = divided.for_curves
        notes = (*notes, f"the curves are of {divided.words}")
    curves = [
        learning_curve(
            columns,
            divided.splits,
            asked.ask,
            seed=seed,
            level=found.level,
            n_threads=n_threads,
        )
    ]
    if asked.grow is not None:
        sizes = leaf_curve(columns, divided.splits, asked.grow)
        curves += [] if sizes is None else [sizes]
    return replace(found, curves=tuple(curves), notes=notes)


def _growing(estimator: Any, n_jobs: int | None) -> Learn | None:
    """Return what grows a tree without pruning it; None for what is not one tree."""
    if not isinstance(estimator, TreeEstimator):
        return None
    dialect = unpruned(checked_dialect(estimator))
    if dialect is None:
        return None
    return lambda part: grow_tree(estimator._prepared(part), dialect, n_jobs=n_jobs)


def learned(estimator: ModelEstimator, part: Columns, n_jobs: int | None) -> Any:
    """Return what an estimator learns from a part of the table."""
    return estimator._grown(estimator._prepared(part), n_jobs)


def by_row(name: str, values: Any, columns: Columns) -> Any:
    """Return values of the rows as given by the rows that are used."""
    if values is None:
        return None
    array = np.asarray(values)
    given = columns.given_rows
    n_rows = columns.n_rows if given is None else given.n_rows
    if array.shape != (n_rows,):
        raise DataError(
            f"{name} has the shape {array.shape}; it must have a value for each of the "
            f"{n_rows:,} rows"
        )
    if read_column(name, values).is_missing().any():
        raise DataError(
            f"{name} has missing values; fill them in, or leave these rows out"
        )
    return array if given is None else array[given.numbers]


def _divided(columns: Columns, folds: Any, others: dict[str, Any]) -> Divided:
    """Divide the rows as asked."""
    if isinstance(folds, str | float | bool | np.bool_):
        raise SettingError(
            f"folds is {folds!r}; it must be a whole number, a splitter of "
            "scikit-learn, or a list of (train, test)"
        )
    if folds is None or isinstance(folds, int | np.integer):
        whole = None if folds is None else int(folds)
        return divide(columns, Division(folds=whole, **others))
    usual = {"repeats": 1, "hold_out": None, "leave_one_out": False, "times": None}
    for name, value in usual.items():
        if others[name] is not value and others[name] != value:
            raise SettingError(
                f"folds says how rows are divided, so {name} is too much; drop one"
            )
    return given_splits(folds, columns, others["groups"])


def answers_alone(y: Any, task: TargetKind, sample_weight: Any) -> Columns:
    """Return a table without features, for estimators that read theirs themselves."""
    outputs = read_target(y, None)
    outputs.usable_rows(np.ones(outputs.n_rows, bool), drop_missing=False)
    target, codes = encode_target(outputs, task)
    weights = read_weights(sample_weight, outputs.n_rows)
    schema = Schema((), target, has_names=False)
    return Columns(schema, (), codes, weights=weights)


def asking_estimator(
    estimator: Any,
    X: Any,
    y: Any,
    columns: Columns,
    *,
    weight_name: str = "sample_weight",
) -> Ask:
    """Return what clones, fits and asks any estimator, split by split."""
    if isinstance(X, Mapping):
        raise DataTypeError(
            f"X is a dict of columns, which {type(estimator).__name__} does not read; "
            "pass a data frame or an array"
        )
    target, weights = columns.schema.target, columns.weights
    is_classes = target.kind == "classes"

    def ask(split: Split) -> Answer:
        fitted = clone(estimator)
        more = {} if weights is None else {weight_name: weights[split.train]}
        known = _safe_indexing(X, split.train)
        fitted.fit(known, _safe_indexing(y, split.train), **more)
        new = _safe_indexing(X, split.test)
        predicted, trained = fitted.predict(new), fitted.predict(known)
        shares = None
        if is_classes:
            classes = target.classes[0]
            predicted = codes_in(predicted.tolist(), classes)
            trained = codes_in(trained.tolist(), classes)
            if hasattr(fitted, "predict_proba"):
                shares = np.zeros((len(split.test), len(classes)))
                known_classes = codes_in(fitted.classes_.tolist(), classes)
                shares[:, known_classes] = fitted.predict_proba(new)
        loss = losses(target, columns.target[split.train, 0], trained)
        of_rows = more.get(weight_name)
        return Answer(predicted, shares, float(np.average(loss, weights=of_rows)))

    return ask


def top_margins(
    columns: Columns, model: Model | None, prepare: Any
) -> dict[tuple[int, ...], Margin]:
    """Return the margins at the top of the tree of all rows, if it is one tree.

    `model` is that of some of the rows.
    """
    if model is None or len(model.trees) != 1:
        return {}
    try:
        return margins_of(prepare(columns), model)
    except TreewrightError:
        return {}  # what the trees of the splits said is there all the same
