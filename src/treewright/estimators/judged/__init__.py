"""What is done with estimators: `evaluate`, `compare`, `tune`, `report`, splits.

`splitting.py` divides the rows; `evaluating.py`, `comparing.py`, `tuning.py` (with
`searching.py`) and `reporting.py` hand them to `evaluation/` and `reports/`.
`others.py` takes estimators of other packages by name.
"""
