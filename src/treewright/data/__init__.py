"""Tables in, codes out: what every other part stands on.

Read `schema.py`, `columns.py`, then `encode.py`.
"""

from treewright.data.columns import Codes, Column, Columns, DenseColumn
from treewright.data.encode import encode
from treewright.data.rank import rank
from treewright.data.rows import encode_rows
from treewright.data.schema import (
    Feature,
    FeatureKind,
    Label,
    Schema,
    Target,
    TargetKind,
)

__all__ = [
    "Codes",
    "Column",
    "Columns",
    "DenseColumn",
    "Feature",
    "FeatureKind",
    "Label",
    "Schema",
    "Target",
    "TargetKind",
    "encode",
    "encode_rows",
    "rank",
]
