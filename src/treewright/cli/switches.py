"""The switches of `--set`, as `treewright fit --help` lists them.

Written out, because they have to be readable; a test compares them with `Dialect`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from treewright.render.fitting.wrapping import wrapped

_WIDTH = 76
_NAME_WIDTH = 26
_AMOUNT = "a number from 0 up"


@dataclass(frozen=True)
class Switch:
    """A switch, what it takes, and what holds if it is not set."""

    name: str
    takes: str
    default: str


SWITCHES = (
    Switch(
        "criterion",
        "entropy, gain_ratio, gini, classification_error; for numbers squared_error, "
        "absolute_error",
        "id3, aima: entropy; c45, j48, lecture: gain_ratio; cart, rpart: gini, "
        "for numbers squared_error",
    ),
    Switch(
        "nominal_splits",
        "multiway, subset, one_value",
        "cart, rpart: subset; others: multiway",
    ),
    Switch("grouping", "none, c45, c50", "none"),
    Switch(
        "numeric_splits",
        "refuse, midpoint, below_midpoint, training_value, lower_value",
        "id3, aima: refuse; c45, j48: training_value; cart, lecture: midpoint; rpart: "
        "below_midpoint",
    ),
    Switch("reuse_features", "true, false", "j48, cart, rpart: true; others: false"),
    Switch(
        "missing",
        "error, own_branch, majority, fractional, learned, most_common, "
        "most_common_in_node, most_common_in_class, surrogates",
        "id3, aima: own_branch; c45, j48, lecture: fractional; cart: majority; "
        "rpart: surrogates",
    ),
    Switch("max_surrogates", "a whole number from 0 up", "5"),
    Switch(
        "surrogate_sets",
        "two_each_way, two_disagree",
        "rpart: two_disagree; others: two_each_way",
    ),
    Switch("discount_missing", "true, false", "true"),
    Switch(
        "unseen",
        "stop, missing, error",
        "c45, j48, lecture: missing; others: stop",
    ),
    Switch("gain_guard", "none, c45, c50", "c45, j48: c45; others: none"),
    Switch(
        "threshold_cost",
        "none, evaluated_cuts, distinct_values, c50",
        "c45, j48: evaluated_cuts; others: none",
    ),
    Switch("count_by", "rows, weight", "c45, j48: weight; others: rows"),
    Switch("large_branches", "each, two", "c45, j48: two; others: each"),
    Switch(
        "cut_minimum",
        "min_samples_leaf, tenth_per_class",
        "c45, j48: tenth_per_class; others: min_samples_leaf",
    ),
    Switch("min_branch_weight", _AMOUNT, "0"),
    Switch("min_share", "a number from 0 to 0.5, with missing=fractional", "0"),
    Switch("min_gap", _AMOUNT, "c45, j48: 1e-5; others: 0"),
    Switch("single_precision", "true, false", "c45: true; others: false"),
    Switch("zero_gain", "true, false", "c45: true; others: false"),
    Switch("min_split_information", _AMOUNT, "c45: 0.001; others: 0"),
    Switch("tolerance", "a number from 0 to 0.1", "j48: 1e-6; others: 0"),
    Switch(
        "empty_branch",
        "parent_distribution, parent_class, unclassified",
        "c45: parent_class; others: parent_distribution",
    ),
    Switch("costs_in_growing", "true, false", "false"),
    Switch("probabilities", "raw, laplace, m_estimate", "raw"),
    Switch("prior_weight", "a number from 0 up, with m_estimate", "2"),
    Switch("label_ties", "ancestor, first", "c45, j48, rpart: first; others: ancestor"),
    Switch("collapse", "a number from 0 up, none", "c45, j48: 0.001; others: none"),
    Switch(
        "pruning",
        "none, error_based, reduced_error, pessimistic, minimum_gain, chi_square, "
        "cost_complexity",
        "c45, j48: error_based; rpart: cost_complexity; others: none",
    ),
    Switch("confidence", "a number between 0 and 1", "0.25"),
    Switch("subtree_raising", "true, false", "true"),
    Switch("confidence_limit", "normal, table", "c45: table; others: normal"),
    Switch("mostly_wrong", "rest, two_thirds", "c45: two_thirds; others: rest"),
    Switch("pool_small_branches", "true, false", "false"),
    Switch("global_pruning", "true, false", "false"),
    Switch("ccp_alpha", _AMOUNT, "0"),
    Switch("cp", "a number from 0 up, none", "rpart: 0.01; others: none"),
    Switch(
        "complexity_by",
        "impurity, misclassification",
        "rpart: misclassification, for numbers impurity; others: impurity",
    ),
    Switch("weakest_links", "exact, one_pass", "rpart: one_pass; others: exact"),
    Switch("alpha_choice", "fixed, validation, cross_validation", "fixed"),
    Switch("alpha_rule", "minimum, one_se", "minimum"),
    Switch("n_folds", "a whole number from 2 up", "10"),
    Switch("validation_share", "a number between 0 and 1, none", "none"),
    Switch("random_state", "a whole number from 0 up, none", "none"),
    Switch("pruning_order", "bottom_up, best_first", "bottom_up"),
    Switch("give_back", "true, false", "false"),
    Switch("prune_gain", "a number from 0 up, none", "none"),
    Switch("prune_level", "a number between 0 and 1", "0.05"),
    Switch("max_depth", "a whole number from 1 up, none", "rpart: 30; others: none"),
    Switch("max_leaf_nodes", "a whole number from 2 up, none", "none"),
    Switch(
        "min_samples_split",
        "rows from 2 up, or a share as 0.1",
        "rpart: 20; others: 2",
    ),
    Switch(
        "min_samples_leaf",
        "rows from 1 up, or a share as 0.1",
        "c45, j48: 2; rpart: 7; others: 1",
    ),
    Switch("min_weight_leaf", _AMOUNT, "0"),
    Switch("min_weight_fraction_leaf", "a number from 0 to 0.5", "0"),
    Switch("min_impurity", _AMOUNT, "0"),
    Switch("min_gain", _AMOUNT, "0"),
    Switch("min_relative_gain", "a number from 0 to 1", "rpart: 1e-10; others: 0"),
    Switch("min_impurity_decrease", _AMOUNT, "0"),
    Switch("chi_square_level", "a number between 0 and 1, none", "none"),
)


FOREST_SWITCHES = (
    Switch("n_estimators", "number of trees", "100"),
    Switch("dialect", "whose trees they are: cart, rpart, c45, id3, ...", "cart"),
    Switch(
        "max_features",
        "features that a node looks at: a number, a share, none (all), sqrt, log2, "
        "oob, or several as 1,3",
        "classes: sqrt; numbers: none",
    ),
    Switch(
        "combined_features",
        "forest: features in a weighted sum, a whole number from 2 up, none (no sums)",
        "none",
    ),
    Switch("bootstrap", "true, false", "forest: true; extra-trees: false"),
    Switch("max_samples", "rows that a tree gets: a number, a share, none", "none"),
    Switch("stratified", "true, false", "false"),
    Switch("voting", "mean (of the shares), votes (a class each)", "mean"),
    Switch("random_state", "a whole number from 0 up", "another one each time"),
)


ADABOOST_SWITCHES = (
    Switch("n_estimators", "most trees", "50"),
    Switch(
        "dialect",
        "whose trees they are: cart, rpart, c45, id3, ...",
        "cart; with boosting=c50: c50",
    ),
    Switch("boosting", "samme, m1, c50 (C5.0's way)", "samme"),
    Switch("by", "weights, resampling", "weights"),
    Switch("learning_rate", "a number above 0, by which votes are multiplied", "1"),
    Switch("max_depth", "a whole number, none", "cart, id3, lecture: 1; others: none"),
    Switch("random_state", "as above, with by=resampling", "another one each time"),
)


C45RULES_SWITCHES = (
    Switch("n_trees", "number of trees that give rules", "1"),
    Switch("dialect", "whose trees they are: c45, j48, lecture", "c45"),
    Switch("fisher", "true, false", "false"),
    Switch("redundancy", "a number above 0", "1"),
    Switch("random_state", "a whole number from 0 up", "0"),
)


CAL_SWITCHES = (
    Switch("s1", "cal3: a whole number from 1 up", "4"),
    Switch("s2", "cal3: a number above 0.5, at most 1", "0.7"),
    Switch("max_passes", "a whole number from 1 up", "1000"),
    Switch("attribute_order", "names of features, as x2,x1", "column order"),
    Switch("when_exhausted", "stop, go_on", "stop"),
    Switch("missing", "own_branch, error", "own_branch"),
)


def switch_table() -> str:
    """Return the table as a part of an epilog, whose lines click does not join."""
    return "\n".join(
        (
            "\b",
            "Switches for --set NAME=VALUE, with [default]. What they mean:",
            "docs/switches.md, or help(treewright.TreeClassifier) in Python.",
            *_lines(SWITCHES),
            "And for --algorithm forest and extra-trees, whose trees are not pruned:",
            *_lines(FOREST_SWITCHES),
            "And for --algorithm adaboost, whose trees are pruned as their dialect "
            "says:",
            *_lines(ADABOOST_SWITCHES),
            "And for --algorithm c45rules, whose trees are not pruned:",
            *_lines(C45RULES_SWITCHES),
            "For --algorithm cal2 and cal3 these, and unseen and probabilities, alone:",
            *_lines(CAL_SWITCHES),
        )
    )


def _lines(switches: Iterable[Switch]) -> Iterator[str]:
    for switch in switches:
        text = f"{switch.takes}  [{switch.default}]"
        name = switch.name
        for line in wrapped(text, _WIDTH - _NAME_WIDTH):
            yield f"  {name:<{_NAME_WIDTH}}{line}"
            name = ""
