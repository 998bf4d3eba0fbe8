"""Forests on the command line: fit, show, predict."""

from __future__ import annotations

import json
import re

import pytest

import treewright as tw

FOREST = (
    "--algorithm",
    "forest",
    "--set",
    "n_estimators=12",
    "--set",
    "random_state=1",
)


@pytest.fixture
def forest(run, tmp_path):
    path = tmp_path / "tennis.tw"
    result = run("fit", "tennis", *FOREST, "-o", path)
    assert result.exit_code == 0
    return path


def test_fit_says_how_good_a_forest_is(run):
    result = run("fit", "tennis", *FOREST)
    assert result.exit_code == 0
    for words in (
        "algorithm forest, n_estimators=12, random_state=1",
        "each node looks at 2 of 4 features",
        "12 trees of cart for PlayTennis; the answer is their mean share",
        "% out of bag",
        "strength",
        "permuted, in points (± 95 % interval over the trees)",
        "Outlook",
        "always saying Yes",
        "not saved: add -o tennis.tw",
    ):
        assert words in result.stdout
    assert "on the training rows" not in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_the_command_grows_the_forest_that_python_grows(run, forest):
    X, y = tw.datasets.tennis()
    again = tw.RandomForestClassifier(12, random_state=1, oob_score=True).fit(X, y)
    assert tw.load(forest).fingerprint() == again.fingerprint()
    assert f"{100 * again.oob_error_:.1f} %" in run("fit", "tennis", *FOREST).stdout


def test_numbers_are_predicted_too(run, write):
    rows = "".join(f"{k},{k % 7},{k * 3}\n" for k in range(60))
    data = write("numbers.csv", "a,b,y\n" + rows)
    result = run("fit", data, "--target", "y", *FOREST)
    assert result.exit_code == 0
    assert "root of the mean squared error" in result.stdout
    assert "out of bag" in result.stdout


def test_other_trees_and_the_number_of_features_by_out_of_bag_rows(run):
    options = ("--set", "dialect=id3", "--set", "max_features=oob")
    result = run("fit", "tennis", *FOREST, *options)
    assert "12 trees of id3 for PlayTennis" in result.stdout
    assert "which had the smallest" in result.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "echoed"),
    [
        (("forest", "dialect=c45", "max_depth=2"), "forest, dialect=c45, max_depth=2"),
        (("forest", "dialect=cart", "max_depth=2"), "forest, max_depth=2"),  # as usual
        (("extra-trees", "dialect=id3"), "extra-trees, dialect=id3"),
        (("adaboost", "dialect=j48"), "adaboost, dialect=j48"),
        (("adaboost", "boosting=c50"), "adaboost, boosting=c50"),
        (("c45rules", "dialect=j48"), "c45rules, dialect=j48"),
    ],
)
def test_fit_says_whose_trees_they_are(run, typed, echoed):
    algorithm, *settings = typed
    options = [word for one in settings for word in ("--set", one)]
    output = run("fit", "tennis", "--algorithm", algorithm, *options).stdout
    assert f"\nalgorithm {echoed}\n" in output


def test_a_seed_is_told_that_nobody_gave(run):
    again = "another run gives these trees with random_state="
    options = ("--algorithm", "forest", "--set", "n_estimators=3")
    assert again in run("fit", "tennis", *options).stdout
    assert again not in run("fit", "tennis", *FOREST).stdout


@pytest.mark.parametrize("rows", ["1,5.5\n2,5.5\n3,5.5\n4,5.5\n", "1,a\n"])
def test_a_target_that_says_nothing_is_no_fault(run, write, rows):
    data = write("same.csv", "x,y\n" + rows)
    result = run("fit", data, "--target", "y", *FOREST)
    assert result.exit_code == 0
    assert "12 trees" in result.stdout


def test_a_list_of_numbers_of_features_can_be_typed(run):
    result = run("fit", "tennis", *FOREST, "--set", "max_features=1,3")
    words = " ".join(result.stdout.split())
    assert "(1: " in words
    assert "3: " in words


def test_help_lists_the_switches_of_forests(run):
    text = run("fit", "--help").stdout
    assert "n_estimators" in text
    assert "max_features" in text


def test_without_bags_there_is_no_honest_error_to_print(run):
    result = run("fit", "tennis", *FOREST, "--set", "bootstrap=false")
    assert result.exit_code == 0
    assert "out of bag" not in result.stdout


def test_show_gives_figures_and_one_tree(run, forest):
    whole = run("show", forest)
    assert whole.exit_code == 0
    assert whole.stdout.startswith("12 trees of cart for PlayTennis")
    assert "% out of bag" in whole.stdout
    assert "accuracy lost out of bag" in whole.stdout
    assert f"show {forest} --tree 1" in whole.stdout
    one = run("show", forest, "--tree", "12")
    assert one.exit_code == 0
    assert one.stdout.startswith("tree 12 of 12\n\n")
    assert "Outlook" in one.stdout
    drawn = run("show", forest, "--tree", "12", "--format", "dot")
    assert drawn.stdout.startswith("digraph")


def test_predict_and_explore_take_a_forest(run, forest, write, tmp_path):
    data = write("new.csv", "Outlook,Temperature,Humidity,Wind\nSunny,Hot,High,Weak\n")
    assert "No" in run("predict", forest, data).stdout
    page = tmp_path / "page.html"
    assert run("explore", forest, "--tree", "3", "-o", page).exit_code == 0
    assert page.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "MODEL", "--tree", "13"), "there is no tree 13; the forest has"),
        (("show", "MODEL", "--tree", "0"), "there is no tree 0"),
        (("show", "MODEL", "--format", "svg"), "--format svg is for one tree"),
        (("show", "MODEL", "--max-depth", "2"), "--max-depth is for one tree"),
        (("explore", "MODEL"), "has 12 trees, and a page shows one"),
        (("fit", "tennis", *FOREST, "--set", "max_features=9"), "max_features is 9"),
        (("fit", "tennis", *FOREST, "--set", "pruning=error_based"), "not pruned"),
        (("fit", "tennis", *FOREST, "--set", "dialect=c5"), "dialect is 'c5'"),
        (
            ("fit", "tennis", *FOREST, "--set", "ntrees=5"),
            "unknown setting 'ntrees'; here it is called 'n_estimators'",
        ),
        (
            ("fit", "tennis", *FOREST, "--set", "max_feature=1"),
            "unknown setting 'max_feature'; did you mean 'max_features'?",
        ),
        (
            ("fit", "tennis", "--set", "n_estimators=5"),
            "'n_estimators'; it goes with --algorithm forest or",
        ),
        (("fit", "tennis", *FOREST, "--set", "random_state=-1"), "random_state is -1"),
        (("fit", "tennis", *FOREST, "--set", "random_state=x"), "random_state is 'x'"),
    ],
)
def test_bad_input_is_one_clear_line(run, forest, words, said):
    result = run(*[forest if word == "MODEL" else word for word in words])
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert len(result.stderr.strip().splitlines()) <= 3


def test_other_commands_grow_single_trees(run):
    result = run("missing", "tennis", "--algorithm", "forest")
    assert result.exit_code == 2
    assert "'forest' is not one of" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [
        ("--set", "nominal_splits=one_value"),
        ("--set", "dialect=c45", "--set", "zero_gain=false"),
        ("--set", "dialect=aima"),
        ("--set", "dialect=c45", "--set", "gain_guard=none"),
    ],
)
def test_a_loaded_forest_has_every_switch_it_was_made_with(run, tmp_path, more):
    path = tmp_path / "tennis.tw"
    assert run("fit", "tennis", *FOREST, *more, "-o", path).exit_code == 0
    forest = tw.load(path)
    before = forest.fingerprint()
    X, y = tw.datasets.tennis()
    assert forest.fit(X, y).fingerprint() == before
    name, value = more[-1].split("=")
    if name != "dialect":
        assert str(forest.switches[name]).lower() == value


def test_a_loaded_forest_has_its_intervals_and_costs(run, write, tmp_path):
    rows = "".join(f"{k % 13},{k % 7},{'ab'[k % 13 > 5]}\n" for k in range(80))
    data = write("few.csv", "u,v,y\n" + rows)
    costs = write("costs.csv", "actual,a,b\na,0,5\nb,1,0\n")
    path = tmp_path / "few.tw"
    options = ("--discretize", "quartiles", "--costs", costs, "-o", path)
    result = run("fit", data, "--target", "y", *FOREST, *options)
    assert result.exit_code == 0, result.stderr
    forest = tw.load(path)
    before = forest.fingerprint()
    table = tw.read_table(data)
    again = forest.fit(table.drop("y"), table["y"])
    assert again.fingerprint() == before
    assert forest.discretize == {None: "quartiles"}


def test_a_compact_file_predicts_the_same_and_refuses_the_rest(run, forest, tmp_path):
    small = tmp_path / "small.tw"
    result = run("compact", forest, "-o", small)
    assert result.exit_code == 0
    assert result.stdout.startswith("12 trees, ")
    assert small.stat().st_size < forest.stat().st_size
    X, _ = tw.datasets.tennis()
    X.write_csv(tmp_path / "rows.csv")
    said = run("predict", forest, tmp_path / "rows.csv").stdout
    assert run("predict", small, tmp_path / "rows.csv").stdout == said
    said = run("predict", forest, "tennis")
    assert "always saying Yes: 5" in said.stderr
    assert run("predict", small, "tennis").stderr == said.stderr
    # what was measured goes with it
    assert "permuted" in run("show", small).stdout
    refused = run("show", small, "--tree", "1")
    assert refused.exit_code == 2
    assert "this model is compact" in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert run("compact", forest, "-o", forest).exit_code == 2


def test_a_forest_of_the_command_line_is_handled_in_python(forest):
    X, y = tw.datasets.tennis()
    at_once = tw.RandomForestClassifier(15, random_state=1, oob_score=True).fit(X, y)
    more = tw.load(forest).add_trees(3, X, y)
    assert more.fingerprint() == at_once.fingerprint()
    assert more.oob_error_ == at_once.oob_error_
    assert more.max_features_ == at_once.max_features_ == 2


def test_fit_says_how_large_a_forest_is(run):
    stdout = run("fit", "tennis", *FOREST).stdout
    [line] = [line for line in stdout.splitlines() if "treewright compact" in line]
    assert line.startswith("12 trees, ")


def test_show_prints_what_fit_has_measured(run, forest):
    fitted = run("fit", "tennis", *FOREST).stdout
    shown = run("show", forest).stdout
    figures = fitted[fitted.index("12 trees of") : fitted.index("\n\n12 trees, ")]
    assert "Temperature" in figures
    assert shown.startswith(figures)
    measures = tw.load(forest).measure()
    assert f"{100 * measures.importances[0]:.1f} ± " in shown


def test_a_forest_of_the_command_line_is_measured_in_python(forest):
    X, y = tw.datasets.tennis()
    loaded = tw.load(forest)
    kept = loaded.measure()
    again = loaded.measure(X, y)
    assert kept.importances.tolist() == again.importances.tolist()
    assert kept.strength == again.strength
    assert len(loaded.outliers()) == 14


def test_one_tree_is_chalked_as_python_does(run, forest):
    result = run("chalk", "tennis", *FOREST, "--tree", "3", "--format", "json")
    assert result.exit_code == 0, result.stderr
    X, y = tw.datasets.tennis()
    chalk = tw.load(forest).chalk(2, X, y)
    wanted, found = json.loads(chalk.to_json()), json.loads(result.stdout)
    assert found["steps"] == wanted["steps"]
    assert found["drawn"] == wanted["drawn"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (FOREST, "choose one: --tree 1"),
        (("--algorithm", "forest", "--tree", "1"), "--set random_state=N"),
        ((*FOREST, "--tree", "13"), "there is no tree 13"),
        (("--tree", "1"), "--tree is for --algorithm forest"),
        ((*FOREST, "--tree", "1", "--set", "max_features=oob"), "give the number"),
    ],
)
def test_a_tree_that_cannot_be_chalked_is_refused(run, options, words):
    result = run("chalk", "tennis", *options)
    assert result.exit_code == 2
    assert words in result.stderr


def test_extra_trees_draw_cuts_from_all_rows(run, tmp_path):
    path = tmp_path / "extra.tw"
    asked = ("--algorithm", "extra-trees", *FOREST[2:])
    result = run("fit", "tennis", *asked, "-o", path)
    assert result.exit_code == 0
    assert "algorithm extra-trees, n_estimators=12, random_state=1" in result.stdout
    assert "2 of 4 features, one drawn cut of each" in result.stdout
    assert "out of bag" not in result.stdout
    X, y = tw.datasets.tennis()
    again = tw.ExtraTreesClassifier(12, random_state=1).fit(X, y)
    assert tw.load(path).fingerprint() == again.fingerprint()
    bagged = run("fit", "tennis", *asked, "--set", "bootstrap=true")
    assert "out of bag" in bagged.stdout


@pytest.fixture
def points(tmp_path):
    """Numbers with a border between the classes that is not parallel to an axis."""
    places = [(x, y) for x in range(8) for y in range(8)]
    lines = [f"{x},{y},{'up' if x > y else 'down'}" for x, y in places]
    path = tmp_path / "points.csv"
    path.write_text("\n".join(["long,wide,side", *lines]))
    return path


SUMS = (*FOREST, "--set", "combined_features=2")


def test_combinations_are_set_and_shown(run, points, tmp_path):
    path = tmp_path / "sums.tw"
    result = run("fit", points, "--target", "side", *SUMS, "-o", path)
    assert result.exit_code == 0
    assert "each node looks at 1 weighted sum of 2 of 2 features" in result.stdout
    listing = run("show", path, "--tree", "1").stdout
    assert re.search(r"[\d.]+ (long|wide) [+-] [\d.]+ (long|wide)", listing)


@pytest.mark.parametrize(
    ("command", "options", "words"),
    [
        ("fit", (*SUMS, "--nominal", "wide"), "feature 'wide' is nominal"),
        ("fit", ("--algorithm", "extra-trees", *SUMS[2:]), "extra trees draw cuts of"),
        ("chalk", (*SUMS, "--tree", "1"), "combined_features cuts sums"),
    ],
)
def test_combinations_are_refused_in_one_line(run, points, command, options, words):
    result = run(command, points, "--target", "side", *options)
    assert result.exit_code > 0
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_out_of_bag_error_is_one_line(run):
    result = run("fit", "tennis", *FOREST)
    [line] = [one for one in result.stdout.splitlines() if " of 14, each by" in one]
    assert line.startswith("  out of bag ")
    assert line.endswith(", each by trees that have not seen it")
