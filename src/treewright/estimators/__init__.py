"""The scikit-learn face of the learners. Read `base.py` first, then `trees.py`."""
