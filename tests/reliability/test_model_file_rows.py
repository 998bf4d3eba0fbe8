"""Model files that are none, or no longer: one error each, that names what is wrong."""

from __future__ import annotations

import json
import pickle
import resource
import struct
import time

import handmade
import numpy as np
import pytest
from test_bad_model_files import put, raw_header, remove, resigned, set_at, swap

from refusals import refused
from treewright.errors import ModelFileError
from treewright.tree import from_bytes, load, to_bytes
from treewright.tree.file.container import unpack

GOOD = to_bytes(handmade.subsets())


class Bomb:
    def __reduce__(self):
        return (print, ("the pickle ran",))


FOREIGN = {
    "row43-empty": (b"", "empty"),
    "row43-random": (np.random.default_rng(7).bytes(5000), "bytes"),
    "row43-png": (b"\x89PNG\r\n\x1a\n" + bytes(50), "PNG"),
    "row43-pickle": (pickle.dumps(Bomb()), "pickle"),
    "row43-old-pickle": (pickle.dumps(Bomb(), 0), "pickle"),
    "row51-zip": (b"PK\x03\x04" + bytes(50), "zip"),
}


@pytest.mark.parametrize("case", FOREIGN)
def test_foreign_file_is_named(case, tmp_path, capsys):
    data, what = FOREIGN[case]
    path = tmp_path / "file"
    path.write_bytes(data)
    with refused(ModelFileError, path, what):
        load(path)
    assert capsys.readouterr().out == ""


def test_row43_folder(tmp_path):
    with refused(ModelFileError, tmp_path, "folder"):
        load(tmp_path)


def test_row44_cut_at_every_byte():
    for length in range(len(GOOD)):
        with pytest.raises(ModelFileError):
            from_bytes(GOOD[:length])


def arrays(change):
    return lambda: resigned(arrays_change=change)


def header(change):
    return lambda: resigned(change)


def text(words):
    return lambda: raw_header(words)


def wild_shape():
    head, _ = unpack(GOOD)
    entry = {"dtype": "U8", "shape": [2**60], "data_offsets": [0, 0]}
    table = {"__metadata__": {"treewright": json.dumps(head)}, "kind": entry}
    body = json.dumps(table).encode()
    return struct.pack("<Q", len(body)) + body


CLASSES = ("schema", "target", "classes")
BROKEN = {
    "row45-child": (
        arrays(put("first_child", 0, 99)),
        *("tree 0", "node 0", "12 nodes", 100),
    ),
    "row45-feature": (
        arrays(put("feature", 0, 3)),
        *("tree 0", "node 0", "feature", "0 to 2", 3),
    ),
    "row45-feature-negative": (
        arrays(put("feature", 0, -1)),
        *("tree 0", "node 0", "feature", "0 to 2", -1),
    ),
    "row45-class": (
        arrays(put("label", (0, 0), 2)),
        *("tree 0", "node 0", "labels", "codes", "[2]"),
    ),
    "row45-category": (
        arrays(put("set_codes", 0, 77)),
        *("tree 0", "node 0", "set codes", 77),
    ),
    "row45-subset": (
        arrays(put("set_size", 4, 2**62)),
        *("damaged", "tree 0", "node 4", "set", "0 to 3"),
    ),
    "row45-threshold-nan": (
        arrays(put("threshold", 3, np.nan)),
        *("tree 0", "node 3", "threshold", "finite", "nan"),
    ),
    "row45-value-nan": (
        arrays(put("value", (0, 0), np.nan)),
        *("tree 0", "node 0", "value", "finite", "[nan  6.]"),
    ),
    "row46-cycle": (
        arrays(put("first_child", 3, 0)),
        *("tree 0", "node 3", "children", "parent", 0),
    ),
    "row46-shared-child": (
        arrays(put("first_child", 1, 5)),
        *("tree 0", "node 3", "root", "1 parent", 0),
    ),
    "row46-unreachable": (
        arrays(put("n_children", 3, 2)),
        *("tree 0", "node 9", "root", "1 parent", 0),
    ),
    "row47-other-count": (
        header(set_at("model", "n_nodes", value=13)),
        *("damaged", "array 'kind'", "12 entries", 13),
    ),
    "row47-2^60-nodes": (
        header(set_at("model", "n_nodes", value=2**60)),
        *("damaged", "array 'kind'", "12 entries", 2**60),
    ),
    "row48-duplicate-key": (
        text('{"format": "1.0", "format": "1.0"}'),
        *("header", "'format'", "twice"),
    ),
    "row48-section": (
        header(set_at("required", value=["model", "schema", "boosting"])),
        *("treewright", "section 'boosting'"),
    ),
    "row48-no-section": (header(remove("schema")), "header", "no 'schema'"),
    "row48-nan": (text('{"format": NaN}'), "header", "NaN", "JSON"),
    "row48-infinity": (text('{"format": Infinity}'), "header", "Infinity", "JSON"),
    "row48-loose-nan": (
        header(set_at(*CLASSES, 0, 0, value={"float": "NaN"})),
        *("'NaN'", "float"),
    ),
    "row48-number-as-text": (
        header(set_at("model", "n_nodes", value="12")),
        *("header", "'n_nodes'", "str", "int"),
    ),
    "row48-brackets": (text("[" * 10**6), "header", "brackets", 64),
    "row49-newer-major": (
        header(set_at("format", value="3.0")),
        *("format 3", "treewright", 1),
    ),
    "row50-10^9-branches": (
        arrays(put("n_children", 0, 10**9)),
        *("tree 0", "node 0", "12 nodes", 10**9),
    ),
    "row50-fewer-categories": (
        header(set_at("schema", "features", 0, "categories", value=["red"])),
        *("tree 0", "node 0", "set codes", 2),
    ),
    "row53-checksum": (
        lambda: GOOD[:-1] + bytes([GOOD[-1] ^ 1]),
        *("damaged", "checksum"),
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_file_is_refused(case):
    make, *names = BROKEN[case]
    with refused(ModelFileError, *names):
        from_bytes(make())


def test_row47_2_to_the_60_cells_are_refused_before_allocating():
    # the rest is the container's own message
    with refused(ModelFileError, "damaged"):
        from_bytes(wild_shape())


def test_row49_newer_minor_loads_without_the_optional_parts():
    def change(head):
        head["format"] = "1.8"
        head["colours"] = {"leaf": "green"}

    extra = swap("surrogate", np.zeros((3, 2), np.float32))
    assert to_bytes(from_bytes(resigned(change, extra))) == GOOD


def test_row52_file_is_read_whole_and_not_mapped(tmp_path):
    path = tmp_path / "t.tw"
    path.write_bytes(GOOD)
    model = load(path)
    with path.open("r+b") as file:  # in place, as a map would see it
        file.write(bytes(len(GOOD)))
    assert to_bytes(model) == GOOD


def test_row47_bad_files_are_refused_quickly_and_in_little_memory():
    megabyte = 10**6
    files = [bytes(megabyte), raw_header("[" * megabyte), GOOD[:8] + b"{" * megabyte]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for data in files:
        start = time.perf_counter()
        with pytest.raises(ModelFileError):
            from_bytes(data)
        assert time.perf_counter() - start < 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000
