"""CSV files that cannot be read: every fault is named, with its line."""

from __future__ import annotations

import gzip

import pytest

from treewright.data.readers import csv_scan
from treewright.data.readers.read import read_table
from treewright.data.readers.read_options import ReadOptions
from treewright.errors import DataError, FileReadError, SettingError

FAULTS = {
    "latin-1": (
        b"a,b\n1,2\n\xe4,3\n",
        ", line 3: byte 0xe4 is not utf-8; say how the file is encoded, for example "
        "encoding='latin-1'",
    ),
    "utf-16": (
        "a,b\n".encode("utf-16"),
        ", line 1: byte 0xff is not utf-8; say how the file is encoded, for example "
        "encoding='utf-16'",
    ),
    "cut character": (
        b"a,b\n1,\xc3",
        ", line 2: byte 0xc3 is not utf-8; say how the file is encoded, for example "
        "encoding='latin-1'",
    ),
    "NUL byte": (
        b"a,b\n1,2\n3,\x00\n",
        ", line 3: a NUL byte, which text does not have; "
        "export the file again, or remove the byte",
    ),
    "too few cells": (
        b"a,b,c\n1,2,3\n\n1,2\n",
        ", line 4: 2 cells, but the header has 3; give every line the same cells",
    ),
    "too many cells": (
        b"a,b\n1,2,3\n",
        ", line 2: 3 cells, but the header has 2; give every line the same cells",
    ),
    "quote never closed": (
        b'a,b\n1,2\n"3,4\n5,6\n',
        ", line 3: a quote is opened and never closed; close it",
    ),
    "quote closed too late": (
        b'a,b\n"1,2\n3,4\n5,6"\n7,8\n',
        ", line 2: 1 cell, but the header has 2; "
        "a quote opened here is closed in line 4: check it",
    ),
    "space before a quote": (
        b'a,b\n1,2\n1, "x, y"\n',
        ", line 3: cells and quotes do not match; a quoted cell must begin and end "
        "with its quotes, without spaces around them",
    ),
    "quotes inside a cell over a line end": (
        b'a\n1 "x\ny" z\n',
        ": cells and quotes do not match; a quoted cell must begin and end "
        "with its quotes, without spaces around them",
    ),
    "text behind a quote": (
        b'a,b\n1,2\n"x"y,3\n',
        ": cells and quotes do not match; a quoted cell must begin and end "
        "with its quotes, without spaces around them",
    ),
    "empty": (b"", " is empty; a header and at least 1 row are needed"),
    "only line ends": (b"\n\n", " is empty; a header and at least 1 row are needed"),
    "header only": (b"a,b\n", " has a header and 0 rows; at least 1 is needed"),
    "damaged gzip": (
        gzip.compress(b"a,b\n" + b"1,2\n" * 9, mtime=0)[:-9],
        ": the gzip data is damaged (Compressed file ended before the end-of-stream "
        "marker was reached); fetch the file again",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_named_with_their_line(write, fault):
    content, message = FAULTS[fault]
    path = write(content)
    with pytest.raises(FileReadError) as caught:
        read_table(path)
    assert str(caught.value) == f"{path}{message}"


def test_duplicate_names_are_refused(write):
    with pytest.raises(DataError) as caught:
        read_table(write("a,b,a\n1,2,3\n"))
    assert str(caught.value) == (
        "2 columns have the name 'a': columns 0, 2 (counted from 0); rename all but one"
    )


@pytest.mark.parametrize("quote", [b"", b'"'])
def test_endless_lines_stop_within_bounded_memory(tmp_path, monkeypatch, quote):
    monkeypatch.setattr(csv_scan, "MAX_RECORD_BYTES", 1 << 20)
    path = tmp_path / "t.csv.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"a,b\n" + quote)
        for _ in range(4):
            file.write(b"x" * (1 << 20))
    with pytest.raises(FileReadError) as caught:
        read_table(path)
    what = "a line of more than 1 MiB; check that this is a CSV file"
    if quote:
        what = "a quote is opened and not closed within 1 MiB; close it"
    assert str(caught.value) == f"{path}, line 2: {what}"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"separator": "::"},
            "separator '::' cannot be used; give one ASCII sign that is neither a "
            "quote nor a line end",
        ),
        (
            {"decimal": ",", "thousands": ","},
            "decimal ',' cannot be used with thousands ','; "
            "give one sign, and another one for thousands",
        ),
    ],
)
def test_impossible_options_are_refused(options, message):
    with pytest.raises(SettingError) as caught:
        ReadOptions(**options)
    assert str(caught.value) == message


def test_unknown_encoding_is_refused(write):
    with pytest.raises(SettingError) as caught:
        read_table(write("a\n1\n"), encoding="klingon")
    assert str(caught.value) == (
        "encoding 'klingon' is not known; use for example 'utf-8' or 'latin-1'"
    )


def test_no_such_file_lists_the_built_in_tables():
    with pytest.raises(FileReadError) as caught:
        read_table("no_such_file.csv")
    assert str(caught.value) == (
        "there is no file 'no_such_file.csv'; check the path, or take a built-in "
        "table: cars, dungeon, patients, restaurant, six_rows, tennis, watermelon, "
        "watermelon_missing"
    )


def test_folder_is_refused(tmp_path):
    with pytest.raises(FileReadError) as caught:
        read_table(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path} cannot be read: Is a directory; check the path"
    )
