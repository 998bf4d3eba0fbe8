"""The errors that users meet: each is also the built-in error that fits.

A message has three parts: what is wrong, where (column, row, count), what to do.
"""

from __future__ import annotations


class TreewrightError(Exception):
    """Base of every error that treewright raises on purpose."""


class DataError(TreewrightError, ValueError):
    """The data cannot be used as they are."""


class DataTypeError(TreewrightError, TypeError):
    """A column or argument has a type that cannot be used."""


class SettingError(TreewrightError, ValueError):
    """A parameter is out of its range, or two parameters contradict each other."""


class FileReadError(TreewrightError, OSError):
    """A file cannot be read or written."""


class ModelFileError(TreewrightError, ValueError):
    """A file is not a valid treewright model."""
