"""Of very many cuts those are shown that gain most, and the chosen one is marked."""

from __future__ import annotations

import treewright as tw
from treewright.render.chalk.blocks.node_tables import MOST_CUTS


def test_chosen_cut_is_shown_and_marked():
    x = [value for value in range(40) for _ in range(2)] + [40, 40, 41, 41]
    y = ["P", "Q"] * 40 + ["P", "P", "Q", "Q"]
    chalk = tw.CARTClassifier(max_depth=1).fit({"x": x}, y).chalk()
    text = chalk[0].to_text()
    (marked,) = [
        line for line in text.splitlines() if "> <=" in line and "x" not in line
    ]
    assert "> <= 40.5" in marked
    assert f"{MOST_CUTS} of" in text


def test_costs_of_32_bit_gains_have_all_digits():
    X, y = tw.datasets.watermelon()
    tree = tw.C45Classifier().fit(X.drop("编号"), y)
    text = tree.chalk(node=0).to_text(digits=12)
    assert "0.223962054239" in text  # log2(14)/17


def test_no_other_rule_than_the_dialects_is_named():
    X, y = tw.datasets.tennis()
    for dialect in ("c45", "j48"):
        text = str(tw.C45Classifier(dialect=dialect).fit(X, y).chalk())
        assert "fewest branches" not in text
