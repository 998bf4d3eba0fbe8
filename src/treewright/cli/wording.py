"""Messages are written for Python; here their remedies become options to type."""

from __future__ import annotations

import re

_OPTIONS = (
    (r"set drop_missing_target=True to", "use --drop-missing-target to"),
    (
        r"\(feature_kinds=\{.*\}, on the command line --nominal\)",
        "(--nominal)",
    ),
    (r"set thousands= to", "set --thousands to"),
    (r"\b(encoding|decimal|thousands|separator)='([^']*)'", r"--\1 '\2'"),
    (r"\b(missing|unseen)='(\w+)'", r"--set \1=\2"),
    (r"set --", "--"),
    (r"\bmissing_values\b", "--missing-values"),
    (r"\bsample_weight\b", "the column of --weights"),
    (r"\bn_jobs\b", "--jobs"),
    (r"use a regressor, for example CARTRegressor", "use --algorithm cart"),
    (
        r"use a classifier, for example CARTClassifier",
        "predict classes (--nominal with the target's name)",
    ),
)


def on_the_command_line(message: str) -> str:
    """Return a message with the names of options instead of Python's arguments."""
    for argument, option in _OPTIONS:
        message = re.sub(argument, option, message)
    return message
