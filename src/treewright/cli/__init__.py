"""The command line. Read `main.py` first, then the file of a command.

`commands/` has a file for each command; `options/` what several of them take, and what
becomes of it; `fitting/` what is said of a model that was just learned; `streaming/`
the loop of `stream`. Beside them: how the program starts and ends, what the terminal
can show, which files hold models.
"""
