"""Trees that are kept up to date while rows are added and taken away.

`updating.py` is the tree; `incremental_columns.py` keeps codes of cells as they are
when new ones come; `incremental_model.py` makes a `Model` of it.
"""
