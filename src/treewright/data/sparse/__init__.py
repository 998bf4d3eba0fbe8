"""Columns most of whose cells are zero, as the words of documents are.

`sparse_table.py` reads such tables, `bag_of_words.py` makes them of texts;
`sparse_columns.py` is what growing reads and `sparse_cells.py` what trees walk on.
Others use `SparseColumn`, `SparseCells` and `with_words`.
"""
