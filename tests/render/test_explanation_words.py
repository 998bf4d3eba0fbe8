"""Why a row stops on its way: its value is missing, or training never saw it."""

from __future__ import annotations

import pytest

from treewright import ID3Classifier


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        (None, "sky is missing, and no branch is for that: stops"),
        ("fog", "sky has a value that training never saw here: stops"),
    ],
)
def test_explanation_tells_missing_from_unseen(cell, reason):
    tree = ID3Classifier().fit({"sky": ["sun", "sun", "rain"]}, ["a", "a", "b"])
    assert tree.explain({"sky": cell}).splitlines()[0] == reason
