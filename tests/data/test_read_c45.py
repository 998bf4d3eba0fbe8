"""C4.5 files: names, rows, faults."""

from __future__ import annotations

import polars as pl
import pytest

from refusals import refused
from treewright.data.readers.read import read_table, read_with_report
from treewright.errors import FileReadError

NAMES = r"""| Golf
Play, Don't Play.          | the classes

outlook:     sunny, overcast,
             rain, never.  | continued
temperature: continuous.
humidity:    continuous
windy\, very: true, false.
code:        discrete 5.
id:          label.
junk:        ignore.
"""
DATA = """sunny,  85, ?, true, a, 1, x, Don't Play
overcast, 8.5, 78., false, b, 2, y, Play. | a comment

rain, ?, 1.5, false, ?, 3, z, Play.
"""


@pytest.fixture
def golf(tmp_path):
    (tmp_path / "golf.names").write_text(NAMES)
    (tmp_path / "golf.data").write_text(DATA)
    (tmp_path / "golf.test").write_text(DATA.splitlines()[0] + "\n")
    return tmp_path / "golf"


@pytest.mark.parametrize("suffix", ["", ".names", ".data"])
def test_stem_names_and_data_mean_the_same(golf, suffix):
    file = read_with_report(f"{golf}{suffix}")
    assert file.target == "class"
    assert file.frame.columns == [
        "outlook",
        "temperature",
        "humidity",
        "windy, very",
        "code",
        "class",
    ]
    assert file.frame.dtypes[0] == pl.Enum(["sunny", "overcast", "rain", "never"])
    assert file.frame.dtypes[-1] == pl.Enum(["Play", "Don't Play"])
    assert file.frame.rows() == [
        ("sunny", 85.0, None, "true", "a", "Don't Play"),
        ("overcast", 8.5, 78.0, "false", "b", "Play"),
        ("rain", None, 1.5, "false", None, "Play"),
    ]
    assert [str(line) for line in file.report][-4:] == [
        "code: nominal, 2 values, 1 missing, 1 '?' read as missing",
        "id: left out, 3 values, left out: declared as label",
        "junk: left out, 3 values, left out: declared as ignore",
        "class: nominal, 2 values",
    ]


def test_test_file_is_read_with_the_same_names(golf):
    assert read_table(f"{golf}.test").height == 1


def test_target_may_be_a_named_feature(tmp_path):
    (tmp_path / "t.names").write_text("play.\nplay: yes, no.\nwind: a, b.\n")
    (tmp_path / "t.data").write_text("no,a\nyes,b\n")
    file = read_with_report(tmp_path / "t")
    assert file.target == "play"
    assert file.frame.rows() == [("no", "a"), ("yes", "b")]


FAULTS = {
    "unknown value": (
        ("p, q.\nf: a, b.\n", "a, p\nc, q\n"),
        ["t.data", "line 2", "'c'", "'f'", "'a', 'b'"],
    ),
    "unknown class": (
        ("p, q.\nf: a, b.\n", "a, r\n"),
        ["t.data", "line 1", "'r'", "'class'", "'p', 'q'"],
    ),
    "no number": (
        ("p, q.\nf: continuous.\n", "| rows\nx1, p\n"),
        ["t.data", "line 2", "'x1'", "number", "'f'"],
    ),
    "wrong count": (
        ("p, q.\nf: a, b.\n", "a, b, p\n"),
        ["t.data", "line 1", "3 values", 2, "'p'"],
    ),
    "no type": (
        ("p, q.\nf.\n", "a, p\n"),
        ["t.names", "line 2", "'f'", "'continuous', 'ignore', 'label', 'discrete'"],
    ),
    "value declared twice": (
        ("p, q.\nf: a, a.\n", "a, p\n"),
        ["t.names", "line 2", "'f'", "'a', 'a'"],
    ),
    "no features": (("p, q.\n", "p\n"), ["t.names", "features"]),
    "list that ends in a comma": (
        ("p, q.\nf: a, b,\n", "c, p\n"),
        ["t.data", "line 1", "'c'", "'f'", "'a', 'b'"],
    ),
    "no rows": (("p, q.\nf: a.\n", "\n"), ["t.data", "0 rows"]),
    "no data file": (("p, q.\nf: a.\n", None), ["t.data", "path"]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_named_with_line_and_token(tmp_path, fault):
    (names, data), named = FAULTS[fault]
    (tmp_path / "t.names").write_text(names)
    if data is not None:
        (tmp_path / "t.data").write_text(data)
    file, *where = named
    with refused(FileReadError, tmp_path / file, *where):
        read_table(tmp_path / "t")
