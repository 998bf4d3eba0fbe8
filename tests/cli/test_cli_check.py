"""`treewright check`: the report at 80 columns, JSON, exit codes, and fit's line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

GOLDEN = Path(__file__).parents[1] / "golden" / "cli_check.txt"
DRIFT = Path(__file__).parents[1] / "golden" / "cli_check_drift.txt"


def patients(seed: int = 0, n_rows: int = 240) -> pl.DataFrame:
    """Return a table with one fault of nearly every kind."""
    draw = np.random.default_rng(seed)
    ill = draw.random(n_rows) < 0.4
    age = draw.integers(20, 90, n_rows)
    ward = draw.choice(["north", "south", "west"], n_rows)
    dose = draw.normal(5, 1, n_rows)
    dose[ill & (draw.random(n_rows) < 0.5)] = np.nan
    city = draw.choice(["Oslo", "Bergen"], n_rows).astype(object)
    city[4] = "Hamar"
    frame = pl.DataFrame(
        {
            "id": np.arange(n_rows) + 5000,
            "age": age,
            "born": 2020 - age,
            "ward": ward,
            "unit": [{"north": "N", "south": "S", "west": "W"}[each] for each in ward],
            "country": ["NO"] * n_rows,
            "city": list(city),
            "dose": pl.Series(dose).round(2).fill_nan(None),
            "discharge": np.where(ill, "late", "early"),
            "ill": np.where(ill, "yes", "no"),
        }
    )
    return frame


@pytest.fixture
def tables():
    patients().write_csv("patients.csv")
    other = patients(1).with_columns(
        pl.col("age") + 15,
        ward=pl.when(pl.col("id") < 5100).then(pl.lit("east")).otherwise("ward"),
    )
    other.write_csv("later.csv")


@pytest.mark.usefixtures("tables")
def test_report_is_the_golden_one(run):
    result = run("check", "patients.csv", "--target", "ill")
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert result.stdout == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.usefixtures("tables")
def test_report_of_two_tables_is_the_golden_one(run):
    words = ("later.csv", "--target", "ill", "--ignore", "id,discharge,unit,born")
    result = run("check", "patients.csv", *words)
    assert result.exit_code == 0
    assert result.stdout == DRIFT.read_text(encoding="utf-8")


@pytest.mark.usefixtures("tables")
def test_json_has_all_findings(run):
    result = run("check", "patients.csv", "--target", "ill", "--format", "json")
    report = json.loads(result.stdout)
    assert report["n_rows"] == 240
    assert report["target"] == ["ill"]
    assert {each["kind"] for each in report["findings"]} == {
        "leak",
        "identifier",
        "missing tells",
        "copy",
        "constant",
        "seen once",
        "missing",
    }
    assert set(report["findings"][0]) == {
        "kind",
        "columns",
        "n_rows",
        "weight",
        "what",
        "todo",
        "figures",
    }


@pytest.mark.usefixtures("tables")
def test_strict_exits_with_1_if_something_is_found(run):
    assert run("check", "patients.csv", "--target", "ill", "--strict").exit_code == 1
    result = run("check", "tennis", "--strict")
    assert result.exit_code == 0
    assert result.stdout == (
        "tennis: 14 rows, 4 features, target 'PlayTennis': nothing to report\n"
        "\nnext: treewright fit tennis\n"
    )


@pytest.mark.usefixtures("tables")
def test_doing_what_it_says_leaves_less(run):
    words = ("--target", "ill", "--format", "json", "--ignore")
    result = run("check", "patients.csv", *words, "id,discharge,country,unit,born,dose")
    findings = json.loads(result.stdout)["findings"]
    # few values are left, so that rows are equal
    assert {each["kind"] for each in findings} == {"contradictions", "seen once"}


def test_no_features_is_a_finding(run, write):
    write("y.csv", "y\na\nb\n")
    result = run("check", "y.csv", "--target", "y")
    assert result.exit_code == 0
    assert "no features" in result.stdout


def test_rows_without_a_target_are_left_out_and_said(run, write):
    write("t.csv", "x,y\n1,a\n2,b\n3,\n4,a\n")
    result = run("check", "t.csv", "--target", "y")
    assert result.exit_code == 0
    assert "1 row of 4 without 'y'" in result.stdout
    assert result.stdout.endswith(
        "next: treewright fit t.csv --target y --drop-missing-target\n"
    )


def test_unknown_target_is_one_line(run, write):
    write("t.csv", "x,y\n1,a\n2,b\n")
    result = run("check", "t.csv", "--target", "z")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("algorithm", ["cart", "forest", "adaboost"])
def test_fit_says_in_one_line_that_there_is_something(run, algorithm):
    words = ("--target", "ill", "--algorithm", algorithm)
    result = run("fit", "patients.csv", *words)
    assert result.exit_code == 0
    n_found = len(
        json.loads(
            run("check", "patients.csv", "--target", "ill", "--format", "json").stdout
        )["findings"]
    )
    last = result.stdout.splitlines()[-1]
    assert last == (
        f"check: {n_found} things to look at: treewright check patients.csv "
        "--target ill"
    )


def test_fit_of_a_clean_table_says_nothing(run):
    assert "check:" not in run("fit", "tennis").stdout


def test_fit_names_a_command_that_sees_the_same_classes(run, write):
    rows = "\n".join(f"{k % 7},same,{k % 3}" for k in range(30))
    write("t.csv", f"x,s,y\n{rows}\n")
    last = run("fit", "t.csv", "--target", "y", "--algorithm", "c45").stdout
    assert last.splitlines()[-1].endswith("check t.csv --target y --nominal y")


def test_fit_looks_at_some_rows_of_a_long_table(run, write):
    rows = "\n".join(f"{k},{k % 97},{'ab'[k % 97 > 40]}" for k in range(30_000))
    write("long.csv", f"id,x,y\n{rows}\n")
    result = run("fit", "long.csv", "--target", "y")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == (
        "check: 2 things to look at in some rows: treewright check long.csv --target y"
    )


def test_kinds_and_intervals_are_those_of_the_options(run, write):
    rows = "\n".join(f"{'SML'[k % 3]},{k % 17},{'ab'[k % 2]}" for k in range(100))
    write("t.csv", f"size,x,y\n{rows}\n")
    options = ("--ordinal", "size=S<M<L", "--discretize", "x=quantiles:3")
    for words in (("check", "t.csv", "t.csv"), ("fit", "t.csv")):
        result = run(*words, "--target", "y", *options)
        assert result.exit_code == 0, result.output
        assert "contradictions" in result.stdout or "check: 1 thing" in result.stdout


def test_column_of_another_kind_in_the_second_table_is_said(run, write):
    rows = [f"{k / 7:.3f},{'ab'[k * k % 5 > 1]}" for k in range(60)]
    write("one.csv", "\n".join(["x,y", *rows]))
    write("two.csv", "\n".join(["x,y", *rows[:50], "many,a"]))
    result = run("check", "one.csv", "two.csv", "--target", "y")
    assert result.exit_code == 0
    assert "'x' cannot be read as in the first table" in result.stdout


def test_second_table_need_not_have_the_target(run, write):
    rows = [f"{k / 7:.3f},{'ab'[k * k % 5 > 1]}" for k in range(60)]
    write("one.csv", "\n".join(["x,y", *rows]))
    write("two.csv", "\n".join(["x", *(row.split(",")[0] for row in rows)]))
    result = run("check", "one.csv", "two.csv", "--target", "y", "--strict")
    assert result.exit_code == 0, result.stdout


def test_next_command_leaves_faults_out(run, write):
    rows = [f"{k},u,they said it was {k} days late,{'ab'[k % 2]}" for k in range(40)]
    write("t.csv", "\n".join(["id,unit,note,y", *rows]) + "\n")
    result = run("check", "t.csv", "--target", "y")
    assert result.stdout.endswith(
        "next: treewright fit t.csv --target y --ignore id,unit --text note\n"
    )


def test_rows_of_weight_0_have_a_target(run, write):
    rows = [f"{k % 7},{k % 2},{'ab'[k % 2]}" for k in range(40)]
    write("t.csv", "\n".join(["x,w,y", *rows]) + "\n")
    result = run("check", "t.csv", "--target", "y", "--weights", "w")
    assert "40 rows, 1 feature" in result.stdout
    assert "without" not in result.stdout
