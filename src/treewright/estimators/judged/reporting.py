"""`treewright.report`: a page about a table and what an estimator learns from it."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from treewright.checks.check import check_columns
from treewright.errors import SettingError, TreewrightError
from treewright.estimators.judged.evaluating import evaluate
from treewright.estimators.parts.forest_estimator import ForestEstimator
from treewright.estimators.parts.model_estimator import takes_codes
from treewright.render.sign_of_life import busy
from treewright.reports.model_report import ModelReport
from treewright.reports.subject import Making, ReportSubject, rules_of, usual_division
from treewright.tree.file.header import program_version


def report(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    name: str = "the table",
    folds: Any = None,
    repeats: int = 1,
    hold_out: float | None = None,
    leave_one_out: bool = False,
    groups: Any = None,
    times: Any = None,
    sample_weight: Any = None,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> ModelReport:
    """Report on a table and what an estimator learns from it, for people.

    Parameters
    ----------
    estimator : estimator
        One of treewright's; it stays as it is.
    X, y : table and its answers
        As for the estimator's `fit`.
    name : str
        What the table is called.
    folds, repeats, hold_out, leave_one_out, groups, times, sample_weight, random_state
        As for `evaluate`. Of more than 100 000 rows, 30 % are held out unless you say.
    n_jobs : int or None
        Threads.

    Returns
    -------
    ModelReport
        `save("report.html")` writes it as one page, `save("report.md")` as Markdown; a
        notebook shows it.

    Notes
    -----
    The same input gives the same page, to the last byte, if the estimator draws nothing
    or has a `random_state`.

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.tennis()
    >>> found = tw.report(tw.ID3Classifier(), X, y, name="tennis")
    >>> found.to_markdown().splitlines()[0]
    '# Predicting PlayTennis from tennis'
    """
    if not takes_codes(estimator):
        raise SettingError(
            f"the estimator is {type(estimator).__name__}, and a report needs one of "
            "treewright's that learns from a table; evaluate measures any"
        )
    given = {
        "folds": folds,
        "repeats": repeats,
        "hold_out": hold_out,
        "leave_one_out": leave_one_out,
        "groups": groups,
        "times": times,
    }
    columns = estimator._encoded(X, y, sample_weight)
    said = {key: each for key, each in given.items() if each is not None}
    if said == {"repeats": 1, "leave_one_out": False}:
        given |= usual_division(columns.n_rows)
    divided = estimator._prepared(columns)
    with busy("making the report"):
        found = evaluate(
            estimator,
            X,
            y,
            sample_weight=sample_weight,
            random_state=random_state,
            curves=True,
            n_jobs=n_jobs,
            **given,
        )
        fitted = clone(estimator).fit(X, y, sample_weight)
        _measure(fitted)
        model = fitted.model_
        subject = ReportSubject(
            table=name,
            columns=columns,
            model=model,
            evaluation=found,
            findings=check_columns(divided),
            rules=rules_of(model, divided),
            making=_making(estimator, random_state),
        )
        return ModelReport(subject)


def _measure(fitted: Any) -> None:
    """Let a forest find its permutation importances, if it has rows out of bag."""
    if not isinstance(fitted, ForestEstimator):
        return
    try:
        fitted.measure()
    except TreewrightError:
        return  # every tree has seen all rows: what the splits gain is shown


def _making(estimator: Any, seed: int) -> Making:
    """Return how the report is made, in Python."""
    kind = type(estimator).__name__
    return Making(
        algorithm=kind,
        why="",
        settings=_changed(estimator),
        seed=seed,
        version=program_version(),
        command=f"treewright.report({estimator!r}, X, y, random_state={seed})",
        rules="print(model.rules())   # of the fitted estimator",
        tree="model.to_svg(max_nodes=1000)   # of the fitted estimator",
        findings="print(treewright.check(X, y))",
        smaller=lambda n_leaves: f"{kind}(max_leaf_nodes={n_leaves})",
        as_classes=kind.replace("Regressor", "Classifier"),
    )


def _changed(estimator: Any) -> dict[str, Any]:
    """Return the parameters that are not as usual."""
    usual = type(estimator)().get_params(deep=False)
    given = estimator.get_params(deep=False)
    return {key: each for key, each in given.items() if repr(each) != repr(usual[key])}
