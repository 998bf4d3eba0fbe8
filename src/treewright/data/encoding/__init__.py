"""Raw columns become codes, for training and for prediction.

`encode.py` makes `Columns` of a table and its target, by `feature_kinds.py` (one
feature), `target.py` and `weights.py`; `encode_rows.py` makes the cells that trees walk
on, in the terms of a schema; `wide.py` is for numbers that floats do not hold. Others
use `encode` and `encode_rows`, which `treewright.data` offers.
"""
