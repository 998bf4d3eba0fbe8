"""`treewright fit --discretize`: what may be typed, what it does, what is refused."""

from __future__ import annotations

import pytest

import treewright as tw
from refusals import refused
from treewright.cli.options.interval_options import read_discretize
from treewright.errors import SettingError
from treewright.tree.file.save import load

AGES = "AGE,SEX,y\n" + "".join(
    f"{age},{'fm'[age % 2]},{'abc'[min(age // 3, 2)]}\n" for age in range(9)
)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("mdl", {None: "mdl"}),
        ("quantiles:3", {None: "quantiles:3"}),
        ("AGE=mdl", {"AGE": "mdl"}),
        ("AGE=equal-width:3", {"AGE": "equal-width:3"}),
        ("AGE=2,5,12", {"AGE": [2, 5, 12]}),
        ("AGE=-2.5, 1e3", {"AGE": [-2.5, 1000.0]}),
        ("AGE=7", {"AGE": [7]}),
        ("AGE=-7", {"AGE": [-7]}),
        (
            "AGE=infant:0-2,toddler:3-5",
            {"AGE": [("infant", 0, 2), ("toddler", 3, 5)]},
        ),
        ("AGE=old:65-", {"AGE": [("old", 65, None)]}),
        ("AGE=young:-64", {"AGE": [("young", None, 64)]}),
        ("AGE=cold:-10..-1", {"AGE": [("cold", -10, -1)]}),
        ("AGE=cold:-10--1", {"AGE": [("cold", -10, -1)]}),
        ("AGE=cold:..0", {"AGE": [("cold", None, 0)]}),
        ("day=2026-01-31,2026-02-28", {"day": ["2026-01-31", "2026-02-28"]}),
        ("day=2026-01-31T10:30", {"day": ["2026-01-31T10:30"]}),
        (
            "day=new:2026-01-31..2026-02-28",
            {"day": [("new", "2026-01-31", "2026-02-28")]},
        ),
        ("a=b=mdl", {"a=b": "mdl"}),
    ],
)
def test_what_is_typed_is_what_python_takes(typed, expected):
    assert read_discretize([typed], ["AGE", "day", "a=b"]) == expected


def test_nothing_typed_is_nothing():
    assert read_discretize([], ["AGE"]) is None


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        (["2,5"], ("--discretize '2,5'", "COL=2,5,12")),
        (["7"], ("--discretize '7'", "COL=2,5,12")),
        (["AGE=infant:x"], ("--discretize AGE", "'infant:x'", "NAME:LOW-HIGH")),
        (["AGE=infant:0-2,5"], ("--discretize AGE", "'5'", "NAME:LOW-HIGH")),
        (["AGE=mdl", "AGE=cv"], ("--discretize", "twice", "'AGE'")),
        (["cv", "mdl"], ("--discretize", "twice", "columns")),
    ],
)
def test_what_makes_no_sense_is_refused(typed, names):
    with refused(SettingError, *names):
        read_discretize(typed, ["AGE"])


def test_intervals_choose_id3_and_are_in_the_tree(run, write):
    write("ages.csv", AGES)
    options = ("--discretize", "AGE=infant:0-2,toddler:3-5,child:6-12", "-o", "a.tw")
    output = run("fit", "ages.csv", "--target", "y", *options).stdout
    assert "algorithm id3, because every feature is nominal or in intervals" in output
    assert "in 3 intervals" in output
    assert "toddler → b" in output
    write("new.csv", "AGE,SEX\n1,f\n5,m\n12,f\n13,m\n,f\n")
    result = run("predict", "a.tw", "new.csv")
    assert result.stdout.split() == ["predicted_y", "a", "b", "c", "a", "a"]
    assert "note: feature 'AGE': 1 row in none of its intervals" in result.stderr


def test_a_method_for_all_numeric_columns(run, write):
    write("ages.csv", AGES)
    result = run(
        *("fit", "ages.csv", "--target", "y", "--algorithm", "aima"),
        *("--discretize", "mdl", "-o", "a.tw"),
    )
    assert "≤ 2.5 → a" in result.stdout
    assert "in (2.5, 5.5] → b" in result.stdout
    assert load("a.tw").schema.features[0].intervals.borders == (2.5, 5.5)
    shown = run("show", "a.tw").stdout
    assert "in (2.5, 5.5] → b" in shown


def test_model_of_the_command_line_keeps_the_parameter(run, write):
    write("ages.csv", AGES)
    options = ("--discretize", "AGE=2,5", "--discretize", "mdl", "-o", "a.tw")
    assert run("fit", "ages.csv", "--target", "y", *options).exit_code == 0
    assert tw.load("a.tw").discretize == {"AGE": [2, 5], None: "mdl"}


def test_cart_takes_intervals_for_a_number_too(run, write):
    write("n.csv", "x,y\n" + "".join(f"{k},{k * k}\n" for k in range(20)))
    options = ("--discretize", "quartiles", "-o", "n.tw")
    output = run("fit", "n.csv", "--target", "y", *options).stdout
    assert "algorithm cart, because the target is numeric" in output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--discretize", "AGES=mdl"),
            "--discretize names the column 'AGES', which is not among the features; "
            "did you mean 'AGE'?",
        ),
        (
            ("--discretize", "y=mdl"),
            "--discretize names the column 'y', which is not among the features; there "
            "are 'AGE', 'SEX'",
        ),
        (
            ("--discretize", "SEX=mdl"),
            "--discretize names the column 'SEX', which is nominal, with the values "
            "'f', 'm'; only numbers have intervals: drop the option, or --numeric",
        ),
        (
            ("--discretize", "AGE=halves"),
            "--discretize of 'AGE' is 'halves'; it must be 'equal_width', "
            "'equal_width:k', 'quartiles', 'quantiles:k', 'mdl', 'cv', a list of "
            "borders, or names with ranges",
        ),
        (
            ("--discretize", "AGE=5,2"),
            "--discretize of 'AGE': its borders must ascend, and 2 follows 5; sort "
            "them and name each once",
        ),
        (
            ("--discretize", "AGE=a:0-2,a:3-9"),
            "--discretize of 'AGE' names 'a' twice among 'a', 'a'; give each interval "
            "a name of its own",
        ),
    ],
)
def test_refusals_are_in_the_words_of_the_command_line(run, write, options, message):
    write("ages.csv", AGES)
    result = run("fit", "ages.csv", "--target", "y", *options)
    assert result.stderr == f"treewright: {message}\n"
    assert result.exit_code == 2


def test_training_value_in_no_range_is_refused_and_the_remedy_works(run, write):
    write("ages.csv", AGES)
    options = ("fit", "ages.csv", "--target", "y", "--discretize", "AGE=a:0-2,b:3-5")
    result = run(*options)
    assert result.exit_code == 1
    assert result.stderr == (
        "treewright: feature 'AGE' has 3 rows in none of its intervals 'a', 'b', for "
        "example 6; widen an interval (65- has no end), add one, or --set "
        "unseen=missing to take such values as missing\n"
    )
    assert run(*options, "--set", "unseen=missing").exit_code == 0


def test_id3_names_the_option_where_it_refuses_numbers(run, write):
    write("ages.csv", AGES)
    result = run("fit", "ages.csv", "--target", "y", "--algorithm", "id3")
    assert result.stderr == (
        "treewright: feature 'AGE' is numeric, and id3 splits nominal features only; "
        "divide it into intervals (--discretize quartiles), declare it nominal "
        "(--nominal AGE), leave it out, or use cart\n"
    )


def test_branches_of_many_intervals_can_be_told_apart(run, write):
    rows = "".join(
        f"{k % 40 / 10},{k * 7 % 30},{'versicolor' if k * 13 % 5 else 'virginica'}\n"
        for k in range(120)
    )
    write("t.csv", f"petalwidth,petallength,class\n{rows}")
    words = ["--algorithm", "id3", "--discretize", "equal_width:8"]
    shown = run("fit", "t.csv", "--target", "class", *words).stdout
    branches = [line for line in shown.splitlines() if "─ in (" in line]
    assert branches
    assert all("]" in line for line in branches)
