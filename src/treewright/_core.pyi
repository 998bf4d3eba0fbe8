"""Compiled loops of treewright: rank, scan, split, partition, walk."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]
_Flags = npt.NDArray[np.uint8]
_Short = npt.NDArray[np.int32]

def rank(
    values: npt.NDArray[Any], missing: _Flags
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[Any], bool]:
    """Rank of each row, the distinct values, whether any row is missing."""

def walk(
    kind: _Flags,
    feature: _Short,
    threshold: _Floats,
    first_child: _Short,
    n_children: _Short,
    missing_branch: _Short,
    set_start: _Ints,
    set_codes: _Short,
    rows: _Floats,
    n_threads: int,
) -> _Short:
    """Node at which each row ends."""

class Memory:
    """The memory source; see core/memory.hpp."""

    def __init__(
        self,
        codes: list[npt.NDArray[Any]],
        n_codes: Sequence[int],
        has_missing: Sequence[int],
        candidates: Sequence[int],
        target: Mapping[str, object],
        rule: Mapping[str, int],
        n_rows: int,
        n_threads: int,
    ) -> None: ...
    def open_root(self) -> tuple[_Ints, bool]: ...
    def scan(
        self, nodes: _Ints, statistics: _Ints, tolerances: _Floats, allowed: _Flags
    ) -> tuple[_Floats, _Ints]: ...
    def split(
        self, nodes: _Ints, features: _Short, positions: _Ints, tolerances: _Floats
    ) -> tuple[_Ints, _Ints, _Ints, _Flags, _Ints, _Short, _Short, _Ints, _Ints]: ...
    def advance(
        self, nodes: _Ints, n_branches: _Ints, branch_rows: _Ints, open: _Flags
    ) -> int: ...
