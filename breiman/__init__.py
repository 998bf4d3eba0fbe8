"""Breiman's table of error rates (2001) beside our own: `make breiman`.

Read in this order: `published.py` (the table), `trials.py` (the protocol), `methods.py`
(what is fitted; `second_opinion.py`: by scikit-learn), `figures.py` (means and standard
errors), `report.py` (the tables), `run.py` (the command).
"""
