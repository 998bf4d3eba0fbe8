"""What `treewright stream` does: where rows come from, and the loop over them."""
