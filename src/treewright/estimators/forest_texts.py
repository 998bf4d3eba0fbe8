"""What the parameters of forests mean."""

from __future__ import annotations

FOREST_TEXTS = {
    "n_estimators": ("int", "Number of trees."),
    "dialect": (
        "str or None",
        'Whose trees they are: "cart" (as None), "rpart", and for classes "id3", '
        '"aima", "c45", "j48", "lecture"; unpruned. A parameter that is None is as the '
        "dialect says.",
    ),
    "max_features": (
        "None, int, float, str or list of int",
        "Features that a node looks at: all, so many, that share of them, "
        '"sqrt" or "log2" of their number; "oob": 1 or int(log2 M + 1), whichever has '
        "the smaller out-of-bag error; a list: the best of these by that error.",
    ),
    "combined_features": (
        "int or None",
        "Nodes draw weighted sums of so many numeric features, `max_features` of them, "
        "instead of single features (Forest-RC; 3 in the paper).",
    ),
    "bootstrap": ("bool", "Draw rows with replacement; else without."),
    "max_samples": (
        "None, int or float",
        "Rows that each tree gets: as many as there are, so many, or that share.",
    ),
    "stratified": ("bool", "Draw from each class in proportion."),
    "voting": (
        '{"mean", "votes"}',
        "The answer is the class with the largest mean share; or the one that most "
        "trees name, and `predict_proba` gives the shares of the votes. Out-of-bag "
        "answers follow it.",
    ),
    "oob_score": (
        "bool",
        "Ask each tree about the rows that it has not seen: gives `oob_error_`, "
        "`oob_curve_` and `oob_decision_function_` (or `oob_prediction_`).",
    ),
    "max_leaf_nodes": (
        "int or None",
        "Each tree splits the node that gains most first, until it has so many leaves.",
    ),
    "random_state": (
        "int, RandomState, Generator or None",
        "The seed of all draws; None: another one each time, which the model keeps.",
    ),
    "switches": (
        "dict or None",
        "Further switches of the trees, by name: those of `TreeClassifier` and "
        "`TreeRegressor` that are not parameters here and not about pruning, "
        'for example {"nominal_splits": "one_value"}.',
    ),
    "warm_start": (
        "bool",
        "Whether `fit` goes on with the forest that is there and adds trees up to "
        "`n_estimators`. Table and other parameters must be the same; then it is "
        "the forest that would have been grown at once. A number of features that "
        "out-of-bag rows have chosen stays.",
    ),
}
