"""From rows to answers.

`walk.py` takes a row to the node where its questions end, `place.py` divides rows
without a value among branches; `vote.py` makes answers of the nodes, `voting.py` and
`ballot.py` those of many trees, `staged.py` those of the first few. `way.py` tells one
row's way. Others use `Model`'s methods, `way_of`, and the walk for rows of their own.
"""
