"""Data: CSV, C4.5 and ARFF files with faults; cells that may mean missing."""

from __future__ import annotations

import gzip

import pytest

from refusals import refused
from treewright import read_table
from treewright.data.readers import csv_scan
from treewright.data.readers.read import read_with_report
from treewright.data.readers.read_options import ReadOptions
from treewright.errors import FileReadError

READABLE = {
    "row34-byte-order-mark": ("t.csv", b"\xef\xbb\xbfx,y\n1,2\n"),
    "row34-gzip-named-csv": ("t.csv", gzip.compress(b"x,y\n1,2\n")),
    "row34-csv-named-gz": ("t.csv.gz", b"x,y\n1,2\n"),
}


@pytest.mark.parametrize("case", READABLE)
def test_read(case, write):
    assert read_table(write(*READABLE[case])).to_dict(as_series=False) == {
        "x": [1],
        "y": [2],
    }


def test_row34_latin_1_is_read_if_said(write):
    write("t.csv", "x\nä\n".encode("latin-1"))
    assert read_table("t.csv", encoding="latin-1")["x"].to_list() == ["ä"]


ARFF = "@relation r\n@attribute colour {red,blue}\n@attribute size numeric\n@data\n"
REFUSED = {
    "row34-latin-1": (
        {"t.csv": b"x,y\n1,2\n3,\xe4\n"},
        *("t.csv", "line 3", "0xe4", "utf-8", "encoding='latin-1'"),
    ),
    "row34-nul": (
        {"t.csv": b"x,y\n1,2\n3,\x00\n"},
        *("t.csv", "line 3", "NUL"),
    ),
    "row34-short-row": (
        {"t.csv": "x,y\n1,2\n3\n"},
        *("t.csv", "line 3", "1 cell", "header", 2),
    ),
    "row34-long-row": (
        {"t.csv": "x,y\n1,2\n3,4,5\n"},
        *("t.csv", "line 3", "3 cells", "header", 2),
    ),
    "row34-open-quote": (
        {"t.csv": 'x,y\n1,2\n3,"4\n5,6\n'},
        *("t.csv", "line 3", "quote"),
    ),
    "row34-empty": (
        {"t.csv": ""},
        *("t.csv", "empty", "1 row"),
    ),
    "row34-header-only": (
        {"t.csv": "x,y\n"},
        *("t.csv", "header", "0 rows"),
    ),
    "row34-header-only-with-a-return-in-quotes": (
        {"t.csv": '"x\rz",y\r\n'},
        *("t.csv", "header", "0 rows"),
    ),
    "row34-lines-end-with-returns": (
        {"t.csv": b"x,y\r1,a\r2,b\r"},
        *("t.csv", "CR", "LF", "CRLF", "tr '\\r' '\\n' < FILE"),
    ),
    "row34-cut-gzip": (
        {"t.csv": gzip.compress(b"x,y\n1,2\n", mtime=0)[:-6]},
        *("t.csv", "gzip", "damaged"),
    ),
    "row36-c45-value": (
        {"t.names": "yes, no.\nc: red, blue.\n", "t.data": "red,yes\ngreen,no\n"},
        *("t.data", "line 2", "'green'", "'c'", "'red', 'blue'"),
    ),
    "row36-c45-class": (
        {"t.names": "yes, no.\nc: red, blue.\n", "t.data": "red,maybe\n"},
        *("t.data", "line 1", "'maybe'", "'class'", "'yes', 'no'"),
    ),
    "row36-c45-number": (
        {"t.names": "yes, no.\nc: continuous.\n", "t.data": "1,yes\nx,no\n"},
        *("t.data", "line 2", "'x'", "number", "'c'", "?"),
    ),
    "row36-c45-count": (
        {"t.names": "yes, no.\nc: red, blue.\n", "t.data": "red\n"},
        *("t.data", "line 1", "1 value", 2, "'red'", "?"),
    ),
    "row36-arff-too-few": (
        {"t.arff": f"{ARFF}red,1\nblue\n"},
        *("t.arff", "line 6", "1 value", 2, "'blue'", "@attribute", "?"),
    ),
    "row36-arff-too-many": (
        {"t.arff": f"{ARFF}red,1,2\n"},
        *("t.arff", "line 5", "3 values", 2, "'2'", "@attribute", "?"),
    ),
    "row36-arff-value": (
        {"t.arff": f"{ARFF}green,1\n"},
        *("t.arff", "line 5", "'green'", "'colour'", "'red', 'blue'"),
    ),
    "row36-arff-rows": (
        {"t.arff": ARFF},
        *("t.arff", "0 rows", "@data"),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case, write):
    files, *names = REFUSED[case]
    path = [write(name, content) for name, content in files.items()][-1]
    with refused(FileReadError, *names) as refusal:
        read_table(path)
    assert isinstance(refusal.value, OSError)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("1" * (3 << 20), ("1 MiB", "CSV")),
        ('"' + "1" * (3 << 20), ("1 MiB", "quote")),
    ],
    ids=["row34-endless-line", "row34-endless-quote"],
)
def test_endless_line_is_refused_before_it_is_read(line, names, write, monkeypatch):
    assert csv_scan.MAX_RECORD_BYTES == 64 << 20
    monkeypatch.setattr(csv_scan, "MAX_RECORD_BYTES", 1 << 20)
    with refused(FileReadError, "t.csv", "line 2", *names):
        read_table(write("t.csv", f"x,y\n{line}"))


DOUBT = (
    "x: nominal, 3 values, not numeric because of 1 cell: {} (line 3); correct them,"
)
CELLS = {
    "row35-na": ("NA", "x: numeric, 2 values, 1 missing, 1 cell 'NA' read as missing"),
    "row35-mark": ("?", "x: numeric, 2 values, 1 missing, 1 cell '?' read as missing"),
    "row35-empty": (
        "",
        "x: numeric, 2 values, 1 missing, 1 empty cell read as missing",
    ),
    "row35-dash": (
        "-",
        DOUBT.format("'-'") + " or name them in missing_values '?,NA,NaN,-'",
    ),
    "row35-comma": (
        "1,5",
        DOUBT.format("'1,5'") + " or set decimal=','",
    ),
    "row35-thousands": (
        "1.234,5",
        DOUBT.format("'1.234,5'") + " or set decimal=',' and thousands='.'",
    ),
}


@pytest.mark.parametrize("case", CELLS)
def test_doubtful_cell_is_in_the_report(case, write):
    cell, line = CELLS[case]
    path = write("t.csv", f'x,y\n1,2\n"{cell}",3\n5,6\n')
    assert str(read_with_report(path).report[0]) == line


CHOSEN = {
    "row35-dash-chosen": ("-", ReadOptions(missing_values=("-",)), [1, None, 5]),
    "row35-comma-chosen": ("1,5", ReadOptions(decimal=","), [1.0, 1.5, 5.0]),
    "row35-thousands-chosen": ("1,500", ReadOptions(thousands=","), [1, 1500, 5]),
}


@pytest.mark.parametrize("case", CHOSEN)
def test_doubtful_cell_is_read_as_said(case, write):
    cell, how, numbers = CHOSEN[case]
    path = write("t.csv", f'x,y\n1,2\n"{cell}",3\n5,6\n')
    assert read_with_report(path, how).frame["x"].to_list() == numbers


def test_row35_command_line_shows_the_report(run, write):
    write("t.csv", "x,y\n1,a\n-,b\n5,c\n")
    shown = " ".join(run("fit", "t.csv", "--target", "y").stdout.split())
    assert "not numeric because of 1 cell: '-' (line 3)" in shown
    options = ["--missing-values", "-"]
    shown = run("fit", "t.csv", "--target", "y", *options).stdout
    assert "1 cell '-' read as missing" in " ".join(shown.split())
