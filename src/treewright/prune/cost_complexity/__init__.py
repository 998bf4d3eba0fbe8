"""Cost-complexity pruning: the nested sequence of trees, each the best of its size.

`weakest_links.py` finds the alpha from which on each node is a leaf, `nested_trees.py`
makes the path of it, `held_out_risk.py` what its trees get wrong on other rows, and
`by_complexity.py` does what a dialect says. Others use `pruning_path`, `PruningPath`,
`held_out_risk`, and the links.
"""
