"""How good a tree is on rows that it was not grown from."""
