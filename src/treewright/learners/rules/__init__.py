"""C4.5rules: rule sets made of trees. The steps are in `treewright/rules/induction`."""
