"""Laws of encoding, on random tables."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.data import encode, encode_rows, rank

pytestmark = pytest.mark.slow

floats = st.floats(allow_nan=False) | st.none()
integers = st.integers(-(2**63), 2**63 - 1) | st.none()
texts = st.text(max_size=3) | st.none()
truths = st.booleans() | st.none()
anything = st.one_of(st.integers(-3, 3), st.text(max_size=2), st.none(), st.booleans())


@st.composite
def tables(draw, cells=(floats, integers, texts, truths)):
    n_rows = draw(st.integers(1, 12))
    kinds = draw(st.lists(st.sampled_from(cells), min_size=1, max_size=4))
    return {
        f"f{k}": draw(st.lists(kind, min_size=n_rows, max_size=n_rows))
        for k, kind in enumerate(kinds)
    }


def n_rows_of(table) -> int:
    return len(table["f0"])


def encoded(table):
    return encode(table, list(range(n_rows_of(table))), task="classes")


def decoded(columns) -> dict:
    """Return the cells that the codes stand for."""
    table = {}
    for feature, column in zip(columns.schema.features, columns.features, strict=True):
        values = feature.categories if column.values is None else column.values.tolist()
        cells = [*values, None]
        table[feature.name] = [cells[code] for code in column.codes]
    return table


@given(tables())
def test_decoding_gives_the_cells_back(table):
    assert decoded(encoded(table)) == table


@given(tables(cells=(floats, integers, texts, truths, anything)), st.randoms())
def test_row_order_never_matters(table, random):
    order = list(range(n_rows_of(table)))
    random.shuffle(order)
    columns = encoded(table)
    shuffled = encoded({name: [c[k] for k in order] for name, c in table.items()})
    assert repr(shuffled.schema.features) == repr(columns.schema.features)
    assert shuffled.notes == columns.notes
    for one, other in zip(shuffled.features, columns.features, strict=True):
        assert one.codes.tolist() == other.codes[order].tolist()


@given(tables(cells=(texts, truths, anything)))
def test_training_rows_at_prediction_have_their_codes(table):
    columns = encoded(table)
    matrix, notes = encode_rows(table, columns.schema, unseen="error", missing="own")
    assert notes == []
    for feature, column, cells in zip(
        columns.schema.features, columns.features, matrix.T, strict=True
    ):
        known = {"numeric": column.values}.get(feature.kind, range(column.n_codes))
        expected = np.append(np.asarray(known, float), np.nan)[column.codes]
        np.testing.assert_array_equal(cells, expected)


@given(st.lists(st.floats() | st.sampled_from([0.0, -0.0]), min_size=1, max_size=30))
def test_rank_is_the_position_among_the_sorted_distinct_values(values):
    codes, distinct, has_missing = rank(np.array(values))
    expected = sorted({value for value in values if not math.isnan(value)})
    assert distinct.tolist() == expected
    assert has_missing == any(map(math.isnan, values))
    assert codes.dtype == np.uint32
    for value, code in zip(values, codes, strict=True):
        position = len(expected) if math.isnan(value) else expected.index(value)
        assert code == position


@given(st.lists(st.tuples(st.integers(0, 2**64 - 1), st.booleans()), max_size=30))
def test_rank_takes_a_mask_for_integers(cells):
    values = np.array([value for value, _ in cells], np.uint64)
    missing = np.array([absent for _, absent in cells], bool)
    codes, distinct, has_missing = rank(values, missing)
    known = sorted({value for value, absent in cells if not absent})
    assert [int(value) for value in distinct] == known
    assert has_missing == missing.any()
    for (value, absent), code in zip(cells, codes, strict=True):
        assert code == (len(known) if absent else known.index(value))
