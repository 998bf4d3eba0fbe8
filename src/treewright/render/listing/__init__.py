"""Trees as text.

`tree_text.py` is the way in, `box.py` and `lecture.py` are the two styles; both go by
`outline.py` (nodes in reading order, from the node at the top). `phrase.py` and
`listing_table.py` make lines fit, `remarks.py` says what else must be known; forests
and their prototypes have `forest_text.py`. Others use `to_text`, `forest_lines`,
`prototype_lines`, and the outline for listings of their own.
"""
