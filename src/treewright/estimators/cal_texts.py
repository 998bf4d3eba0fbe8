"""What the parameters of CAL2 and CAL3 mean."""

from __future__ import annotations

CAL_TEXTS = {
    "s1": ("int", "How many rows a leaf counts before it is decided about."),
    "s2": (
        "float",
        "The share from which on a class closes a leaf for good; above 0.5, at most 1.",
    ),
    "max_passes": ("int", "How often the rows are gone through at most."),
    "attribute_order": (
        "sequence of str or None",
        "The features in the order in which they are asked about; those that are not "
        "named come after them in column order. None: all in column order.",
    ),
    "when_exhausted": (
        '{"stop", "go_on"}',
        "A row needs another question, and no feature is left: learning stops, as in "
        "the lectures; or the leaf stays, answers what most of its rows are, and the "
        "next row comes.",
    ),
    "missing": (
        '{"own_branch", "error"}',
        "A missing value is a value of its own, or an error.",
    ),
}
