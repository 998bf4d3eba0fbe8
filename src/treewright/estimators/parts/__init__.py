"""What estimators are made of. Read `model_estimator.py` first.

Every estimator has a model (`model_estimator.py`) and predicts classes or numbers
(`tasks.py`). It is one tree (`tree_estimator.py`) or many (`many_trees.py`,
`forest_estimator.py`). Parameters come from the settings (`parameters.py`) and go back
to them when `fit` begins (`settings.py`); `inputs.py` and `class_weights.py` read what
is passed, `kept.py` has the rows that a tree came from, `explain.py` puts an answer in
words, `loading.py` makes estimators of saved models.
"""
