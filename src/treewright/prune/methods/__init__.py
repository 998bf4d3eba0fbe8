"""Rules of pruning, one idea each.

By the tree alone: `collapse.py`, `pessimistic.py`, `twigs.py`. By held-out rows:
`reduced_error.py`. By estimated errors: `error_based.py` with `error_estimate.py`, and
`c50_pruning.py` after it. `prune/pruned.py` chooses among them; others use it.
"""
