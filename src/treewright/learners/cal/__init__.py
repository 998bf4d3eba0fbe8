"""CAL2 and CAL3: one row after the other, again and again. Read `cal2.py` first.

`cal_walk.py` has the tables, the tree and the cyclic walk; `cal_grow.py` makes a model.
"""
