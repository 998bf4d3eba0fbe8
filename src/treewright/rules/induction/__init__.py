"""C4.5rules: from the paths of trees to an ordered rule set.

Read `procedure.py` first: `generalise.py` (conditions are left out), `subset.py` (rules
are chosen by their bits, `description_length.py`), `order.py`, `polish.py`.
`nesting.py` and `fisher.py` serve the first step. Others use `induce` and the records
of the steps.
"""
