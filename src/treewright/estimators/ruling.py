"""`rules`: a fitted tree as rules that people can read."""

from __future__ import annotations

from typing import Any

from treewright.errors import SettingError
from treewright.estimators.model_estimator import ModelEstimator
from treewright.prune.labelled_rows import LabelledRows
from treewright.render.rules.rule_listing import RuleListing, tree_rules


class RuleMethods(ModelEstimator):
    """What an estimator of one tree needs to be read as rules."""

    def rules(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        sort: str = "tree",
        min_cover: float = 0.0,
    ) -> RuleListing:
        """Return the tree as rules, one for each leaf.

        The questions on the way to a leaf are merged: one condition for each feature,
        an interval or a set of values. A missing value meets no condition, unless the
        tree has a branch for missing values.

        Parameters
        ----------
        X, y, sample_weight : table and its answers, optional
            Rows to count. If not given, the figures are those of the training rows at
            the leaves, where a row without a value counts at the leaf that it was sent
            to.
        sort : str
            "tree": as the leaves stand; "cover", "confidence", "lift", "class"; for
            numbers "cover", "mean", "spread".
        min_cover : float
            List only rules that cover at least so many rows.

        Returns
        -------
        RuleListing
            Printed, a table: for each rule the rows that it covers, how many are wrong,
            the share that is right as seen and as is to be expected of new rows (the
            pessimistic estimate of C4.5, CF 0.25), and the lift. For numbers mean and
            spread. `to_markdown`, `to_frame` and `to_json` have all figures,
            `formula(class)` is the disjunction of the rules of a class.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> rules = tw.ID3Classifier().fit(X, y).rules()
        >>> print(rules.formula("No"))
        (Outlook=Rain and Wind=Strong) or (Outlook=Sunny and Humidity=High)
        """
        rows = rows_to_count(self, X, y, sample_weight)
        return tree_rules(self._fitted(), rows).sorted(sort).covering(min_cover)


def rows_to_count(
    estimator: Any, X: Any, y: Any, sample_weight: Any
) -> LabelledRows | None:
    """Return the rows that rules are counted on; None: the training rows."""
    if X is None and y is None:
        return None
    refuse_one_of_two(X, y)
    model = estimator._model_for(X)
    return LabelledRows.of_table(model, X, y, sample_weight, use="to count")


def refuse_one_of_two(X: Any, y: Any) -> None:
    """Raise if a table comes without its answers, or these without it."""
    if (X is None) != (y is None):
        given, lacks = ("X", "y") if y is None else ("y", "X")
        raise SettingError(f"{given} is passed without {lacks}; pass both, or neither")
