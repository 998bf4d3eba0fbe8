"""Models survive their files: contents, types, bytes."""

from __future__ import annotations

import datetime
import decimal
import errno
import math
import os
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import handmade
import numpy as np
import pandas as pd
import pytest

from refusals import refused
from treewright.errors import DataError, FileReadError, ModelFileError
from treewright.tree import from_bytes, load, to_bytes
from treewright.tree.file.container import unpack
from treewright.tree.file.save import save
from treewright.tree.values import decode_value

HERE = Path(__file__).parent


def with_classes(labels):
    model = handmade.tennis()
    target = replace(model.schema.target, classes=(tuple(labels),))
    return replace(model, schema=replace(model.schema, target=target))


def same_trees(one, other):
    return same_arrays(one, other, omit="surrogates") and same_arrays(
        one.surrogates, other.surrogates
    )


def same_arrays(one, other, omit=None):
    names = [field.name for field in fields(one) if field.name != omit]
    pairs = [(getattr(one, name), getattr(other, name)) for name in names]
    return all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in pairs)


@pytest.mark.parametrize("name", handmade.ALL)
def test_everything_comes_back(name, tmp_path):
    model = replace(handmade.ALL[name](), notes=("a note", "ein Hinweis: 纹理"))
    save(model, tmp_path / "model.tw")
    back = load(tmp_path / "model.tw")
    assert back.schema.target == model.schema.target
    assert back.schema.names == model.schema.names
    for one, other in zip(back.schema.features, model.schema.features, strict=True):
        assert (one.kind, one.categories) == (other.kind, other.categories)
        assert (one.storage, one.is_wide) == (other.storage, other.is_wide)
        assert (one.cuts is None) == (other.cuts is None)
        assert one.cuts is None or one.cuts.tolist() == other.cuts.tolist()
    assert same_trees(back.trees[0], model.trees[0])
    assert (back.learner, back.settings) == (model.learner, model.settings)
    assert (back.unseen, back.missing) == (model.unseen, model.missing)
    assert back.notes == model.notes
    assert back.fingerprint() == model.fingerprint()


@pytest.mark.parametrize("name", handmade.ALL)
def test_save_load_save_gives_the_same_bytes(name):
    data = to_bytes(handmade.ALL[name]())
    assert to_bytes(from_bytes(data)) == data
    assert to_bytes(handmade.ALL[name]()) == data


@pytest.mark.slow
def test_bytes_do_not_depend_on_the_process():
    program = (
        f"import sys; sys.path.insert(0, {str(HERE)!r}); import handmade, hashlib\n"
        "from treewright.tree import to_bytes\n"
        "print(hashlib.sha256(to_bytes(handmade.subsets())).hexdigest())\n"
        "print(handmade.subsets().fingerprint())"
    )
    answers = set()
    for seed, more in (("0", []), ("1", ["-OO"])):
        env = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C", "TZ": "Asia/Tokyo"}
        done = subprocess.run(
            [sys.executable, *more, "-c", program],
            check=True,
            capture_output=True,
            text=True,
            env=env,
        )
        answers.add(done.stdout)
    assert len(answers) == 1


def test_several_trees_come_back_in_order():
    one, other = handmade.subsets(), handmade.subsets()
    gains = other.trees[0].gain + 0.5
    model = replace(one, trees=(one.trees[0], replace(other.trees[0], gain=gains)))
    back = from_bytes(to_bytes(model))
    assert len(back.trees) == 2
    assert all(map(same_trees, back.trees, model.trees))


LABELS = [
    ("b", "a"),
    (1, 2),
    (False, True),
    (0, True),
    (1, "1"),
    (1.0, 2.5),
    (None, "None"),
    (math.inf, -math.inf),
    ((1, "a"), (1.0, None)),
    (datetime.date(2026, 1, 31), datetime.datetime(2026, 1, 31, 12, 30, 0, 5)),
    (datetime.datetime(2026, 1, 31, tzinfo=datetime.UTC), "later"),
    (datetime.timedelta(days=-3, microseconds=1), datetime.timedelta.max),
    (np.datetime64("2026-01-31"), np.datetime64("2026-01-31T00:00:00.000000001")),
    (np.timedelta64(90, "s"), np.timedelta64(-5, "ns")),
    (2**70, -(2**70)),
    ("", "\ud800 half a pair"),
    ("line\nbreak", 'quote "\\'),
]


@pytest.mark.parametrize("labels", LABELS, ids=repr)
def test_labels_keep_value_and_type(labels):
    back = from_bytes(to_bytes(with_classes(labels))).schema.target.classes[0]
    assert back == labels
    assert [type(label) for label in back] == [type(label) for label in labels]


def test_nan_label_comes_back():
    back = from_bytes(to_bytes(with_classes((math.nan, 1.0)))).schema.target.classes[0]
    assert math.isnan(back[0])


def test_numpy_labels_become_what_they_equal():
    labels = (np.int64(3), np.str_("a"))
    back = from_bytes(to_bytes(with_classes(labels))).schema.target.classes[0]
    assert back == (3, "a")
    assert [type(label) for label in back] == [int, str]


NESTED = "deep"
for _ in range(20):
    NESTED = (NESTED,)


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        (decimal.Decimal("1.5"), "Decimal"),
        (b"bytes", "bytes"),
        (frozenset({1}), "frozenset"),
        (1j, "complex"),
        (2**20000, "int"),
        (NESTED, "tuple"),
        (pd.Timestamp("2026-01-31 00:00:00.000000001"), "Timestamp"),
        (pd.Timedelta(1, "ns"), "Timedelta"),
        (np.datetime64("NaT", "s"), "datetime64"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_other_labels_are_refused_by_name(label, kind):
    with refused(DataError, "label", "target 'PlayTennis'", f"type {kind}"):
        to_bytes(with_classes(("a", label)))


@pytest.mark.parametrize(
    "data",
    [
        {"timedelta": "1"},
        {"timedelta": True},
        {"timedelta": 10**30},
        {"datetime64": 1},
        {"datetime64": ["x", 1]},
        {"datetime64": ["s", 1.0]},
        {"timedelta64": ["s", -(2**63)]},
    ],
    ids=repr,
)
def test_times_that_are_none_are_refused(data):
    [(kind, value)] = data.items()
    what = "duration" if kind == "timedelta" else kind
    with refused(ModelFileError, repr(value), what):
        decode_value(data)


def test_setting_that_cannot_be_kept_is_named():
    model = replace(handmade.tennis(), settings={"random_state": object()})
    with refused(DataError, "setting random_state", "type object"):
        to_bytes(model)


def test_settings_keep_their_types():
    settings = {"a": 1, "b": 1.0, "c": True, "d": None, "e": "x", "f": math.inf}
    settings |= {"g": {1: 2.0, "k": None}, "h": [1, (2, 3)]}
    back = from_bytes(to_bytes(replace(handmade.tennis(), settings=settings))).settings
    assert back == settings
    assert {name: type(value) for name, value in back.items()} == {
        name: type(value) for name, value in settings.items()
    }


def test_invalid_model_is_not_written(tmp_path):
    model = handmade.tennis()
    tree = replace(model.trees[0], weight=model.trees[0].weight - 100)
    with refused(ValueError, "tree 0", "node 0", "weight", "negative"):
        save(replace(model, trees=(tree,)), tmp_path / "model.tw")
    assert list(tmp_path.iterdir()) == []


def test_header_says_who_wrote_what():
    header, arrays = unpack(to_bytes(handmade.tennis()))
    assert header["format"] == "1.7"
    assert header["model"]["n_trees"] == 1
    assert header["model"]["n_nodes"] == len(arrays["kind"]) == 8


def test_absent_file_is_a_file_error(tmp_path):
    path = tmp_path / "absent.tw"
    with refused(FileReadError, path, os.strerror(errno.ENOENT)):
        load(path)


@pytest.mark.slow
def test_reading_a_model_loads_nothing_heavy(tmp_path):
    save(handmade.tennis(), tmp_path / "model.tw")
    program = (
        "import sys; from treewright.tree import load\n"
        "before = 'safetensors' in sys.modules\n"
        f"load({str(tmp_path / 'model.tw')!r})\n"
        "heavy = {'polars', 'pandas', 'scipy', 'sklearn', 'rich', 'narwhals'}\n"
        "print(before, sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "False []"
