"""The scikit-learn face of the learners. Read `trees.py` first.

A file here holds the estimators of one family: a signature, generated from the settings
(`make generated`), over what `parts/` says of every estimator. `judged/` is
what is done with estimators of any kind: `evaluate`, `compare`, `tune`, `report`.
Others use the names that `treewright` offers.
"""
