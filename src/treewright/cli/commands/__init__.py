"""One file for each command; each has a `command`, and is listed in `main.py`."""
