"""Tables in, codes out: what every other part stands on.

Read `schema.py`, `columns.py`, then `encoding/encode.py`. Files come in by `readers/`,
frames and arrays by `tables/`, texts and sparse matrices by `sparse/`, rows without end
by `stream/`; `encoding/` makes codes of them all. `datasets/` has tables to try.
Others may use all that is here; the names below are the usual ones.
"""

from treewright.data.columns import Codes, Column, Columns, DenseColumn
from treewright.data.encoding.encode import encode
from treewright.data.encoding.encode_rows import encode_rows
from treewright.data.rank import rank
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
