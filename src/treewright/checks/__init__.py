"""Checks of a table before anything is learned from it.

Read `check.py` for the list of them, then `finding.py`.
"""
