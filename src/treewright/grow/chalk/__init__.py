"""Chalk: a record of every calculation that a tree rests on.

`watch.py` looks over the grower's shoulder and asks the source for the tables behind
each candidate; `bush.py` gives their branches names; `record.py` is what is kept.
"""
