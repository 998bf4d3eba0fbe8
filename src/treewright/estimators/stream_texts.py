"""What the parameters of Hoeffding trees mean."""

from __future__ import annotations

STREAM_TEXTS = {
    "criterion": (
        '{"entropy", "gini"}',
        "What a split is judged by: information gain, or the decrease of gini's index.",
    ),
    "reduction": (
        '{"variance", "deviation"}',
        "What a split is to lower: the variance, or the standard deviation.",
    ),
    "delta": (
        "float",
        "The chance, for each split, that it is another one than all rows of the "
        "stream would give. Smaller waits longer.",
    ),
    "tau": (
        "float",
        "The tie threshold: where the bound is below it, the best split is taken, "
        "however close the second best is.",
    ),
    "grace_period": (
        "int",
        "How many rows, by weight, a leaf sees between two looks at its splits.",
    ),
    "leaf_prediction": (
        '{"majority", "naive_bayes", "adaptive"}',
        "What a leaf answers: its heaviest class, what naive Bayes finds from its "
        "sums, or of these two the one that was right more often there so far.",
    ),
    "min_branch_share": (
        "float",
        "Two branches of a split must have this share of the rows that have a value.",
    ),
    "n_cuts": (
        "int",
        "How many cuts of a numeric feature are compared, at equal distances.",
    ),
    "max_categories": (
        "int",
        "How many categories of a feature are told apart. Those that come up later "
        "count as missing, so that an identifier cannot fill the memory.",
    ),
    "max_bytes": (
        "int or None",
        "How large the tree may become. Then the leaves that promise least are put to "
        "sleep: they count and answer, but are not split until there is room again. "
        "None for no limit.",
    ),
    "feature_kinds": (
        "dict or None",
        'Kinds of columns that are not as found: "numeric" or "nominal". Columns '
        "without names are called x0, x1, ...",
    ),
}
