"""`docs/switches.md` says what the estimators and the command line say."""

from __future__ import annotations

import os
import re
from pathlib import Path

from treewright.cli.switches import SWITCHES
from treewright.estimators.parameters import TEXTS
from treewright.estimators.switch_texts import FINER_TEXTS

PAGE = Path(__file__).parents[1] / "docs" / "switches.md"
HEAD = """\
# Switches

What `--set NAME=VALUE` and the parameters of `TreeClassifier` and `TreeRegressor` mean;
the other estimators have those that suit them. An algorithm is a row of defaults:

- `id3`, `aima`: one branch per value, information gain; Quinlan 1986, and Russell and
  Norvig's textbook.
- `c45`, `j48`: gain ratio and error-based pruning; Quinlan's Release 8, and Weka.
- `lecture`: C4.5 as courses work it out by hand: gain ratio and midpoints, without
  pruning, without the corrections for numeric features and for small leaves.
- `cart`: two branches, gini or squared error, grown until nothing is left to split.
- `rpart`: CART as R's rpart grows it: at least 20 rows to split and 7 in a leaf,
  surrogates for missing values, pruned with cp=0.01.

| switch | values | default | meaning |
| --- | --- | --- | --- |
"""


def page():
    texts = {**TEXTS, **FINER_TEXTS}
    lines = []
    for switch in SWITCHES:
        text = re.sub(r'(\w+)="(\w+)"', r"`\1=\2`", texts[switch.name][1])
        text = re.sub(r"(?<!\w)\"([\w:]+)\"", r"`\1`", text).replace("|", "\\|")
        lines.append(
            f"| `{switch.name}` | {switch.takes} | {switch.default} | {text} |"
        )
    return HEAD + "\n".join(lines) + "\n"


def test_page_of_switches_is_up_to_date():
    if os.environ.get("TREEWRIGHT_UPDATE_GOLDEN"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()


def test_texts_name_every_value():
    texts = {**TEXTS, **FINER_TEXTS}
    for switch in SWITCHES:
        values = re.findall(r"\w+", switch.takes.replace("for numbers ", ""))
        if {"number", "rows"} & {*values} or "true" in values:
            continue
        told = " ".join(texts[switch.name])
        lacking = [word for word in values if word != "none" and word not in told]
        assert not lacking, f"{switch.name}: {lacking}"
