"""C4.5rules: a signature over `learners/rules/c45rules.py`."""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import Any, NoReturn, Self, cast

import numpy as np
import numpy.typing as npt

from treewright.errors import DataError, SettingError
from treewright.estimators.parts.explain import explain_by_rules
from treewright.estimators.parts.inputs import rows_to_count, warn_of_column_vector
from treewright.estimators.parts.kept import Kept, kept, with_parameters
from treewright.estimators.parts.parameters import (
    ClassWeight,
    Discretize,
    FeatureKinds,
    documented,
    keeps_arguments,
)
from treewright.estimators.parts.settings import (
    check_data_parameters,
    checked_dialect,
)
from treewright.estimators.parts.tasks import ClassTask
from treewright.learners.dialects.c45 import C45, J48, LECTURE
from treewright.learners.registry import LEARNERS
from treewright.learners.rules.c45rules import C45RulesSettings, grow_c45rules
from treewright.render.rules.rule_listing import RuleListing, rule_set_listing
from treewright.render.rules.rules_chalk import RulesChalk
from treewright.rules.rule_file import from_bytes, save, to_bytes
from treewright.rules.rule_model import RuleModel
from treewright.rules.ruleset import RuleSet


@documented
class C45RulesClassifier(ClassTask):
    """C4.5rules: a short list of rules, made of an unpruned tree.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    Every leaf of the unpruned tree gives a rule. Conditions that do not lower its
    pessimistic error rate are left out; of each class those rules are kept that
    describe its rows in the fewest bits, errors included; the classes whose rules have
    the fewest false positives come first; rules that do more harm than good on the
    training rows are dropped. A row gets the class of the first rule that it meets, or
    else the default. A missing value, or one never seen, meets no condition.

    `predict_proba` gives Laplace's shares, (n_c + 1) / (n + classes), of the training
    rows that the rule covers; where no rule is met, of those that no rule covers. A
    rule may speak for a class that is not the most frequent one among its rows, since
    rules before it take some: then the largest share is not that of the answer.

    Differences from Quinlan's program: further trees come from drawn rows and not from
    windows; there is no simulated annealing.

    References
    ----------
    Quinlan, J. R. (1993). C4.5: Programs for Machine Learning, chapter 5.
    Quinlan, J. R. (1995). MDL and categorical theories (continued). ICML.

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.tennis()
    >>> model = tw.C45RulesClassifier().fit(X, y)
    >>> len(model.rules_), model.score(X, y)
    (5, 1.0)
    """

    family, task, learner = "c45rules", "classes", "c45rules"
    _takes_several = False
    dialect = C45
    dialects = MappingProxyType({"c45": C45, "j48": J48, "lecture": LECTURE})
    own = LEARNERS["c45rules"].own
    dialect_default = "c45"
    dialect_text = (
        "Whose trees the rules come from, and whose estimate their rates are: "
        "Quinlan's Release 8, Weka's, or what courses mean. A parameter that is None "
        "is as the dialect says."
    )

    model_: RuleModel  # type: ignore[assignment]
    random_state: Any

    @keeps_arguments
    def __init__(
        self,
        *,
        dialect: str = "c45",
        n_trees: int = 1,
        fisher: bool = False,
        redundancy: float = 1.0,
        random_state: Any = 0,
        grouping: str | None = None,
        confidence: float | None = None,
        max_depth: int | None = None,
        min_samples_leaf: float | None = None,
        class_weight: ClassWeight = None,
        feature_kinds: FeatureKinds = None,
        discretize: Discretize = None,
        drop_missing_target: bool = False,
        strict: bool = False,
        n_jobs: int | None = None,
    ) -> None: ...

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Make the rules.

        Parameters
        ----------
        X : data frame, array, dict of columns, list of rows or sparse matrix
            The features, a row for each case: pandas, polars, Arrow, NumPy, SciPy.
        y : series, array or list
            The classes, one per row.
        sample_weight : array-like, optional
            A weight for each row; it counts as so many rows. A row of weight 0 is as if
            it were not there.

        Returns
        -------
        self
            The fitted estimator.
        """
        dialect = checked_dialect(self)
        check_data_parameters(self)
        plan = self._plan(dialect)
        warn_of_column_vector(y)
        columns = self._columns_of(X, y, sample_weight, dialect)
        model = plan.fit(columns, n_jobs=self.n_jobs).model
        self.model_ = with_parameters(self, model)
        self._kept = kept(columns)
        return self

    def chalk(
        self, X: Any = None, y: Any = None, sample_weight: Any = None
    ) -> RulesChalk:
        """Return every count and every bit that the rules rest on.

        Parameters
        ----------
        X, y, sample_weight : optional
            What the rules were fitted with. Not needed after `fit`, which keeps a table
            of up to 200 000 cells in memory for this; needed for a loaded model.

        Returns
        -------
        RulesChalk
            Printed, it is the working as text; `to_json` has every number in full.
        """
        model = self._fitted()
        if model.is_edited:
            raise SettingError(
                "these rules were edited by hand, so there is no working behind them; "
                "fit the estimator, and ask that"
            )
        known: Kept | None = self.__dict__.get("_kept")
        if X is not None and y is not None:
            known = Kept(self._columns_of(X, y, sample_weight))
        if known is None or (X is None) != (y is None):
            raise SettingError(
                "chalk needs the training rows, and this estimator does not have them; "
                "pass them: model.chalk(X, y)"
            )
        given = {name: model.settings[name] for name in C45RulesSettings.rows()}
        made = grow_c45rules(
            known.columns,
            checked_dialect(self),
            C45RulesSettings(**given),
            n_jobs=self.n_jobs,
            watched=True,
        )
        if made.model.fingerprint() != model.fingerprint():
            raise DataError(
                "these rows give other rules than this estimator has; pass the rows "
                "that it was fitted with"
            )
        return RulesChalk(made.model, made.conditions, made.induction)

    @property
    def rules_(self) -> RuleSet:
        """The rules in their order, and the default."""
        return self._fitted().rule_set

    def rules(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        sort: str = "tree",
        min_cover: float = 0.0,
    ) -> RuleListing:
        """Return the rules with what they did on the rows that they cover.

        Parameters
        ----------
        X, y, sample_weight : table and its answers, optional
            Rows to count; the training rows if not given.
        sort : str
            "tree": in the order in which they answer; "cover", "confidence", "lift",
            "class".
        min_cover : float
            List only rules that cover at least so many rows.

        Returns
        -------
        RuleListing
            Printed, a table; `to_markdown`, `to_frame` and `to_json` have all figures.
        """
        rows = rows_to_count(self, X, y, sample_weight)
        listing = rule_set_listing(self._fitted(), rows=rows)
        return listing.sorted(sort).covering(min_cover)

    def to_text(self, *, width: int | None = 80, ascii: bool = False) -> str:
        """Return the rules as a table of text, without a newline at the end.

        Parameters
        ----------
        width : int or None
            No line is longer; None for no limit.
        ascii : bool
            Whether to keep to ASCII characters.
        """
        return self.rules().to_text(width=width, ascii=ascii)

    def explain(self, row: Any) -> str:
        """Return the rule that answers for one row, and those that it meets besides.

        Parameters
        ----------
        row : mapping, series, sequence of cells, or table of one row
            For example `X.iloc[0]`, `X[0]` or `{"Outlook": "Sunny", ...}`.
        """
        return explain_by_rules(self._fitted(), row)

    def apply(self, X: Any) -> npt.NDArray[np.int64]:  # type: ignore[override]
        """Return the position of the rule that answers for each row; -1: the default.

        Parameters
        ----------
        X : table
            Like the training table.
        """
        return self._model_for(X).apply(X)

    def compact(self) -> NoReturn:
        """Raise: a rule set has nothing to leave out."""
        raise SettingError("a rule set is small already; save it as it is")

    def __getstate__(self) -> dict[str, Any]:
        # the model as the bytes of its file: a pickle is checked like one
        state: dict[str, Any] = {**self.__dict__}
        state.pop("_kept", None)
        if "model_" in state:
            state["model_"] = to_bytes(state["model_"])
        return state

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted estimator to a file; `treewright.load` reads it back."""
        save(self._fitted(), path)

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "model_" in state:
            state = {**state, "model_": from_bytes(state["model_"])}
        self.__dict__.update(state)

    def _fitted(self) -> RuleModel:  # type: ignore[override]
        return cast(RuleModel, super()._fitted())

    def _model_for(self, X: Any) -> RuleModel:  # type: ignore[override]
        return cast(RuleModel, super()._model_for(X))
