"""Boosting: trees one after the other. Read `adaboost.py` first.

`boosted_rows.py` holds the rows and their weights, `c50_boosting.py` does it as C5.0.
"""
