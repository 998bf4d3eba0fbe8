"""Tables in: whatever holds rows becomes raw columns of numbers or labels.

`frames.py` takes any table apart, by `series.py` (data frames) and `cells.py` (arrays
and Python objects); `raw.py` has the two forms that come out, `convert.py` turns one
into the other. `not_applicable.py` and `given_rows.py` keep what the user said of cells
and where rows stood. Others use `read_frame`, `Numbers`, `Labels` and `GivenRows`.
"""
