"""Names with signs that act in LaTeX stay text, in the listing of the tree too."""

from __future__ import annotations

import polars as pl

import treewright as tw


def test_dollars_in_names_stay_text():
    X = pl.DataFrame({"price $ or $$": ["a", "b", "a", "b"], "g": ["u", "u", "v", "v"]})
    page = tw.ID3Classifier().fit(X, ["$y$", "n", "$y$", "n"]).chalk().to_latex()
    plain = page.replace(r"\$", "")
    # what is left are pairs around signs of mathematics, and none holds a name
    parts = plain.split("$")
    assert len(parts) % 2 == 1
    assert not any("price" in inside or "or" in inside for inside in parts[1::2])
    assert r"\$y\$" in page
