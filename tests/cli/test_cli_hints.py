"""Wrong words on the command line are answered with the right ones."""

from __future__ import annotations

import gzip
import sys

import polars as pl
import pytest

from treewright.cli.console import Console, remark
from treewright.cli.options import reading

MONKS = "a1,a2,class\n1,2,no\n2,1,yes\n1,1,no\n2,2,yes\n"


def message(result):
    assert result.exit_code != 0
    return result.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("setting", "answer"),
    [
        ("discretize=mdl", "use the option --discretize"),
        ("cost_matrix=x", "use the option --costs FILE.csv"),
        ("class_weight=balanced", "use the option --weights COL, a column with"),
        ("max_dept=3", "did you mean 'max_depth'?"),
        ("zzzz=3", "'treewright fit --help' lists the switches"),
    ],
)
def test_unknown_switch_is_answered_in_short(run, setting, answer):
    said = message(run("fit", "tennis", "--set", setting))
    assert said.startswith(f"treewright: unknown setting '{setting.split('=')[0]}'; ")
    assert answer in said
    assert len(said) < 120


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["--missing", "branch"], "write --set missing=VALUE (error, own_branch, "),
        (["--max-depth", "3"], "write --set max_depth=VALUE (a whole number from 1"),
    ],
)
def test_switch_typed_as_an_option(run, words, answer):
    assert answer in run("fit", "tennis", *words).stderr


def test_unknown_option_is_left_to_click(run):
    assert "No such option" in run("fit", "tennis", "--taget", "y").stderr


@pytest.mark.parametrize(
    ("setting", "needs"),
    [
        ("confidence=0.1", "pruning=error_based"),
        ("subtree_raising=false", "pruning=error_based"),
        ("prune_level=0.01", "pruning=chi_square"),
        ("n_folds=5", "alpha_choice=cross_validation"),
    ],
)
def test_switch_without_effect_is_refused(run, setting, needs):
    said = message(run("fit", "tennis", "--algorithm", "cart", "--set", setting))
    assert f"is for {needs}, which is not set" in said


def test_switch_with_its_pruning_is_taken(run):
    words = ["--algorithm", "c45", "--set", "confidence=0.1"]
    assert run("fit", "tennis", *words).exit_code == 0


def test_held_out_rows_are_asked_for_by_a_switch(run):
    said = message(run("fit", "tennis", "--set", "pruning=reduced_error"))
    assert said.endswith("hold some out with --set validation_share=0.3")


def test_id3_names_all_numeric_columns(run, write):
    write("monks.csv", MONKS)
    words = ["--target", "class", "--algorithm", "id3"]
    said = message(run("fit", "monks.csv", *words))
    assert "features 'a1', 'a2' are numeric" in said
    assert "declare them nominal (--nominal a1,a2)" in said
    assert run("fit", "monks.csv", *words, "--nominal", "a1,a2").exit_code == 0


def test_wrong_target_is_noticed_in_the_first_line(run, write, monkeypatch):
    names = ",".join(f"c{k}" for k in range(20))
    write("big.csv.gz", gzip.compress(f"{names},income\n{names},1\n".encode()))

    def too_late(*_, **__):
        raise AssertionError("the whole file was read")

    monkeypatch.setattr(reading, "read_with_report", too_late)
    said = message(run("fit", "big.csv.gz", "--target", "salary"))
    assert said.endswith(
        "there are 'c0', 'c1', 'c2', 16 more, and at the end 'c19', 'income'"
    )
    said = message(run("fit", "big.csv.gz", "--target", "Income"))
    assert said.endswith("did you mean 'income'?")


def test_wrong_target_is_noticed_in_the_schema_of_a_parquet_file(run, monkeypatch):
    pl.DataFrame({"x": [1, 2], "y": ["a", "b"]}).write_parquet("t.parquet")
    monkeypatch.setattr(reading, "read_with_report", None)
    said = message(run("fit", "t.parquet", "--target", "z"))
    assert said.endswith("there is no target column 'z'; there are 'x', 'y'")


def test_cells_that_a_model_cannot_read_are_placed_and_advised(run, write):
    write("t.csv", "x,y\n1,a\n2,a\n8,b\n9,b\n")
    assert run("fit", "t.csv", "--target", "y", "-o", "m.tw").exit_code == 0
    write("new.csv", "x\n1\n2\nn/a\n")
    said = message(run("predict", "m.tw", "new.csv"))
    assert "'x' is numeric in the model" in said
    assert "'n/a' (line 4)" in said
    assert "--missing-values '?,NA,NaN,n/a'" in said


def test_costs_without_names_of_rows_show_the_form(run, write):
    write("c.csv", "No,Yes\n0,1\n5,0\n")
    said = message(run("fit", "tennis", "--costs", "c.csv"))
    assert "write 'actual,no,yes', then 'no,0,1', then 'yes,5,0'" in said


def test_discretize_without_numbers_is_noted(run):
    shown = " ".join(run("fit", "tennis", "--discretize", "mdl").stdout.split())
    assert "note: --discretize mdl changes nothing: no feature is numeric" in shown


def test_long_commands_go_on_after_a_backslash():
    command = "treewright fit t.csv --target y --set missing=own_branch --jobs 2"
    lines = list(Console(41).wrap_command("next: ", command))
    assert lines == [
        "next: treewright fit t.csv --target y \\",
        "      --set missing=own_branch --jobs 2",
    ]


@pytest.mark.parametrize("is_terminal", [False, True])
def test_messages_are_wrapped_for_terminals_only(capsys, monkeypatch, is_terminal):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal, raising=False)
    monkeypatch.setenv("COLUMNS", "40")
    remark("word " * 20, indent=2)
    lines = capsys.readouterr().err.splitlines()
    assert (len(lines) > 1) == is_terminal


def test_targets_of_two_kinds_are_told_apart(run, write):
    rows = "".join(f"{k},{'uv'[k % 2]},{k + 0.5}\n" for k in range(8))
    write("two.csv", f"x,kind,price\n{rows}")
    options = ("--algorithm", "forest", "--set", "n_estimators=3")
    both = run("fit", "two.csv", "--target", "kind", "--target", "price", *options)
    assert "no list of classes as 'kind' is; give each a model of" in message(both)
    assert "(one --target, and --ignore for the others)" in message(both)
    for one, other in (("kind", "price"), ("price", "kind")):
        alone = run("fit", "two.csv", "--target", one, "--ignore", other, *options)
        assert alone.exit_code == 0


def test_numbers_that_are_no_classes_are_predicted_as_the_message_says(run, write):
    rows = "".join(f"{k},{k + 0.5}\n" for k in range(8))
    write("one.csv", f"x,price\n{rows}")
    wrong = run("fit", "one.csv", "--target", "price", "--nominal", "price")
    assert "(--algorithm cart or forest, without --nominal)" in message(wrong)
    for name in ("cart", "forest"):
        right = run("fit", "one.csv", "--target", "price", "--algorithm", name)
        assert right.exit_code == 0
