"""The parameters that the tree learners share: texts, and how constructors keep them.

scikit-learn's rule is that a constructor stores its arguments as they are, and `fit`
checks them. `keeps_arguments` makes such a constructor out of a bare signature, and
`documented` writes the signature's parameters into the docstring of the class, so that
each text stands here once.
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ParamSpec, TypeAlias, TypeVar

from treewright.data.schema import FeatureKind, Label
from treewright.errors import SettingError
from treewright.estimators.switch_texts import FINER_TEXTS
from treewright.grow.dialect import unknown_name

ClassWeight: TypeAlias = (
    str | Mapping[Label, float] | Sequence[Mapping[Label, float] | str] | None
)
FeatureKinds: TypeAlias = Mapping[str, FeatureKind | Sequence[Label]] | None
Discretize: TypeAlias = str | Mapping[str | None, Any] | None

P = ParamSpec("P")
T = TypeVar("T")

# name: (type, text)
TEXTS = {
    "dialect": (
        "str or None",
        'Whose tree it is: "cart" (as None), or "rpart", which splits nodes of 20 rows '
        "or more into branches of 7 or more, down to depth 30, and prunes with "
        "cp=0.01. A parameter that is None is as the dialect says.",
    ),
    "criterion": (
        "str",
        'What a split is judged by: "gini", "entropy", "gain_ratio" or '
        '"classification_error" for classes, "squared_error" or "absolute_error" for '
        "numbers.",
    ),
    "nominal_splits": (
        '{"subset", "multiway", "one_value"}',
        "Nominal features are divided into the best two sets of values, have one "
        "branch per value, or one value is set against the rest.",
    ),
    "numeric_splits": (
        "str",
        'Numeric features are cut half way between two values ("midpoint"), just below '
        'that ("below_midpoint", rpart), at the largest training value not above that '
        '("training_value", C4.5), at the lower of the two ("lower_value"), or are '
        'refused ("refuse").',
    ),
    "reuse_features": (
        "bool",
        "Whether a nominal feature with one branch per value may be asked about again "
        "further down a path.",
    ),
    "max_depth": ("int or None", "Longest path from the root; None for no limit."),
    "min_samples_split": (
        "int or float",
        "Least number of rows of a node that is split; a float is a share of the "
        "training rows.",
    ),
    "min_samples_leaf": (
        "int or float",
        "Least number of rows of a branch; a float is a share of the training rows.",
    ),
    "min_weight_leaf": ("float", "Least row weight of a branch."),
    "min_weight_fraction_leaf": (
        "float",
        "Least row weight of a branch, as a share of the weight of all rows.",
    ),
    "min_impurity": ("float", "A node that is at most this impure is a leaf."),
    "min_gain": ("float", "Least gain of a split, per unit of the node's weight."),
    "min_impurity_decrease": (
        "float",
        "Least gain of a split times the node's share of the weight of all rows.",
    ),
    "max_leaf_nodes": (
        "int or None",
        "Largest number of leaves. If it is given, the node whose split gains most is "
        "split first.",
    ),
    "chi_square_level": (
        "float or None",
        "A node is a leaf if the chi-square test finds that its best split could be "
        "chance with a probability above this, 0.05 for example; None for no test.",
    ),
    "pruning": (
        "str or None",
        'How the grown tree is pruned: by the cost of its leaves ("cost_complexity", '
        'CART; see ccp_alpha), by errors on held-out rows ("reduced_error"), by the '
        'gain of the lowest splits ("minimum_gain"); for '
        "classes also by half an error per leaf and one standard error "
        '("pessimistic"), by a test whether the lowest splits could be chance '
        '("chi_square"), by errors expected from a confidence limit '
        '("error_based", C4.5).',
    ),
    "ccp_alpha": (
        "float",
        'pruning="cost_complexity": what a leaf costs, in impurity or errors per row; '
        "subtrees that are not worth their leaves are cut. Above 0 it asks for this "
        "pruning.",
    ),
    "cp": (
        "float or None",
        "The same as a share of the root's impurity or errors; None counts by "
        '`ccp_alpha` (dialect "rpart": 0.01).',
    ),
    "complexity_by": (
        '{None, "impurity", "misclassification"}',
        'pruning="cost_complexity": whether a subtree is worth the impurity or the '
        'wrong rows that it saves; None is "impurity" (dialect "rpart": '
        '"misclassification").',
    ),
    "alpha_choice": (
        '{"fixed", "validation", "cross_validation"}',
        'pruning="cost_complexity": alpha as given, or chosen by the errors on '
        "held-out rows, or by cross-validation.",
    ),
    "alpha_rule": (
        '{"minimum", "one_se"}',
        "Whether the alpha with the least error is chosen, or the largest one within "
        "one standard error of that.",
    ),
    "n_folds": ("int", "Folds of the cross-validation that chooses alpha."),
    "confidence": (
        "float",
        'pruning="error_based": the confidence level; smaller prunes more.',
    ),
    "subtree_raising": (
        "bool",
        'pruning="error_based": whether a subtree may be replaced by its largest '
        "branch.",
    ),
    "validation_share": (
        "float or None",
        'pruning="reduced_error": the share of the rows that are held out of growing, '
        "the classes (or small and large numbers) in proportion. None if they are "
        "passed to `fit`.",
    ),
    "random_state": (
        "int or None",
        "Shuffles the rows before some are held out; None takes every k-th of each "
        "class in the order of the table.",
    ),
    "pruning_order": (
        '{"bottom_up", "best_first"}',
        'pruning="reduced_error": node by node from the leaves up, which gives the '
        "least error; or one cut at a time, the one that helps most first, with all "
        "trees on the way in `pruning_path_`.",
    ),
    "give_back": (
        "bool",
        'pruning="reduced_error": whether the held-out rows are counted in the pruned '
        "tree.",
    ),
    "prune_gain": (
        "float or None",
        'pruning="minimum_gain": splits just above leaves that gain less are cut.',
    ),
    "prune_level": (
        "float",
        'pruning="chi_square": splits just above leaves that could be chance with a '
        "probability above this are cut.",
    ),
    "missing": (
        "str",
        'Where rows without a value go: with the heaviest branch ("majority"), to a '
        'branch of their own ("own_branch"), down all branches in shares '
        '("fractional"), where the questions about other features send them that agree '
        'best with the split ("surrogates"), all to the branch where the split is best '
        '("learned"). Or they count as the most common value of the table '
        '("most_common"), of the node ("most_common_in_node"), of their class at the '
        'node ("most_common_in_class"). Or they are refused ("error").',
    ),
    "max_surrogates": (
        "int",
        'missing="surrogates": how many such questions a split has at most.',
    ),
    "surrogate_sets": (
        '{"two_each_way", "two_disagree"}',
        "What the two sets of a nominal surrogate need: two rows in each, or two rows "
        "that the split sends elsewhere (rpart).",
    ),
    "discount_missing": (
        "bool",
        "Whether the gain of a split counts by the share of the rows that have a value "
        "for it, or as if all rows had one.",
    ),
    "unseen": (
        '{"stop", "missing", "error"}',
        "What a category does at prediction that training never saw: the row stops at "
        "the node and takes its answer, the value counts as missing, or it is an "
        "error.",
    ),
    "class_weight": (
        'None, "balanced", dict or list of dict',
        "Weight of each class, by which row weights are multiplied; classes that are "
        'not named have weight 1. "balanced" gives every class the same total. For '
        "several outputs a list with an entry for each.",
    ),
    "feature_kinds": (
        "dict or None",
        'Kinds of columns that are not as found: "numeric", "nominal", "ordinal", or '
        "the list of an ordinal column's categories from small to large. Or a dict "
        'with such a "kind" and the text of "not_applicable" cells, which become a '
        "category of their own: "
        '`{"spouse": {"not_applicable": "n/a"}}`. Columns '
        "without names are called x0, x1, ...",
    ),
    "discretize": (
        "None, str or dict",
        "Numeric columns are divided into intervals, which are then asked about like "
        'categories, by a method for all of them: "equal_width" (4 intervals; '
        '"equal_width:k" for another number), "quartiles", "quantiles:k", "mdl" (by '
        'entropy, as many as pay; Fayyad and Irani), or "cv" (for each column the one '
        "with the least cross-validated error). Or a dict from columns to a method, a "
        "list of borders (lower < x <= upper), or named ranges, {'infant': (0, 2), "
        "'toddler': (3, 5)}, which take both ends; a value in none of them is unseen. "
        "The key None stands for all other numeric columns.",
    ),
    "drop_missing_target": (
        "bool",
        "Whether rows without a target are left out; otherwise they are an error.",
    ),
    "strict": (
        "bool",
        "Whether a column that mixes text and numbers is an error; otherwise its cells "
        "are compared as text.",
    ),
    "n_jobs": (
        "int or None",
        "Threads. None and -1 use the cores that the process may use, -2 all but one "
        "of them. The tree is the same for any number.",
    ),
}


class UnknownParameterError(SettingError, TypeError):
    """A constructor was given a parameter that it does not have."""


def keeps_arguments(init: Callable[P, None]) -> Callable[P, None]:
    """Return a constructor that stores its arguments as attributes and does no more.

    An argument that the signature does not have is refused with the nearest name.
    """
    _, *parameters = inspect.signature(init).parameters.values()
    known = [one.name for one in parameters]
    defaults = {one.name: one.default for one in parameters}

    @functools.wraps(init)
    def keep(*args: P.args, **kwargs: P.kwargs) -> None:
        estimator: Any = args[0]
        refuse_unknown(type(estimator), kwargs, known)
        init(*args, **kwargs)  # which does nothing but refuse a wrong number of them
        given = {**defaults, **dict(zip(known, args[1:], strict=False)), **kwargs}
        for name, value in given.items():
            setattr(estimator, name, value)

    return keep


def refuse_unknown(owner: type, given: Iterable[str], known: list[str]) -> None:
    """Raise if a name is not among the known parameters; suggest the nearest."""
    for name in given:
        if name not in known:
            message = unknown_name(f"parameter of {owner.__name__}", name, known)
            raise UnknownParameterError(message)


def documented(owner: type[T]) -> type[T]:
    """Fill in the `{parameters}` of a class's docstring from its signature."""
    if owner.__doc__ is None:  # python -OO
        return owner
    texts = {**TEXTS, **FINER_TEXTS, **getattr(owner, "own_texts", {})}
    block = "\n".join(
        _parameter_text(parameter, *texts[name])
        for name, parameter in inspect.signature(owner).parameters.items()
    )
    owner.__doc__ = owner.__doc__.replace(
        "    {parameters}\n", textwrap.indent(block, "    ") + "\n"
    )
    return owner


def _parameter_text(parameter: inspect.Parameter, kind: str, text: str) -> str:
    """Return a numpydoc entry: name, type, default and text."""
    body = textwrap.fill(text, 80, initial_indent="    ", subsequent_indent="    ")
    return f"{parameter.name} : {kind}, default={parameter.default!r}\n{body}"
