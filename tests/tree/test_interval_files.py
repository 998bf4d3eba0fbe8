"""Intervals in model files: a section that must be understood, and is checked."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusals import refused
from treewright import ID3Classifier
from treewright.errors import ModelFileError
from treewright.tree.file.container import pack, unpack
from treewright.tree.file.save import from_bytes, to_bytes

AGES = {"AGE": [0, 1, 2, 3, 4, 5], "SEX": ["f", "m"] * 3}
Y = [0, 0, 0, 1, 1, 1]
GOOD = to_bytes(ID3Classifier(discretize={"AGE": [1, 2]}).fit(AGES, Y).model_)
NAMED = to_bytes(
    ID3Classifier(discretize={"AGE": {"a": (0, 2), "b": (3, 5)}}).fit(AGES, Y).model_
)
PLAIN = to_bytes(ID3Classifier().fit({"SEX": AGES["SEX"]}, Y).model_)


def changed(change, data=GOOD):
    header, arrays = unpack(data)
    header = copy.deepcopy(header)
    change(header)
    return pack(header, arrays)


def test_section_is_required_only_where_it_is_there():
    header, _ = unpack(GOOD)
    assert header["format"] == "1.7"
    assert header["required"] == ["model", "schema", "intervals"]
    assert header["intervals"] == [
        {
            "feature": 0,
            "borders": [1.0, 2.0],
            "codes": [0, 1, 2],
            "storage": "float64",
            "zoned": False,
            "named": False,
        }
    ]
    header, _ = unpack(PLAIN)
    assert header["required"] == ["model", "schema"]
    assert "intervals" not in header


def test_equal_models_give_equal_bytes():
    for data in (GOOD, NAMED):
        assert to_bytes(from_bytes(data)) == data


def test_file_of_format_1_0_is_read():
    def older(header):
        header["format"] = "1.0"

    assert from_bytes(changed(older, PLAIN)).learner == "id3"


def set_in_entry(**values):
    return lambda header: header["intervals"][0].update(values)


AGE = "feature 'AGE'"
BAD = {
    "descending borders": (set_in_entry(borders=[2.0, 1.0]), AGE, "borders", "ascend"),
    "equal borders": (set_in_entry(borders=[1.0, 1.0]), AGE, "borders", "ascend"),
    "border as text": (set_in_entry(borders=["1", 2.0]), "'borders'", "str", "float"),
    "integer border": (
        set_in_entry(borders=[1, 2.0]),
        "'borders'",
        "int",
        "only float",
    ),
    "truth as border": (
        set_in_entry(borders=[True, 2.0]),
        *("'borders'", "bool", "float"),
    ),
    "too few borders": (
        set_in_entry(borders=[1.0]),
        *(AGE, "1 borders", "3 categories"),
    ),
    "too many codes": (
        set_in_entry(codes=[0, 1, 2, 3]),
        *(AGE, "2 borders", "3 categories"),
    ),
    "codes out of order": (
        set_in_entry(codes=[1, 0, 2]),
        *(AGE, "2 borders", "3 categories"),
    ),
    "code out of range": (
        set_in_entry(codes=[0, 1, 7]),
        *(AGE, "2 borders", "3 categories"),
    ),
    "negative code": (
        set_in_entry(codes=[0, 1, -5]),
        *(AGE, "2 borders", "3 categories"),
    ),
    "code as float": (set_in_entry(codes=[0, 1, 2.0]), "'codes'", "float", "int"),
    "no such feature": (set_in_entry(feature=2), "intervals", "feature 2"),
    "negative feature": (set_in_entry(feature=-1), "intervals", "feature -1"),
    "feature as truth": (set_in_entry(feature=True), "'feature'", "bool", "int"),
    "other feature": (
        set_in_entry(feature=1),
        *("feature 'SEX'", "2 borders", "2 categories"),
    ),
    "no storage": (
        lambda header: header["intervals"][0].pop("storage"),
        *("header", "no 'storage'"),
    ),
    "wild storage": (
        set_in_entry(storage="object", borders=[1, 2]),
        *("borders", "'object'"),
    ),
    "floats stored as integers": (
        set_in_entry(storage="int64"),
        *("'borders'", "float", "only int"),
    ),
    "integer too large": (
        set_in_entry(storage="int64", borders=[1, 2**63]),
        *("borders", "'int64'"),
    ),
    "zone without dates": (set_in_entry(zoned=True), AGE, "zone", "float64"),
    "named as number": (set_in_entry(named=1), "'named'", "int", "bool"),
    "twice": (
        lambda header: header["intervals"].append(header["intervals"][0]),
        *("intervals", "feature 0"),
    ),
    "no list": (
        lambda header: header.update(intervals={}),
        *("'intervals'", "dict", "list"),
    ),
    "no entry": (
        lambda header: header.update(intervals=[3]),
        *("'intervals'", "int", "dict"),
    ),
    "numeric feature": (
        lambda header: header["schema"]["features"][0].update(
            kind="ordinal", categories=["a", "b", "c"]
        ),
        *(AGE, "ordinal", "nominal"),
    ),
    "names that are numbers": (
        lambda header: header["schema"]["features"][0].update(categories=[1, 2, 3]),
        *(AGE, "names", "text"),
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_hostile_section_is_refused(name):
    change, *names = BAD[name]
    with refused(ModelFileError, *names):
        from_bytes(changed(change))


def test_piece_outside_needs_given_names():
    change = set_in_entry(named=False)
    with refused(ModelFileError, AGE, "4 borders", "2 categories"):
        from_bytes(changed(change, NAMED))


def test_section_that_is_required_must_be_there():
    def without(header):
        del header["intervals"]

    with refused(ModelFileError, "header", "no 'intervals'"):
        from_bytes(changed(without))


numbers = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.booleans()
scalars = (
    numbers | st.none() | st.text(max_size=3) | st.sampled_from(["int64", "uint64"])
)
values = scalars | st.lists(scalars, max_size=5) | st.dictionaries(st.text(), scalars)


@pytest.mark.slow
@given(
    st.sampled_from(["feature", "borders", "codes", "storage", "zoned", "named"]),
    values,
    st.sampled_from([GOOD, NAMED]),
)
def test_any_value_is_refused_or_read(key, value, data):
    try:
        changed_data = changed(set_in_entry(**{key: value}), data)
    except ValueError:  # infinity cannot be written
        return
    try:
        model = from_bytes(changed_data)
    except ModelFileError:
        return
    rows = {"AGE": [0.0, 2.5, None, 1e300], "SEX": ["f"] * 4}
    assert len(model.predict(rows)) == 4
