"""Messages are written for Python; here their remedies become options to type.

Names and values of the user stand in quotes and stay as they are, also where one is
called like a Python argument.
"""

from __future__ import annotations

import re

# A quote after a letter is an apostrophe; after "=" it belongs to a remedy. Values that
# `data.complaints.short` cut end in three dots instead of a quote.
_QUOTED = r"(?<![\w=])(?:['\"].{56}\.\.\.|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")(?!\w)"

_OPTIONS = (
    (r"set drop_missing_target=True to", "use --drop-missing-target to"),
    (r"\(feature_kinds=\{.*?\}, on the command line (--nominal[^)]*)\)", r"(\1)"),
    (r"\(discretize='\w+', on the command line (--discretize \w+)\)", r"(\1)"),
    (
        r"start anew with feature_kinds=\{('[^']*'): '(nominal|numeric)'\}",
        r"start anew with --\2 \1",
    ),
    (r"\bdiscretize (names|of|is)\b", r"--discretize \1"),
    (
        r"\bleave it out of discretize, or declare it numeric",
        "drop the option, or --numeric",
    ),
    (r"widen an interval \(None for no end\)", "widen an interval (65- has no end)"),
    (r"\bnot_applicable is\b", "--not-applicable is"),
    (
        r"\bset decimal='([^']*)' and thousands='([^']*)'",
        r"--decimal '\1' --thousands '\2'",
    ),
    (
        r"(?:\bset )?\b(encoding|decimal|thousands|separator)=('[^']*'|\"'\")",
        r"--\1 \2",
    ),
    (r"(?:\bset )?\b(missing|unseen)='(\w+)'", r"--set \1=\2"),
    (
        r"set validation_share \(0\.3, for example\), or pass them as "
        r"validation=\(X, y\)",
        "hold some out with --set validation_share=0.3",
    ),
    (r", or validation=\(X, y\)", ", or another --set validation_share"),
    (r"\bset missing_values\b", "--missing-values"),
    (r"\bin missing_values\b", "in --missing-values"),
    (r"\bsample_weight (has|holds|is)\b", r"the column of --weights \1"),
    (r"\bset cost_matrix, or costs_in_growing=False", "give --costs, or drop it"),
    (r"\bcosts_in_growing=True needs\b", "--set costs_in_growing=true needs"),
    (r"\bcost_matrix (is|names|has|of)\b", r"--costs \1"),
    (r"\bn_jobs is (-?\d+); it must be None, -1", r"--jobs is \1; it must be -1"),
    (r"\bn_jobs is\b", "--jobs is"),
    (r"\bpass rows to count \(X and y\)", "give ROWS to count"),
    (r"\((depth|node)=(\d+)\)", r"(--\1 \2)"),
    (
        r"use a regressor, for example CARTRegressor",
        "predict numbers (--algorithm cart or forest, without --nominal)",
    ),
    (
        r"give each a model of its own",
        "give each a model of its own (one --target, and --ignore for the others)",
    ),
    (
        r"use a classifier, for example CARTClassifier",
        "predict classes (--nominal with the target's name)",
    ),
)
_ANY = re.compile("|".join([_QUOTED, *(f"(?:{phrase})" for phrase, _ in _OPTIONS)]))


def on_the_command_line(message: str) -> str:
    """Return a message with the names of options instead of Python's arguments."""
    return _ANY.sub(_reworded, message)


def _reworded(found: re.Match[str]) -> str:
    """Return a remedy as an option; a quoted text as it is."""
    words = found.group()
    for argument, option in _OPTIONS:
        if re.fullmatch(argument, words):
            return re.sub(argument, option, words)
    return words
