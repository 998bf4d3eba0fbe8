"""Records of growing, pruning and prediction become blocks of a page.

`growing.py` tells a step, with `candidate_table.py`, `cut_tables.py` and `formulas.py`;
`pruning.py` and `prediction.py` the rest. `counts.py`, `conditions.py` and `digits.py`
say how rows, branches and numbers read. `compose.py` puts the blocks together; nobody
else needs them but the frames of a step.
"""
