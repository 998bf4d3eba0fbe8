"""Learners side by side.

`comparison.py` on the same splits of one table, `ranks.py` on several tables, both
written by `comparison_text.py`; `missing_ways.py` tries every way with missing values;
`difference.py` says why two dialects grow different trees. Others use `Comparison`,
`ranks_of`, `compare_missing` and `difference`.
"""
