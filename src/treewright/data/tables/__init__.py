"""Tables in: whatever holds rows becomes raw columns of numbers or labels.

`frames.py` takes any table apart, by `series.py` (data frames) and `cells.py` (arrays
and Python objects); `raw.py` has the two forms that come out, `convert.py` turns one
into the other. `not_applicable.py` keeps what the user said of cells. Others use
`read_frame`, `Numbers` and `Labels`.
"""
