"""CSV files that cannot be read: every fault is named, with its line."""

from __future__ import annotations

import gzip

import pytest

from refusals import refused
from treewright.data.readers import csv_scan
from treewright.data.readers.read import read_table
from treewright.data.readers.read_options import ReadOptions
from treewright.errors import DataError, FileReadError, SettingError

FAULTS = {
    "latin-1": (
        b"a,b\n1,2\n\xe4,3\n",
        ["line 3", "0xe4", "utf-8", "encoding='latin-1'"],
    ),
    "utf-16": (
        "a,b\n".encode("utf-16"),
        ["line 1", "0xff", "utf-8", "encoding='utf-16'"],
    ),
    "cut character": (
        b"a,b\n1,\xc3",
        ["line 2", "0xc3", "utf-8", "encoding='latin-1'"],
    ),
    "NUL byte": (b"a,b\n1,2\n3,\x00\n", ["line 3", "NUL"]),
    "too few cells": (b"a,b,c\n1,2,3\n\n1,2\n", ["line 4", "2 cells", "header", 3]),
    "too many cells": (b"a,b\n1,2,3\n", ["line 2", "3 cells", "header", 2]),
    "quote never closed": (b'a,b\n1,2\n"3,4\n5,6\n', ["line 3", "quote", "never"]),
    "quote closed too late": (
        b'a,b\n"1,2\n3,4\n5,6"\n7,8\n',
        ["line 2", "1 cell", "header", "quote", "line 4"],
    ),
    "space before a quote": (b'a,b\n1,2\n1, "x, y"\n', ["line 3", "quotes", "spaces"]),
    "quotes inside a cell over a line end": (b'a\n1 "x\ny" z\n', ["quotes", "spaces"]),
    "text behind a quote": (b'a,b\n1,2\n"x"y,3\n', ["quotes", "spaces"]),
    "empty": (b"", ["empty"]),
    "only line ends": (b"\n\n", ["empty"]),
    "header only": (b"a,b\n", ["header", "0 rows"]),
    "damaged gzip": (
        gzip.compress(b"a,b\n" + b"1,2\n" * 9, mtime=0)[:-9],
        ["gzip", "damaged"],
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_named_with_their_line(write, fault):
    content, names = FAULTS[fault]
    path = write(content)
    with refused(FileReadError, path, *names):
        read_table(path)


def test_duplicate_names_are_refused(write):
    with refused(DataError, "'a'", "columns 0, 2"):
        read_table(write("a,b,a\n1,2,3\n"))


@pytest.mark.parametrize("quote", [b"", b'"'])
def test_endless_lines_stop_within_bounded_memory(tmp_path, monkeypatch, quote):
    monkeypatch.setattr(csv_scan, "MAX_RECORD_BYTES", 1 << 20)
    path = tmp_path / "t.csv.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"a,b\n" + quote)
        for _ in range(4):
            file.write(b"x" * (1 << 20))
    with refused(FileReadError, path, "line 2", "1 MiB", "quote" if quote else "CSV"):
        read_table(path)


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"separator": "::"}, ["separator", "'::'"]),
        ({"decimal": ",", "thousands": ","}, ["decimal", "','", "thousands"]),
    ],
)
def test_impossible_options_are_refused(options, names):
    with refused(SettingError, *names):
        ReadOptions(**options)


def test_unknown_encoding_is_refused(write):
    with refused(SettingError, "encoding", "'klingon'", "'utf-8'", "'latin-1'"):
        read_table(write("a\n1\n"), encoding="klingon")


def test_no_such_file_lists_the_built_in_tables():
    built_in = (
        "cars, dungeon, patients, restaurant, six_rows, tennis, watermelon, "
        "watermelon_missing"
    )
    with refused(FileReadError, "'no_such_file.csv'", built_in):
        read_table("no_such_file.csv")


def test_folder_is_refused(tmp_path):
    with refused(FileReadError, tmp_path, "directory"):
        read_table(tmp_path)
