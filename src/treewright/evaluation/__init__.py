"""How good a tree is on rows that it was not grown from.

Here is how rows are divided (`division.py`, `cross_validation.py`, `table_part.py`,
`noisy.py`), and how far a measured error may be from the true one
(`error_intervals.py`). `errors/` has what is found about one learner, `comparing/`
about several, `tuning/` what a search for settings finds. Others use the results:
`Evaluation`, `Comparison`, `Tuning`.
"""
