"""Conformance: our trees beside the recorded trees of the reference programs.

`python -m conformance` compares sizes, errors, folds and printed trees with what C4.5,
Weka and rpart made of the same tables. `datasets.py` loads a table, `programs.py` says
which estimator stands for which program, `compare.py` compares, `causes.py` knows why
some differ, `run.py` prints.
"""
