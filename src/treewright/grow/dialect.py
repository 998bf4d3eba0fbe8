"""A dialect: the row of settings that makes an algorithm of one tree.

ID3, AIMA, C4.5 and CART are values of this one type; `learners/` has a file for each.
Every setting can be changed on its own (`dialect.change(min_samples_leaf=5)`), is
checked where it is set, and travels with the model.
"""

from __future__ import annotations

from dataclasses import dataclass

from treewright.settings.kinds import (
    Between,
    Flag,
    OneOf,
    OrNone,
    Real,
    RowCount,
    Whole,
)
from treewright.settings.row import Clash, Need, Settings, row
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
# prunings that compare trees on rows that these were not grown from
HELD_OUT = ("reduced_error",)
_ERROR_BASED = Need(lambda d: d.pruning == "error_based", "pruning=error_based")
_COMPLEXITY = Need(lambda d: d.prunes_by_complexity, "pruning=cost_complexity")


@dataclass(frozen=True)
class TreeSettings(Settings):
    """What all that learns one tree has: a name, and the task that it is for."""

    name: str

    @property
    def task(self) -> str:
        """Whether "classes" or "numbers" are predicted."""
        return "classes"


@dataclass(frozen=True)
class Dialect(TreeSettings):
    """The settings of a tree that is grown node by node."""

    criterion: str = row(
        OneOf(*CLASS_CRITERIA, *NUMBER_CRITERIA),
        'What a split is judged by: "gini", "entropy", "gain_ratio" or '
        '"classification_error" for classes, "squared_error" or "absolute_error" for '
        "numbers.",
        takes="entropy, gain_ratio, gini, classification_error; for numbers "
        "squared_error, absolute_error",
        doc="str",
        on="id3 cart",
        as_dialect="forest adaboost",
    )
    nominal_splits: str = row(
        OneOf("multiway", "subset", "one_value"),
        "Nominal features are divided into the best two sets of values, have one "
        "branch per value, or one value is set against the rest.",
        clashes=(
            Clash(
                lambda d: d.nominal_splits == "one_value" and d.missing == "own_branch",
                "nominal_splits='one_value' makes two branches, and "
                "missing='own_branch' wants a third; use missing='fractional' or "
                "'majority'",
            ),
            Clash(
                lambda d: d.nominal_splits == "one_value" and d.missing == "learned",
                "nominal_splits='one_value' sets a value against all else, and "
                "missing='learned' would join it; use nominal_splits='subset' or "
                "missing='fractional'",
            ),
        ),
    )
    numeric_splits: str = row(
        OneOf("refuse", "midpoint", "below_midpoint", "training_value", "lower_value"),
        'Numeric features are cut half way between two values ("midpoint"), just '
        'below that ("below_midpoint", rpart), at the largest training value not '
        'above that ("training_value", C4.5), at the lower of the two '
        '("lower_value"), or are refused ("refuse").',
        doc="str",
    )
    reuse_features: bool = row(
        Flag(),
        "Whether a nominal feature with one branch per value may be asked about "
        "again further down a path.",
    )
    missing: str = row(
        OneOf(*MISSING_RULES),
        'Where rows without a value go: with the heaviest branch ("majority"), to a '
        'branch of their own ("own_branch"), down all branches in shares '
        '("fractional"), where the questions about other features send them that '
        'agree best with the split ("surrogates"), all to the branch where the split '
        'is best ("learned"). Or they count as the most common value of the table '
        '("most_common"), of the node ("most_common_in_node"), of their class at the '
        'node ("most_common_in_class"). Or they are refused ("error").',
        doc="str",
        on="id3",
        as_dialect="cart forest adaboost",
        clashes=(
            Clash(
                lambda d: d.missing == "fractional" and d.criterion == "absolute_error",
                "missing='fractional' adds shares of rows up, and the medians of "
                "criterion='absolute_error' do not add up; use "
                "criterion='squared_error' or missing='majority'",
            ),
            Clash(
                lambda d: d.grouping is not None and d.missing == "learned",
                "missing='learned' tries every branch of a split, and grouping has "
                "yet to find them; use missing='fractional' or 'own_branch', or "
                "grouping=None",
            ),
            Clash(
                lambda d: d.missing == "surrogates" and d.nominal_splits != "subset",
                "missing='surrogates' is for splits with two sets of values; use "
                "nominal_splits='subset', or missing='fractional' or 'majority'",
            ),
            Clash(
                lambda d: d.missing == "most_common_in_class" and d.task == "numbers",
                "missing='most_common_in_class' needs classes, and the target is "
                "numbers; use missing='most_common_in_node'",
            ),
        ),
    )
    grouping: str | None = row(
        OneOf(None, "c45", "c50"),
        "Whether values of a nominal feature share branches: they are joined by "
        'pairs as long as the gain ratio does not fall (C4.5 -s); "c50" takes off '
        "the bits that name the groups.",
        default=None,
        doc='None, "c45" or "c50"',
        classes_only=True,
        as_dialect="c45rules",
        clashes=(
            Clash(
                lambda d: d.grouping is not None and d.nominal_splits != "multiway",
                "grouping joins the branches of nominal_splits='multiway', and "
                "nominal_splits is another; set that (and not binary_splits), or "
                "grouping=None",
            ),
            Clash(
                lambda d: d.grouping is not None and d.criterion != "gain_ratio",
                "grouping compares gain ratios: no group gains more than its values; "
                "set criterion='gain_ratio', or grouping=None",
            ),
        ),
    )
    max_surrogates: int = row(
        Whole(0),
        'missing="surrogates": how many such questions a split has at most.',
        default=5,
        as_dialect="cart",
        hidden="c45",
        clashes=(
            Clash(
                lambda d: d.max_surrogates != 5 and d.missing != "surrogates",
                "max_surrogates is for missing='surrogates'; set that, or leave "
                "max_surrogates out",
            ),
        ),
    )
    surrogate_sets: str = row(
        OneOf("two_each_way", "two_disagree"),
        "What the two sets of a nominal surrogate need: two rows in each, or two "
        "rows that the split sends elsewhere (rpart).",
        default="two_each_way",
        hidden="c45",
        clashes=(
            Clash(
                lambda d: (
                    d.surrogate_sets != "two_each_way" and d.missing != "surrogates"
                ),
                "surrogate_sets is for missing='surrogates'; set that, or leave "
                "surrogate_sets out",
            ),
        ),
    )
    discount_missing: bool = row(
        Flag(),
        "Whether the gain of a split counts by the share of the rows that have a "
        "value for it, or as if all rows had one.",
        default=True,
        hidden="c45",
        clashes=(
            Clash(
                lambda d: (
                    not d.discount_missing
                    and d.missing not in ("majority", "surrogates", "fractional")
                ),
                "discount_missing is about splits that are scored on the rows with a "
                "value; use missing='surrogates', 'majority' or 'fractional', or "
                "discount_missing=True",
            ),
        ),
    )
    unseen: str = row(
        OneOf("stop", "missing", "error"),
        "What a category does at prediction that training never saw: the row stops "
        "at the node and takes its answer, the value counts as missing, or it is an "
        "error.",
        default="stop",
        on="id3 cart",
        as_dialect="forest adaboost incremental",
    )
    gain_guard: str | None = row(
        OneOf(None, "c45", "c50"),
        'criterion="gain_ratio": "c45" compares only features with at least the '
        'average gain; "c50" does so in small tables, and in large ones asks for the '
        "bits that name a feature; of nearly equal ratios it takes the fewest "
        "branches (C5.0).",
        default=None,
        doc='None, "c45" or "c50"',
        classes_only=True,
        clashes=(
            Clash(
                lambda d: d.gain_guard is not None and d.criterion != "gain_ratio",
                "gain_guard compares gain ratios; set criterion='gain_ratio', or "
                "gain_guard=None",
            ),
        ),
    )
    threshold_cost: str | None = row(
        OneOf(None, "evaluated_cuts", "distinct_values", "c50"),
        "Bits taken off a numeric feature's gain for naming the cut: log2 of the "
        "cuts that were tried, or of the number of distinct values minus one, per "
        'row; "c50": the former, or log2(range / width of the gap) if that is less.',
        default=None,
        doc='None, "evaluated_cuts", "distinct_values" or "c50"',
        classes_only=True,
        clashes=(
            Clash(
                lambda d: d.threshold_cost is not None and d.task == "numbers",
                "threshold_cost is in bits, and the target is numbers; use "
                "threshold_cost=None",
            ),
        ),
    )
    count_by: str = row(
        OneOf("rows", "weight"),
        "Whether `min_samples_leaf` counts rows, or their weights.",
        default="rows",
    )
    large_branches: str = row(
        OneOf("each", "two"),
        "Whether each branch of a split must reach `min_samples_leaf`, or two.",
        default="each",
    )
    cut_minimum: str = row(
        OneOf("min_samples_leaf", "tenth_per_class"),
        "What each side of a cut needs: `min_samples_leaf`, or a tenth of the rows "
        "per class if that is more, up to 25.",
        default="min_samples_leaf",
        classes_only=True,
    )
    min_branch_weight: float = row(
        Real(0.0),
        "A branch that weighs less is an empty leaf, unless all of the split do "
        "(C5.0: 0.05).",
        default=0.0,
    )
    min_share: float = row(
        Real(0.0, 0.5),
        'missing="fractional": a branch with a smaller share of the rows that have a '
        "value gets no part of the others (J48: 1e-6).",
        default=0.0,
        takes="a number from 0 to 0.5, with missing=fractional",
        clashes=(
            Clash(
                lambda d: d.min_share > 0 and d.missing != "fractional",
                "min_share is about rows that are divided; set missing='fractional', "
                "or leave min_share out",
            ),
        ),
    )
    min_gap: float = row(
        Real(0.0),
        "A cut lies between values that differ by more than this.",
        default=0.0,
    )
    single_precision: bool = row(
        Flag(),
        "Whether values are compared, and their middle found, as 32-bit floats, and "
        "sums of information too, which then decide between splits that gain the "
        "same.",
        default=False,
    )
    zero_gain: bool = row(
        Flag(),
        'criterion="gain_ratio": whether a nominal feature that gains nothing may be '
        "asked about.",
        default=False,
        classes_only=True,
        needs=Need(lambda d: d.criterion == "gain_ratio", "criterion=gain_ratio"),
    )
    min_split_information: float = row(
        Real(0.0),
        'criterion="gain_ratio": splits with no more split information are left out.',
        default=0.0,
        classes_only=True,
        needs=Need(lambda d: d.criterion == "gain_ratio", "criterion=gain_ratio"),
    )
    tolerance: float = row(
        Real(0.0, 0.1),
        "Gains, ratios and weights that differ by no more are equal; 0 means 1e-12 "
        "of their scale.",
        default=0.0,
    )
    empty_branch: str = row(
        OneOf("parent_distribution", "parent_class", "unclassified"),
        "What a branch without training rows answers: the class weights of its "
        "parent; its class alone; or nothing. `predict` then gives NaN among "
        "numbers, NaT among dates and None among all else, `predict_proba` zeros, "
        "and `score` counts the row as wrong.",
        default="parent_distribution",
        classes_only=True,
        on="id3",
        clashes=(
            Clash(
                lambda d: d.empty_branch == "unclassified" and d.task == "numbers",
                "empty_branch='unclassified' is about classes, and the target is "
                "numbers; use empty_branch='parent_distribution'",
            ),
        ),
    )
    costs_in_growing: bool = row(
        Flag(),
        "Whether costs also weigh the rows that the tree is grown from: a row by "
        "what mistakes about its class cost in all. Leaves still count rows as they "
        "are.",
        default=False,
        classes_only=True,
        on="id3",
        as_dialect="cart",
        clashes=(
            Clash(
                lambda d: d.costs_in_growing and d.task == "numbers",
                "costs_in_growing is about wrong classes, and the target is numbers; "
                "use costs_in_growing=False",
            ),
        ),
    )
    probabilities: str = row(
        OneOf("raw", "laplace", "m_estimate"),
        "Probabilities of the n classes at a leaf with the weights w: w / total; (w "
        "+ 1) / (total + n); (w + m p) / (total + m) with the root's shares p. They "
        "do not change what `predict` answers, the heaviest class at the leaf or the "
        "one with the least expected cost: near a tie the m-estimate may favour "
        "another.",
        default="raw",
        classes_only=True,
        on="id3",
        as_dialect="cart forest",
        clashes=(
            Clash(
                lambda d: d.probabilities != "raw" and d.task == "numbers",
                "probabilities are of classes, and the target is numbers; use "
                "probabilities='raw'",
            ),
        ),
    )
    prior_weight: float = row(
        Real(0.0),
        'The m of probabilities="m_estimate".',
        default=2.0,
        takes="a number from 0 up, with m_estimate",
        classes_only=True,
        on="id3",
        as_dialect="cart forest",
        clashes=(
            Clash(
                lambda d: d.prior_weight != 2.0 and d.probabilities != "m_estimate",
                "prior_weight is for probabilities='m_estimate'; set that, or leave "
                "prior_weight out",
            ),
        ),
    )
    label_ties: str = row(
        OneOf("ancestor", "first"),
        "Of equally heavy classes: the one that is heavier in the nearest ancestor "
        "that decides, or the first in class order.",
        default="ancestor",
        classes_only=True,
        on="id3",
    )
    collapse: float | None = row(
        OrNone(Real(0.0)),
        "A subtree whose training errors are not below those of a leaf by more than "
        "this becomes a leaf.",
        default=None,
        classes_only=True,
        clashes=(
            Clash(
                lambda d: d.collapse is not None and d.task == "numbers",
                "collapse counts wrong classes, and the target is numbers; use "
                "collapse=None",
            ),
        ),
    )
    pruning: str | None = row(
        OneOf(
            None,
            "error_based",
            "reduced_error",
            "pessimistic",
            "minimum_gain",
            "chi_square",
            "cost_complexity",
        ),
        'How the grown tree is pruned: by the cost of its leaves ("cost_complexity", '
        'CART; see ccp_alpha), by errors on held-out rows ("reduced_error"), by the '
        'gain of the lowest splits ("minimum_gain"); for classes also by half an '
        'error per leaf and one standard error ("pessimistic"), by a test whether '
        'the lowest splits could be chance ("chi_square"), by errors expected from a '
        'confidence limit ("error_based", C4.5).',
        default=None,
        doc="str or None",
        as_dialect="cart",
        clashes=(
            Clash(
                lambda d: d.pruning == "error_based" and d.task == "numbers",
                "pruning='error_based' counts wrong classes, and the target is "
                "numbers; use pruning='cost_complexity', 'reduced_error', "
                "'minimum_gain' or None",
            ),
            Clash(
                lambda d: d.pruning == "pessimistic" and d.task == "numbers",
                "pruning='pessimistic' counts wrong classes, and the target is "
                "numbers; use pruning='cost_complexity', 'reduced_error', "
                "'minimum_gain' or None",
            ),
            Clash(
                lambda d: d.pruning == "chi_square" and d.task == "numbers",
                "pruning='chi_square' tests class weights, and the target is "
                "numbers; use pruning='cost_complexity', 'reduced_error', "
                "'minimum_gain' or None",
            ),
            Clash(
                lambda d: (
                    d.pruning == "reduced_error" and d.criterion == "absolute_error"
                ),
                "pruning='reduced_error' compares squared errors, and the tree is "
                "grown for absolute ones; use criterion='squared_error' or "
                "pruning='minimum_gain'",
            ),
            Clash(
                lambda d: d.pruning == "minimum_gain" and d.prune_gain is None,
                "pruning='minimum_gain' needs the least gain of a split; set "
                "prune_gain (0.01, for example)",
            ),
        ),
        tries={"cart": ("cost_complexity",)},
    )
    confidence: float = row(
        Between(0.0, 1.0),
        'pruning="error_based": the confidence level; smaller prunes more.',
        default=0.25,
        classes_only=True,
        as_dialect="adaboost c45rules",
        needs=_ERROR_BASED,
        tries={
            "c45": (0.05, 0.1, 0.25, 0.5),
            "j48": (0.05, 0.1, 0.25, 0.5),
            "c45rules": (0.1, 0.25, 0.5),
        },
    )
    subtree_raising: bool = row(
        Flag(),
        'pruning="error_based": whether a subtree may be replaced by its largest '
        "branch.",
        default=True,
        classes_only=True,
        needs=_ERROR_BASED,
    )
    confidence_limit: str = row(
        OneOf("normal", "table"),
        'pruning="error_based": the normal quantile exact, or from a table of nine '
        "points (C4.5).",
        default="normal",
        classes_only=True,
        needs=_ERROR_BASED,
    )
    mostly_wrong: str = row(
        OneOf("rest", "two_thirds"),
        'pruning="error_based": errors added to a leaf where nearly all rows are '
        "wrong: the others, or 0.67 of them (C4.5).",
        default="rest",
        classes_only=True,
        needs=_ERROR_BASED,
    )
    pool_small_branches: bool = row(
        Flag(),
        'pruning="error_based": whether branches that weigh less than '
        "`min_samples_leaf` are estimated as one leaf (C5.0).",
        default=False,
        classes_only=True,
        clashes=(
            Clash(
                lambda d: d.pool_small_branches and d.pruning != "error_based",
                "pool_small_branches is for pruning='error_based'; set that, or "
                "pool_small_branches=False",
            ),
        ),
    )
    global_pruning: bool = row(
        Flag(),
        'pruning="error_based": whether subtrees are then cut that add the fewest '
        "training errors per leaf, while all errors stay within one standard error "
        "(C5.0). Not with costs.",
        default=False,
        classes_only=True,
        clashes=(
            Clash(
                lambda d: d.global_pruning and d.pruning != "error_based",
                "global_pruning comes after pruning='error_based'; set that, or "
                "global_pruning=False",
            ),
        ),
    )
    ccp_alpha: float = row(
        Real(0.0),
        'pruning="cost_complexity": what a leaf costs, in impurity or errors per '
        "row; subtrees that are not worth their leaves are cut. Above 0 it asks for "
        "this pruning.",
        default=0.0,
        on="cart",
        clashes=(
            Clash(
                lambda d: d.ccp_alpha > 0 and not d.prunes_by_complexity,
                "ccp_alpha is for pruning='cost_complexity', and another pruning is "
                "set; use pruning='cost_complexity', or ccp_alpha=0",
            ),
            Clash(
                lambda d: d.alpha_choice != "fixed" and d.ccp_alpha > 0,
                "ccp_alpha fixes what alpha_choice would choose; set ccp_alpha=0, or "
                "alpha_choice='fixed'",
            ),
        ),
    )
    cp: float | None = row(
        OrNone(Real(0.0)),
        "The same as a share of the root's impurity or errors; None counts by "
        '`ccp_alpha` (dialect "rpart": 0.01).',
        default=None,
        as_dialect="cart",
        hidden="c45",
        clashes=(
            Clash(
                lambda d: d.cp is not None and d.pruning != "cost_complexity",
                "cp is for pruning='cost_complexity', and that is not set; set it, "
                "or cp=None",
            ),
            Clash(
                lambda d: d.cp is not None and d.ccp_alpha > 0,
                "cp and ccp_alpha both say what a leaf costs; set cp=None, or "
                "ccp_alpha=0",
            ),
        ),
        tries={"cart": (0, 0.005, 0.02), "rpart": (0.001, 0.003, 0.01, 0.03)},
    )
    complexity_by: str = row(
        OneOf("impurity", "misclassification"),
        'pruning="cost_complexity": whether a subtree is worth the impurity or the '
        'wrong rows that it saves; None is "impurity" (dialect "rpart": '
        '"misclassification").',
        default="impurity",
        as_dialect="CARTClassifier",
        hidden="c45",
        needs=_COMPLEXITY,
        clashes=(
            Clash(
                lambda d: (
                    d.complexity_by == "misclassification" and d.task == "numbers"
                ),
                "complexity_by='misclassification' counts wrong classes, and the "
                "target is numbers; use complexity_by='impurity'",
            ),
        ),
    )
    weakest_links: str = row(
        OneOf("exact", "one_pass"),
        'pruning="cost_complexity": Breiman\'s sequence, or the one that rpart finds '
        "in one walk.",
        default="exact",
        hidden="c45",
        needs=_COMPLEXITY,
        clashes=(
            Clash(
                lambda d: (
                    d.weakest_links == "one_pass"
                    and (d.nominal_splits == "multiway" or d.missing == "own_branch")
                ),
                "weakest_links='one_pass' is for trees with two branches everywhere; "
                "set weakest_links='exact', or nominal_splits='subset' and "
                "missing='majority'",
            ),
        ),
    )
    alpha_choice: str = row(
        OneOf("fixed", "validation", "cross_validation"),
        'pruning="cost_complexity": alpha as given, or chosen by the errors on '
        "held-out rows, or by cross-validation.",
        default="fixed",
        on="cart",
        hidden="c45",
        clashes=(
            Clash(
                lambda d: d.alpha_choice != "fixed" and d.pruning != "cost_complexity",
                "alpha_choice is for pruning='cost_complexity', and that is not set; "
                "set it, or alpha_choice='fixed'",
            ),
        ),
    )
    alpha_rule: str = row(
        OneOf("minimum", "one_se"),
        "Whether the alpha with the least error is chosen, or the largest one within "
        "one standard error of that.",
        default="minimum",
        on="cart",
        hidden="c45",
        clashes=(
            Clash(
                lambda d: d.alpha_rule != "minimum" and d.alpha_choice == "fixed",
                "alpha_rule='one_se' compares errors on held-out rows; set "
                "alpha_choice='cross_validation' or 'validation'",
            ),
        ),
    )
    n_folds: int = row(
        Whole(2),
        "Folds of the cross-validation that chooses alpha.",
        default=10,
        on="cart",
        hidden="c45",
        needs=Need(
            lambda d: d.alpha_choice == "cross_validation",
            "alpha_choice=cross_validation",
        ),
    )
    validation_share: float | None = row(
        OrNone(Between(0.0, 1.0)),
        'pruning="reduced_error": the share of the rows that are held out of '
        "growing, the classes (or small and large numbers) in proportion. None if "
        "they are passed to `fit`.",
        default=None,
        as_dialect="cart",
        clashes=(
            Clash(
                lambda d: d.validation_share is not None and not d.wants_validation,
                "validation_share holds rows out for pruning='reduced_error' or "
                "alpha_choice='validation'; set one of them, or validation_share=None",
            ),
        ),
    )
    random_state: int | None = row(
        OrNone(Whole(0)),
        "Shuffles the rows before some are held out; None takes every k-th of each "
        "class in the order of the table.",
        default=None,
        as_dialect="cart",
        needs=Need(
            lambda d: (
                d.validation_share is not None or d.alpha_choice == "cross_validation"
            ),
            "validation_share or alpha_choice=cross_validation",
        ),
    )
    pruning_order: str = row(
        OneOf("bottom_up", "best_first"),
        'pruning="reduced_error": node by node from the leaves up, which gives the '
        "least error; or one cut at a time, the one that helps most first, with all "
        "trees on the way in `pruning_path_`.",
        default="bottom_up",
        clashes=(
            Clash(
                lambda d: (
                    d.pruning_order != "bottom_up" and d.pruning != "reduced_error"
                ),
                "pruning_order is for pruning='reduced_error'; set that, or "
                "pruning_order='bottom_up'",
            ),
        ),
    )
    give_back: bool = row(
        Flag(),
        'pruning="reduced_error": whether the held-out rows are counted in the '
        "pruned tree.",
        default=False,
        clashes=(
            Clash(
                lambda d: d.give_back and d.pruning != "reduced_error",
                "give_back is about the rows held out for pruning='reduced_error'; "
                "set that, or give_back=False",
            ),
        ),
    )
    prune_gain: float | None = row(
        OrNone(Real(0.0)),
        'pruning="minimum_gain": splits just above leaves that gain less are cut.',
        default=None,
        clashes=(
            Clash(
                lambda d: d.prune_gain is not None and d.pruning != "minimum_gain",
                "prune_gain is the limit of pruning='minimum_gain'; set that, or "
                "leave prune_gain out (min_gain limits growing)",
            ),
        ),
    )
    prune_level: float = row(
        Between(0.0, 1.0),
        'pruning="chi_square": splits just above leaves that could be chance with a '
        "probability above this are cut.",
        default=0.05,
        classes_only=True,
        needs=Need(lambda d: d.pruning == "chi_square", "pruning=chi_square"),
    )
    max_depth: int | None = row(
        OrNone(Whole(1)),
        "Longest path from the root; None for no limit.",
        default=None,
        on="id3",
        as_dialect="cart forest adaboost c45rules",
        tries={
            "id3": (1, 2, 3, 5, None),
            "aima": (1, 2, 3, 5, None),
            "lecture": (1, 2, 3, 5, None),
            "cart": (3, 6, None),
            "adaboost": (1, 2, 4),
        },
    )
    min_samples_split: float = row(
        RowCount(2),
        "Least number of rows of a node that is split; a float is a share of the "
        "training rows.",
        default=2,
        on="id3",
        as_dialect="cart forest adaboost",
    )
    min_samples_leaf: float = row(
        RowCount(1),
        "Least number of rows of a branch; a float is a share of the training rows.",
        default=1,
        on="id3",
        as_dialect="cart forest adaboost c45rules",
        tries={
            "id3": (1, 2, 5),
            "aima": (1, 2, 5),
            "lecture": (1, 2, 5),
            "c45": (2, 5, 10),
            "j48": (2, 5, 10),
            "cart": (1, 5),
            "rpart": (2, 7, 20),
            "forest": (1, 3, 10),
            "extra-trees": (1, 3, 10),
            "c45rules": (2, 5),
        },
    )
    min_weight_leaf: float = row(
        Real(0.0),
        "Least row weight of a branch.",
        default=0.0,
        on="id3 cart",
    )
    min_weight_fraction_leaf: float = row(
        Real(0.0, 0.5),
        "Least row weight of a branch, as a share of the weight of all rows.",
        default=0.0,
        on="id3 cart forest adaboost",
    )
    min_impurity: float = row(
        Real(0.0),
        "A node that is at most this impure is a leaf.",
        default=0.0,
        on="id3 cart",
    )
    min_gain: float = row(
        Real(0.0),
        "Least gain of a split, per unit of the node's weight.",
        default=0.0,
        on="id3 cart",
    )
    min_relative_gain: float = row(
        Real(0.0, 1.0),
        "A split must gain more than this share of the node's impurity.",
        default=0.0,
    )
    min_impurity_decrease: float = row(
        Real(0.0),
        "Least gain of a split times the node's share of the weight of all rows.",
        default=0.0,
        on="id3 cart forest adaboost",
    )
    max_leaf_nodes: int | None = row(
        OrNone(Whole(2)),
        "Largest number of leaves. If it is given, the node whose split gains most "
        "is split first.",
        default=None,
        on="id3",
        as_dialect="cart forest adaboost",
    )
    chi_square_level: float | None = row(
        OrNone(Between(0.0, 1.0)),
        "A node is a leaf if the chi-square test finds that its best split could be "
        "chance with a probability above this, 0.05 for example; None for no test.",
        default=None,
        classes_only=True,
        on="id3",
        clashes=(
            Clash(
                lambda d: d.chi_square_level is not None and d.task == "numbers",
                "chi_square_level tests class weights, and the target is numbers; "
                "use min_gain, or chi_square_level=None",
            ),
        ),
    )

    def __post_init__(self) -> None:
        if self.gain_guard == "average":  # models saved before there was "c50" say so
            object.__setattr__(self, "gain_guard", "c45")
        super().__post_init__()

    @property
    def task(self) -> str:
        """Whether the criterion is about "classes" or "numbers"."""
        return "classes" if self.criterion in CLASS_CRITERIA else "numbers"

    @property
    def prunes_by_complexity(self) -> bool:
        """Whether the grown tree is pruned by cost complexity."""
        asked = self.pruning is None and self.ccp_alpha > 0
        return asked or self.pruning == "cost_complexity"

    @property
    def wants_validation(self) -> bool:
        """Whether trees are compared on rows that they were not grown from."""
        return self.pruning in HELD_OUT or self.alpha_choice == "validation"
