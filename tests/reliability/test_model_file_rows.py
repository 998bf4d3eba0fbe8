"""Model files that are none, or no longer: one error each, word for word."""

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

from treewright.errors import ModelFileError
from treewright.tree import from_bytes, load, to_bytes
from treewright.tree.file.container import unpack

GOOD = to_bytes(handmade.subsets())
NO_MODEL = "not a treewright model: "
DAMAGED = "damaged model file: "
PICKLE = "a Python pickle, which treewright does not open: it can run code"


class Bomb:
    def __reduce__(self):
        return (print, ("the pickle ran",))


FOREIGN = {
    "row43-empty": (b"", "the file is empty"),
    "row43-random": (np.random.default_rng(7).bytes(5000), "the bytes make no sense"),
    "row43-png": (b"\x89PNG\r\n\x1a\n" + bytes(50), "a PNG image"),
    "row43-pickle": (pickle.dumps(Bomb()), PICKLE),
    "row43-old-pickle": (pickle.dumps(Bomb(), 0), PICKLE),
    "row51-zip": (b"PK\x03\x04" + bytes(50), "a zip archive"),
}


@pytest.mark.parametrize("case", FOREIGN)
def test_foreign_file_is_named(case, tmp_path, capsys):
    data, what = FOREIGN[case]
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(ModelFileError) as refusal:
        load(path)
    assert str(refusal.value) == f"{str(path)!r}: {NO_MODEL}{what}"
    assert capsys.readouterr().out == ""


def test_row43_folder(tmp_path):
    with pytest.raises(ModelFileError) as refusal:
        load(tmp_path)
    assert str(refusal.value) == f"{str(tmp_path)!r}: {NO_MODEL}a folder"


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


SET_CODES = "set codes must be ascending codes of its feature, found {}"
NODE = "tree 0, node {}: "
CLASSES = ("schema", "target", "classes")
BROKEN = {
    "row45-child": (
        arrays(put("first_child", 0, 99)),
        NODE.format(0) + "there are 12 nodes only, found 100",
    ),
    "row45-feature": (
        arrays(put("feature", 0, 3)),
        NODE.format(0) + "feature must be 0 to 2, found 3",
    ),
    "row45-feature-negative": (
        arrays(put("feature", 0, -1)),
        NODE.format(0) + "feature must be 0 to 2, found -1",
    ),
    "row45-class": (
        arrays(put("label", (0, 0), 2)),
        NODE.format(0) + "labels must be codes below [2], found [2]",
    ),
    "row45-category": (
        arrays(put("set_codes", 0, 77)),
        NODE.format(0) + SET_CODES.format(77),
    ),
    "row45-subset": (
        arrays(put("set_size", 4, 2**62)),
        DAMAGED + NODE.format(4) + "its set must have 0 to 3 codes",
    ),
    "row45-threshold-nan": (
        arrays(put("threshold", 3, np.nan)),
        NODE.format(3) + "threshold must be finite, found nan",
    ),
    "row45-value-nan": (
        arrays(put("value", (0, 0), np.nan)),
        NODE.format(0) + "every value must be finite, found [nan  6.]",
    ),
    "row46-cycle": (
        arrays(put("first_child", 3, 0)),
        NODE.format(3) + "children come after their parent, found 0",
    ),
    "row46-shared-child": (
        arrays(put("first_child", 1, 5)),
        NODE.format(3) + "every node but the root has 1 parent, found 0",
    ),
    "row46-unreachable": (
        arrays(put("n_children", 3, 2)),
        NODE.format(9) + "every node but the root has 1 parent, found 0",
    ),
    "row47-other-count": (
        header(set_at("model", "n_nodes", value=13)),
        DAMAGED + "array 'kind' has 12 entries where the header promises 13",
    ),
    "row47-2^60-nodes": (
        header(set_at("model", "n_nodes", value=2**60)),
        DAMAGED + f"array 'kind' has 12 entries where the header promises {2**60}",
    ),
    "row48-duplicate-key": (
        text('{"format": "1.0", "format": "1.0"}'),
        NO_MODEL + "its header says 'format' twice",
    ),
    "row48-section": (
        header(set_at("required", value=["model", "schema", "boosting"])),
        "this treewright does not know the section 'boosting' that the model file "
        "requires; install a newer one",
    ),
    "row48-no-section": (
        header(remove("schema")),
        NO_MODEL + "its header has no 'schema'",
    ),
    "row48-nan": (
        text('{"format": NaN}'),
        NO_MODEL + "its header says NaN, which is not JSON",
    ),
    "row48-infinity": (
        text('{"format": Infinity}'),
        NO_MODEL + "its header says Infinity, which is not JSON",
    ),
    "row48-loose-nan": (
        header(set_at(*CLASSES, 0, 0, value={"float": "NaN"})),
        NO_MODEL + "'NaN' is not a float",
    ),
    "row48-number-as-text": (
        header(set_at("model", "n_nodes", value="12")),
        NO_MODEL + "'n_nodes' in its header is a str, not a int",
    ),
    "row48-brackets": (
        text("[" * 10**6),
        NO_MODEL + "its header nests brackets deeper than 64 levels",
    ),
    "row49-newer-major": (
        header(set_at("format", value="3.0")),
        "written by format 3, this treewright reads 1; install a treewright that knows "
        "it",
    ),
    "row50-10^9-branches": (
        arrays(put("n_children", 0, 10**9)),
        NODE.format(0) + f"there are 12 nodes only, found {10**9}",
    ),
    "row50-fewer-categories": (
        header(set_at("schema", "features", 0, "categories", value=["red"])),
        NODE.format(0) + SET_CODES.format(2),
    ),
    "row53-checksum": (
        lambda: GOOD[:-1] + bytes([GOOD[-1] ^ 1]),
        DAMAGED + "the checksum does not match the content; save the model again or "
        "restore the file",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_file_is_refused(case):
    make, message = BROKEN[case]
    with pytest.raises(ModelFileError) as refusal:
        from_bytes(make())
    assert str(refusal.value) == message


def test_row47_2_to_the_60_cells_are_refused_before_allocating():
    with pytest.raises(ModelFileError) as refusal:
        from_bytes(wild_shape())
    # the rest is the container's own message
    assert str(refusal.value).startswith(DAMAGED)


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
