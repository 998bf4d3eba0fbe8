"""Hoeffding trees: every row is looked at once. Read `hoeffding.py` first.

`hoeffding_learner.py` holds a tree that learns, `hoeffding_model.py` makes an ordinary
model of it, `checkpoint.py` a file from which it learns on.
"""
