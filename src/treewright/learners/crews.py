"""Trees of a forest that grow side by side, and what all crews share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.columns import Columns
from treewright.grow.dialect import Dialect
from treewright.learners.bags import Bagging, Keys
from treewright.learners.growers import make_grower
from treewright.sources.memory import KeptLists
from treewright.sources.node_statistics import Statistics
from treewright.sources.sparse import cells_per_row, has_sparse

# what a crew's trees have together, which its arrays cost in memory: rows times
# features in lists, and numbers in the statistics of as many nodes as rows
# (more of them and more trees were slower: the arrays of a crew should stay in the
# caches, and their memory be used again)
CREW_CELLS = CREW_NUMBERS = 4_000_000
CREW_TREES = 32
# a table with more cells is sorted by each crew, feature by feature, to save memory
SHARED_CELLS = 64_000_000

Crew = npt.NDArray[np.uint64]


def crews_of(
    keys: Keys, columns: Columns, bagging: Bagging, dialect: Dialect, n_threads: int
) -> list[Crew]:
    """Divide the trees into crews of bounded size, some for each thread."""
    n_drawn = max(bagging.n_drawn, 1)
    target = columns.schema.target
    width = max(sum(map(len, target.classes)), target.n_outputs)
    n_cells = n_drawn * max(cells_per_row(columns), 1)
    most = min(CREW_TREES, CREW_CELLS // n_cells, CREW_NUMBERS // (n_drawn * width))
    if dialect.max_leaf_nodes is not None:
        most = 1  # the limit is one tree's
    n_crews = -(-len(keys) // max(most, 1))
    n_crews = min(-(-n_crews // n_threads) * n_threads, len(keys))
    return np.array_split(keys, n_crews)


def sorted_columns(
    columns: Columns,
    dialect: Dialect,
    statistics: Statistics,
    n_looked: int,
    n_threads: int,
) -> KeptLists | None:
    """Return the table's columns in order, for all crews; None if each sorts."""
    n_features = len(columns.features)
    if (
        has_sparse(columns)
        or _core.few_looked(n_features, n_looked)
        or columns.n_rows * n_features > SHARED_CELLS
    ):
        return None
    lists = KeptLists()
    make_grower(columns, dialect, statistics, n_threads=n_threads, lists=lists)
    return lists
