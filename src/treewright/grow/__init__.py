"""Growing a tree, and the measures behind it. Read `grower.py` first."""
