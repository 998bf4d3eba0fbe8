"""Where the rows live, and what growing asks of them.

Read `source.py` first: the three questions. `memory.py` and `sparse.py` answer them
with the compiled core; `*_statistics.py` say what their integers mean, `fixed_point.py`
why sums do not depend on order, `drawn_cells.py` how random cuts are drawn. Others use
`Source` and the two makers.
"""
