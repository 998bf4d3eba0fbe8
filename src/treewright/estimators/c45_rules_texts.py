"""What the parameters of C4.5rules mean."""

from __future__ import annotations

C45_RULES_TEXTS = {
    "dialect": (
        '{"c45", "j48", "lecture"}',
        "Whose trees the rules come from, and whose estimate their rates are: "
        "Quinlan's Release 8, Weka's, or what courses mean. A parameter that is None "
        "is as the dialect says.",
    ),
    "n_trees": (
        "int",
        "How many unpruned trees give rules: the first is grown from all rows, others "
        "from as many rows drawn with replacement. Rates are counted on all rows.",
    ),
    "grouping": (
        "str or None",
        'Trees ask about groups of values instead of single ones ("c45", "c50"); a '
        "rule then says that a value is in a set.",
    ),
    "confidence": (
        "float or None",
        "The confidence level of the pessimistic rate, 0.25 unless said otherwise; "
        "smaller gives fewer and shorter rules.",
    ),
    "fisher": (
        "bool",
        "Whether a condition must also pass Fisher's exact test at 5 %.",
    ),
    "redundancy": (
        "float",
        "What the bits to name a feature are divided by; above 1 where several "
        "features say much the same, which gives more rules.",
    ),
    "random_state": (
        "int, RandomState, Generator or None",
        "The seed of the draws: rows of further trees, and starts of the search among "
        "more than ten rules of a class; None: another one each time, which the model "
        "keeps.",
    ),
}
