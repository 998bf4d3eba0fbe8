"""Texts of the finer switches, which few estimators have; see `parameters.py`."""

from __future__ import annotations

# name: (type, text)
FINER_TEXTS = {
    "cost_matrix": (
        "dict of dict, array or None",
        "What wrong answers cost: `cost_matrix[actual][predicted]`. A leaf answers the "
        "class with the least expected cost. Of a dict, mistakes that are not named "
        "cost 1; the rows (actual) and columns (predicted) of an array are in the "
        "order of the sorted classes. The right class costs 0.",
    ),
    "costs_in_growing": (
        "bool",
        "Whether costs also weigh the rows that the tree is grown from: a row by what "
        "mistakes about its class cost in all. Leaves still count rows as they are.",
    ),
    "probabilities": (
        '{"raw", "laplace", "m_estimate"}',
        "Probabilities of the n classes at a leaf with the weights w: w / total; "
        "(w + 1) / (total + n); (w + m p) / (total + m) with the root's shares p. They "
        "do not change what `predict` answers, the heaviest class at the leaf or the "
        "one with the least expected cost: near a tie the m-estimate may favour "
        "another.",
    ),
    "prior_weight": ("float", 'The m of probabilities="m_estimate".'),
    "binary_splits": (
        "bool or None",
        'True is nominal_splits="one_value": one value of a nominal feature against '
        'the rest (J48 -B); False is "multiway".',
    ),
    "grouping": (
        'None, "c45" or "c50"',
        "Whether values of a nominal feature share branches: they are joined by pairs "
        'as long as the gain ratio does not fall (C4.5 -s); "c50" takes off the bits '
        "that name the groups.",
    ),
    "collapse": (
        "float or None",
        "A subtree whose training errors are not below those of a leaf by more than "
        "this becomes a leaf.",
    ),
    "gain_guard": (
        'None, "c45" or "c50"',
        'criterion="gain_ratio": "c45" compares only features with at least the '
        'average gain; "c50" does so in small tables, and in large ones asks for the '
        "bits that name a feature; of nearly equal ratios it takes the fewest branches "
        "(C5.0).",
    ),
    "threshold_cost": (
        'None, "evaluated_cuts", "distinct_values" or "c50"',
        "Bits taken off a numeric feature's gain for naming the cut: log2 of the cuts "
        "that were tried, or of the number of distinct values minus one, per row; "
        '"c50": the former, or log2(range / width of the gap) if that is less.',
    ),
    "count_by": (
        '{"rows", "weight"}',
        "Whether `min_samples_leaf` counts rows, or their weights.",
    ),
    "large_branches": (
        '{"each", "two"}',
        "Whether each branch of a split must reach `min_samples_leaf`, or two.",
    ),
    "cut_minimum": (
        '{"min_samples_leaf", "tenth_per_class"}',
        "What each side of a cut needs: `min_samples_leaf`, or a tenth of the rows per "
        "class if that is more, up to 25.",
    ),
    "min_branch_weight": (
        "float",
        "A branch that weighs less is an empty leaf, unless all of the split do "
        "(C5.0: 0.05).",
    ),
    "min_share": (
        "float",
        'missing="fractional": a branch with a smaller share of the rows that have a '
        "value gets no part of the others (J48: 1e-6).",
    ),
    "pool_small_branches": (
        "bool",
        'pruning="error_based": whether branches that weigh less than '
        "`min_samples_leaf` are estimated as one leaf (C5.0).",
    ),
    "global_pruning": (
        "bool",
        'pruning="error_based": whether subtrees are then cut that add the fewest '
        "training errors per leaf, while all errors stay within one standard error "
        "(C5.0). Not with costs.",
    ),
    "min_gap": ("float", "A cut lies between values that differ by more than this."),
    "single_precision": (
        "bool",
        "Whether values are compared, and their middle found, as 32-bit floats, and "
        "sums of information too, which then decide between splits that gain the same.",
    ),
    "zero_gain": (
        "bool",
        'criterion="gain_ratio": whether a nominal feature that gains nothing may be '
        "asked about.",
    ),
    "min_split_information": (
        "float",
        'criterion="gain_ratio": splits with no more split information are left out.',
    ),
    "tolerance": (
        "float",
        "Gains, ratios and weights that differ by no more are equal; 0 means 1e-12 of "
        "their scale.",
    ),
    "empty_branch": (
        '{"parent_distribution", "parent_class", "unclassified"}',
        "What a branch without training rows answers: the class weights of its parent; "
        "its class alone; or nothing. `predict` then gives NaN among numbers, NaT "
        "among dates and None among all else, `predict_proba` zeros, and `score` "
        "counts the row as wrong.",
    ),
    "label_ties": (
        '{"ancestor", "first"}',
        "Of equally heavy classes: the one that is heavier in the nearest ancestor "
        "that decides, or the first in class order.",
    ),
    "confidence_limit": (
        '{"normal", "table"}',
        'pruning="error_based": the normal quantile exact, or from a table of nine '
        "points (C4.5).",
    ),
    "mostly_wrong": (
        '{"rest", "two_thirds"}',
        'pruning="error_based": errors added to a leaf where nearly all rows are '
        "wrong: the others, or 0.67 of them (C4.5).",
    ),
    "weakest_links": (
        '{"exact", "one_pass"}',
        'pruning="cost_complexity": Breiman\'s sequence, or the one that rpart finds '
        "in one walk.",
    ),
    "min_relative_gain": (
        "float",
        "A split must gain more than this share of the node's impurity.",
    ),
}
