"""The protocol, and a short run of the table."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from breiman import run
from breiman.methods import our_boosting, our_forests, trees_out_of_bag
from breiman.published import ROWS
from breiman.run import main, run_set
from breiman.second_opinion import as_numbers, sklearn_boosting, sklearn_forests
from breiman.trials import NOT_CAST, trials
from conformance.datasets import DATA

needs_shared = pytest.mark.skipif(
    not (DATA / "datasets.json").is_file(),
    reason="the shared data sets are not beside the repository",
)


def first_trial(name):
    return next(trials(ROWS[name], 1))


@needs_shared
def test_a_tenth_is_held_out_at_random():
    first, second = trials(ROWS["glass"], 2)
    again, _ = trials(ROWS["glass"], 2)
    assert (len(first.train), len(first.test)) == (193, 21)
    assert first.test.equals(again.test)
    assert not first.test.equals(second.test)
    both = first.train.vstack(first.test)
    whole = second.train.vstack(second.test)
    assert both.sort(both.columns).equals(whole.sort(whole.columns))


@needs_shared
def test_large_sets_have_the_published_test_rows():
    first, second = trials(ROWS["satimage"], 2)
    assert (len(first.train), len(first.test)) == (4435, 2000)
    assert first.test.equals(second.test)
    assert first.seed != second.seed


@needs_shared
def test_vote_that_was_not_cast_is_a_third_value():
    trial = first_trial("votes")
    assert set(trial.train.to_series(0)) == {"n", "y", NOT_CAST}
    train, _ = as_numbers(trial.train, trial.test)
    assert set(np.unique(train)) == {0, 1, 2}


def test_synthetic_rows_are_drawn_afresh():
    first, second = trials(ROWS["twonorm"], 2)
    assert (len(first.train), len(first.test)) == (300, 3000)
    assert not first.train.equals(second.train)
    assert first.n_several == 5  # int(log2(20) + 1)


def test_selection_is_the_forest_that_out_of_bag_keeps():
    trial, row = first_trial("ringnorm"), ROWS["ringnorm"]
    errors = our_forests(trial, row)
    forest = tw.RandomForestClassifier(max_features="oob", random_state=trial.seed)
    forest.fit(trial.train, trial.y_train)
    assert errors["selection"] == trial.error_of(forest.predict(trial.test))
    chosen = "single" if forest.max_features_ == 1 else "several"
    assert errors["selection"] == errors[chosen]
    assert errors["one_tree"] == errors[f"one_tree_{chosen}"]


def test_single_trees_are_asked_about_rows_they_have_not_seen():
    """A tree of one row per leaf is right about its own rows, so it is found out."""
    trial = first_trial("twonorm")
    forest = tw.RandomForestClassifier(5, random_state=trial.seed)
    forest.fit(trial.train, trial.y_train)
    said = forest.classes_[
        np.stack(
            [
                tree.label[nodes, 0]
                for tree, nodes in zip(
                    forest.trees_, forest.apply(trial.train).T, strict=True
                )
            ]
        )
    ]
    wrong = said != trial.y_train
    # rows of its bag are never wrong: all mistakes are among the others, about e^-1
    mistakes = wrong.mean()
    assert 100 * mistakes / np.exp(-1) == pytest.approx(
        trees_out_of_bag(forest, trial), rel=0.1
    )


@pytest.mark.slow
def test_short_run_is_near_the_published_figures():
    """Fresh draws need no data; bands are about six standard errors wide."""
    for name, bands in {
        "twonorm": {
            "selection": (2.9, 5.2),
            "single": (2.9, 4.4),
            "one_tree": (22, 28),
            "adaboost": (3.5, 6.5),
        },
        "ringnorm": {
            "selection": (3.0, 6.8),
            "single": (3.0, 6.2),
            "one_tree": (23, 29),
            "adaboost": (5.0, 9.0),
        },
    }.items():
        found = run_set(ROWS[name], ["forest", "adaboost"], 3)
        figures = {**found["forest"], **found["adaboost"]}
        for column, (low, high) in bands.items():
            assert low < figures[column].mean < high, (name, column)


@pytest.mark.slow
@needs_shared
def test_short_run_on_recorded_sets():
    for name, bands in {
        "breast-w": {"selection": (0.5, 6.0), "one_tree": (5.0, 8.0)},
        "votes": {"selection": (1.0, 8.0), "one_tree": (5.5, 9.5)},
    }.items():
        figures = run_set(ROWS[name], ["forest"], 3)["forest"]
        for column, (low, high) in bands.items():
            assert low < figures[column].mean < high, (name, column)


@pytest.mark.slow
def test_scikit_learn_agrees_on_the_same_rows():
    trial, row = first_trial("twonorm"), ROWS["twonorm"]
    ours, theirs = our_forests(trial, row), sklearn_forests(trial, row)
    assert ours.keys() == theirs.keys()
    # 3000 test rows at 3.5 %: a standard error of 0.34 each
    assert ours["single"] == pytest.approx(theirs["single"], abs=1.5)
    assert ours["one_tree_single"] == pytest.approx(theirs["one_tree_single"], abs=3)
    ours, theirs = our_boosting(trial, row), sklearn_boosting(trial, row)
    assert ours["adaboost"] == pytest.approx(theirs["adaboost"], abs=2)


@pytest.mark.slow
def test_command_prints_the_table_and_keeps_nothing_of_a_short_run(capsys, monkeypatch):
    monkeypatch.setattr(run, "keep", lambda new: pytest.fail("kept a short run"))
    short = ["--method", "forest", "--repeats", "2", "--processes", "1"]
    assert main(["twonorm", *short]) == 0
    captured = capsys.readouterr()
    head, row, *rest = captured.out.splitlines()
    assert "forest, F = 1" in head
    assert row.startswith("Twonorm  2")
    assert rest[-1] == "not among the data: Vehicle, Ecoli"
    assert captured.err.startswith("twonorm: ")


@pytest.mark.slow
def test_processes_give_the_same_figures():
    row = ROWS["twonorm"]
    with run._processes(2) as each:
        divided = run_set(row, ["adaboost"], 2, each)
    assert divided == run_set(row, ["adaboost"], 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["iris"], "no data set 'iris'; there are glass, "),
        (["ecoli"], "the data of 'ecoli' are not in the shared collection"),
        (["glass", "--repeats", "1"], "--repeats must be at least 2"),
        (["glass", "--processes", "0"], "--processes must be at least 1"),
    ],
)
def test_wrong_usage_is_one_line(arguments, message, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err
