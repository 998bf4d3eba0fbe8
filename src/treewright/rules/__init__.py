"""Rules: conditions, what they answer, and how trees become them.

Here are conditions, rules and rule sets, what they did on rows (`figures.py`), where
they come from (`from_tree.py`, `from_forest.py`) and how they are a model that is kept
in a file (`rule_model.py`, `rule_file.py`). `induction/` is C4.5rules, `workbench/`
rules that are looked at and edited by hand. The names below are the usual ones.
"""

from treewright.rules.condition import Asks, Condition
from treewright.rules.figures import Figures, figures_of_leaves, figures_on
from treewright.rules.from_tree import fires_of_tree, rule_set_of_tree
from treewright.rules.rule import Rule
from treewright.rules.ruleset import NO_RULE, RuleSet

__all__ = [
    "NO_RULE",
    "Asks",
    "Condition",
    "Figures",
    "Rule",
    "RuleSet",
    "figures_of_leaves",
    "figures_on",
    "fires_of_tree",
    "rule_set_of_tree",
]
