"""CSV files: kinds and remarks; faults are in `test_read_csv_faults.py`."""

from __future__ import annotations

import gzip

import numpy as np
import polars as pl
import pytest

from refusals import refused
from treewright.data.readers import csv_scan
from treewright.data.readers.read import read_table, read_with_report
from treewright.data.readers.read_options import ReadOptions
from treewright.errors import FileReadError


def test_kinds_are_found(write):
    path = write(
        "i,f,b,t,big,huge\n"
        "1,1.5,true,x,18446744073709551615,9007199254740993\n"
        " 2,-2e3,FALSE,y y,0,1\n"
    )
    frame = read_table(path)
    assert frame.dtypes == [
        pl.Int64,
        pl.Float64,
        pl.Boolean,
        pl.String,
        pl.UInt64,
        pl.Int64,
    ]
    assert frame.rows() == [
        (1, 1.5, True, "x", 2**64 - 1, 2**53 + 1),
        (2, -2000.0, False, "y y", 0, 1),
    ]


def test_missing_cells_are_reported(write):
    path = write("a,b\n?,x\n,NA\n3,?\nNaN,y\n? ,x\n")
    file = read_with_report(path)
    assert file.frame["a"].to_list() == [None, None, 3, None, None]
    assert file.frame["b"].to_list() == ["x", None, None, "y", "x"]
    assert [str(line) for line in file.report] == [
        "a: numeric, 1 value, 4 missing, 1 empty cell and 2 cells '?' and "
        "1 cell 'NaN' read as missing",
        "b: nominal, 2 values, 2 missing, 1 cell '?' and 1 cell 'NA' read as missing",
    ]


def test_missing_values_can_be_chosen(write):
    path = write("a,b\n-,NA\n3,\n")
    frame = read_table(path, missing_values=["-"])
    assert frame["a"].to_list() == [None, 3]
    assert frame["b"].to_list() == ["NA", None]


@pytest.mark.parametrize(
    ("cells", "remark"),
    [
        (
            ["1", "2", "-", "4", "-"],
            "not numeric because of 2 cells: '-' (line 4); "
            "name them in missing_values '?,NA,NaN,-'",
        ),
        (
            ["1", "N/A", "3"],
            "not numeric because of 1 cell: 'N/A' (line 3); "
            "correct them, or name them in missing_values '?,NA,NaN,N/A'",
        ),
        # not a word for missing: to name it as one would throw data away
        (
            ["2", "3", "4", "5more"],
            "not numeric because of 1 cell: '5more' (line 5); correct them",
        ),
        (
            ["2", "3", "5more", "2", "3", "5more"],
            "not numeric because of 2 cells: '5more' (line 4)",
        ),
        (
            ["1", "2", "3", "4", "5", "6", *"abcdef"],
            "not numeric because of 6 cells: 'a' (line 8), 'b' (line 9), 'c' (line 10) "
            "and 3 more",
        ),
        (
            ["1", '"1,5"', "2"],
            "not numeric because of 1 cell: '1,5' (line 3); "
            "correct them, or set decimal=','",
        ),
        # a decimal comma would not read the first cell
        (
            ["1.5", '"1,5"', "2"],
            "not numeric because of 1 cell: '1,5' (line 3); correct them",
        ),
        (
            ["2", '"1,500"'],
            "not numeric because of 1 cell: '1,500' (line 3); "
            "correct them, or set decimal=',' or thousands=','",
        ),
        (
            ['"1.234,50"', '"99,00"', "n/a"],
            "not numeric because of 3 cells: '1.234,50' (line 2), '99,00' (line 3), "
            "'n/a' (line 4); set decimal=',' and thousands='.', and name 'n/a' in "
            "missing_values '?,NA,NaN,n/a'",
        ),
        (
            ['"1.234,50"', '"99,00"', "7"],
            "not numeric because of 2 cells: '1.234,50' (line 2), '99,00' (line 3); "
            "set decimal=',' and thousands='.'",
        ),
        (
            ["1'234'567", "5'000"],
            'not numeric because of 2 cells: "1\'234\'567" (line 2), "5\'000" '
            '(line 3); set thousands="\'"',
        ),
        (
            ["05.01.2024", "17.02.2024"],
            "not read as dates; write dates such as '05.01.2024' in the form "
            "2024-01-05",
        ),
        (
            ["3", "4", "05/01/2024"],
            "not numeric because of 1 cell: '05/01/2024' (line 4); correct them, or "
            "write dates such as '05/01/2024' in the form 2024-01-05",
        ),
        (
            ["192.168.1.7", "10.0.0.1"],
            "not numeric because of 2 cells: '192.168.1.7' (line 2), '10.0.0.1' "
            "(line 3)",
        ),
        (["a", "b", "1"], ""),
        (
            ["007", "11"],
            "leading zeros as in '007' are lost in numbers; "
            "say nominal if these are codes",
        ),
        (
            ["123456789012345678901", "2"],
            "integers beyond 64 bits are rounded to float64",
        ),
        (["", "?"], "1 empty cell and 1 cell '?' read as missing"),
    ],
)
def test_doubtful_numbers_are_never_guessed_silently(write, cells, remark):
    path = write("\n".join(["n,m", *(f"{cell},1" for cell in cells)]))
    facts = read_with_report(path).report[0]
    assert facts.remark == remark
    assert facts.kind == (
        "numeric" if "lost" in remark or "rounded" in remark else "nominal"
    )


def test_decimal_comma_and_thousands_sign_are_read_when_told(write):
    path = write('a;b\n1.234,5;"2,5"\n0,5;3\n')
    frame = read_table(path, separator=";", decimal=",", thousands=".")
    assert frame.rows() == [(1234.5, 2.5), (0.5, 3.0)]
    frame = read_table(path, separator=";", decimal=",")
    assert frame["a"].to_list() == ["1.234,5", "0,5"]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"\xef\xbb\xbfa,b\n1,x\n", "bom.csv"),
        (b"a,b\r\n1,x\r\n", "crlf.csv"),
        (b"a,b\n1,x", "no_final_line_end.csv"),
        (b"\na,b\n\n1,x\n\n", "blank_lines.csv"),
        (b'"a","b"\n"1","x"\n', "quotes.csv"),
        (b"a\tb\n1\tx\n", "tabs.tsv"),
        (gzip.compress(b"a,b\n1,x\n", mtime=0), "packed.csv.gz"),
        (gzip.compress(b"a,b\n1,x\n", mtime=0), "wrong_suffix.csv"),
        (b"a,b\n1,x\n", "not_packed.csv.gz"),
    ],
)
def test_every_harmless_form_is_read(write, content, name):
    frame = read_table(write(content, name))
    assert frame.columns == ["a", "b"]
    assert frame.rows() == [(1, "x")]


def test_quoted_cells_may_hold_separators_quotes_and_line_ends(write):
    path = write('a,b\n"x,""y""\nz",1\n"",2\nq,oops\n')
    file = read_with_report(path)
    assert file.frame["a"].to_list() == ['x,"y"\nz', None, "q"]
    assert "'oops' (line 5)" in file.report[1].remark


def test_other_encodings_are_read_when_told(write):
    assert read_table(write("a\nä\n".encode("latin-1")), encoding="latin-1")[
        "a"
    ].to_list() == ["ä"]
    utf16 = write("a,b\nä,1\n".encode("utf-16"), "utf16.csv")
    assert read_table(utf16, encoding="utf-16").rows() == [("ä", 1)]


@pytest.mark.parametrize("block_bytes", [1, 2, 3, 7])
def test_blocks_of_any_size_are_scanned_alike(block_bytes):
    content = b'a,b\r\n\r\n"x\n,y",2\n\n3,4\n5,""'
    scanner = csv_scan.RecordScanner("file", ",")
    for start in range(0, len(content), block_bytes):
        scanner.feed(content[start : start + block_bytes])
    records = scanner.finish()
    assert records.lines.tolist() == [1, 2, 3, 5, 6, 7]
    assert records.blank.tolist() == [False, True, False, True, False, False]


def test_parquet_is_known_by_its_content(tmp_path):
    frame = pl.DataFrame(
        {
            "a": [1, None],
            "e": pl.Series(["x", "y"], dtype=pl.Enum(["y", "x", "z"])),
            "n": pl.Series([None, None], dtype=pl.String),
        }
    )
    path = tmp_path / "table.bin"
    frame.write_parquet(path)
    file = read_with_report(path)
    assert file.frame.rows() == frame.rows()
    assert [str(line) for line in file.report] == [
        "a: numeric, 1 value, 1 missing",
        "e: nominal, 2 values",
        "n: nominal, 0 values, 2 missing, all cells are missing",
    ]
    path.write_bytes(path.read_bytes()[:-20])
    with refused(FileReadError, path, "damaged", "parquet"):
        read_table(path)


def test_built_in_table_by_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = read_with_report("tennis")
    assert file.frame.shape == (14, 5)
    assert file.target == "PlayTennis"
    (tmp_path / "tennis").write_text("a,b\n1,2\n")
    assert read_table("tennis").shape == (1, 2)


def test_scan_agrees_with_the_parser_on_a_larger_file(write):
    numbers = np.random.default_rng(0).integers(0, 100, size=(50_000, 8))
    lines = "\n".join(",".join(map(str, row)) for row in numbers.tolist())
    frame = read_table(write("a,b,c,d,e,f,g,h\n" + lines))
    np.testing.assert_array_equal(frame.to_numpy(), numbers)


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (
            ["2020-01-31", "", "2020-02-01"],
            pl.Series(["2020-01-31", None, "2020-02-01"]).str.to_date(),
        ),
        (
            ["2020-01-31 10:00", "2020-01-31T10:00:01", "2020-01-31 10:00:01.5"],
            pl.Series(
                [
                    "2020-01-31 10:00:00.0",
                    "2020-01-31 10:00:01.0",
                    "2020-01-31 10:00:01.5",
                ]
            ).str.to_datetime(time_unit="us"),
        ),
    ],
)
def test_dates_in_iso_form_are_read_as_dates(write, cells, values):
    file = read_with_report(write("\n".join(["f,g", *(f"{cell},0" for cell in cells)])))
    assert file.frame["f"].equals(values)
    assert file.report[0].kind == "numeric"
    assert file.report[0].remark.endswith("dates")


@pytest.mark.parametrize(
    "cells",
    [
        ["2020-01-31", "2020-02-30"],
        ["2020-01-31", "2020-02-01 10:00"],
        ["2020-01-31", "soon"],
        ["31.1.2020", "1.2.2020"],
        ["2020-01-31T25:00", "2020-01-31T10:00"],
    ],
)
def test_other_dates_stay_text(write, cells):
    frame = read_table(write("\n".join(["f", *cells])))
    assert frame["f"].to_list() == cells


def test_nominal_dates_stay_text(write):
    options = ReadOptions(nominal=frozenset({"f"}))
    frame = read_with_report(write("f\n2020-01-31\n2020-02-01\n"), options).frame
    assert frame["f"].to_list() == ["2020-01-31", "2020-02-01"]


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("1.234.567,5", 1234567.5),
        ("-12.345", -12345.0),
        ("999", 999.0),
        ("1234,5", 1234.5),
        ("12.5", None),
        ("3.25", None),
        ("0.125", None),
        ("1234.567", None),
        ("1.2345", None),
        ("1,234.5", None),
        ("05.01.2024", None),
        ("192.168.1.7", None),
    ],
)
def test_thousands_are_groups_of_three_digits(write, cell, number):
    path = write(f"n;m\n{cell};1\n2;1\n")
    options = ReadOptions(separator=";", decimal=",", thousands=".")
    table = read_with_report(path, options)
    expected = [cell, "2"] if number is None else [number, 2.0]
    assert table.frame["n"].to_list() == expected
    assert ("line 2" in table.report[0].remark) == (number is None)
