"""What estimators are made of. Read `model_estimator.py` first.

Every estimator has a model (`model_estimator.py`) and predicts classes or numbers
(`tasks.py`). It is one tree (`tree_estimator.py`) or many (`many_trees.py`,
`forest_estimator.py`). Parameters come from the settings (`parameters.py`) and go back
to them when `fit` begins (`settings.py`); `inputs.py` and `class_weights.py` read what
is passed, `kept.py` and `counted_rows.py` say which rows are counted afterwards,
`explain.py` and `explain_rules.py` put an answer in words.
"""
