"""`treewright predict`: answers as CSV, everything else on stderr."""

from __future__ import annotations

import csv
from pathlib import Path

import polars as pl
import pytest

DAYS = "Wind,Outlook,Humidity,Temperature\nWeak,Sunny,High,Hot\nWeak,Rain,High,Cool\n"


def test_answers_are_in_the_order_of_the_rows(run, tennis_model, write):
    result = run("predict", tennis_model, write("days.csv", DAYS))
    assert result.stdout == "predicted_PlayTennis\nNo\nYes\n"
    assert result.stderr == "wrote 2 rows to stdout\n"


def test_shares_have_a_column_per_class(run, tennis_model, write):
    write("days.csv", DAYS)
    result = run("predict", tennis_model, "days.csv", "--proba", "-o", "out.csv")
    assert result.stdout == ""
    assert result.stderr.endswith("wrote 2 rows to out.csv\n")
    assert Path("out.csv").read_text(encoding="utf-8") == (
        "predicted_PlayTennis,probability_No,probability_Yes\nNo,1.0,0.0\nYes,0.0,1.0\n"
    )


def test_error_is_reported_where_the_target_is_known(run, tennis_model, write):
    head, *rows = DAYS.splitlines()
    write("days.csv", f"{head},PlayTennis\n{rows[0]},No\n{rows[1]},No\n{rows[0]},\n")
    result = run("predict", tennis_model, "days.csv")
    assert (
        "PlayTennis: 1 of 2 rows wrong (50.0 %)\n"
        "  always saying Yes: 2 (100.0 %)\n"
        "  1 row without a target not counted\n"
    ) in result.stderr
    assert "ignored" not in result.stderr


def test_error_counts_classes_that_training_never_saw(run, tennis_model, write):
    head, row, _ = DAYS.splitlines()
    write("days.csv", f"{head},PlayTennis\n{row},Maybe\n")
    result = run("predict", tennis_model, "days.csv")
    assert "1 of 1 row wrong (100.0 %)" in result.stderr
    assert "1 row of a class not seen in training" in result.stderr


def test_numbers_are_predicted_with_their_error(run, price_model, write):
    write("new.csv", "colour,size,price\nred,1,13\nblue,4,36\n")
    result = run("predict", price_model, "new.csv")
    assert result.stdout == "predicted_price\n10.0\n40.0\n"
    # off by 3 and 4: root of (9 + 16) / 2, mean of 3 and 4
    assert "root of the mean squared error 3.5355" in result.stderr
    assert "mean absolute error 3.5" in result.stderr


def test_a_target_that_is_no_number_is_a_remark_only(run, price_model, write):
    write("new.csv", "colour,size,price\nred,1,cheap\n")
    result = run("predict", price_model, "new.csv")
    assert result.exit_code == 0
    assert "the error on 'price' is not known" in result.stderr


def test_numbers_have_no_shares(run, price_model, write):
    result = run("predict", price_model, write("x.csv", "a\n1\n"), "--proba")
    assert result.exit_code == 2
    assert "leave out --proba" in result.stderr


def test_unseen_categories_and_extra_columns_are_remarks(run, tennis_model, write):
    write("odd.csv", f"{DAYS.splitlines()[0]},id\nWeak,Fog,High,Hot,7\n")
    result = run("predict", tennis_model, "odd.csv")
    assert result.exit_code == 0
    assert "note: 1 column that the model does not know ignored: 'id'" in result.stderr
    assert "1 row has a value not seen in training: 'Fog'" in result.stderr


def test_several_outputs_are_several_columns(run, write):
    write("two.csv", "x,a,b\n1,u,v\n2,u,w\n3,t,w\n")
    assert run("fit", "two.csv", "--target", "a,b", "-o", "two.tw").exit_code == 0
    result = run("predict", "two.tw", "two.csv", "--proba")
    header, first, *_ = csv.reader(result.stdout.splitlines())
    assert header[:2] == ["predicted_a", "predicted_b"]
    assert header[2:] == [f"probability_{k}" for k in ("a_t", "a_u", "b_v", "b_w")]
    assert first[:2] == ["u", "v"]
    assert "a: 0 of 3 rows wrong" in result.stderr
    assert "b: 0 of 3 rows wrong" in result.stderr


@pytest.mark.parametrize(
    ("labels", "written"),
    [(("true", "false"), "true"), (("a,b", '"c"'), '"a,b"'), (("1.5", "2.5"), "1.5")],
)
def test_labels_are_written_as_they_were_read(run, write, labels, written):
    cells = ['"' + label.replace('"', '""') + '"' for label in labels]
    rows = "".join(f"{k},{cells[k > 2]}\n" for k in range(6))
    write("labels.csv", f"x,y\n{rows}")
    words = ["--target", "y", "--nominal", "y", "-o", "l.tw"]
    assert run("fit", "labels.csv", *words).exit_code == 0
    result = run("predict", "l.tw", "labels.csv")
    assert result.stdout.splitlines()[1] == written
    assert "0 of 6 rows wrong" in result.stderr


def test_dates_in_nanoseconds_are_written_as_dates(run, tmp_path):
    frame = pl.DataFrame({"x": [1, 2], "day": ["2020-01-01T03:04", "2021-02-03T00:00"]})
    frame = frame.with_columns(pl.col("day").str.to_datetime(time_unit="ns"))
    frame.write_parquet(tmp_path / "t.parquet")
    words = ["--target", "day", "--nominal", "day"]
    assert run("fit", "t.parquet", *words, "-o", "t.tw").exit_code == 0
    result = run("predict", "t.tw", "t.parquet")
    assert result.stdout == "predicted_day\n2020-01-01 03:04:00\n2021-02-03 00:00:00\n"
    assert "day: 0 of 2 rows wrong" in result.stderr
