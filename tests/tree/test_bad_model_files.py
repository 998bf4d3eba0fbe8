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

from refusals import refused
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
    "empty": (b"", "empty"),
    "random": (RANDOM, "bytes"),
    "few bytes": (b"\x01\x02", "bytes"),
    "png": (png(), "PNG"),
    "zip": (npz(), "zip"),
    "json": (b'{"trees": []}', "JSON"),
    "csv": (b"a,b\n1,2\n3,4\n", "bytes"),
    "zeros": (bytes(100), "bytes"),
    "pickle": (pickle.dumps({"a": 1}), "pickle"),
    "old pickle": (pickle.dumps({"a": 1}, 0), "pickle"),
    "pickle 1": (pickle.dumps([1, 2], 1), "pickle"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_file_is_named(name, tmp_path):
    data, what = FOREIGN[name]
    (tmp_path / "file").write_bytes(data)
    with refused(ModelFileError, tmp_path / "file", what):
        load(tmp_path / "file")


class Bomb:
    def __reduce__(self):
        return (print, ("the pickle ran",))


@pytest.mark.parametrize("protocol", range(6))
def test_pickle_is_not_run(protocol, tmp_path, capsys):
    (tmp_path / "file").write_bytes(pickle.dumps(Bomb(), protocol))
    with refused(ModelFileError, tmp_path / "file", "pickle"):
        load(tmp_path / "file")
    assert capsys.readouterr().out == ""


def test_folder_is_not_a_model(tmp_path):
    with refused(ModelFileError, tmp_path, "folder"):
        load(tmp_path)


def test_device_is_not_read():
    with refused(ModelFileError, "/dev/zero", "regular"):
        load("/dev/zero")


def test_safetensors_of_someone_else_is_named():
    data = safetensors.numpy.save({"a": np.zeros(3)})
    with refused(ModelFileError, "safetensors", "header"):
        from_bytes(data)


@pytest.mark.slow
def test_cut_at_every_byte_is_an_error():
    for length in range(len(GOOD)):
        with pytest.raises(ModelFileError):
            from_bytes(GOOD[:length])


def test_bytes_after_the_end_are_an_error():
    with refused(ModelFileError, "damaged", "metadata"):
        from_bytes(GOOD + b"\0")


def test_changed_content_fails_the_checksum():
    changed = bytearray(GOOD)
    changed[-1] ^= 1
    with refused(ModelFileError, "checksum"):
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


CLASSES = ("schema", "target", "classes")
HEADERS = {
    "2^60 nodes": (set_at("model", "n_nodes", value=2**60), "'kind'", 12, 2**60),
    "more nodes": (set_at("model", "n_nodes", value=13), "'kind'", 12, 13),
    "more trees": (set_at("model", "n_trees", value=2), "'tree_start'", 2, 3),
    "2^60 trees": (
        set_at("model", "n_trees", value=2**60),
        *("'tree_start'", 2, 2**60 + 1),
    ),
    "negative nodes": (set_at("model", "n_nodes", value=-1), "'kind'", 12, -1),
    "nodes as text": (set_at("model", "n_nodes", value="12"), "'n_nodes'", "str"),
    "nodes as float": (set_at("model", "n_nodes", value=12.0), "'n_nodes'", "float"),
    "nodes as bool": (set_at("model", "n_trees", value=True), "'n_trees'", "bool"),
    "no schema": (remove("schema"), "header", "no 'schema'"),
    "no model": (remove("model"), "header", "no 'model'"),
    "no features": (remove("schema", "features"), "header", "no 'features'"),
    "no sections": (remove("required"), "header", "no 'required'"),
    "feature as list": (
        set_at("schema", "features", 0, value=[]),
        *("'features'", "list", "dict"),
    ),
    "name as number": (
        set_at("schema", "features", 0, "name", value=3),
        *("'name'", "int", "str"),
    ),
    "unknown kind": (
        set_at("schema", "features", 0, "kind", value="x"),
        *("feature 0", "'x'", "'float64'"),
    ),
    "wild storage": (
        set_at("schema", "features", 2, "storage", value="object"),
        *("feature 2", "'numeric'", "'object'"),
    ),
    "names as text": (
        set_at("schema", "has_names", value="no"),
        *("'has_names'", "str", "bool"),
    ),
    "zone as text": (
        set_at("schema", "features", 0, "zoned", value="UTC"),
        *("'zoned'", "str", "bool"),
    ),
    "zone of a category": (
        set_at("schema", "features", 0, "zoned", value=True),
        *("'colour'", "zone", "float64"),
    ),
    "target kind": (set_at("schema", "target", "kind", value="x"), "target", "'x'"),
    "classes as text": (set_at(*CLASSES, value=["ab"]), "'classes'", "str", "list"),
    "label as table": (
        set_at(*CLASSES, 0, 0, value={"dict": []}),
        *("label", "list", "table"),
    ),
    "label untagged": (set_at(*CLASSES, 0, 0, value=0.5), 0.5, "value"),
    "unknown tag": (
        set_at(*CLASSES, 0, 0, value={"eval": "1"}),
        *("{'eval': '1'}", "value"),
    ),
    "float as text": (
        set_at(*CLASSES, 0, 0, value={"float": "0.5"}),
        *("'0.5'", "float"),
    ),
    "float as int": (set_at(*CLASSES, 0, 0, value={"float": 1}), 1, "float"),
    "NaN spelled loosely": (
        set_at(*CLASSES, 0, 0, value={"float": "NaN"}),
        *("'NaN'", "float"),
    ),
    "date spelled loosely": (
        set_at(*CLASSES, 0, 0, value={"date": "yesterday"}),
        *("'yesterday'", "date", "ISO"),
    ),
    "fewer categories": (
        set_at("schema", "features", 0, "categories", value=["red", "green"]),
        *("tree 0", "node 0", "set codes", 2),
    ),
    "fewer classes": (
        set_at(*CLASSES, value=[["a"]]),
        *("tree 0", "value", "(12, 1)", "(12, 2)"),
    ),
    "unseen": (set_at("model", "unseen", value="guess"), "unseen", "'guess'"),
    "unknown required section": (
        set_at("required", value=["model", "schema", "boosting"]),
        "section 'boosting'",
    ),
    "unknown section": (set_at("extra", value={}), "header", "place", "'extra'"),
    "newer major": (set_at("format", value="3.0"), "format 3", "treewright", 1),
    "older major": (set_at("format", value="0.9"), "format 0", "treewright", 1),
    "format as number": (set_at("format", value=1.0), "'format'", "float", "str"),
    "format in words": (set_at("format", value="one"), "format 'one'"),
}


@pytest.mark.parametrize("case", HEADERS)
def test_wrong_header_is_an_error(case):
    change, *names = HEADERS[case]
    with refused(ModelFileError, *names):
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
    "child out of range": (
        put("first_child", 0, 99),
        *("tree 0", "node 0", "12 nodes", 100),
    ),
    "cycle": (put("first_child", 3, 0), "tree 0", "node 3", "children", "parent"),
    "feature": (put("feature", 0, 3), "tree 0", "node 0", "feature", "0 to 2"),
    "label": (put("label", (0, 0), 2), "tree 0", "node 0", "labels", "[2]"),
    "value": (put("value", (0, 0), np.nan), "tree 0", "node 0", "value", "nan"),
    "set code": (put("set_codes", 0, 77), "tree 0", "node 0", "set codes", 77),
    "set size": (put("set_size", 4, 2**62), "tree 0", "node 4", "set", "0 to 3"),
    "set sizes": (put("set_size", 0, 1), "'set_size'", "codes"),
    "negative set": (put("set_size", 2, -1), "tree 0", "node 2", "set", "0 to 3"),
    "tree start": (put("tree_start", 0, 1), "'tree_start'", "nodes"),
    "tree end": (put("tree_start", 1, 11), "'tree_start'", "nodes"),
    "dtype": (swap("kind", np.zeros(12, np.int64)), "'kind'", "int64", "uint8"),
    "dimensions": (swap("value", np.zeros(12)), "'value'", "1-dimensional"),
    "length": (swap("gain", np.zeros(11)), "'gain'", 11, 12),
    "absent": (lambda arrays: arrays.pop("reason"), "no array 'reason'"),
}


@pytest.mark.parametrize("case", ARRAYS)
def test_wrong_array_is_an_error(case):
    change, *names = ARRAYS[case]
    with refused(ModelFileError, *names):
        from_bytes(resigned(arrays_change=change))


def test_wrong_cuts_are_an_error():
    for value in (np.zeros(2), np.zeros((1, 1), np.int64)):
        with refused(ModelFileError, "cuts", "feature 0", "int64"):
            from_bytes(resigned(arrays_change=swap("cuts.0", value), data=WIDE))
    gone = resigned(arrays_change=lambda arrays: arrays.pop("cuts.0"), data=WIDE)
    with refused(ModelFileError, "tree 0", "node 0", "threshold", "index"):
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
    "duplicate key": ('{"format": "1.0", "format": "1.0"}', "'format'", "twice"),
    "NaN": ('{"format": NaN}', "NaN", "JSON"),
    "Infinity": ('{"format": -Infinity}', "-Infinity", "JSON"),
    "large number": ('{"format": 1e999}', "header", "1e999"),
    "long number": ('{"format": ' + "9" * 5000 + "}", "header", "valid JSON"),
    "not JSON": ("{format: 1}", "header", "valid JSON"),
    "a list": ("[1]", "header", "object"),
    "a text": ('"x"', "header", "object"),
    "deep lists": ("[" * DEEP + "]" * DEEP, "header", "brackets", 64),
    "deep objects": ('{"a":' * DEEP, "header", "brackets", 64),
    "brackets in text": ('{"a": "' + "[" * 100 + '"}', "header", "no 'format'"),
    "nothing": ("", "header", "valid JSON"),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", TEXTS)
def test_loose_header_is_an_error(case):
    text, *names = TEXTS[case]
    with refused(ModelFileError, *names):
        from_bytes(raw_header(text))


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ('{"a": 1, "a": 2}', ("header", "'a'", "twice")),
        ('{"a":' + "[" * DEEP, ("brackets", 64)),
        ('{"__metadata__": {"treewright": 3}}', ("'treewright'", "int", "str")),
        ('{"__metadata__": []}', ("safetensors", "header")),
        ("{}", ("safetensors", "header")),
    ],
    ids=["twice", "deep", "number", "list", "nothing"],
)
def test_loose_container_is_an_error(table, names):
    with refused(ModelFileError, *names):
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
