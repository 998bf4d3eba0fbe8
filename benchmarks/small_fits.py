"""Small tables: what a call costs where the rows cost nothing.

Tennis is the polars frame that `treewright.datasets.tennis()` gives, 14 rows of four
categories; the same rows as a dict of lists are timed beside it. Iris is a NumPy array
of 150 rows of four numbers, for both libraries. One row is answered by the tree of
iris, as a NumPy array of one row and as a list of one list, and by the tree of tennis
as a dict of one value each.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from measure import Goal, heading, interleaved, table
from treewright import C45Classifier, CARTClassifier, datasets

FITS, ROWS = 5, 50  # calls of one turn


def jobs() -> dict[str, Callable[[], Any]]:
    """All that is timed, by name."""
    frame, plays = datasets.tennis()
    columns = {name: frame[name].to_list() for name in frame.columns}
    said = plays.to_list()
    flowers, kinds = load_iris(return_X_y=True)
    tennis = C45Classifier().fit(columns, said)
    iris = CARTClassifier().fit(flowers, kinds)
    other = DecisionTreeClassifier().fit(flowers, kinds)
    array, one_list = flowers[:1], flowers[:1].tolist()
    one_dict = {name: values[:1] for name, values in columns.items()}
    return {
        "fit tennis, C45Classifier, polars": lambda: C45Classifier().fit(frame, plays),
        "fit tennis, C45Classifier, dict": lambda: C45Classifier().fit(columns, said),
        "fit iris, CARTClassifier": lambda: CARTClassifier().fit(flowers, kinds),
        "fit iris, scikit-learn": lambda: DecisionTreeClassifier().fit(flowers, kinds),
        "predict one row, NumPy": lambda: iris.predict(array),
        "predict one row, list": lambda: iris.predict(one_list),
        "predict one row, dict": lambda: tennis.predict(one_dict),
        "predict one row, scikit-learn": lambda: other.predict(array),
    }


def in_a_row(job: Callable[[], Any], n_calls: int) -> None:
    """Call a job again and again, as a program does that has little else to do."""
    for _ in range(n_calls):
        job()


def run(*, quick: bool, repeats: int) -> list[Goal]:
    """Do each job some times in a row, in turns."""
    repeats = 10 if quick else max(60, repeats)
    heading(
        f"Small tables: median of {repeats} turns of {FITS} fits, {ROWS} predictions"
    )
    todo = jobs()
    n_calls = {what: FITS if what.startswith("fit") else ROWS for what in todo}
    for job in todo.values():  # what is loaded on first use is no part of a call
        job()
    turns = interleaved(
        {what: partial(in_a_row, job, n_calls[what]) for what, job in todo.items()},
        repeats=repeats,
    )
    times = {what: time / n_calls[what] for what, time in turns.items()}
    table(
        ("", "microseconds"),
        ((what, f"{1e6 * time:,.0f}") for what, time in times.items()),
    )
    tennis = 1e3 * times["fit tennis, C45Classifier, polars"]
    iris = times["fit iris, CARTClassifier"] / times["fit iris, scikit-learn"]
    row = 1e6 * times["predict one row, NumPy"]
    return [
        Goal("fit tennis, 14 rows in a polars frame", tennis, "<=", 1, " ms"),
        Goal("fit iris, time over scikit-learn's", iris, "<=", 1),
        Goal("predict one row of a NumPy array", row, "<=", 60, " us"),
    ]
