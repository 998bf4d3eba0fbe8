"""Forests: drawn rows and features, many trees, and what they say besides their votes.

`forest.py` grows, `bags.py` draws rows, `out_of_bag.py` asks each tree about the
others; proximities, permutation importance, strength; forests out of forests
(`handling.py`); one tree or a few rules that stand for a forest (`distilling.py`,
`rules_of_forest.py`).
"""
