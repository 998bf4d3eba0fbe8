"""Settings: one row for each, from which all else that is said of it is made.

`kinds` is what a value may be, `row` is what a row says and what a class of rows can
do, `words` is how rows are told to people. The rows stand where they are obeyed:
`grow/dialect.py` for trees, `learners/` for forests, boosting, rules and the others.
Nothing here knows a learner.
"""
