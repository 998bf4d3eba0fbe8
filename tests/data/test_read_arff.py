"""ARFF files: declarations, rows, faults."""

from __future__ import annotations

import datetime as dt

import polars as pl
import pytest

from refusals import refused
from treewright.data.readers.read import read_table, read_with_report
from treewright.errors import DataError, FileReadError

WEATHER = r"""% a comment
@RELATION weather

@attribute outlook {sunny, 'over cast', "it\'s rain", never}
@attribute 'the temperature' real
@attribute humidity NUMERIC % is not a comment here
@attribute windy integer
@attribute remark string
@attribute day date "yyyy-MM-dd HH:mm"

@data
sunny, 85.5, 8e1, 1, 'dry, hot', "2020-01-02 03:04"
% another comment
'over cast',?,0,0,fine,?

"it's rain",1,2,?,?,'2021-01-01 00:00'
"""


@pytest.fixture
def write(tmp_path):
    def write(content: str, name: str = "t.arff"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return write


def test_every_type_is_read(write):
    weather = WEATHER.replace(" % is not a comment here", "")
    file = read_with_report(write(weather))
    frame = file.frame
    assert frame.columns[:2] == ["outlook", "the temperature"]
    assert frame.dtypes == [
        pl.Enum(["sunny", "over cast", "it's rain", "never"]),
        pl.Float64,
        pl.Float64,
        pl.Int64,
        pl.String,
        pl.Datetime("us"),
    ]
    assert frame.rows() == [
        ("sunny", 85.5, 80.0, 1, "dry, hot", dt.datetime(2020, 1, 2, 3, 4)),
        ("over cast", None, 0.0, 0, "fine", None),
        ("it's rain", 1.0, 2.0, None, None, dt.datetime(2021, 1, 1)),
    ]
    assert str(file.report[1]) == (
        "the temperature: numeric, 2 values, 1 missing, 1 '?' read as missing"
    )


def test_sparse_rows_are_filled_up(write):
    path = write(
        "@relation r\n@attribute a numeric\n@attribute b {no, yes}\n"
        "@attribute c numeric\n@data\n{0 5, 1 yes}\n{}\n{2 ?}\n"
    )
    assert read_table(path).rows() == [
        (5.0, "yes", 0.0),
        (0.0, "no", 0.0),
        (0.0, "no", None),
    ]


HEAD = "@relation r\n@attribute a numeric\n@attribute b {no, yes}\n@data\n"
FAULTS = {
    "too few values": (HEAD + "1,no\n5\n", ["line 6", "1 value", 2, "'5'"]),
    "too many values": (HEAD + "1,no,3\n", ["line 5", "3 values", 2, "'3'"]),
    "undeclared value": (
        HEAD + "1,maybe\n",
        ["line 5", "'maybe'", "'b'", "'no', 'yes'"],
    ),
    "no number": (HEAD + "x,no\n", ["line 5", "'x'", "number", "'a'"]),
    "sparse position": (
        HEAD + "{7 1}\n",
        ["line 5", "'7 1'", 2, "{0 value, 3 value}"],
    ),
    "no date": (
        "@attribute d date yyyy-MM-dd\n@data\n2020-13-01\n",
        ["line 3", "'2020-13-01'", "'%Y-%m-%d'", "'d'"],
    ),
    "unknown type": (
        "@attribute a relational\n@data\n",
        ["line 1", "'relational'", "'a'"],
    ),
    "value declared twice": (
        "@attribute a {x, y, x}\n@data\n",
        ["line 1", "'a'", "'x', 'y', 'x'"],
    ),
    "unknown word": (
        "@feature a numeric\n@data\n",
        ["line 1", "'@feature'", "@data", "@attribute"],
    ),
    "no rows": (HEAD, ["0 rows", "@data"]),
    "nothing declared": ("", ["@attribute", "ARFF"]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_named_with_line_and_token(write, fault):
    content, names = FAULTS[fault]
    path = write(content)
    with refused(FileReadError, path, *names):
        read_table(path)


def test_duplicate_names_are_refused(write):
    with refused(DataError, "'a'", "columns 0, 1"):
        read_table(write("@attribute a numeric\n@attribute a numeric\n@data\n1,2\n"))
