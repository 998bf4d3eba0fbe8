"""Files in the wrong place: inputs as outputs, models as tables, other separators."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

TABLE = "x,y\n1,a\n2,b\n"


def one_line(result) -> str:
    """Return the only line on stderr of a command that failed."""
    assert result.exit_code in (1, 2)
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.fixture
def model(run, write) -> Path:
    """Return a model of the table in `t.csv`, both under a second name as well."""
    write("t.csv", TABLE)
    assert run("fit", "t.csv", "--target", "y", "-o", "m.tw").exit_code == 0
    os.symlink("t.csv", "link.csv")
    os.symlink("m.tw", "link.tw")
    return Path("m.tw")


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["fit", "t.csv", "--target", "y", "-o", "t.csv"],
        ["fit", "t.csv", "--target", "y", "-o", "link.csv"],
        ["fit", "link.csv", "--target", "y", "-o", "./t.csv"],
        ["predict", "m.tw", "t.csv", "-o", "m.tw"],
        ["predict", "m.tw", "t.csv", "-o", "link.tw"],
        ["predict", "m.tw", "t.csv", "-o", "link.csv"],
        ["show", "m.tw", "-o", "m.tw"],
        ["show", "link.tw", "--format", "dot", "-o", "m.tw"],
    ],
)
def test_output_may_not_overwrite_an_input(run, model, words):
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    assert "would overwrite the input" in one_line(run(*words))
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


@pytest.mark.parametrize("output", ["c.data", "c.names"])
@pytest.mark.parametrize("data", ["c", "c.data", "c.names"])
def test_neither_file_of_c45_is_overwritten(run, write, data, output):
    write("c.names", "a, b.\nx: u, v.\n")
    write("c.data", "u, a\nv, b\n")
    assert run("fit", data).exit_code == 0
    assert "would overwrite the input" in one_line(run("fit", data, "-o", output))


def test_an_older_model_may_be_overwritten(run, model):
    assert run("fit", "t.csv", "--target", "y", "-o", "link.tw").exit_code == 0


@pytest.mark.parametrize(
    ("sign", "option"), [(";", "';'"), ("\t", r"'\t'"), ("|", "'|'")]
)
@pytest.mark.parametrize("words", [["--target", "y"], []])
def test_table_cut_at_another_sign_names_the_option(run, write, sign, option, words):
    write("other.csv", TABLE.replace(",", sign))
    message = one_line(run("fit", "other.csv", *words))
    assert f"add --separator {option}" in message
    separator = option.strip("'")
    again = run("fit", "other.csv", "--target", "y", "--separator", separator)
    assert again.exit_code == 0


def test_uneven_rows_cut_at_another_sign_name_the_option(run, write):
    write("de.csv", "x;y\n1,5;a\n2;b\n")
    message = one_line(run("fit", "de.csv", "--target", "y"))
    assert "line 2: 2 cells, but the header has 1" in message
    assert "add --separator ';'" in message


def test_uneven_rows_cut_at_the_right_sign_do_not(run, write):
    write("t.csv", "x,y\n1;2,a\n2\n")
    assert "--separator" not in one_line(run("fit", "t.csv", "--target", "y"))


def test_rows_to_predict_cut_at_another_sign_name_the_option(run, model, write):
    write("new.csv", "x;z\n1;2\n")
    assert "add --separator ';'" in one_line(run("predict", model, "new.csv"))


@pytest.mark.parametrize("name", ["tenis", "Tennis", "watermelons"])
def test_slip_in_the_name_of_a_built_in_table(run, name):
    meant = {"tenis": "tennis", "Tennis": "tennis"}.get(name, "watermelon")
    assert f"did you mean '{meant}'?" in one_line(run("fit", name))


def test_model_is_no_table(run, model):
    message = one_line(run("fit", model, "--target", "y"))
    assert "m.tw is a treewright model, not a table" in message
    assert "m.tw is a treewright model" in one_line(run("predict", model, model))


def test_model_and_table_in_the_wrong_order(run, model):
    message = one_line(run("predict", "t.csv", model))
    assert "m.tw is a treewright model and t.csv is not: write the model" in message


@pytest.mark.parametrize("words", [["show", "t.csv"], ["predict", "t.csv", "t.csv"]])
def test_table_is_no_model(run, model, words):
    message = one_line(run(*words))
    assert "t.csv is a table, not a treewright model: fit it first" in message
    assert "treewright fit t.csv --target COLUMN -o t.tw" in message


def test_built_in_table_is_no_model(run):
    message = one_line(run("show", "tennis"))
    assert "fit it first: treewright fit tennis -o tennis.tw" in message


def test_model_that_is_not_there_says_what_to_do(run, model):
    message = one_line(run("show", "nothere.tw"))
    assert "there is no file 'nothere.tw'; check the path, or make a model" in message
    assert "treewright fit DATA --target COLUMN -o nothere.tw" in message
    assert "did you mean 'link.tw'?" in one_line(run("show", "lnk.tw"))
