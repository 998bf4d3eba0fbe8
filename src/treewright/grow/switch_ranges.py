"""What each switch of a dialect takes; `dialect.py` says what it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.grow.switch_checks import (
    Between,
    Count,
    OneOf,
    OrNone,
    Real,
    Rows,
    Whole,
)
from treewright.sources.node_statistics import CLASS_CRITERIA, NUMBER_CRITERIA

MISSING_RULES = (
    "error",
    "own_branch",
    "majority",
    "fractional",
    "learned",
    "most_common",
    "most_common_in_node",
    "most_common_in_class",
    "surrogates",
)

CHECKS: Mapping[str, Any] = {
    "criterion": OneOf(*CLASS_CRITERIA, *NUMBER_CRITERIA),
    "nominal_splits": OneOf("multiway", "subset", "one_value"),
    "numeric_splits": OneOf(
        "refuse", "midpoint", "below_midpoint", "training_value", "lower_value"
    ),
    "reuse_features": OneOf(True, False),
    "missing": OneOf(*MISSING_RULES),
    "max_surrogates": Count(0),
    "surrogate_sets": OneOf("two_each_way", "two_disagree"),
    "discount_missing": OneOf(True, False),
    "unseen": OneOf("stop", "missing", "error"),
    "gain_guard": OneOf(None, "c45", "c50"),
    "threshold_cost": OneOf(None, "evaluated_cuts", "distinct_values", "c50"),
    "count_by": OneOf("rows", "weight"),
    "large_branches": OneOf("each", "two"),
    "cut_minimum": OneOf("min_samples_leaf", "tenth_per_class"),
    "min_branch_weight": Real(0.0),
    "min_share": Real(0.0, 0.5),
    "min_gap": Real(0.0),
    "single_precision": OneOf(True, False),
    "min_split_information": Real(0.0),
    "tolerance": Real(0.0, 0.1),
    "empty_branch": OneOf("parent_distribution", "parent_class", "unclassified"),
    "costs_in_growing": OneOf(True, False),
    "probabilities": OneOf("raw", "laplace", "m_estimate"),
    "prior_weight": Real(0.0),
    "label_ties": OneOf("ancestor", "first"),
    "collapse": OrNone(Real(0.0)),
    "pruning": OneOf(
        None,
        "error_based",
        "reduced_error",
        "pessimistic",
        "minimum_gain",
        "chi_square",
        "cost_complexity",
    ),
    "confidence": Between(0.0, 1.0),
    "subtree_raising": OneOf(True, False),
    "confidence_limit": OneOf("normal", "table"),
    "mostly_wrong": OneOf("rest", "two_thirds"),
    "pool_small_branches": OneOf(True, False),
    "global_pruning": OneOf(True, False),
    "ccp_alpha": Real(0.0),
    "cp": OrNone(Real(0.0)),
    "complexity_by": OneOf("impurity", "misclassification"),
    "weakest_links": OneOf("exact", "one_pass"),
    "alpha_choice": OneOf("fixed", "validation", "cross_validation"),
    "alpha_rule": OneOf("minimum", "one_se"),
    "n_folds": Count(2),
    "validation_share": OrNone(Between(0.0, 1.0)),
    "random_state": Whole(0),
    "pruning_order": OneOf("bottom_up", "best_first"),
    "give_back": OneOf(True, False),
    "prune_gain": OrNone(Real(0.0)),
    "prune_level": Between(0.0, 1.0),
    "max_depth": Whole(1),
    "min_samples_split": Rows(2),
    "min_samples_leaf": Rows(1),
    "min_weight_leaf": Real(0.0),
    "min_weight_fraction_leaf": Real(0.0, 0.5),
    "min_impurity": Real(0.0),
    "min_gain": Real(0.0),
    "min_relative_gain": Real(0.0, 1.0),
    "min_impurity_decrease": Real(0.0),
    "max_leaf_nodes": Whole(2),
    "chi_square_level": OrNone(Between(0.0, 1.0)),
}
