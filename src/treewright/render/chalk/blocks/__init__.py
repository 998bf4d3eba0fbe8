"""Records of growing, pruning and prediction become blocks of a page.

`growing.py` tells a step, with `node_tables.py` and `formulas.py`; `pruning.py` and
`prediction.py` the rest. `branches.py` and `digits.py` say how branches, rows and
numbers read. `chalk.py` puts the blocks together; nobody else needs them but the frames
of a step.
"""
