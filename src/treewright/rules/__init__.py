"""Rules: conditions, what they answer, and how trees become them."""

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
