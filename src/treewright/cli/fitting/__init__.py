"""What is said of a model that was just learned: by `fit`, `report`, `demo`, `distil`.

`fit_report.py` is the page; `fit_many.py` what it says of forests, boosting and rules;
`column_table.py` the table of the columns; `training_error.py` the errors.
"""
