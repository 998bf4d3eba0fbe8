"""Rules on rows, looked at and edited by hand.

`bench.py` has which rules meet, answer and err, row by row and pair by pair, and what
is lost without one; `edits.py` makes other rule sets, `prices.py` counts their bits.
Others use `Bench` and its questions; what users see is
`render/rules/rule_workbench.py`.
"""
