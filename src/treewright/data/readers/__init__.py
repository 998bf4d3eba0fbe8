"""File formats, one reader each; `treewright.data.read` chooses among them."""
