"""What is done with estimators: `evaluate`, `compare`, `tune`, `report`, splits.

`evaluable.py` says what can be judged, `others.py` takes estimators of other packages
by name. `splitting.py`, `splitting_in_time.py` and `given_splits.py` divide the rows;
`evaluating.py`, `comparing.py`, `tuning.py` (with `searching.py`) and `reporting.py`
hand them to `evaluation/` and `reports/`.
"""
