"""Bad data, bad files and bad usage: one clear line, and the right exit code."""

from __future__ import annotations

import os
import pickle
import random
from pathlib import Path

import pytest

from treewright.cli.commands import fit, predict, show
from treewright.cli.wording import on_the_command_line
from treewright.learners import registry


def one_line(result) -> str:
    """Return the only line on stderr, without the name of the program."""
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("treewright: ")
    return result.stderr.removeprefix("treewright: ").rstrip()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "t.csv is empty"),
        ("x,y\n", "has a header and 0 rows; at least 1 is needed"),
        ("x,y\n1,a\n2\n", "t.csv, line 3: 1 cell, but the header has 2"),
        ('x,y\n1,"a\n2,b\n', "t.csv, line 2: "),
        ("x,x\n1,a\n", "2 columns have the name 'x'"),
        ("x,z\n1,a\n", "there is no target column 'y'; there are 'x', 'z'"),
        ("x,yy\n1,a\n", "there is no target column 'y'; did you mean 'yy'?"),
        ("y\na\n", "0 columns; at least 1 is needed"),
        ("x,y\n1,a\n2,\n", "use --drop-missing-target to leave this row out"),
        (b"x,y\n1,\xe9\n", "for example --encoding 'latin-1'"),
        (b"x,y\n1,\x00\n", "a NUL byte"),
        (b"\x1f\x8bno gzip", "t.csv"),
    ],
)
def test_bad_table(run, write, content, message):
    result = run("fit", write("t.csv", content), "--target", "y", "-o", "m.tw")
    assert message in one_line(result)
    assert result.exit_code == 1
    assert not Path("m.tw").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.csv", "--target", "y"], "there is no file 'nowhere.csv'"),
        ([".", "--target", "y"], "Is a directory"),
        (["cars", "--algorithm", "id3"], "feature 'PS' is numeric, and id3 splits"),
        (["tennis", "--weights", "Wind"], "the column of --weights holds values"),
        (["tennis", "--numeric", "Wind"], "feature 'Wind' is numeric, but row 0"),
        (["tennis", "--numeric", "PlayTennis"], "which is no number"),
        (["tennis", "--ordinal", "Wind=Weak<Mild"], "not among its listed categories"),
        (["tennis", "-o", "no/where.tw"], "there is no folder"),
        (["tennis", "-o", "."], "it is a folder"),
        (
            ["watermelon_missing", "--set", "missing=error"],
            "for example --set missing=own_branch",
        ),
    ],
)
def test_data_at_fault(run, words, message):
    result = run("fit", *words)
    assert message in one_line(result)
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--set", "max_dept=3"],
            "unknown setting 'max_dept'; did you mean 'max_depth'",
        ),
        (
            ["--set", "max_depth=-1"],
            "max_depth is -1; it must be None or a whole number",
        ),
        (["--set", "min_gain=nan"], "min_gain is nan; it must be a number"),
        (["--set", "criterion=entropie"], "criterion is 'entropie'; it must be one of"),
        (["--jobs", "0"], "--jobs is 0; it must be -1 or at least 1"),
        (["--nominal", "Winds"], "--nominal names the column 'Winds', which the table"),
        (["--ignore", "Winds"], "did you mean 'Wind'?"),
        (["--weights", "Winds"], "did you mean 'Wind'?"),
        (["--ordinal", "Winds=a<b"], "did you mean 'Wind'?"),
        (["--ordinal", "Wind=Weak"], "write the categories from small to large"),
        (["--nominal", "Wind", "--numeric", "Wind"], "is given two kinds"),
        (["--ignore", "PlayTennis"], "is also named by --ignore; drop one"),
        (["--weights", "PlayTennis"], "is also named by --weights; drop one"),
        (
            ["--nominal", "PlayTennis", "--set", "criterion=squared_error"],
            "--set criterion=squared_error is about numbers, but",
        ),
        (["--separator", "ab"], "separator 'ab' cannot be used"),
        (["--encoding", "klingon"], "encoding 'klingon' is not known"),
    ],
)
def test_wrong_settings(run, write, words, message):
    write("t.csv", "Wind,Outlook,PlayTennis\nWeak,Rain,Yes\nStrong,Rain,No\n")
    result = run("fit", "t.csv", "--target", "PlayTennis", *words)
    assert message in one_line(result)
    assert result.exit_code == 2


def test_names_of_the_user_are_no_remedies(run, write):
    write("t.csv", "sample_weight,n_jobs,y\n1,2,a\n2,1,b\n")
    result = run("fit", "t.csv", "--target", "z")
    assert one_line(result).endswith("there are 'sample_weight', 'n_jobs', 'y'")
    result = run("fit", "t.csv", "--target", "y", "--set", "n_jobs=0")
    assert one_line(result).startswith("unknown setting 'n_jobs'; ")


def test_refused_missing_values_are_counted_and_placed(run, write):
    # the row without a target does not count
    write("t.csv", "x,y\n1,a\n,\n,b\n")
    words = ["--target", "y", "--drop-missing-target", "--set", "missing=error"]
    assert one_line(run("fit", "t.csv", *words)) == (
        "feature 'x' has 1 missing value, first in row 2 (counted from 0); "
        "--set missing=error refuses it: fill it in, or choose "
        "another way, for example --set missing=own_branch ('treewright missing' "
        "compares them)"
    )


def test_a_table_without_a_target_asks_for_it(run, write):
    result = run("fit", write("t.csv", "x,y\n1,a\n"))
    assert "Name it with --target; there are 'x', 'y'" in one_line(result)
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fit", "tennis", "--set", "max_depth"], "write NAME=VALUE"),
        (["fit", "tennis", "--algorithm", "c46"], "'c46' is not one of 'id3'"),
        (["fit"], "Missing argument 'DATA'"),
        (["fti", "tennis"], "No such command 'fti'. Did you mean 'fit'?"),
        (["show", "m.tw", "--max-depth", "-1"], "-1"),
        ([], "Usage: treewright"),
    ],
)
def test_wrong_usage(run, words, message):
    result = run(*words)
    assert message in result.stderr
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a treewright model"),
        (random.Random(1).randbytes(400), "not a treewright model"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "not a treewright model"),
        (pickle.dumps({"a": 1}), "pickle"),
        (b"x,y\n1,a\n", "not a treewright model"),
    ],
)
@pytest.mark.parametrize("command", [["show"], ["predict"]])
def test_bad_model_file(run, write, command, content, message):
    write("m.tw", content)
    data = ["tennis"] if command == ["predict"] else []
    result = run(*command, "m.tw", *data)
    assert message in one_line(result)
    assert result.exit_code == 1


def test_model_cut_anywhere_is_refused(run, tennis_model):
    whole = tennis_model.read_bytes()
    for length in range(0, len(whole), 97):
        tennis_model.write_bytes(whole[:length])
        result = run("show", tennis_model)
        assert "model" in one_line(result)
        assert result.exit_code == 1


@pytest.mark.parametrize("model", ["nowhere.tw", "."])
def test_no_model_file(run, model):
    result = run("show", model)
    assert f"'{model}'" in one_line(result)
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            "size\n1\n",
            "the table lacks 1 column that the model was trained on: 'colour'",
        ),
        (
            "size,colour\n1,red\nbig,red\n",
            "'size' is numeric in the model, and in new.csv not numeric because of 1 "
            "cell: 'big' (line 3)",
        ),
        ("size,colour\n", "0 rows; at least 1 is needed"),
    ],
)
def test_rows_that_do_not_suit_the_model(run, price_model, write, rows, message):
    result = run("predict", price_model, write("new.csv", rows), "-o", "out.csv")
    assert message in one_line(result)
    assert result.exit_code == 1
    assert not Path("out.csv").exists()


def test_unseen_category_is_refused_if_the_model_says_so(run, write):
    assert run("fit", "tennis", "--set", "unseen=error", "-o", "t.tw").exit_code == 0
    write("fog.csv", "Outlook,Temperature,Humidity,Wind\nFog,Hot,High,Weak\n")
    result = run("predict", "t.tw", "fog.csv")
    assert "'Fog' in row 0" in one_line(result)
    assert "--set unseen=missing" in result.stderr
    assert result.exit_code == 1


def test_read_only_folder_is_refused_before_any_work(run, monkeypatch):
    # root may write everywhere, so the answer of the system is played
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.delattr(fit, "read_training")
    Path("locked").mkdir()
    result = run("fit", "tennis", "-o", "locked/m.tw")
    assert "is read-only; choose another place with -o" in one_line(result)
    assert result.exit_code == 1


def test_output_that_cannot_be_replaced_is_kept(run, monkeypatch):
    run("fit", "tennis", "-o", "m.tw")
    before = Path("m.tw").read_bytes()

    def full_disk(*paths: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full_disk)
    result = run("fit", "tennis", "--set", "max_depth=1", "-o", "m.tw")
    assert "cannot write 'm.tw': No space left on device" in one_line(result)
    assert result.exit_code == 1
    assert Path("m.tw").read_bytes() == before
    assert [path.name for path in Path().iterdir()] == ["m.tw"]


@pytest.mark.parametrize(
    ("module", "name", "words"),
    [
        (registry, "grow_tree", ["fit", "tennis", "-o", "m.tw"]),
        (show, "load_any", ["show", "m.tw"]),
        (predict, "load_any", ["predict", "m.tw", "tennis", "-o", "out.csv"]),
    ],
)
def test_interrupt_ends_with_130_and_no_file(run, monkeypatch, module, name, words):
    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, name, interrupted)
    result = run(*words)
    assert one_line(result) == "interrupted; no file was changed"
    assert result.exit_code == 130
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("words", [[], ["--debug"]])
def test_a_fault_of_ours_asks_to_be_reported(run, monkeypatch, words):
    def faulty(path: object) -> None:
        raise RuntimeError("line one\nline two")

    monkeypatch.setattr(show, "load_any", faulty)
    if words:
        from click.testing import CliRunner

        from treewright.cli.main import main

        result = CliRunner().invoke(main, [*words, "show", "m.tw"])
        assert result.stderr.startswith("Traceback")
    else:
        result = run("show", "m.tw")
        assert "unexpected RuntimeError: line one\\nline two" in one_line(result)
        assert "please report it" in result.stderr
    assert result.exit_code == 1


def test_too_little_memory_is_said(run, monkeypatch):
    def greedy(path: object) -> None:
        raise MemoryError

    monkeypatch.setattr(show, "load_any", greedy)
    result = run("show", "m.tw")
    assert "not enough memory" in one_line(result)
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("say encoding='latin-1'", "say --encoding 'latin-1'"),
        ("or set unseen='missing' to accept", "or --set unseen=missing to accept"),
        ("correct them, or set decimal=','", "correct them, or --decimal ','"),
        ("name them in missing_values", "name them in --missing-values"),
        ("max_depth is -1", "max_depth is -1"),
        ("or set missing_values '?,-'", "or --missing-values '?,-'"),
        ("n_jobs is 0; it must be", "--jobs is 0; it must be"),
        ('set thousands="\'"', '--thousands "\'"'),
        ("set decimal=',' and thousands='.'", "--decimal ',' --thousands '.'"),
        (
            "the rows' sum: sample_weight is 0; there are 'n_jobs is', 'sample_weight'",
            "the rows' sum: the column of --weights is 0; "
            "there are 'n_jobs is', 'sample_weight'",
        ),
        ("n_jobs.csv is empty", "n_jobs.csv is empty"),
        (
            "no 'it\\'s \"set unseen=' or \"n_jobs is\"; set decimal=','",
            "no 'it\\'s \"set unseen=' or \"n_jobs is\"; --decimal ','",
        ),
        (
            "declare it nominal (feature_kinds={'a}': 'nominal'}, on the command line "
            "--nominal a}) or drop it (x)",
            "declare it nominal (--nominal a}) or drop it (x)",
        ),
        (
            "set validation_share (0.3, for example), or pass them as "
            "validation=(X, y)",
            "hold some out with --set validation_share=0.3",
        ),
        (
            f"no '{'n_jobs is' + 47 * 'x'}..., or set unseen='missing'",
            f"no '{'n_jobs is' + 47 * 'x'}..., or --set unseen=missing",
        ),
    ],
)
def test_remedies_are_options(message, expected):
    assert on_the_command_line(message) == expected
