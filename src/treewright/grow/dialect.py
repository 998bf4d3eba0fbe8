"""A dialect: the row of switches that makes an algorithm.

ID3, AIMA and CART are values of this one type; `learners/` has a file for each. Every
switch can be set on its own (`dialect.change(min_samples_leaf=5)`), is checked where it
is set, and travels with the model.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import numbers
from dataclasses import dataclass
from typing import Any

from treewright.errors import SettingError
from treewright.grow.contradictions import CONTRADICTIONS, HELD_OUT
from treewright.grow.switch_ranges import CHECKS
from treewright.sources.node_statistics import CLASS_CRITERIA


@dataclass(frozen=True)
class Dialect:
    """The switches of a tree learner.

    Attributes
    ----------
    name : str
        What the algorithm is called.
    criterion : str
        "entropy", "gain_ratio", "gini", "classification_error" for classes;
        "squared_error", "absolute_error" for numbers. Under "gain_ratio" a feature's
        cut is chosen by gain, and the feature by gain divided by split information.
    nominal_splits : {"multiway", "subset", "one_value"}
        One branch per value; the best two sets of values; one value against the rest.
    grouping : {None, "c45", "c50"}
        Under "multiway" and "gain_ratio": one branch per value; or per group of values,
        joined by pairs as long as the ratio does not fall; or, besides, less the bits
        that name the groups.
    numeric_splits : {"refuse", "midpoint", "below_midpoint", "training_value", \
"lower_value"}
        Numeric features are an error, or are cut half way between two values; just
        below that, so that a value half way goes with the larger ones (rpart); at the
        largest training value that is not above that; at the lower of the two.
    reuse_features : bool
        Whether a nominal feature may be asked about again further down a path.
    missing : str
        What rows without a value do. "error": they are refused. "own_branch": a branch
        of their own. "majority": the heaviest branch. "fractional": down every branch,
        with shares of their weight. "learned": all down the one branch that gives the
        best split. They take the most common value (of numbers, the middle one):
        "most_common": of the whole sample; "most_common_in_node": of the rows at the
        node; "most_common_in_class": of those of their class there. "surrogates": they
        follow the questions about other features that agree best with the split
        (CART).
    max_surrogates : int
        Under "surrogates": how many of these questions a split has at most.
    surrogate_sets : {"two_each_way", "two_disagree"}
        What the two sets of a nominal surrogate need: two rows in each; or two rows
        that the split sends elsewhere, so that a perfect copy is none (rpart 4.1).
    discount_missing : bool
        Whether the gain of the rows with a value counts by their share of all rows, or
        as if all rows had one (Breiman et al. 1984, section 5.3.2).
    unseen : {"stop", "missing", "error"}
        A category at prediction that training never saw.
    gain_guard : {None, "c45", "c50"}
        Under "gain_ratio": which features are compared. None: all. "c45": those with at
        least the average gain. "c50": those with 99.9 % of the least gain: the average
        up to 500 training rows per class, 0.9 log2(features) / weight of the node from
        1000 on, a mix between; features with very many values are out, and of ratios
        within 0.1 % of the best the fewest branches win, then the larger gain.
        "average", the name of "c45" when there was one guard, is still taken.
    threshold_cost : {None, "evaluated_cuts", "distinct_values", "c50"}
        Bits taken off a numeric feature's gain for naming the cut: log2 of the cuts
        that were tried, or of the number of distinct values minus one; or the smaller
        of the former and log2(range of the values at the node / width of the gap).
    count_by : {"rows", "weight"}
        Whether `min_samples_leaf` counts rows or their weights, which matters for
        fractional rows.
    large_branches : {"each", "two"}
        Whether each branch of a multiway split must reach `min_samples_leaf`, or two.
    cut_minimum : {"min_samples_leaf", "tenth_per_class"}
        What each side of a cut needs: `min_samples_leaf`, or a tenth of the known rows
        per class if that is more, up to 25 (C4.5).
    min_branch_weight : float
        A branch that weighs less, rows without a value included, is an empty leaf,
        unless all branches of the split do (C5.0: 0.05).
    min_share : float
        Under "fractional": a branch with a smaller share of the rows that have a value
        gets no part of the others; the heaviest branch always does (J48: 1e-6).
    min_gap : float
        A cut lies between values that differ by more than this.
    single_precision : bool
        Whether values are compared, and their middle found, as 32-bit floats; and,
        under "gain_ratio" and "multiway", whether sums of information, gains and ratios
        are 32-bit floats too, of which the larger wins, however close (C4.5 Release 8).
        The latter not with `grouping` or C5.0's guard.
    zero_gain : bool
        Under "gain_ratio": whether a nominal feature that gains nothing may be asked
        about (C4.5 Release 8).
    min_split_information : float
        Under "gain_ratio", splits with no more than this are not compared.
    tolerance : float
        Gains, ratios and weights that differ by no more are equal; 0 means 1e-12 of
        their scale. Of cuts, one must beat all before it by more than this.
    empty_branch : {"parent_distribution", "parent_class", "unclassified"}
        What a branch without training rows answers: the class weights of its parent,
        its majority class alone, or nothing (Weka's Id3).
    costs_in_growing : bool
        Whether the costs of wrong classes also weigh the rows that the tree is grown
        from: those of a class by what its mistakes cost in all (Breiman's altered
        priors). Leaves answer the class with the least expected cost in any case.
    probabilities : {"raw", "laplace", "m_estimate"}
        Class weights of a leaf as probabilities: divided by their sum; each 1 larger
        before; each larger by a part of `prior_weight`, in the root's shares. Labels
        are by the weights, so another class may have the largest m-estimate.
    prior_weight : float
        The m of the m-estimate.
    label_ties : {"ancestor", "first"}
        Of equally heavy classes: the one that is heavier in the nearest ancestor that
        decides, or the first in class order.
    collapse : float or None
        After growing, a subtree whose training errors are not below those of a leaf by
        more than this becomes a leaf; None: not done.
    pruning : {None, "error_based", "reduced_error", "pessimistic", "minimum_gain", \
"chi_square", "cost_complexity"}
        How the grown tree is pruned: by errors expected from a confidence limit (C4.5);
        by errors on held-out rows; by half an error per leaf and one standard error;
        by the gain of the lowest splits; by a test whether they could be chance; by
        what each leaf costs (CART).
    validation_share : float or None
        Reduced-error pruning: the share of the rows that are held out of growing, the
        classes in proportion. None: they are passed to `fit`.
    random_state : int or None
        Shuffles the rows before some are held out; None: every k-th of each class.
    pruning_order : {"bottom_up", "best_first"}
        Reduced-error pruning: node by node from the leaves up; or one cut at a time,
        the one that helps most, and of all these trees the smallest with least error.
    give_back : bool
        Reduced-error pruning: whether held-out rows are then counted in the leaves.
    prune_gain : float or None
        Minimum-gain pruning: splits just above leaves that gain less are cut.
    prune_level : float
        Chi-square pruning: splits just above leaves are cut if chance would deviate as
        much with a probability above this.
    confidence : float
        Error-based pruning: the confidence level; smaller prunes more.
    subtree_raising : bool
        Error-based pruning: whether a subtree may be replaced by its largest branch.
    confidence_limit : {"normal", "table"}
        Error-based pruning: the quantile exact, or from C4.5's table of nine points.
    mostly_wrong : {"rest", "two_thirds"}
        Error-based pruning: errors added to a leaf where nearly all rows are wrong: the
        others, or 0.67 of them.
    pool_small_branches : bool
        Error-based pruning: whether the branches of a node that weigh less than
        `min_samples_leaf` are estimated as one leaf (C5.0).
    global_pruning : bool
        Error-based pruning: whether subtrees are then cut that add the fewest training
        errors per leaf, while all errors stay within one standard error (C5.0).
    ccp_alpha : float
        Cost-complexity pruning: what a leaf costs, in units of risk per row; a subtree
        stays if it is worth that much for each leaf more. As in scikit-learn, a number
        above 0 asks for this pruning if `pruning` is None.
    cp : float or None
        The same as a share of the root's risk (rpart); None: `ccp_alpha` counts.
    complexity_by : {"impurity", "misclassification"}
        Cost-complexity pruning: what risk is, the criterion's impurity (scikit-learn)
        or the share of wrong rows (Breiman et al., rpart).
    weakest_links : {"exact", "one_pass"}
        Cost-complexity pruning: Breiman's sequence, or the one that rpart finds in one
        walk.
    alpha_choice : {"fixed", "validation", "cross_validation"}
        Cost-complexity pruning: `ccp_alpha` (or `cp`) as it is, or the alpha of the
        sequence with the least error on held-out rows, or on `n_folds` folds.
    alpha_rule : {"minimum", "one_se"}
        Of the alphas: the one with the least error, or the largest (the smallest tree)
        whose error is within one standard error of that.
    n_folds : int
        Folds of the cross-validation; each has the classes in the same proportions.
    max_depth, min_samples_split, min_samples_leaf, max_leaf_nodes
        As in scikit-learn; a fraction is a share of the training rows.
    min_weight_leaf : float
        Least row weight of a branch.
    min_weight_fraction_leaf : float
        The same as a share of the whole weight.
    min_impurity : float
        A node at most this impure is a leaf.
    min_gain : float
        Least gain of a split, per row of the node.
    min_relative_gain : float
        A split must gain more than this share of the node's impurity.
    min_impurity_decrease : float
        Least gain of a split times the node's share of the whole weight.
    chi_square_level : float or None
        A node is a leaf if the chi-square test finds that its best split could be
        chance with a probability above this (ID3, 1986); None: no test.
    """

    name: str
    criterion: str
    nominal_splits: str
    numeric_splits: str
    reuse_features: bool
    missing: str
    grouping: str | None = None
    max_surrogates: int = 5
    surrogate_sets: str = "two_each_way"
    discount_missing: bool = True
    unseen: str = "stop"
    gain_guard: str | None = None
    threshold_cost: str | None = None
    count_by: str = "rows"
    large_branches: str = "each"
    cut_minimum: str = "min_samples_leaf"
    min_branch_weight: float = 0.0
    min_share: float = 0.0
    min_gap: float = 0.0
    single_precision: bool = False
    zero_gain: bool = False
    min_split_information: float = 0.0
    tolerance: float = 0.0
    empty_branch: str = "parent_distribution"
    costs_in_growing: bool = False
    probabilities: str = "raw"
    prior_weight: float = 2.0
    label_ties: str = "ancestor"
    collapse: float | None = None
    pruning: str | None = None
    confidence: float = 0.25
    subtree_raising: bool = True
    confidence_limit: str = "normal"
    mostly_wrong: str = "rest"
    pool_small_branches: bool = False
    global_pruning: bool = False
    ccp_alpha: float = 0.0
    cp: float | None = None
    complexity_by: str = "impurity"
    weakest_links: str = "exact"
    alpha_choice: str = "fixed"
    alpha_rule: str = "minimum"
    n_folds: int = 10
    validation_share: float | None = None
    random_state: int | None = None
    pruning_order: str = "bottom_up"
    give_back: bool = False
    prune_gain: float | None = None
    prune_level: float = 0.05
    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_weight_leaf: float = 0.0
    min_weight_fraction_leaf: float = 0.0
    min_impurity: float = 0.0
    min_gain: float = 0.0
    min_relative_gain: float = 0.0
    min_impurity_decrease: float = 0.0
    max_leaf_nodes: int | None = None
    chi_square_level: float | None = None

    def __post_init__(self) -> None:
        if self.gain_guard == "average":  # models saved before there was "c50" say so
            object.__setattr__(self, "gain_guard", "c45")
        for name, check in CHECKS.items():
            check(name, getattr(self, name))
        self._refuse_contradictions()

    def _refuse_contradictions(self) -> None:
        """Refuse switches that do not go together, where they meet."""
        for holds, complaint in CONTRADICTIONS:
            if holds(self):
                raise SettingError(complaint)

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

    def change(self, **settings: Any) -> Dialect:
        """Return the same dialect with other settings; unknown names are refused."""
        known = [
            field.name for field in dataclasses.fields(self) if field.name != "name"
        ]
        for name in settings:
            if name not in known:
                raise SettingError(unknown_name("setting", name, known))
        return dataclasses.replace(self, **settings)

    def settings(self) -> dict[str, Any]:
        """Every switch but the name, as plain values."""
        return dict(self._plain_values)

    @functools.cached_property
    def _plain_values(self) -> dict[str, Any]:
        # once: a small tree would wait for it
        values = dataclasses.asdict(self)
        del values["name"]
        return {name: _plain(value) for name, value in values.items()}


def unknown_name(what: str, name: str, known: list[str]) -> str:
    """One line for a name that does not exist, with the nearest that does."""
    near = difflib.get_close_matches(name, known, n=1)
    hint = (
        f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}"
    )
    return f"unknown {what} {name!r}; {hint}"


def _plain(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    return float(value)
