"""From rows to answers.

`walk.py` takes a row to the node where its questions end, `place.py` divides rows
without a value among branches; `vote.py` makes answers of the nodes, `voting.py` and
`ballot.py` those of many trees. Others use `Model`'s methods, and the walk for rows of
their own.
"""
