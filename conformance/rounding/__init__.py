"""What rounding may do: C4.5 grown slowly, with the weights of rows in 32-bit floats.

Our engine adds shares of divided rows up exactly. C4.5 Release 8 keeps weights as
32-bit floats, and a sum of those depends on the order of the rows. Here is a second,
plain C4.5 (nothing of the engine is used) that adds up either way. With exact sums it
grows the engine's trees; with 32-bit sums, the rows of every sum in a random order, it
shows which figures the order of rows may lead to: `python -m conformance.rounding`.

`sums.py` adds up, `splits.py` judges splits, `grow.py` grows, `prune.py` prunes,
`answers.py` predicts and counts, `__main__.py` is the command.
"""
