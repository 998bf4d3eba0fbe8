"""Rows of cells, made of codes and of what each code stands for."""

import numpy as np
import pytest

from refusals import refused
from treewright import _core


@pytest.mark.parametrize("n_rows", [0, 1, 255, 256, 257, 1000])
def test_cells_are_those_of_indexing_column_by_column(n_rows):
    random = np.random.default_rng(n_rows)
    kinds = (np.uint8, np.uint16, np.uint32)
    tables = [random.normal(size=size) for size in (3, 300, 70_000)]
    codes = [
        random.integers(len(table), size=n_rows).astype(kind)
        for table, kind in zip(tables, kinds, strict=True)
    ]
    cells = _core.cells_of_codes(codes, tables, n_rows)
    expected = [table[code] for table, code in zip(tables, codes, strict=True)]
    assert cells.shape == (n_rows, 3)
    assert np.array_equal(cells, np.column_stack(expected))


def test_a_table_without_columns_has_rows():
    assert _core.cells_of_codes([], [], 4).shape == (4, 0)


def test_a_code_without_a_cell_is_refused():
    codes = [np.array([0, 2], np.uint8)]
    with refused(ValueError, "codes", "without"):
        _core.cells_of_codes(codes, [np.zeros(2)], 2)


def test_columns_of_different_lengths_are_refused():
    codes = [np.zeros(2, np.uint8), np.zeros(3, np.uint8)]
    with refused(ValueError, "codes", "rows"):
        _core.cells_of_codes(codes, [np.zeros(1), np.zeros(1)], 2)


@pytest.mark.parametrize(
    "codes",
    [np.zeros(8, np.uint32)[::2], np.zeros(4, np.int64), [0, 0, 0, 0]],
)
def test_codes_that_would_have_to_be_copied_are_refused(codes):
    with refused(ValueError, "codes", "contiguous"):
        _core.cells_of_codes([codes], [np.zeros(3)], 4)
