"""Chalk: a record of every calculation that a tree rests on.

`watch.py` looks on while a tree grows; `bush.py`, `compared.py` and `steps.py` turn
what it saw into the data's own names; `growing_record.py` is what comes out,
`cal_record.py` that of CAL2 and CAL3. Others use `Watch`, `record_of` and the records,
which `render/chalk/` makes pages of.
"""
