"""How refusals of model files are worded, one message of each manner, in full.

Other tests tell these refusals by what they name, see `refusals.py`; the words that
users read are pinned in `golden/model_file_refusals.txt` alone.

    python tests/tree/test_model_file_refusals.py --write     the page anew

A new row below stands on the page after `--write`, which must leave the other rows as
they were.
"""

from __future__ import annotations

import difflib
import pickle
import sys
import tempfile
from collections.abc import Callable
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

# `refusals` stands there
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import handmade
import numpy as np
import pytest
import test_bad_model_files as files
import test_group_files as groups
import test_interval_files as intervals
from test_bad_model_files import put, raw_header, remove, resigned, set_at, swap

from treewright.errors import TreewrightError
from treewright.tree import from_bytes, load, to_bytes
from treewright.tree.file.save import save
from treewright.tree.predict.voting import Voting

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "model_file_refusals.txt"


def of_file(content: bytes) -> Callable[[], object]:
    """Return what loads a file with this content."""

    def act() -> object:
        Path("model.tw").write_bytes(content)
        return load("model.tw")

    return act


def of_bytes(content: bytes) -> Callable[[], object]:
    return lambda: from_bytes(content)


def of_header(change: Callable[..., None]) -> Callable[[], object]:
    """Return what reads a good file whose header was changed, and signed again."""
    return lambda: from_bytes(resigned(change))


def of_array(change: Callable[..., None]) -> Callable[[], object]:
    return lambda: from_bytes(resigned(arrays_change=change))


def with_feature(**values: object) -> Callable[[], object]:
    """Return what writes a model whose first feature is another."""
    model = handmade.tennis()
    first, *more = model.schema.features
    schema = replace(model.schema, features=(replace(first, **values), *more))
    return lambda: to_bytes(replace(model, schema=schema))


def with_labels(*labels: object) -> Callable[[], object]:
    model = handmade.tennis()
    target = replace(model.schema.target, classes=(labels,))
    return lambda: to_bytes(replace(model, schema=replace(model.schema, target=target)))


damaged = bytearray(files.GOOD)
damaged[-1] ^= 1
later = ["model", "schema", "boosting"]
CLASS = ("schema", "target", "classes", 0, 0)

ROWS: dict[str, Callable[[], object]] = {
    # no model
    "empty": of_file(b""),
    "any bytes": of_file(bytes(100)),
    "a picture": of_file(files.png()),
    "a pickle": of_file(pickle.dumps({"a": 1})),
    "a folder": lambda: load("."),
    "no header": of_bytes(files.raw_file("{}")),
    "no longer whole": of_file(bytes(damaged)),
    # the header
    "from later": of_header(set_at("format", value="3.0")),
    "a section from later": of_header(set_at("required", value=later)),
    "no section": of_header(remove("schema")),
    "another type": of_header(set_at("model", "n_nodes", value="12")),
    "another storage": of_header(set_at("schema", "features", 2, "kind", value="x")),
    "no label": of_header(set_at(*CLASS, value={"date": "yesterday"})),
    "twice": of_bytes(raw_header('{"format": "1.0", "format": "1.0"}')),
    "no JSON": of_bytes(raw_header('{"format": NaN}')),
    "brackets": of_bytes(raw_header("[" * 100)),
    # the arrays
    "another length": of_header(set_at("model", "n_nodes", value=13)),
    "another dtype": of_array(swap("kind", np.zeros(12, np.int64))),
    "no array": of_array(lambda arrays: arrays.pop("reason")),
    # the trees
    "no such node": of_array(put("first_child", 0, 99)),
    "a circle": of_array(put("first_child", 3, 0)),
    "no such category": of_array(put("set_codes", 0, 77)),
    "no number": of_array(put("value", (0, 0), np.nan)),
    # the sections
    "groups": lambda: from_bytes(groups.changed(groups={"n_nodes": 3})),
    "intervals": lambda: from_bytes(
        intervals.changed(intervals.set_in_entry(borders=[1.0]))
    ),
    "votes": lambda: to_bytes(replace(handmade.regression(), voting=Voting("votes"))),
    # what cannot be written
    "a contradiction": with_feature(storage="int64"),
    "a label of another type": with_labels("a", b"b"),
    "no regular file": lambda: save(handmade.tennis(), "/dev/null"),
}


def message(act: Callable[[], object]) -> str:
    """Return the kind and the words of what is refused, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        with pytest.raises(TreewrightError) as refusal:
            act()
    return f"{type(refusal.value).__name__}: {refusal.value}"


def page() -> str:
    return "\n".join(f"{name}\n    {message(act)}\n" for name, act in ROWS.items())


def test_wordings_are_as_recorded():
    recorded, now = (text.splitlines() for text in (GOLDEN.read_text("utf-8"), page()))
    different = difflib.unified_diff(recorded, now, "recorded", "now", lineterm="")
    if text := "\n".join(different):
        how = "if that is meant: python tests/tree/test_model_file_refusals.py --write"
        pytest.fail(f"{text}\n\n{how}", pytrace=False)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--write"]:
            GOLDEN.write_text(page(), encoding="utf-8")
        case _:
            sys.exit(__doc__)
