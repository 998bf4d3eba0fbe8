"""Boosted trees on the command line: fit, show, predict, explore."""

from __future__ import annotations

import pytest

import treewright as tw

BOOST = ("--algorithm", "adaboost", "--set", "n_estimators=12")


@pytest.fixture
def boosted(run, tmp_path):
    path = tmp_path / "tennis.tw"
    result = run("fit", "tennis", *BOOST, "-o", path)
    assert result.exit_code == 0
    return path


def test_fit_says_what_the_rounds_were_like(run):
    result = run("fit", "tennis", *BOOST)
    assert result.exit_code == 0
    model = tw.AdaBoostClassifier(12).fit(*tw.datasets.tennis())
    first, last = 100 * model.estimator_errors_[[0, -1]]
    wrong = 1 - model.score(*tw.datasets.tennis())
    words = " ".join(result.stdout.split())
    for said in (
        "algorithm adaboost, n_estimators=12",
        "12 trees of cart for PlayTennis; the answer is the class with the most votes",
        f"12 trees: error of the first {first:.1f} %, of the last {last:.1f} %",
        f"all trees, training rows {100 * wrong:.1f} %",
        "too good, shown for comparison",
        "always saying Yes",
        "not saved: add -o tennis.tw",
    ):
        assert said in words
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_the_command_boosts_the_trees_that_python_boosts(boosted):
    X, y = tw.datasets.tennis()
    again = tw.AdaBoostClassifier(12).fit(X, y)
    loaded = tw.load(boosted)
    assert isinstance(loaded, tw.AdaBoostClassifier)
    assert loaded.fingerprint() == again.fingerprint()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        (("boosting=m1", "max_depth=2"), {"boosting": "m1", "max_depth": 2}),
        (("dialect=c45", "confidence=0.1"), {"dialect": "c45", "confidence": 0.1}),
        (("learning_rate=0.5",), {"learning_rate": 0.5}),
        (("boosting=c50",), {"boosting": "c50"}),
        (("dialect=c50",), {"dialect": "c50"}),
        (("max_depth=none",), {"max_depth": "none"}),
        (
            ("by=resampling", "random_state=4"),
            {"by": "resampling", "random_state": 4},
        ),
    ],
)
def test_switches_reach_the_trees(run, tmp_path, options, parameters):
    path = tmp_path / "m.tw"
    words = [word for option in options for word in ("--set", option)]
    assert run("fit", "tennis", *BOOST, *words, "-o", path).exit_code == 0
    wanted = tw.AdaBoostClassifier(12, **parameters).fit(*tw.datasets.tennis())
    loaded = tw.load(path)
    assert loaded.fingerprint() == wanted.fingerprint()
    for name, value in parameters.items():
        assert loaded.get_params()[name] == value


def test_a_seed_is_told_where_there_are_draws(run):
    drawn = run("fit", "tennis", *BOOST, "--set", "by=resampling")
    assert "another run gives these trees with random_state=" in drawn.stdout
    assert "random_state" not in run("fit", "tennis", *BOOST).stdout
    given = ("--set", "by=resampling", "--set", "random_state=4")
    assert "another run" not in run("fit", "tennis", *BOOST, *given).stdout


def test_an_early_end_is_told(run, write):
    data = write("d.csv", "x,y\n" + "1,a\n2,a\n3,b\n4,b\n" * 3)
    result = run("fit", data, "--target", "y", *BOOST)
    assert "boosting ended: tree 1 has no errors" in result.stdout
    assert "1 tree: error 0.0 %" in result.stdout


def test_show_gives_figures_and_one_tree(run, boosted):
    whole = run("show", boosted)
    assert whole.exit_code == 0
    assert whole.stdout.startswith("12 trees of cart for PlayTennis")
    assert "  votes   0." in whole.stdout
    one = run("show", boosted, "--tree", "2")
    assert one.exit_code == 0
    assert "sums of row weights" in one.stdout
    weights = tw.load(boosted).model_.voting.weights
    vote, votes = f"{weights[1]:.5g}", f"{sum(weights):.5g}"
    first = f"tree 2 of 12; its vote weighs {vote}, all votes {votes}\n\n"
    assert one.stdout.startswith(first)
    assert '"kind": "votes"' in run("show", boosted, "--format", "json").stdout


def test_predict_and_explore_take_boosted_trees(run, boosted, write, tmp_path):
    data = write("new.csv", "Outlook,Temperature,Humidity,Wind\nSunny,Hot,High,Weak\n")
    found = run("predict", boosted, data, "--proba").stdout.splitlines()[-1].split(",")
    X, y = tw.datasets.tennis()
    wanted = tw.AdaBoostClassifier(12).fit(X, y).predict_proba(X[:1])[0]
    assert [float(share) for share in found[-2:]] == pytest.approx(list(wanted))
    page = tmp_path / "page.html"
    assert run("explore", boosted, "--tree", "3", "-o", page).exit_code == 0
    assert run("explore", boosted, "tennis", "--tree", "3", "-o", page).exit_code == 0
    assert page.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--set", "boosting=m2"), "boosting is 'm2'; it must be one of"),
        (("--set", "by=luck"), "by is 'luck'"),
        (("--set", "learning_rate=-1"), "learning_rate is -1"),
        (("--set", "n_estimators=0"), "n_estimators is 0"),
        (("--set", "dialect=c6"), "dialect is 'c6'; the trees can be cart"),
        (("--set", "trials=5"), "'trials'; here it is called 'n_estimators'"),
        (("--set", "learning_rat=1"), "did you mean 'learning_rate'?"),
        (("--set", "random_state=3"), "random_state is for by=resampling"),
    ],
)
def test_bad_input_is_one_clear_line(run, words, said):
    result = run("fit", "tennis", *BOOST, *words)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert len(result.stderr.strip().splitlines()) <= 3


def test_targets_and_costs_that_cannot_be_boosted_are_refused(run, write):
    rows = "".join(f"{k},{k * 3}.5\n" for k in range(30))
    data = write("n.csv", "a,y\n" + rows)
    result = run("fit", data, "--target", "y", *BOOST)
    assert result.exit_code == 1
    assert "holds numbers, and AdaBoost is for classes" in result.stderr
    costs = write("costs.csv", ",Yes,No\nYes,0,1\nNo,2,0\n")
    result = run("fit", "tennis", *BOOST, "--costs", costs)
    assert result.exit_code == 2
    assert "knows no costs" in " ".join(result.stderr.split())


def test_help_lists_the_switches(run):
    text = run("fit", "--help").stdout
    assert "learning_rate" in text
    assert "--algorithm adaboost" in text
