"""Pruning: grown trees become smaller ones.

`pruned.py` does what a dialect says, `fitted.py` prunes a model that is there already;
`shape.py` is a tree that is being pruned, `pruning_record.py` what is written down.
`methods/` has one file for each rule, `cost_complexity/` the nested sequence of trees;
the rest counts rows (`labelled_rows.py`, `rows_at_leaves.py`, `refill.py`,
`node_errors.py`).
"""
