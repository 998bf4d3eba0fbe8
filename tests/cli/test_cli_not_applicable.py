"""`--not-applicable`: cells that cannot have a value, on the command line."""

from __future__ import annotations

import pytest

TABLE = "spouse,age,y\nworks,30,v\nNA,20,u\nhome,40,v\n,50,v\nNA,25,u\nhome,35,w\n"


@pytest.mark.parametrize("option", ["NA", "spouse=NA"])
def test_declared_cells_are_a_category(run, write, option):
    write("t.csv", TABLE)
    words = ["--target", "y", "--ignore", "age", "--not-applicable", option]
    result = run("fit", "t.csv", *words, "-o", "t.tw")
    assert "spouse  nominal        3        1  'NA' is not applicable" in result.stdout
    assert "├─ not applicable → u" in result.stdout
    answers = run("predict", "t.tw", write("new.csv", "spouse\nNA\n?\nabroad\n"))
    assert answers.stdout.split() == ["predicted_y", "u", "v", "v"]
    assert "not seen in training: 'abroad'" in answers.stderr


def test_text_of_one_column_stays_missing_in_others(run, write):
    write("t.csv", "a,b,y\nNA,NA,u\nx,p,v\nNA,q,u\nx,p,v\n")
    words = ["--target", "y", "--not-applicable", "a=NA"]
    output = run("fit", "t.csv", *words).stdout
    assert "a       nominal       2        0" in output
    assert "b       nominal       2        1" in output


@pytest.mark.parametrize(
    ("option", "code", "message"),
    [
        ("age=20", 1, "feature 'age' is numeric, and '20' (not applicable), first in"),
        ("spose=NA", 2, "--not-applicable names the column 'spose', which the table"),
        ("y=NA", 2, "--not-applicable names the column 'y', which is no feature"),
        (
            "spouse=",
            2,
            "--not-applicable is ''; it must be the text of such cells",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(run, write, option, code, message):
    write("t.csv", TABLE)
    result = run("fit", "t.csv", "--target", "y", "--not-applicable", option)
    assert (result.exit_code, result.stdout) == (code, "")
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_arff_categories_may_be_declared(run, write):
    write(
        "t.arff",
        "@relation t\n@attribute s {none,p,q}\n@attribute y {u,v}\n@data\n"
        "none,u\np,v\nq,v\n?,u\n",
    )
    words = ["--target", "y", "--not-applicable", "s=none"]
    assert "not applicable → u" in run("fit", "t.arff", *words).stdout


def test_missing_tries_and_repeats_it(run, write):
    words = ["--target", "y", "--nominal", "age", "--not-applicable", "spouse=NA"]
    output = run("missing", write("t.csv", TABLE), *words).stdout
    assert "1 missing cell in 1 of 2 features" in output
    assert "--not-applicable spouse=NA" in output[output.index("next: ") :]
