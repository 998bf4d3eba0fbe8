"""`treewright fit`: what it reads, decides, prints and saves."""

from __future__ import annotations

from pathlib import Path

import pytest

from treewright.cli.options.algorithm import parse_value
from treewright.tree.file.save import load

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
MIXED = "size,colour,y\n1,red,a\n2,red,a\n3,blue,b\n4,blue,b\n"


def test_fit_tennis_prints_the_golden_report(run):
    expected = (GOLDEN / "cli_fit_tennis.txt").read_text(encoding="utf-8")
    assert run("fit", "tennis").stdout == expected


def test_built_in_table_takes_its_own_target_as_well(run):
    told = run("fit", "tennis", "--target", "PlayTennis")
    assert told.stdout == run("fit", "tennis").stdout


def test_all_nominal_features_choose_id3(run):
    output = run("fit", "tennis", "-o", "t.tw").stdout
    assert "algorithm id3, because every feature is nominal" in output
    assert load("t.tw").learner == "id3"


def test_a_numeric_feature_chooses_cart(run, write):
    output = run("fit", write("mixed.csv", MIXED), "--target", "y").stdout
    assert "algorithm cart, because 1 feature is numeric" in output


def test_a_chosen_algorithm_is_not_explained(run):
    output = run("fit", "tennis", "--algorithm", "aima").stdout
    assert "algorithm aima\n" in output


@pytest.mark.parametrize("values", [(1, 2, 0), (0.5, 0.5, 1)])
def test_numeric_target_is_predicted_as_a_number_and_says_so(run, write, values):
    rows = "".join(f"{k},{value}\n" for k, value in enumerate(values))
    write("n.csv", f"x,y\n{rows}")
    output = run("fit", "n.csv", "--target", "y", "-o", "n.tw").stdout
    n_values = len(set(values))
    assert f"y holds numbers ({n_values} different values), so a number is" in output
    assert "--nominal y" in output
    assert load("n.tw").schema.target.kind == "numbers"


@pytest.mark.parametrize("labels", [(0, 1), (1, 2)])
def test_two_whole_numbers_are_classes_and_the_report_says_so(run, write, labels):
    no, yes = labels
    write("n.csv", f"x,y\n1,{yes}\n2,{yes}\n3,{no}\n4,{no}\n")
    output = run("fit", "n.csv", "--target", "y", "-o", "n.tw").stdout
    assert "y holds 2 different whole numbers, so classes are predicted" in output
    assert "--numeric y" in output
    assert load("n.tw").schema.target.classes == (labels,)


@pytest.mark.parametrize(
    "words", [("--numeric", "y"), ("--set", "criterion=squared_error")]
)
def test_two_whole_numbers_are_numbers_if_said(run, write, words):
    write("n.csv", "x,y\n1,1\n2,1\n3,0\n4,0\n")
    result = run("fit", "n.csv", "--target", "y", *words, "-o", "n.tw")
    assert "classes are predicted" not in result.stdout
    assert load("n.tw").schema.target.kind == "numbers"


@pytest.mark.parametrize(
    "words", [("--nominal", "y"), ("--set", "criterion=gini"), ("--nominal", "x,y")]
)
def test_numeric_target_is_predicted_as_a_class_if_said(run, write, words):
    write("n.csv", "x,y\n1,1\n2,1\n3,0\n4,0\n")
    assert run("fit", "n.csv", "--target", "y", *words, "-o", "n.tw").exit_code == 0
    assert load("n.tw").schema.target.classes == ((0, 1),)


def test_several_targets_are_several_outputs(run, write):
    write("two.csv", "x,a,b\n1,u,v\n2,u,w\n3,t,w\n")
    result = run("fit", "two.csv", "--target", "a", "--target", "b", "-o", "two.tw")
    assert "error in a" in result.stdout
    assert load("two.tw").schema.target.names == ("a", "b")


def test_settings_reach_the_tree_and_the_report(run):
    output = run("fit", "tennis", "--set", "max_depth=1", "-o", "t.tw").stdout
    assert "algorithm id3, max_depth=1" in output
    assert load("t.tw").settings["max_depth"] == 1


def test_columns_are_used_as_said(run, write):
    write(
        "c.csv",
        'size,code,"a,b",skip,w,y\nS,1,x,q,1,u\nM,2,y,q,2,u\nL,3,x,q,1,v\nM,1,y,q,1,v\n',
    )
    words = ["--ordinal", "size=S<M<L", "--nominal", 'code,"a,b"', "--ignore", "skip"]
    result = run(
        "fit", "c.csv", "--target", "y", *words, "--weights", "w", "-o", "c.tw"
    )
    assert result.exit_code == 0, result.stderr
    features = {feature.name: feature for feature in load("c.tw").schema.features}
    assert {name: feature.kind for name, feature in features.items()} == {
        "size": "ordinal",
        "code": "nominal",
        "a,b": "nominal",
    }
    assert features["size"].categories == ("S", "M", "L")
    assert load("c.tw").trees[0].weight[0] == 5  # 1 + 2 + 1 + 1
    assert "skip    left out" in result.stdout
    assert "weight of the row" in result.stdout


def test_baseline_stands_beside_the_training_error(run, write):
    write("hard.csv", "x,y\na,u\na,v\na,u\nb,v\n")
    lines = run("fit", "hard.csv", "--target", "y").stdout.splitlines()
    # one of three u in x = a is a v; always saying u errs on both v
    training = next(line for line in lines if "on the training rows" in line)
    assert "25.0 %  1 of 4 (too good, shown for comparison)" in training
    assert any("always saying u" in line and "2 of 4" in line for line in lines)


@pytest.mark.parametrize("algorithm", ["id3", "aima"])
def test_branches_without_rows_are_no_errors(run, algorithm):
    output = run("fit", "restaurant", "--algorithm", algorithm).stdout
    # French has no rows and answers for its parent, which has two of each class
    assert "no rows" in output
    assert "12 training rows, 0 wrong" in output
    assert "0.0 %  0 of 12 (too good" in output


def test_saved_report_ends_with_the_next_commands(run):
    lines = run("fit", "tennis", "-o", "my model.tw").stdout.splitlines()
    assert lines[-3].startswith("saved my model.tw (")
    assert lines[-2:] == [
        "next: treewright show 'my model.tw'",
        "      treewright predict 'my model.tw' NEW.csv",
    ]


def test_unsaved_report_says_how_to_save(run):
    assert "not saved: add -o tennis.tw" in run("fit", "tennis").stdout
    assert list(Path().iterdir()) == []


def test_large_tree_is_shown_from_the_top(run, write):
    rows = "".join(f"{k},{k % 7 % 2}x\n" for k in range(200))
    output = run("fit", write("big.csv", f"x,y\n{rows}"), "--target", "y").stdout
    assert " below (#" in output
    assert "treewright show big.tw" in output
    assert len(output.splitlines()) < 60


def test_long_column_report_keeps_the_target(run, write):
    names = ",".join(f"c{k}" for k in range(60))
    row = ",".join("1" for _ in range(60))
    write("wide.csv", f"{names},y\n{row},a\n{row},b\n")
    output = run("fit", "wide.csv", "--target", "y").stdout
    assert "y       nominal       2        0  target" in output
    assert "and 43 more: 43 numeric" in output


def test_remarks_and_notes_are_in_the_report(run, write):
    write("odd.csv", "a,b,y\n1,k,u\n2,k,v\nx?,k,u\n")
    output = run("fit", "odd.csv", "--target", "y").stdout
    assert "not numeric because of 1 cell: 'x?'" in output
    assert "note: feature 'b': its only value is 'k'" in output


def test_ignored_columns_get_no_advice(run, write):
    write("odd.csv", "a,b,y\n1,k,u\n2,l,v\nn/a,k,u\n")
    output = run("fit", "odd.csv", "--target", "y", "--ignore", "a").stdout
    assert "not numeric" not in output


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ((), "missing values have a branch of their own"),
        (("--set", "missing=majority"), "missing values follow the heavier branch"),
    ],
)
def test_rule_for_missing_values_is_said(run, words, rule):
    assert f"{rule}\n" in run("fit", "watermelon_missing", *words).stdout


def test_ways_with_missing_values_are_compared_by_a_command_to_paste(run, write):
    write("gap.csv", "x,y,z\n1,a,1\n,b,2\n3,b,3\n1,a,4\n")
    words = ["--target", "y", "--ignore", "z", "--algorithm", "c45"]
    more = ["--set", "missing=fractional", "--set", "min_share=0.01"]
    output = run("fit", "gap.csv", *words, *more, "--set", "max_depth=2").stdout
    command = f"missing gap.csv {' '.join(words)} --set max_depth=2"
    joined = " ".join(output.replace("\\\n", " ").split())
    assert f"compare the ways: treewright {command} " in joined
    assert max(map(len, output.splitlines())) <= 80
    assert run(*command.split()).exit_code == 0


@pytest.mark.parametrize("name", ["forest", "extra-trees", "adaboost", "cal3"])
def test_ways_are_not_compared_where_no_command_does(run, name):
    output = run("fit", "watermelon_missing", "--algorithm", name).stdout
    assert "\nmissing values " in output
    assert "treewright missing" not in output


def test_table_without_missing_values_needs_no_rule(run, write):
    assert "missing values" not in run("fit", "tennis").stdout
    # the only gap is in a row that is left out
    write("gap.csv", "x,y\n1,a\n,\n3,b\n")
    words = ["--target", "y", "--drop-missing-target", "--set", "missing=error"]
    result = run("fit", "gap.csv", *words)
    assert result.exit_code == 0
    assert "missing values" not in result.stdout


@pytest.mark.parametrize(
    ("numbers", "is_identifier"),
    [
        (range(100, 112), True),
        ([k + 0.5 for k in range(12)], False),
        (range(0, 24, 2), False),
        (range(12, 0, -1), False),
        (range(9), False),
        (["", *range(11)], False),
    ],
)
def test_column_that_numbers_the_rows_gets_a_remark(run, write, numbers, is_identifier):
    rows = "".join(f"{number},{'ab'[k % 2]}\n" for k, number in enumerate(numbers))
    write("ids.csv", f"my id,y\n{rows}")
    output = run("fit", "ids.csv", "--target", "y", COLUMNS="120").stdout
    remark = "one value per row: an identifier? (--ignore 'my id')"
    assert (remark in output) == is_identifier


def test_missing_targets_are_dropped_if_said(run, write):
    write("gap.csv", "x,y\n1,a\n2,\n3,b\n")
    result = run("fit", "gap.csv", "--target", "y", "--drop-missing-target")
    assert "note: 1 row without a target left out" in result.stdout


def test_reading_options_are_used(run, write):
    write("de.csv", "x;y\n1,5;a\n2,5;b\n-;a\n")
    words = ["--separator", ";", "--decimal", ",", "--missing-values", "-"]
    output = run("fit", "de.csv", "--target", "y", *words).stdout
    assert "x       numeric       2        1  1 cell '-' read as missing" in output


@pytest.mark.parametrize("width", [20, 40, 80, 120])
@pytest.mark.parametrize("table", ["tennis", "watermelon", "restaurant"])
def test_no_line_is_wider_than_the_terminal(run, table, width):
    from treewright.render.fitting.safe_text import display_width

    output = run("fit", table, COLUMNS=str(width)).stdout
    assert max(map(display_width, output.splitlines())) <= width


def test_names_that_do_not_print_are_escaped(run, write):
    write("evil.csv", 'x,"y\x1b[31m\n<script>"\n1,a\n2,b\n')
    result = run("fit", "evil.csv", "--target", "y\x1b[31m\n<script>")
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert "y\\x1b[31m\\n<script>" in result.stdout


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("0.5", 0.5),
        ("none", None),
        ("True", True),
        ("false", False),
        ("gini", "gini"),
    ],
)
def test_values_of_settings(text, value):
    assert parse_value(text) is value or parse_value(text) == value
    assert type(parse_value(text)) is type(value)


def test_the_number_of_threads_does_not_change_the_file(run):
    for jobs in (1, 2):
        assert run("fit", "tennis", "--jobs", jobs, "-o", f"{jobs}.tw").exit_code == 0
    assert Path("1.tw").read_bytes() == Path("2.tw").read_bytes()


@pytest.mark.parametrize(
    "words", [("--nominal", "code"), ("--ordinal", "code=01<02<1")]
)
def test_codes_keep_their_zeros_from_fit_to_predict(run, write, words):
    write("codes.csv", "code,y\n01,a\n1,b\n02,b\n")
    result = run("fit", "codes.csv", "--target", "y", *words, "-o", "c.tw")
    assert "always saying b" in result.stdout
    assert set(load("c.tw").schema.features[0].categories) == {"01", "02", "1"}
    write("new.csv", "code\n01\n02\n")
    result = run("predict", "c.tw", "new.csv")
    assert result.stdout == "predicted_y\na\nb\n"
    assert "not seen" not in result.stderr
