"""What the parameters of AdaBoost mean."""

from __future__ import annotations

ADABOOST_TEXTS = {
    "n_estimators": ("int", "Most trees; boosting may end before."),
    "dialect": (
        "str or None",
        'Whose trees they are: "cart" (as None), "rpart", "id3", "c45", "j48", '
        '"lecture", "c50" (C4.5 with C5.0\'s switches; as None with boosting="c50"). '
        "Each keeps its own pruning. A parameter that is None is as the dialect says.",
    ),
    "boosting": (
        '{"samme", "m1", "c50"}',
        "SAMME (Zhu et al. 2009), which goes on as long as a tree is better than "
        "guessing among all classes; AdaBoost.M1 (Freund and Schapire 1996), which "
        "needs less than half of the weight wrong; the same for two classes. Or C5.0's "
        "way.",
    ),
    "by": (
        '{"weights", "resampling"}',
        "Whether a tree is grown from all rows, by their weights, or from as many rows "
        "drawn with replacement, the heavier the more often.",
    ),
    "learning_rate": (
        "float",
        "Each vote is multiplied by it, and so is the power by which rows gain weight; "
        "smaller needs more trees.",
    ),
    "max_depth": (
        "int or None",
        "Longest path from the root of each tree; None is as the dialect says: 1 for "
        '"cart", "id3" and "lecture", which are not pruned and would leave no error to '
        'learn from; no limit for "c45", "j48" and "c50"; "none" for no limit.',
    ),
    "random_state": (
        "int, RandomState, Generator or None",
        'The seed of the draws, with by="resampling"; None: another one each time, '
        "which the model keeps.",
    ),
}
