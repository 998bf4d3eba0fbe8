"""Random forests: fitting, predicting many rows, predicting one row.

100 trees to purity, two threads, sqrt(M) features at a node, bootstrap, everyone with
the same rows; the error on rows that nobody has seen is printed beside the time, so
that nobody is quicker by being worse. ranger runs in R: its time is that of the call,
as R measures it. Needs ../shared/data for Covertype and Debian's r-cran-ranger.

scikit-learn and ranger score by Gini and look at floor(sqrt(M)) features; YDF scores by
entropy and looks at ceil(sqrt(M)). On Covertype that alone is worth more than a point
of error, so ours is fitted a second time with YDF's settings, and YDF is compared with
that one, in time and in error.
"""

from __future__ import annotations

import math
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from measure import Goal, heading, interleaved, table
from peers import N_JOBS, ydf_columns

sys.path.append(str(Path(__file__).resolve().parents[1]))
from conformance.datasets import DATA, load

Array = npt.NDArray[Any]
N_TREES = 100
N_TEST = 20_000
N_WARM_UP = 500
SKLEARN, YDF, RANGER, OURS = "scikit-learn", "YDF", "ranger", "treewright"
LIKE_YDF = "treewright, as YDF"
FASTER = {SKLEARN: 6.0, YDF: 3.0, RANGER: 3.0}
# the forest of ours that each is compared with, and its settings in a goal's name
BESIDE = {
    SKLEARN: (OURS, "gini, floor"),
    YDF: (LIKE_YDF, "entropy, ceil"),
    RANGER: (OURS, "gini, floor"),
}
PREDICTS_FASTER, ONE_ROW, WORSE = 5.0, 50.0, 0.005
_R = """
library(ranger)
d <- read.csv("{train}"); t <- read.csv("{test}")
d$y <- factor(d$y); n <- ncol(d) - 1
s <- system.time(f <- ranger(y ~ ., d, num.trees = {trees}, num.threads = {threads},
  min.node.size = 1, mtry = floor(sqrt(n)), write.forest = TRUE))
cat(s[["elapsed"]], mean(predict(f, t, num.threads = 2)$predictions != t$y), "\\n")
"""


def synthetic(n_rows: int) -> tuple[Array, Array]:
    """Rows with 20 numbers and two noisy classes."""
    random = np.random.default_rng(0)
    rows = random.normal(size=(n_rows, 20)).astype(np.float32)
    signal = (
        rows[:, 0] + rows[:, 1] * rows[:, 2] + rows[:, 3] + random.normal(size=n_rows)
    )
    return rows, (signal > 0).astype(np.int64)


def covertype(n_rows: int) -> tuple[Array, Array]:
    """Rows of Covertype, drawn once."""
    data = load("covertype")
    rows = data.inputs.to_numpy().astype(np.float32)
    y = data.target.cast(str).to_numpy()
    y = np.unique(y, return_inverse=True)[1]
    chosen = np.random.default_rng(0).permutation(len(y))[:n_rows]
    return rows[chosen], y[chosen].astype(np.int64)


def fit_ours(rows: Array, y: Array, **settings: Any) -> Any:
    import treewright

    return treewright.RandomForestClassifier(
        N_TREES, random_state=0, n_jobs=N_JOBS, **settings
    ).fit(rows, y)


def fit_like_ydf(rows: Array, y: Array) -> Any:
    """Fit ours with YDF's criterion and its number of features."""
    n_looked = math.ceil(math.sqrt(rows.shape[1]))
    return fit_ours(rows, y, criterion="entropy", max_features=n_looked)


def fit_sklearn(rows: Array, y: Array) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(N_TREES, random_state=0, n_jobs=N_JOBS).fit(rows, y)


def fit_ydf(rows: Array, y: Array) -> Any:
    import ydf

    ydf.verbose(0)
    columns = ydf_columns(rows, y)
    learner = ydf.RandomForestLearner(
        label="y",
        num_trees=N_TREES,
        max_depth=-1,
        min_examples=1,
        num_candidate_attributes=0,  # the square root of their number, upwards
        compute_oob_performances=False,
        winner_take_all=False,
        num_threads=N_JOBS,
    )
    return learner.train(columns)


def ydf_error(model: Any, rows: Array, y: Array) -> float:
    said = model.predict(ydf_columns(rows, y))
    said = said > 0.5 if said.ndim == 1 else said.argmax(axis=1)
    return float(np.mean(said != y))


def ranger(
    rows: Array, y: Array, test_rows: Array, y_test: Array
) -> tuple[float, float]:
    """Seconds and error of ranger; NaN if it cannot be run."""
    if shutil.which("Rscript") is None:
        return float("nan"), float("nan")
    with tempfile.TemporaryDirectory() as folder:
        names = ",".join([*(f"x{k}" for k in range(rows.shape[1])), "y"])
        paths = {}
        for name, table_, target in (("train", rows, y), ("test", test_rows, y_test)):
            paths[name] = f"{folder}/{name}.csv"
            both = np.column_stack([table_, target])
            np.savetxt(
                paths[name], both, delimiter=",", fmt="%.9g", header=names, comments=""
            )
        script = _R.format(**paths, trees=N_TREES, threads=N_JOBS)
        run = subprocess.run(
            ["Rscript", "-e", script], capture_output=True, text=True, check=False
        )
    if run.returncode != 0:
        print("ranger not measured: install Debian's package r-cran-ranger")
        return float("nan"), float("nan")
    seconds, error = map(float, run.stdout.split())
    return seconds, error


def compare(name: str, rows: Array, y: Array, repeats: int) -> list[Goal]:
    """Fit with everyone in turns."""
    train, test = slice(0, len(y) - N_TEST), slice(len(y) - N_TEST, None)
    fits: dict[str, Callable[[Array, Array], Any]] = {
        OURS: fit_ours,
        SKLEARN: fit_sklearn,
        LIKE_YDF: fit_like_ydf,
        YDF: fit_ydf,
    }
    models: dict[str, Any] = {}
    for fit_any in fits.values():  # imports and first calls are not timed
        fit_any(rows[:N_WARM_UP], y[:N_WARM_UP])

    def job(who: str) -> Callable[[], None]:
        def fit() -> None:
            models[who] = fits[who](rows[train], y[train])

        return fit

    jobs = {who: job(who) for who in fits}
    times = interleaved(jobs, repeats=repeats, models=models)
    errors = {
        who: float(np.mean(models[who].predict(rows[test]) != y[test]))
        for who in (OURS, SKLEARN, LIKE_YDF)
    }
    errors[YDF] = ydf_error(models[YDF], rows[test], y[test])
    times[RANGER], errors[RANGER] = ranger(rows[train], y[train], rows[test], y[test])
    table(
        (f"{name}: {len(y) - N_TEST:,} x {rows.shape[1]}", "seconds", "error"),
        ((who, f"{times[who]:.2f}", f"{100 * errors[who]:.2f} %") for who in times),
    )
    goals = []
    for who, bound in FASTER.items():
        if math.isnan(times[who]):
            continue
        ours, settings = BESIDE[who]
        faster = times[who] / times[ours]
        worse = 100 * (errors[ours] - errors[who])
        about = f"{name} ({settings}): {who}"
        goals += [
            Goal(f"{about}'s time / ours", faster, ">=", bound, "x"),
            Goal(f"{about}, error above theirs", worse, "<=", 100 * WORSE, " %"),
        ]
    return [*goals, *predicting(name, models[OURS], models[SKLEARN], rows, repeats)]


def extra_trees(rows: Array, y: Array, repeats: int) -> list[Goal]:
    """Fit extra trees, ours and scikit-learn's, in turns."""
    from sklearn.ensemble import ExtraTreesClassifier

    import treewright

    train, test = slice(0, len(y) - N_TEST), slice(len(y) - N_TEST, None)
    forests = {
        OURS: treewright.ExtraTreesClassifier,
        SKLEARN: ExtraTreesClassifier,
    }
    models: dict[str, Any] = {}

    def job(who: str) -> Callable[[], None]:
        def fit() -> None:
            forest = forests[who](N_TREES, random_state=0, n_jobs=N_JOBS)
            models[who] = forest.fit(rows[train], y[train])

        return fit

    jobs = {who: job(who) for who in forests}
    times = interleaved(jobs, repeats=repeats, models=models)
    errors = {
        who: float(np.mean(model.predict(rows[test]) != y[test]))
        for who, model in models.items()
    }
    table(
        (f"extra trees: {len(y) - N_TEST:,} x {rows.shape[1]}", "seconds", "error"),
        ((who, f"{times[who]:.2f}", f"{100 * errors[who]:.2f} %") for who in times),
    )
    worse = 100 * (errors[OURS] - errors[SKLEARN])
    return [Goal("extra trees: error above theirs", worse, "<=", 100 * WORSE, " %")]


def predicting(
    name: str, ours: Any, theirs: Any, rows: Array, repeats: int
) -> list[Goal]:
    """Predict 100 000 rows, and one."""
    many = np.resize(rows, (100_000, rows.shape[1])).astype(np.float64)
    jobs = {
        OURS: lambda: ours.predict_proba(many),
        SKLEARN: lambda: theirs.predict_proba(many),
    }
    ours.predict_proba(many[:10])
    times = interleaved(jobs, repeats=2 * repeats + 1)
    table(
        ("predicting 100,000 rows", "seconds"),
        ((who, f"{each:.3f}") for who, each in times.items()),
    )
    one = many[:1].copy()
    micro = []
    for _ in range(2000):
        start = time.perf_counter()
        ours.predict_proba(one)
        micro.append(1e6 * (time.perf_counter() - start))
    faster = times[SKLEARN] / times[OURS]
    return [
        Goal(f"{name}: predicting, faster", faster, ">=", PREDICTS_FASTER, "x"),
        Goal(f"{name}: one row", statistics.median(micro), "<=", ONE_ROW, " us"),
    ]


def run(*, quick: bool, repeats: int) -> list[Goal]:
    """Compare forests on numbers, and on Covertype."""
    heading("Random forests")
    n_rows = 5_000 if quick else 50_000
    numbers = synthetic(n_rows + N_TEST)
    goals = compare("numbers", *numbers, 1 if quick else repeats)
    goals += extra_trees(*numbers, 1 if quick else repeats)
    if not DATA.exists():
        print("Covertype not measured: no ../shared/data")
        return goals
    forest = covertype((5_000 if quick else 100_000) + N_TEST)
    return goals + compare("covertype", *forest, 1 if quick else repeats)
