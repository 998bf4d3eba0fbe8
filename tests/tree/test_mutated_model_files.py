"""Model files with changed bytes or wild contents: an error, or a model that works."""

from __future__ import annotations

from dataclasses import replace

import handmade
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright.errors import ModelFileError
from treewright.tree import from_bytes, to_bytes
from treewright.tree.file.container import pack, unpack

pytestmark = pytest.mark.slow

GOOD = to_bytes(handmade.subsets())


def same_or_refused(data):
    try:
        model = from_bytes(data)
    except ModelFileError:
        return
    assert to_bytes(model) == GOOD


@settings(max_examples=300, deadline=None)
@given(
    changes=st.lists(
        st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)),
        min_size=1,
        max_size=4,
    )
)
def test_changed_bytes_give_an_error_or_the_same_model(changes):
    data = bytearray(GOOD)
    for position, byte in changes:
        data[position] = byte
    same_or_refused(bytes(data))


@settings(max_examples=200, deadline=None)
@given(
    start=st.integers(0, len(GOOD)),
    length=st.integers(0, 40),
    insert=st.binary(max_size=40),
)
def test_spliced_bytes_give_an_error_or_the_same_model(start, length, insert):
    same_or_refused(GOOD[:start] + insert + GOOD[start + length :])


@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=300))
def test_any_bytes_are_refused(data):
    with pytest.raises(ModelFileError):
        from_bytes(data)


WILD_NUMBERS = [-1, 0, 1, 2, 3, 12, 2**31 - 1, -(2**31)]


@pytest.mark.parametrize("name", ["subsets", "groups"])
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_signed_files_with_wild_arrays_are_refused_or_can_be_walked(name, data):
    header, arrays = unpack(to_bytes(handmade.ALL[name]()))
    arrays = {name: array.copy() for name, array in arrays.items()}
    for _ in range(data.draw(st.integers(1, 3))):
        array = data.draw(st.sampled_from(sorted(arrays)))
        flat = arrays[array].reshape(-1)
        position = data.draw(st.integers(0, len(flat) - 1))
        numbers = WILD_NUMBERS
        if flat.dtype == np.float64:
            numbers = [*WILD_NUMBERS, np.nan, np.inf, 0.5]
        elif flat.dtype == np.uint8:
            numbers = [0, 1, 2, 3, 4, 5, 6, 7, 255]
        flat[position] = data.draw(st.sampled_from(numbers))
    try:
        model = from_bytes(pack(header, arrays))
    except ModelFileError:
        return
    cells = np.array([[0.0, 0.0, 0.0], [1, 2, 3], [-1, -1, -1], [np.nan] * 3])
    ends = model.ends(cells[:, : len(model.schema.features)])
    assert ((ends.nodes >= 0) & (ends.nodes < model.trees[0].node_count)).all()
    assert len(model.predict_at(ends)) == 4


def test_unequal_models_have_unequal_bytes():
    model = handmade.subsets()
    assert to_bytes(replace(model, learner="id3")) != GOOD
