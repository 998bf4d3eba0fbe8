"""`rules`: a fitted forest gives the few rules that say what it does."""

from __future__ import annotations

from typing import Any

from treewright.estimators.distilling import Distillable
from treewright.estimators.progress import told
from treewright.estimators.ruling import rows_to_count
from treewright.learners.forest_rules import forest_rules
from treewright.prune.labelled_rows import LabelledRows
from treewright.render.rules.rule_listing import RuleListing
from treewright.rules.from_forest import RuleChoice


class ForestRuleMethods(Distillable):
    """What a forest needs to be read as rules."""

    def rules(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        max_rules: int = RuleChoice.max_rules,
        min_agreement: float = RuleChoice.min_agreement,
        sort: str = "tree",
        min_cover: float = 0.0,
        progress: Any = False,
    ) -> RuleListing:
        """Return the few rules that together say what this forest does.

        Rules are the ways to nodes of its trees. One after the other is taken that adds
        most agreement with the forest's answers on rows that no rule covers yet;
        conditions that add nothing are taken off, and so are rules, in the end.

        Parameters
        ----------
        X, y, sample_weight : table and its answers, optional
            The rows that rules are chosen by and counted on; the training rows if not
            given, which are there right after `fit`.
        max_rules : int
            Most rules; there are fewer if more would add less than 0.5 % of the rows.
        min_agreement : float
            Of classes: the least share of a rule's rows that the forest answers as the
            rule does.
        sort : str
            As for a tree; "tree" is the order in which they were chosen, and in which
            they answer.
        min_cover : float
            List only rules that cover at least so many rows.
        progress : bool or function(done, total)
            True: a bar on stderr; a function is told after each rule.

        Returns
        -------
        RuleListing
            Printed, a table with the agreement below it; `likeness` has the figures.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> forest = tw.RandomForestClassifier(20, random_state=0).fit(X, y)
        >>> forest.rules().likeness.agreement > 0.8
        True
        """
        model = self._fitted()
        choice = RuleChoice(max_rules, min_agreement)
        rows, of = rows_to_count(self, X, y, sample_weight), "rows"
        if rows is None:
            columns = self._table(None, None, None, "rules")
            rows, of = LabelledRows.of_columns(columns, model.schema), "training rows"
        with told(progress, max_rules, doing="choosing rules", unit="rules") as tell:
            listing = forest_rules(model, rows, choice, of=of, progress=tell)
        return listing.sorted(sort).covering(min_cover)
