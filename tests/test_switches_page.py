"""`docs/switches.md` says what the estimators and the command line say."""

from __future__ import annotations

import os
import re
from pathlib import Path

from treewright.cli.switches import (
    ADABOOST_SWITCHES,
    C45RULES_SWITCHES,
    CAL_SWITCHES,
    FOREST_SWITCHES,
    SWITCHES,
)
from treewright.estimators.adaboost_texts import ADABOOST_TEXTS
from treewright.estimators.c45_rules_texts import C45_RULES_TEXTS
from treewright.estimators.cal_texts import CAL_TEXTS
from treewright.estimators.forest_texts import FOREST_TEXTS
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


FORESTS = """
`--algorithm forest` and `extra-trees` (`RandomForestClassifier`,
`ExtraTreesClassifier`, and those for numbers) take the switches of their trees, which
are not pruned, and these:

| switch | values | default | meaning |
| --- | --- | --- | --- |
"""
ADABOOST = """
`--algorithm adaboost` (`AdaBoostClassifier`) prunes trees as their dialect says, and
has:

| switch | values | default | meaning |
| --- | --- | --- | --- |
"""
C45RULES = """
`--algorithm c45rules` (`C45RulesClassifier`) takes the switches of C4.5's trees, which
are not pruned; `confidence`, `confidence_limit` and `mostly_wrong` are those of the
rules' rates. Besides:

| switch | values | default | meaning |
| --- | --- | --- | --- |
"""
CAL = """
`--algorithm cal2` and `cal3` (`CAL2Classifier`, `CAL3Classifier`; see [cal.md](cal.md))
learn from one row after the other. They have these, `unseen`, `probabilities` and
`prior_weight`, and none of the others:

| switch | values | default | meaning |
| --- | --- | --- | --- |
"""


def page():
    trees = lines_of(SWITCHES, {**TEXTS, **FINER_TEXTS})
    forests = lines_of(FOREST_SWITCHES, FOREST_TEXTS)
    boosted = lines_of(ADABOOST_SWITCHES, {**TEXTS, **ADABOOST_TEXTS})
    rules = lines_of(C45RULES_SWITCHES, C45_RULES_TEXTS)
    cal = lines_of(CAL_SWITCHES, CAL_TEXTS)
    parts = (HEAD, trees, FORESTS, forests, ADABOOST, boosted, C45RULES, rules)
    return "".join((*parts, CAL, cal))


def lines_of(switches, texts):
    lines = []
    for switch in switches:
        text = re.sub(r'(\w+)="(\w+)"', r"`\1=\2`", texts[switch.name][1])
        text = re.sub(r"(?<!\w)\"([\w:]+)\"", r"`\1`", text).replace("|", "\\|")
        lines.append(
            f"| `{switch.name}` | {switch.takes} | {switch.default} | {text} |"
        )
    return "\n".join(lines) + "\n"


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
