"""Parameters: checked when a tree is fitted, with what is allowed."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest

from refusals import refused
from treewright import (
    C45Classifier,
    C45RulesClassifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    RandomForestClassifier,
    TreeClassifier,
)
from treewright.errors import DataError, SettingError, TreewrightError

X = [[1.0], [2.0], [3.0], [4.0]]
Y = [0, 0, 1, 1]

OUT_OF_RANGE = {
    "row37-depth-negative": ("max_depth", -1, "None", 1),
    "row37-depth-text": ("max_depth", "3", "None", 1),
    "row37-depth-nan": ("max_depth", math.nan, "None", 1),
    "row37-rows-zero": ("min_samples_leaf", 0, 1, "0 and 1"),
    "row37-rows-nan": ("min_samples_leaf", math.nan, 1, "0 and 1"),
    "row37-gain-negative": ("min_gain", -1, 0),
    "row37-gain-text": ("min_gain", "a", 0),
    "row37-gain-nan": ("min_gain", math.nan, 0),
    "row37-choice": (
        "missing",
        "drop",
        "'error', 'own_branch', 'majority', 'fractional', 'learned', 'most_common', "
        "'most_common_in_node', 'most_common_in_class', 'surrogates'",
    ),
    "row40-no-threads": ("n_jobs", 0, "None", -1, 1),
    "row40-text": ("n_jobs", "all", "None"),
}


@pytest.mark.parametrize("case", OUT_OF_RANGE)
@pytest.mark.parametrize("estimator", [CARTClassifier, CARTRegressor, ID3Classifier])
def test_out_of_range_is_refused_at_fit(estimator, case):
    name, value, *allowed = OUT_OF_RANGE[case]
    tree = estimator(**{name: value})  # the constructor checks nothing
    with refused(SettingError, name, repr(value), *allowed) as refusal:
        tree.fit(X, Y)
    assert isinstance(refusal.value, ValueError)


@pytest.mark.parametrize("confidence", [2.0, 1.0, 0, -0.1, math.nan, math.inf, "0.25"])
@pytest.mark.parametrize(
    "estimator",
    [
        C45Classifier(),
        C45RulesClassifier(),
        TreeClassifier(pruning="error_based"),
        TreeClassifier(pruning=None),  # a switch is checked even if it is not used
    ],
    ids=["row37-c45", "row37-c45rules", "row37-tree", "row37-unused"],
)
def test_confidence_of_pruning_out_of_range(estimator, confidence):
    with refused(SettingError, "confidence", repr(confidence), "0 and 1"):
        estimator.set_params(confidence=confidence).fit(X, Y)


def test_row37_confidence_within_range_is_taken():
    rows = [[float(at)] for at in range(10)]
    classes = list("aaaaaaabba")
    leaves = [
        C45Classifier(confidence=confidence).fit(rows, classes).get_n_leaves()
        for confidence in (1e-9, np.float32(0.25), 1 - 1e-9)
    ]
    assert leaves == [1, 2, 2]  # smaller prunes more


def test_row37_numpy_scalars_are_numbers():
    tree = CARTClassifier(
        max_depth=np.int64(1), min_samples_leaf=np.uint8(2), min_gain=np.float32(0.25)
    )
    assert tree.fit(X, Y).predict(X).tolist() == Y


@pytest.mark.parametrize(
    "make", [CARTClassifier, lambda **k: CARTClassifier().set_params(**k)]
)
def test_row38_misspelt_name_gets_a_suggestion(make):
    names = ("CARTClassifier", "'max_dpeth'", "'max_depth'")
    with refused(TreewrightError, *names) as refusal:
        make(max_dpeth=3)
    assert isinstance(refusal.value, TypeError)


def test_row38_name_like_no_other_gets_the_list():
    known = sorted(inspect.signature(CARTClassifier).parameters)
    with refused(TypeError, "CARTClassifier", "'zzz'", ", ".join(known)):
        CARTClassifier(zzz=3)


NUMERIC = "feature 'Degrees' is numeric, and id3 splits nominal features only; "


def test_row39_numbers_for_id3():
    ways = (
        *("discretize='quartiles'", "--discretize quartiles"),
        *("feature_kinds={'Degrees': 'nominal'}", "--nominal Degrees", "cart"),
    )
    with refused(DataError, "feature 'Degrees'", "id3", *ways):
        ID3Classifier().fit({"Degrees": [20, 18, 9, 30]}, Y)


@pytest.mark.parametrize(
    ("estimator", "criterion"),
    [(CARTClassifier, "squared_error"), (CARTRegressor, "gini")],
    ids=["row39-classifier", "row39-regressor"],
)
def test_criterion_of_the_other_task(estimator, criterion):
    names = ("criterion", repr(criterion), estimator.__name__, "classes", "numbers")
    with refused(SettingError, *names):
        estimator(criterion=criterion).fit(X, Y)


@pytest.mark.parametrize("criterion", [lambda *counts: 0.5, math.sqrt, "", "entropie"])
def test_row41_criterion_is_a_name(criterion):
    known = (
        "'entropy', 'gain_ratio', 'gini', 'classification_error', 'squared_error', "
        "'absolute_error'"
    )
    with refused(SettingError, "criterion", repr(criterion), known):
        CARTClassifier(criterion=criterion).fit(X, Y)


def test_row42_what_a_callback_raises_goes_through():
    enough = RuntimeError("enough")

    def angry(done, total):
        raise enough

    forest = RandomForestClassifier(3, random_state=0).fit(X, Y)
    before = forest.fingerprint()
    with pytest.raises(RuntimeError) as caught:
        forest.set_params(n_estimators=500).fit(X * 500, Y * 500, progress=angry)
    assert caught.value is enough
    assert forest.fingerprint() == before


@pytest.mark.slow
def test_row42_a_callback_that_stops_keeps_the_trees_so_far():
    forest = RandomForestClassifier(100_000, random_state=0, n_jobs=1)
    forest.fit(X * 50, Y * 50, progress=lambda done, total: done < 1)
    n_trees = len(forest.trees_)
    assert 1 <= n_trees < 100_000
    assert f"growing was stopped after {n_trees} of 100000 trees" in forest.notes_
    smaller = RandomForestClassifier(n_trees, random_state=0).fit(X * 50, Y * 50)
    assert forest.fingerprint() == smaller.fingerprint()


@pytest.mark.parametrize("n_jobs", [None, -1, 1, 10**6])
def test_row40_threads_are_all_cores_or_capped_with_a_note(n_jobs, monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1}, raising=False)
    tree = CARTClassifier(n_jobs=n_jobs).fit(X, Y)
    assert tree.predict(X).tolist() == Y
    note = "n_jobs is 1000000; 8 threads are enough here"
    assert tree.notes_ == ((note,) if n_jobs == 10**6 else ())


TYPED = {
    "row37-typed": (
        ["--set", "max_depth=-1"],
        "max_depth is -1; it must be None or a whole number from 1 up",
    ),
    "row38-typed": (
        ["--set", "max_dpeth=1"],
        "unknown setting 'max_dpeth'; did you mean 'max_depth'?",
    ),
    "row39-typed": (
        ["--algorithm", "id3"],
        NUMERIC + "divide it into intervals (--discretize quartiles), declare it "
        "nominal (--nominal Degrees), leave it out, or use cart",
    ),
    "row40-typed": (["--jobs", "0"], "--jobs is 0; it must be -1 or at least 1"),
}


@pytest.mark.parametrize("case", TYPED)
def test_refused_on_the_command_line(case, run, write):
    words, message = TYPED[case]
    write("t.csv", "Degrees,y\n1,a\n2,b\n")
    result = run("fit", "t.csv", "--target", "y", *words)
    assert result.stderr == f"treewright: {message}\n"
    assert result.exit_code == (1 if "numeric" in message else 2)


def test_row40_capped_threads_are_said_and_not_kept(run, monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1}, raising=False)
    shown = run("fit", "tennis", "--jobs", "1000000", "-o", "t.tw").stdout
    assert "\nnote: --jobs is 1000000; 8 threads are enough here\n" in shown
    assert "threads" not in run("show", "t.tw", "--format", "json").stdout
