"""Files that are no models, or no longer: one clear error each, never a crash."""

from __future__ import annotations

import io
import json
import pickle
import resource
import struct
import time
import zlib

import handmade
import numpy as np
import pytest
import safetensors.numpy

from treewright.errors import ModelFileError
from treewright.tree import from_bytes, load, to_bytes
from treewright.tree.file.container import pack, unpack

GOOD = to_bytes(handmade.subsets())
WIDE = to_bytes(handmade.wide())


def png():
    def chunk(name, body):
        check = struct.pack(">I", zlib.crc32(name + body))
        return struct.pack(">I", len(body)) + name + body + check

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IEND", b"")


def npz():
    out = io.BytesIO()
    np.savez(out, a=np.zeros(3))
    return out.getvalue()


RANDOM = np.random.default_rng(7).bytes(5000)
FOREIGN = {
    "empty": (b"", "the file is empty"),
    "random": (RANDOM, "the bytes make no sense"),
    "few bytes": (b"\x01\x02", "the bytes make no sense"),
    "png": (png(), "a PNG image"),
    "zip": (npz(), "a zip archive"),
    "json": (b'{"trees": []}', "JSON text"),
    "csv": (b"a,b\n1,2\n3,4\n", "the bytes make no sense"),
    "zeros": (bytes(100), "the bytes make no sense"),
    "pickle": (pickle.dumps({"a": 1}), "a Python pickle, which treewright does not"),
    "old pickle": (pickle.dumps({"a": 1}, 0), "a Python pickle, which treewright"),
    "pickle 1": (pickle.dumps([1, 2], 1), "a Python pickle, which treewright does"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_file_is_named(name, tmp_path):
    data, words = FOREIGN[name]
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(ModelFileError, match=f"not a treewright model: {words}"):
        load(tmp_path / "file")


class Bomb:
    def __reduce__(self):
        return (print, ("the pickle ran",))


@pytest.mark.parametrize("protocol", range(6))
def test_pickle_is_not_run(protocol, tmp_path, capsys):
    (tmp_path / "file").write_bytes(pickle.dumps(Bomb(), protocol))
    with pytest.raises(ModelFileError, match="it can run code"):
        load(tmp_path / "file")
    assert capsys.readouterr().out == ""


def test_folder_is_not_a_model(tmp_path):
    with pytest.raises(ModelFileError, match="not a treewright model: a folder"):
        load(tmp_path)


def test_device_is_not_read():
    with pytest.raises(ModelFileError, match="not a regular file"):
        load("/dev/zero")


def test_safetensors_of_someone_else_is_named():
    data = safetensors.numpy.save({"a": np.zeros(3)})
    with pytest.raises(ModelFileError, match="without a treewright header"):
        from_bytes(data)


@pytest.mark.slow
def test_cut_at_every_byte_is_an_error():
    for length in range(len(GOOD)):
        with pytest.raises(ModelFileError):
            from_bytes(GOOD[:length])


def test_bytes_after_the_end_are_an_error():
    with pytest.raises(ModelFileError, match="damaged"):
        from_bytes(GOOD + b"\0")


def test_changed_content_fails_the_checksum():
    changed = bytearray(GOOD)
    changed[-1] ^= 1
    with pytest.raises(ModelFileError, match="the checksum does not match"):
        from_bytes(bytes(changed))


# Files that are whole and correctly signed, but whose content is wrong.


def resigned(change=None, arrays_change=None, data=GOOD):
    header, arrays = unpack(data)
    arrays = {name: array.copy() for name, array in arrays.items()}
    if change:
        change(header)
    if arrays_change:
        arrays_change(arrays)
    return pack(header, arrays)


def test_resigned_file_without_change_is_good():
    assert resigned() == GOOD


def set_at(*path, value):
    def change(header):
        for key in path[:-1]:
            header = header[key]
        header[path[-1]] = value

    return change


def remove(*path):
    def change(header):
        for key in path[:-1]:
            header = header[key]
        del header[path[-1]]

    return change


HEADERS = {
    "2^60 nodes": (set_at("model", "n_nodes", value=2**60), "header promises 11529"),
    "more nodes": (set_at("model", "n_nodes", value=13), "entries where the header"),
    "more trees": (set_at("model", "n_trees", value=2), "'tree_start' has 2 entries"),
    "2^60 trees": (set_at("model", "n_trees", value=2**60), "'tree_start' has 2"),
    "negative nodes": (set_at("model", "n_nodes", value=-1), "entries where the"),
    "nodes as text": (set_at("model", "n_nodes", value="12"), "is a str, not a int"),
    "nodes as float": (set_at("model", "n_nodes", value=12.0), "is a float, not a"),
    "nodes as bool": (set_at("model", "n_trees", value=True), "is a bool, not a int"),
    "no schema": (remove("schema"), "its header has no 'schema'"),
    "no model": (remove("model"), "its header has no 'model'"),
    "no features": (remove("schema", "features"), "has no 'features'"),
    "no sections": (remove("required"), "has no 'required'"),
    "feature as list": (set_at("schema", "features", 0, value=[]), "holds a list"),
    "name as number": (set_at("schema", "features", 0, "name", value=3), "is a int"),
    "unknown kind": (set_at("schema", "features", 0, "kind", value="x"), "is 'x'"),
    "wild storage": (
        set_at("schema", "features", 2, "storage", value="object"),
        "stored as 'object'",
    ),
    "names as text": (
        set_at("schema", "has_names", value="no"),
        "is a str, not a bool",
    ),
    "zone as text": (
        set_at("schema", "features", 0, "zoned", value="UTC"),
        "is a str, not a bool",
    ),
    "zone of a category": (
        set_at("schema", "features", 0, "zoned", value=True),
        "has a time zone and is stored as float64",
    ),
    "target kind": (set_at("schema", "target", "kind", value="x"), "of kind 'x'"),
    "classes as text": (
        set_at("schema", "target", "classes", value=["ab"]),
        "holds a str",
    ),
    "label as table": (
        set_at("schema", "target", "classes", 0, 0, value={"dict": []}),
        "a label that is a list or a table",
    ),
    "label untagged": (
        set_at("schema", "target", "classes", 0, 0, value=0.5),
        "0.5 is not a value",
    ),
    "unknown tag": (
        set_at("schema", "target", "classes", 0, 0, value={"eval": "1"}),
        "is not a value",
    ),
    "float as text": (
        set_at("schema", "target", "classes", 0, 0, value={"float": "0.5"}),
        "'0.5' is not a float",
    ),
    "float as int": (
        set_at("schema", "target", "classes", 0, 0, value={"float": 1}),
        "1 is not a float",
    ),
    "NaN spelled loosely": (
        set_at("schema", "target", "classes", 0, 0, value={"float": "NaN"}),
        "'NaN' is not a float",
    ),
    "date spelled loosely": (
        set_at("schema", "target", "classes", 0, 0, value={"date": "yesterday"}),
        "is not a date",
    ),
    "fewer categories": (
        set_at("schema", "features", 0, "categories", value=["red", "green"]),
        "tree 0, node 0: set codes",
    ),
    "fewer classes": (
        set_at("schema", "target", "classes", value=[["a"]]),
        "value must be float64 of shape",
    ),
    "unseen": (set_at("model", "unseen", value="guess"), "unseen must be one of"),
    "unknown required section": (
        set_at("required", value=["model", "schema", "boosting"]),
        "does not know the section 'boosting'",
    ),
    "unknown section": (set_at("extra", value={}), "'extra' has no place"),
    "newer major": (
        set_at("format", value="3.0"),
        "written by format 3, this treewright reads 1",
    ),
    "older major": (set_at("format", value="0.9"), "written by format 0, this"),
    "format as number": (set_at("format", value=1.0), "is a float, not a str"),
    "format in words": (set_at("format", value="one"), "format 'one'"),
}


@pytest.mark.parametrize("case", HEADERS)
def test_wrong_header_is_an_error(case):
    change, words = HEADERS[case]
    with pytest.raises(ModelFileError, match=words):
        from_bytes(resigned(change))


def test_newer_minor_loads_and_ignores_what_is_optional():
    def change(header):
        header["format"] = "1.8"
        header["colours"] = {"leaf": "green"}
        header["model"]["more"] = 1

    def arrays_change(arrays):
        arrays["surrogate"] = np.zeros((3, 2), np.float32)

    model = from_bytes(resigned(change, arrays_change))
    assert to_bytes(model) == GOOD


def put(name, position, value):
    def change(arrays):
        arrays[name][position] = value

    return change


def swap(name, value):
    def change(arrays):
        arrays[name] = value

    return change


ARRAYS = {
    "child out of range": (put("first_child", 0, 99), "tree 0, node 0: there are 12"),
    "cycle": (put("first_child", 3, 0), "tree 0, node 3: children come after"),
    "feature": (put("feature", 0, 3), "tree 0, node 0: feature must be 0 to 2"),
    "label": (put("label", (0, 0), 2), "tree 0, node 0: labels must be codes"),
    "value": (put("value", (0, 0), np.nan), "tree 0, node 0: every value must be"),
    "set code": (put("set_codes", 0, 77), "tree 0, node 0: set codes must be"),
    "set size": (put("set_size", 4, 2**62), "tree 0, node 4: its set must have"),
    "set sizes": (put("set_size", 0, 1), "'set_size' does not divide the codes"),
    "negative set": (put("set_size", 2, -1), "tree 0, node 2: its set must have"),
    "tree start": (put("tree_start", 0, 1), "'tree_start' does not divide"),
    "tree end": (put("tree_start", 1, 11), "'tree_start' does not divide the nodes"),
    "dtype": (swap("kind", np.zeros(12, np.int64)), "'kind' is 1-dimensional int64"),
    "dimensions": (swap("value", np.zeros(12)), "'value' is 1-dimensional float64"),
    "length": (swap("gain", np.zeros(11)), "'gain' has 11 entries where the header"),
    "absent": (lambda arrays: arrays.pop("reason"), "it has no array 'reason'"),
}


@pytest.mark.parametrize("case", ARRAYS)
def test_wrong_array_is_an_error(case):
    change, words = ARRAYS[case]
    with pytest.raises(ModelFileError, match=words):
        from_bytes(resigned(arrays_change=change))


def test_wrong_cuts_are_an_error():
    for value in (np.zeros(2), np.zeros((1, 1), np.int64)):
        with pytest.raises(ModelFileError, match="the cuts of feature 0 are"):
            from_bytes(resigned(arrays_change=swap("cuts.0", value), data=WIDE))
    gone = resigned(arrays_change=lambda arrays: arrays.pop("cuts.0"), data=WIDE)
    with pytest.raises(ModelFileError, match="node 0: threshold must be an index"):
        from_bytes(gone)


# Headers that are not what any writer would write: built as text.


def raw_file(table_text):
    """A container with a given table and no arrays."""
    table = table_text.encode()
    return struct.pack("<Q", len(table)) + table


def raw_header(text):
    """A container with a given treewright header and no arrays."""
    return raw_file(json.dumps({"__metadata__": {"treewright": text}}))


DEEP = 10**6
TEXTS = {
    "duplicate key": ('{"format": "1.0", "format": "1.0"}', "says 'format' twice"),
    "NaN": ('{"format": NaN}', "says NaN, which is not JSON"),
    "Infinity": ('{"format": -Infinity}', "says -Infinity, which is not JSON"),
    "large number": ('{"format": 1e999}', "1e999 in its header is too large"),
    "long number": ('{"format": ' + "9" * 5000 + "}", "not valid JSON"),
    "not JSON": ("{format: 1}", "not valid JSON"),
    "a list": ("[1]", "its header is not an object"),
    "a text": ('"x"', "its header is not an object"),
    "deep lists": ("[" * DEEP + "]" * DEEP, "nests brackets deeper than 64"),
    "deep objects": ('{"a":' * DEEP, "nests brackets deeper than 64"),
    "brackets in text": ('{"a": "' + "[" * 100 + '"}', "has no 'format'"),
    "nothing": ("", "not valid JSON"),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", TEXTS)
def test_loose_header_is_an_error(case):
    text, words = TEXTS[case]
    with pytest.raises(ModelFileError, match=words):
        from_bytes(raw_header(text))


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ('{"a": 1, "a": 2}', "says 'a' twice"),
        ('{"a":' + "[" * DEEP, "nests brackets deeper than 64"),
        ('{"__metadata__": {"treewright": 3}}', "is a int, not a str"),
        ('{"__metadata__": []}', "without a treewright header"),
        ("{}", "without a treewright header"),
    ],
    ids=["twice", "deep", "number", "list", "nothing"],
)
def test_loose_container_is_an_error(table, words):
    with pytest.raises(ModelFileError, match=words):
        from_bytes(raw_file(table))


@pytest.mark.parametrize(
    "shape", [[2**60], [2**60, 2**60], [0, 2**62], [-1], ["2"], [1.5], [1] * 100]
)
def test_wild_shapes_are_an_error_before_allocating(shape):
    header, _ = unpack(GOOD)
    table = {
        "__metadata__": {"treewright": json.dumps(header)},
        "kind": {"dtype": "U8", "shape": shape, "data_offsets": [0, 0]},
    }
    with pytest.raises(ModelFileError):
        from_bytes(raw_file(json.dumps(table)))


@pytest.mark.slow
def test_bad_files_are_refused_quickly_and_in_little_memory():
    megabyte = 10**6
    files = [
        RANDOM * 200,
        raw_header("[" * megabyte),
        raw_header('{"format": "1.0", "a": "' + "x" * megabyte),
        pickle.dumps(b"x" * megabyte),
        GOOD[:8] + b"{" * megabyte,
    ]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for data in files:
        start = time.perf_counter()
        with pytest.raises(ModelFileError):
            from_bytes(data)
        assert time.perf_counter() - start < 1
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown * 1024 < 100 * megabyte
