"""What a tree is: flat arrays, one entry per node.

Read `tree.py` first. `node_kind.py`, `combination.py` and `surrogates.py` are what a
node may ask, `branch_words.py` how it reads; `part.py` takes trees apart,
`compact_tree.py` keeps what answers and nothing else. Others use `Tree`, `NodeKind`,
`Surrogates`, `CompactTree`, `part_of` and the words of branches.
"""
