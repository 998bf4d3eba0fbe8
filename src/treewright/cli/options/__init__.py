"""Options that several commands share, and what becomes of them.

`common.py`: how options become one argument; `reading.py`: how a file is written;
`roles.py`: what each column is for; `algorithm.py`: which learner with which settings;
`training.py`: all three, and the table as codes; `model_rows.py`: a table as a saved
model knows it; `dividing.py`: folds;
`noise_options.py`, `interval_options.py`, `cost_file.py`.
"""
