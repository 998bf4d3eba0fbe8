"""Switches that do not go together: when, why, and what to set instead."""

from __future__ import annotations

from typing import Any

# prunings that compare trees on rows that these were not grown from
HELD_OUT = ("reduced_error",)

CONTRADICTIONS: tuple[tuple[Any, str], ...] = (
    (
        lambda d: d.missing == "fractional" and d.criterion == "absolute_error",
        "missing='fractional' adds shares of rows up, and the medians of "
        "criterion='absolute_error' do not add up; use criterion='squared_error' or "
        "missing='majority'",
    ),
    (
        lambda d: d.nominal_splits == "one_value" and d.missing == "own_branch",
        "nominal_splits='one_value' makes two branches, and missing='own_branch' "
        "wants a third; use missing='fractional' or 'majority'",
    ),
    (
        lambda d: d.nominal_splits == "one_value" and d.missing == "learned",
        "nominal_splits='one_value' sets a value against all else, and "
        "missing='learned' would join it; use nominal_splits='subset' or "
        "missing='fractional'",
    ),
    (
        lambda d: d.grouping is not None and d.nominal_splits != "multiway",
        "grouping joins the branches of nominal_splits='multiway', and nominal_splits "
        "is another; set that (and not binary_splits), or grouping=None",
    ),
    (
        lambda d: d.grouping is not None and d.criterion != "gain_ratio",
        "grouping compares gain ratios: no group gains more than its values; set "
        "criterion='gain_ratio', or grouping=None",
    ),
    (
        lambda d: d.grouping is not None and d.missing == "learned",
        "missing='learned' tries every branch of a split, and grouping has yet to find "
        "them; use missing='fractional' or 'own_branch', or grouping=None",
    ),
    (
        lambda d: d.missing == "surrogates" and d.nominal_splits != "subset",
        "missing='surrogates' is for splits with two sets of values; use "
        "nominal_splits='subset', or missing='fractional' or 'majority'",
    ),
    (
        lambda d: d.max_surrogates != 5 and d.missing != "surrogates",
        "max_surrogates is for missing='surrogates'; set that, or leave "
        "max_surrogates out",
    ),
    (
        lambda d: d.surrogate_sets != "two_each_way" and d.missing != "surrogates",
        "surrogate_sets is for missing='surrogates'; set that, or leave "
        "surrogate_sets out",
    ),
    (
        lambda d: (
            not d.discount_missing
            and d.missing not in ("majority", "surrogates", "fractional")
        ),
        "discount_missing is about splits that are scored on the rows with a value; "
        "use missing='surrogates', 'majority' or 'fractional', or "
        "discount_missing=True",
    ),
    (
        lambda d: d.missing == "most_common_in_class" and d.task == "numbers",
        "missing='most_common_in_class' needs classes, and the target is numbers; use "
        "missing='most_common_in_node'",
    ),
    (
        lambda d: d.gain_guard is not None and d.criterion != "gain_ratio",
        "gain_guard compares gain ratios; set criterion='gain_ratio', or "
        "gain_guard=None",
    ),
    (
        lambda d: d.min_share > 0 and d.missing != "fractional",
        "min_share is about rows that are divided; set missing='fractional', or leave "
        "min_share out",
    ),
    (
        lambda d: d.pool_small_branches and d.pruning != "error_based",
        "pool_small_branches is for pruning='error_based'; set that, or "
        "pool_small_branches=False",
    ),
    (
        lambda d: d.global_pruning and d.pruning != "error_based",
        "global_pruning comes after pruning='error_based'; set that, or "
        "global_pruning=False",
    ),
    (
        lambda d: d.empty_branch == "unclassified" and d.task == "numbers",
        "empty_branch='unclassified' is about classes, and the target is numbers; use "
        "empty_branch='parent_distribution'",
    ),
    (
        lambda d: d.pruning == "error_based" and d.task == "numbers",
        "pruning='error_based' counts wrong classes, and the target is numbers; use "
        "pruning='cost_complexity', 'reduced_error', 'minimum_gain' or None",
    ),
    (
        lambda d: d.pruning == "pessimistic" and d.task == "numbers",
        "pruning='pessimistic' counts wrong classes, and the target is numbers; use "
        "pruning='cost_complexity', 'reduced_error', 'minimum_gain' or None",
    ),
    (
        lambda d: d.pruning == "chi_square" and d.task == "numbers",
        "pruning='chi_square' tests class weights, and the target is numbers; use "
        "pruning='cost_complexity', 'reduced_error', 'minimum_gain' or None",
    ),
    (
        lambda d: d.chi_square_level is not None and d.task == "numbers",
        "chi_square_level tests class weights, and the target is numbers; use "
        "min_gain, or chi_square_level=None",
    ),
    (
        lambda d: d.pruning == "reduced_error" and d.criterion == "absolute_error",
        "pruning='reduced_error' compares squared errors, and the tree is grown for "
        "absolute ones; use criterion='squared_error' or pruning='minimum_gain'",
    ),
    (
        lambda d: d.pruning == "minimum_gain" and d.prune_gain is None,
        "pruning='minimum_gain' needs the least gain of a split; set prune_gain (0.01, "
        "for example)",
    ),
    (
        lambda d: d.prune_gain is not None and d.pruning != "minimum_gain",
        "prune_gain is the limit of pruning='minimum_gain'; set that, or leave "
        "prune_gain out (min_gain limits growing)",
    ),
    (
        lambda d: d.validation_share is not None and not d.wants_validation,
        "validation_share holds rows out for pruning='reduced_error' or "
        "alpha_choice='validation'; set one of them, or validation_share=None",
    ),
    (
        lambda d: d.give_back and d.pruning != "reduced_error",
        "give_back is about the rows held out for pruning='reduced_error'; set that, "
        "or give_back=False",
    ),
    (
        lambda d: d.pruning_order != "bottom_up" and d.pruning != "reduced_error",
        "pruning_order is for pruning='reduced_error'; set that, or "
        "pruning_order='bottom_up'",
    ),
    (
        lambda d: d.collapse is not None and d.task == "numbers",
        "collapse counts wrong classes, and the target is numbers; use collapse=None",
    ),
    (
        lambda d: d.probabilities != "raw" and d.task == "numbers",
        "probabilities are of classes, and the target is numbers; use "
        "probabilities='raw'",
    ),
    (
        lambda d: d.prior_weight != 2.0 and d.probabilities != "m_estimate",
        "prior_weight is for probabilities='m_estimate'; set that, or leave "
        "prior_weight out",
    ),
    (
        lambda d: d.costs_in_growing and d.task == "numbers",
        "costs_in_growing is about wrong classes, and the target is numbers; use "
        "costs_in_growing=False",
    ),
    (
        lambda d: d.threshold_cost is not None and d.task == "numbers",
        "threshold_cost is in bits, and the target is numbers; use threshold_cost=None",
    ),
    (
        lambda d: d.ccp_alpha > 0 and not d.prunes_by_complexity,
        "ccp_alpha is for pruning='cost_complexity', and another pruning is set; use "
        "pruning='cost_complexity', or ccp_alpha=0",
    ),
    (
        lambda d: d.cp is not None and d.pruning != "cost_complexity",
        "cp is for pruning='cost_complexity', and that is not set; set it, or cp=None",
    ),
    (
        lambda d: d.cp is not None and d.ccp_alpha > 0,
        "cp and ccp_alpha both say what a leaf costs; set cp=None, or ccp_alpha=0",
    ),
    (
        lambda d: d.alpha_choice != "fixed" and d.pruning != "cost_complexity",
        "alpha_choice is for pruning='cost_complexity', and that is not set; set it, "
        "or alpha_choice='fixed'",
    ),
    (
        lambda d: d.alpha_choice != "fixed" and d.ccp_alpha > 0,
        "ccp_alpha fixes what alpha_choice would choose; set ccp_alpha=0, or "
        "alpha_choice='fixed'",
    ),
    (
        lambda d: d.alpha_rule != "minimum" and d.alpha_choice == "fixed",
        "alpha_rule='one_se' compares errors on held-out rows; set "
        "alpha_choice='cross_validation' or 'validation'",
    ),
    (
        lambda d: d.complexity_by == "misclassification" and d.task == "numbers",
        "complexity_by='misclassification' counts wrong classes, and the target is "
        "numbers; use complexity_by='impurity'",
    ),
    (
        lambda d: (
            d.weakest_links == "one_pass"
            and (d.nominal_splits == "multiway" or d.missing == "own_branch")
        ),
        "weakest_links='one_pass' is for trees with two branches everywhere; set "
        "weakest_links='exact', or nominal_splits='subset' and missing='majority'",
    ),
)
