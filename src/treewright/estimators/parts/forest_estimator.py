"""The forests: growing, out-of-bag figures, more trees and fewer, what is alike, rules.

What the estimators of forests share, besides `many_trees.py` and `model_estimator.py`.
A fitted forest remembers what it was grown from (`_kept`, `_grown_from`), so that most
questions need no table right after `fit`; files and pickles do not keep it.
"""

from __future__ import annotations

import copy
import dataclasses
import numbers
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.machine import thread_count
from treewright.errors import DataError, SettingError
from treewright.estimators.parts.inputs import are_passed, rows_to_count
from treewright.estimators.parts.kept import Kept
from treewright.estimators.parts.loading import estimator_of
from treewright.estimators.parts.many_trees import ManyTrees, places
from treewright.estimators.parts.progress import told
from treewright.estimators.parts.settings import (
    check_data_parameters,
    checked_dialect,
    kept_parameters,
)
from treewright.evaluation.errors.distilled import (
    DistilErrors,
    distilled_errors,
    distilled_lines,
)
from treewright.learners.forest.bags import TREE_DRAWS
from treewright.learners.forest.distilling import (
    SMALL,
    DistilSettings,
    distil,
)
from treewright.learners.forest.forest import Forest, Progress
from treewright.learners.forest.forest_settings import ForestSettings
from treewright.learners.forest.grown_from import GrownFrom, found_again
from treewright.learners.forest.handling import (
    forest_again,
    merged,
    recipe_of,
    with_more_trees,
    with_trees,
)
from treewright.learners.forest.out_of_bag import OutOfBag, measures_of
from treewright.learners.forest.proximity import (
    ComparedRows,
    Neighbours,
    Prototypes,
    asked_out_of_bag,
    class_prototypes,
    nearest_rows,
    outlier_measures,
    proximity_matrix,
)
from treewright.learners.forest.rules_of_forest import forest_rules
from treewright.learners.forest.watched_tree import watch_tree
from treewright.prune.labelled_rows import LabelledRows
from treewright.render.chalk import Chalk
from treewright.render.rules.rule_listing import RuleListing
from treewright.rules.from_forest import RuleChoice
from treewright.tree.importance import mean_gained_shares
from treewright.tree.measured_forest import Measures
from treewright.tree.model import FEATURES_PER_NODE, Model

# settings that may change between fits that go on with the same forest
_MAY_CHANGE = ("n_estimators", "oob_score", TREE_DRAWS, FEATURES_PER_NODE)

Floats = npt.NDArray[np.float64]

# known after fit alone; neither files nor pickles keep it
UNKEPT = "_grown_from"


@dataclass(frozen=True)
class Distillation:
    """A tree that stands for a forest, and how well it does; printed, it says so.

    Attributes
    ----------
    tree : estimator
        The tree, fitted.
    agreement : float
        The share of new rows that tree and forest answer alike, or, for numbers, R
        squared of the tree's answers as those of the forest.
    error, forest_error : float or None
        On held-out rows, of a tree that was distilled from a forest of the other rows,
        and of that forest: the share of wrong rows, or the mean squared error. None if
        no folds were asked for.
    """

    tree: Any
    agreement: float
    error: float | None
    forest_error: float | None
    words: str

    def __str__(self) -> str:
        return self.words


class ForestEstimator(ManyTrees):
    """The base of the forests; not to be used on its own."""

    random_state: Any
    warm_start: bool = False
    n_estimators: int
    oob_score: bool
    _kept: Kept | None
    _grown_from: GrownFrom | None  # never in a file
    _out_of_bag: OutOfBag | None  # by the rows as they were given

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        progress: bool | Progress = False,
    ) -> Self:
        """Grow the forest.

        Parameters
        ----------
        X : data frame, array, dict of columns, list of rows or sparse matrix
            The features, a row for each case: pandas, polars, Arrow, NumPy, SciPy.
        y : series, array or list
            The target, one value per row; several outputs as columns.
        sample_weight : array-like, optional
            A weight per row; rows are drawn regardless of it. A row of weight 0 is as
            if it were not there.
        progress : bool or function(done, total)
            True: a bar with the time left on stderr, where that is a terminal or a
            notebook. A function is told several times a second how many trees are
            grown; trees that are growing count as parts, so `done` is a float. If it
            returns False, growing stops, and the forest has the trees that are whole
            by then, at least one; what it raises goes through, and the estimator stays
            as it was.

        Returns
        -------
        self
            The fitted estimator.
        """
        dialect = checked_dialect(self)
        check_data_parameters(self)
        plan = self._plan(dialect)
        settings: Any = plan.own
        columns = self._columns_of(X, y, sample_weight, dialect)
        own = {
            **dataclasses.asdict(settings),
            "max_features": _plain(settings.max_features),
            "oob_score": bool(self.oob_score),
            "dialect": dialect.name,
        }
        given = {**dialect.settings(), **kept_parameters(self), **own}
        begun = self._begun(given)
        with told(progress, settings.n_estimators) as tell:
            if begun is not None:
                forest = self._gone_on(begun, columns, tell)
            else:
                fitted = plan.fit(
                    columns,
                    n_jobs=self.n_jobs,
                    out_of_bag=bool(self.oob_score),
                    progress=tell,
                )
                assert isinstance(fitted.made, Forest)
                forest = fitted.made
        model = forest.model
        settled = {**model.settings, **given, "n_estimators": len(model.trees)}
        notes = (*model.notes, *forest.notes(), *_left_out(columns))
        model = dataclasses.replace(model, settings=settled, notes=notes)
        self._keep(model, forest, Kept(columns))
        return self

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Share of each feature in what the splits gain, the mean over the trees."""
        return mean_gained_shares(self.trees_, self.n_features_in_)

    @property
    def max_features_(self) -> int:
        """How many features a node looked at."""
        settings = self._fitted().settings
        if FEATURES_PER_NODE not in settings:
            raise AttributeError("max_features_ is not in this file; fit again")
        return int(settings[FEATURES_PER_NODE])

    @property
    def oob_error_(self) -> float:
        """The out-of-bag error: share of wrong rows, or mean squared error.

        Rows count by their `sample_weight`; `class_weight` does not matter here.
        """
        measures = self._fitted().measures
        if measures is not None:  # which a file keeps
            return measures.error
        return self._asked("oob_error_").error

    @property
    def oob_score_(self) -> float:
        """The out-of-bag accuracy; of numbers R squared.

        As scikit-learn has it, but rows count by their `sample_weight`.
        """
        return self._asked("oob_score_").score

    @property
    def oob_curve_(self) -> npt.NDArray[np.float64]:
        """The out-of-bag error after 1, 2, ... trees."""
        return self._asked("oob_curve_").curve

    @property
    def oob_decision_function_(self) -> Any:
        """Mean class shares of each training row from trees that have not seen it.

        NaN where all trees have, and for rows that were left out in fitting.
        """
        answers = self._asked("oob_decision_function_").answers
        return answers[0] if len(answers) == 1 else answers

    @property
    def oob_prediction_(self) -> npt.NDArray[np.float64]:
        """Mean answer for each training row from trees that have not seen it.

        NaN where all trees have, and for rows that were left out in fitting.
        """
        answers = np.column_stack(self._asked("oob_prediction_").answers)
        return answers[:, 0] if answers.shape[1] == 1 else answers

    # --- more trees, fewer, those of another forest

    def add_trees(
        self,
        n_trees: int,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        progress: bool | Progress = False,
    ) -> Self:
        """Return a copy of this forest with more trees: those that come next.

        Parameters
        ----------
        n_trees : int
            How many more.
        X, y, sample_weight : optional
            What the forest was fitted with; another table is refused. Not needed right
            after `fit`, which keeps the encoded table in memory.
        progress : bool or function(done, total)
            As for `fit`, of the new trees.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> forest = tw.RandomForestClassifier(10, random_state=0).fit(X, y)
        >>> at_once = tw.RandomForestClassifier(15, random_state=0).fit(X, y)
        >>> forest.add_trees(5).fingerprint() == at_once.fingerprint()
        True
        """
        is_whole = isinstance(n_trees, numbers.Integral)
        if not is_whole or isinstance(n_trees, bool) or n_trees < 1:
            said = f"a {type(n_trees).__name__}"  # rows, maybe: too long to be shown
            if isinstance(n_trees, numbers.Number | str):
                said = repr(n_trees)
            raise SettingError(
                f"n_trees is {said}; it must be a whole number, at least 1, and comes "
                "before the rows: add_trees(10, X, y)"
            )
        columns = self._table(X, y, sample_weight, "add_trees")
        with told(progress, int(n_trees)) as tell:
            model = with_more_trees(
                self._fitted(), columns, int(n_trees), n_jobs=self.n_jobs, progress=tell
            )
        return self._with_model(model, columns)

    def drop_trees(
        self, trees: Iterable[int] | None = None, *, keep: Iterable[int] | None = None
    ) -> Self:
        """Return a copy of this forest without some of its trees.

        Parameters
        ----------
        trees : int numbers, optional
            Those that go, by their places in `trees_`, from 0; negative ones count from
            the end.
        keep : int numbers, optional
            Those that stay instead, in the order in which they are to vote.
        """
        n_trees = len(self._fitted().trees)
        if (trees is None) == (keep is None):
            raise SettingError("pass the trees that go, or keep=those that stay")
        named = places(keep if trees is None else trees, n_trees)
        if trees is not None:
            gone = set(named)
            named = [one for one in range(n_trees) if one not in gone]
        if not named:
            raise SettingError(
                f"nothing would be left of {n_trees} trees; a forest needs one"
            )
        model = with_trees(self._fitted(), named)
        return self._with_model(model, self._kept_columns())

    def merge(self, other: ForestEstimator) -> Self:
        """Return a copy of this forest that has the trees of another one, too.

        Parameters
        ----------
        other : forest
            Fitted to a table with the same columns, categories and classes; anything
            else is refused. Its rows and its parameters may be others.
        """
        if not isinstance(other, ForestEstimator):
            raise SettingError(
                f"a forest is merged with a forest, not with {type(other).__name__}"
            )
        model = merged(self._fitted(), other._fitted())
        try:
            return self._with_model(model, self._kept_columns())
        except DataError:  # the other one is of another table
            return self._with_model(model, None)

    def ask_out_of_bag(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the out-of-bag figures, of a forest that was loaded or changed, say.

        Parameters
        ----------
        X, y, sample_weight
            What the forest was fitted with; another table is refused.

        Returns
        -------
        self
            With `oob_error_`, `oob_score_`, `oob_curve_` and the answers.
        """
        model = self._fitted()
        columns = self._table(X, y, sample_weight, "ask_out_of_bag")
        self._keep(model, forest_again(model, columns, asks=True), Kept(columns))
        return self

    def chalk(
        self,
        tree: int,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        depth: int | None = None,
        node: int | None = None,
    ) -> Chalk:
        """Return every calculation behind one tree, with the rows that it drew.

        Parameters
        ----------
        tree : int
            Its place in `trees_`, from 0.
        X, y, sample_weight : optional
            What the forest was fitted with; not needed right after `fit`, which keeps
            the encoded table in memory.
        depth, node : int, optional
            Show the nodes down to this depth, or this one only; for large trees.

        Returns
        -------
        Chalk
            As of a tree: printed, it is the working as text. Each node says which
            features were not drawn.
        """
        [place] = places([tree], len(self._fitted().trees))
        columns = self._table(X, y, sample_weight, "chalk")
        watching, model = watch_tree(
            self._fitted(), place + 1, columns, depth=depth, node=node
        )
        is_part = depth is not None or node is not None
        return Chalk(watching.record(), model, watching.pruning, (), is_part)

    # --- which features count, how good the trees are

    def measure(
        self, X: Any = None, y: Any = None, sample_weight: Any = None
    ) -> Measures:
        """Return what the out-of-bag rows say of the features and of the trees.

        The figures stay with the model: `save` keeps them, and `to_text` and
        `treewright show` print the importances.

        Parameters
        ----------
        X, y, sample_weight : optional
            What the forest was fitted with. Not needed after `fit`; needed for a forest
            that was loaded, if its file has no figures. The bags are drawn again from
            the seed, so the rows must stand in the same order.

        Returns
        -------
        Measures
            `importances`, by permutation, with `standard_errors`, `low`, `high` and
            `class_importances`; `strength`, `correlation`, `error_bounds`; `error`.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> forest = tw.RandomForestClassifier(50, random_state=0).fit(X, y)
        >>> forest.measure().importances.argmax()  # Outlook
        np.int64(0)
        """
        model = self._fitted()
        if model.measures is not None and X is None and y is None:
            return model.measures
        way_out = "call measure(X, y) with those of fit, and its weights if it had some"
        grown = self._training_rows("measure", X, y, sample_weight, way_out)
        asked = self.__dict__.get("_out_of_bag")
        measures = measures_of(
            model, grown, error=asked.error if asked else None, n_jobs=self.n_jobs
        )
        self.model_ = dataclasses.replace(model, measures=measures)
        return measures

    @property
    def permutation_importances_(self) -> Floats:
        """What trees lose on out-of-bag rows when a feature's values are permuted.

        As all of these figures it is found when it is first asked for; see `measure`.
        """
        return self._measured("permutation_importances_").importances

    @property
    def permutation_standard_errors_(self) -> Floats:
        """Standard errors, over the trees, of the permutation importances."""
        return self._measured("permutation_standard_errors_").standard_errors

    @property
    def class_importances_(self) -> Floats | list[Floats]:
        """Permutation importances of the rows of each class, (n_features, n_classes).

        A list for several outputs.
        """
        tables = self._of_classes("class_importances_").class_importances
        return tables[0] if len(tables) == 1 else list(tables)

    @property
    def strength_(self) -> float | list[float]:
        """Breiman's strength of the trees, from out-of-bag rows; a list for several."""
        return _one_or_all(self._of_classes("strength_").strength)

    @property
    def correlation_(self) -> float | list[float]:
        """Breiman's mean correlation of the trees; a list for several outputs."""
        return _one_or_all(self._of_classes("correlation_").correlation)

    @property
    def error_bound_(self) -> float | list[float]:
        """Breiman's bound of the error, correlation (1 - s^2) / s^2 with strength s."""
        return _one_or_all(self._of_classes("error_bound_").error_bounds)

    # --- rows that end together: proximities, outliers, prototypes

    def proximities(
        self,
        X: Any = None,
        *,
        neighbours: int | None = None,
        out_of_bag: bool = False,
    ) -> Floats | Neighbours:
        """Return the share of the trees in which two rows end at the same node.

        Parameters
        ----------
        X : table, optional
            Rows like those of the training table; the training rows if not given.
        neighbours : int, optional
            Find this many of the nearest rows of each row instead of all pairs, which
            takes rows x neighbours of memory instead of rows x rows. (While it works
            it also needs 16 bytes for each row and tree.)
        out_of_bag : bool
            Of training rows: count only the trees that have seen neither of two rows.

        Returns
        -------
        ndarray of shape (n_rows, n_rows), or Neighbours
            With `neighbours` two arrays of shape (n_rows, neighbours): `rows`, the
            nearest first (-1 where fewer end with a row), and their `proximities`. With
            `out_of_bag`, NaN for a pair that every tree has seen one of. A training row
            that was left out in fitting has NaN, and no neighbours.

        Raises
        ------
        DataError
            If the answer does not fit into memory; before any work.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> forest = tw.RandomForestClassifier(50, random_state=0).fit(X, y)
        >>> forest.proximities().shape
        (14, 14)
        >>> forest.proximities(neighbours=3).rows.shape
        (14, 3)
        """
        model = self._fitted()
        if X is None:
            rows = self._training_cells(out_of_bag)
        elif out_of_bag:
            raise SettingError(
                "out_of_bag=True is about the training rows; leave X out"
            )
        else:
            rows = ComparedRows(self._model_for(X).encode(X)[0])
        n_threads = thread_count(self.n_jobs)
        if neighbours is None:
            return proximity_matrix(model.trees, rows, n_threads=n_threads)
        return nearest_rows(model.trees, rows, neighbours, n_threads=n_threads)

    def outliers(
        self, X: Any = None, y: Any = None, sample_weight: Any = None
    ) -> Floats:
        """Return how far each training row stands apart from the others of its class.

        Breiman's measure: the rows of the class divided by the sum of squared
        proximities to them, less the median of that in the class, divided by the median
        absolute deviation (the mean one, if that is 0). Values above 10 are worth a
        look. Numbers have one class, all rows. NaN for rows that were left out in
        fitting.

        Parameters
        ----------
        X, y, sample_weight : optional
            What the forest was fitted with. Not needed after `fit`; needed for a forest
            that was loaded.
        """
        grown = self._training_rows("outliers", X, y, sample_weight)
        measures = outlier_measures(
            self._fitted(), grown, n_threads=thread_count(self.n_jobs)
        )
        return grown.columns.by_given_rows(measures)

    def prototypes(
        self,
        neighbours: int | None = None,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
    ) -> Prototypes:
        """Return for each class what its rows look like where they stand together.

        Parameters
        ----------
        neighbours : int, optional
            How many rows count as near, the row itself included; as many as the
            smallest class has, but no more than 100, if not given.
        X, y, sample_weight : optional
            As for `outliers`.

        Returns
        -------
        list of Prototype
            In class order; printed, a listing of them. Each has `values`: the median of
            each number, the most common category, among the rows of the class that are
            nearest to the row which has the most of them; `quartiles`, `shares`, `row`
            and `members`, which are numbers of rows as they were given.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> forest = tw.RandomForestClassifier(50, random_state=0).fit(X, y)
        >>> [(each.label, each.values["Outlook"]) for each in forest.prototypes()]
        [('No', 'Sunny'), ('Yes', 'Rain')]
        """
        if neighbours is not None and not isinstance(neighbours, numbers.Number):
            raise SettingError(
                f"neighbours is a {type(neighbours).__name__}; it must be a whole "
                "number; rows are passed by name: prototypes(X=X, y=y)"
            )
        grown = self._training_rows("prototypes", X, y, sample_weight)
        return class_prototypes(
            self._fitted(), grown, neighbours, n_threads=thread_count(self.n_jobs)
        )

    # --- as rules, and as one tree

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

    def distil(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        max_leaf_nodes: int | None = SMALL,
        n_made: int | None = None,
        replaced: float = 0.25,
        folds: int = 5,
        random_state: int = 0,
    ) -> Distillation:
        """Return the one small tree that agrees best with this forest.

        Parameters
        ----------
        X, y, sample_weight : optional
            What the forest was fitted with; not needed right after `fit`, which keeps
            the encoded table in memory.
        max_leaf_nodes : int or None
            Most leaves of the tree; of those, the smallest tree within one standard
            error of the best agreement on new rows. None: no limit, and the tree may
            have thousands.
        n_made : int, optional
            New rows that the forest is asked about; ten times the table, but 5000 to
            200 000, if not given.
        replaced : float
            The probability that a value of a new row comes from another row.
        folds : int
            The error of the tree is found by cross-validation of the whole: for each
            fold a forest is grown and distilled. It takes that many times as long as
            `fit`; 0 leaves it out. The error on the training rows would be no honest
            one, because the forest has seen their answers.
        random_state : int
            The seed of the new rows and the folds.

        Returns
        -------
        Distillation
            `tree`, `agreement`, `error`, `forest_error`.

        References
        ----------
        Breiman, L. and Shang, N. (1996). Born again trees. Technical report,
        University of California, Berkeley.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> forest = tw.RandomForestClassifier(20, random_state=0).fit(X, y)
        >>> forest.distil(folds=0).agreement > 0.9
        True
        """
        model = self._fitted()
        settings = DistilSettings(n_made, replaced, max_leaf_nodes, random_state)
        settings.check()
        if isinstance(folds, bool) or not isinstance(folds, int):
            raise SettingError(f"folds is {folds!r}; it must be a whole number")
        columns = self._table(X, y, sample_weight, "distil")
        found = distil(model, columns, settings)
        errors: DistilErrors | None = None
        if folds:
            dialect, forest = recipe_of(model)
            errors = distilled_errors(
                columns, dialect, forest, settings, n_folds=folds, n_jobs=self.n_jobs
            )
        return Distillation(
            estimator_of(found.model),
            found.agreement,
            None if errors is None else errors.tree.value,
            None if errors is None else errors.forest.value,
            "\n".join(distilled_lines(found, len(model.trees), errors)),
        )

    # --- what it was grown from, and how it is kept

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if getattr(self, "combined_features", None) is not None:
            tags.input_tags.allow_nan = False
        return tags

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        # a copy in this process keeps what a file does not; it is never changed
        copied = type(self).__new__(type(self))
        memo[id(self)] = copied
        state = dict(vars(self))
        kept = {UNKEPT: state.pop(UNKEPT)} if UNKEPT in state else {}
        copied.__dict__.update(copy.deepcopy(state, memo), **kept)
        return copied

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        state.pop(UNKEPT, None)
        return state

    def _keep(self, model: Model, forest: Forest, kept: Kept | None) -> None:
        """Remember a forest, what it was grown from, and its out-of-bag answers.

        All at once: who is interrupted has the forest before, or this one.
        """
        answers = forest.out_of_bag
        if answers is not None and forest.grown_from is not None:
            answers = answers.by_given_rows(forest.grown_from.columns)
        self.__dict__.update(
            model_=model,
            _grown_from=forest.grown_from,
            _out_of_bag=answers,
            _kept=kept,
        )

    def _table(self, X: Any, y: Any, sample_weight: Any, who: str) -> Columns:
        """Return the training table, as given or as kept."""
        if are_passed(X, y):
            return self._columns_of(X, y, sample_weight)
        columns = self._kept_columns()
        if columns is None:
            raise _no_rows(who)
        return columns

    def _training_rows(
        self,
        who: str,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        way_out: str = "",
    ) -> GrownFrom:
        """Return what the forest was grown from, as given or as kept."""
        model = self._fitted()
        if are_passed(X, y):
            columns = self._columns_of(X, y, sample_weight)
            self._grown_from = found_again(model, columns, checked_dialect(self))
        known: GrownFrom | None = self.__dict__.get("_grown_from")
        if known is None:
            raise _no_rows(who, way_out)
        return known

    def _kept_columns(self) -> Columns | None:
        known: Kept | None = self.__dict__.get("_kept")
        return None if known is None else known.columns

    def _settings(self) -> ForestSettings:
        settings: ForestSettings = super()._settings()
        model = self.__dict__.get("model_")
        is_seed = isinstance(self.random_state, numbers.Integral)
        if self.warm_start and model is not None and not is_seed:
            settings = settings.change(random_state=model.settings["random_state"])
        return settings

    def _asked(self, name: str) -> OutOfBag:
        self._fitted()
        if "_out_of_bag" not in self.__dict__:
            raise AttributeError(
                f"{name} is known after fit only, and this file does not have it; "
                "ask_out_of_bag(X, y) finds it from the training table"
            )
        if self._out_of_bag is None:
            raise AttributeError(
                f"{name} is not known: it needs oob_score=True in the constructor, or "
                "ask_out_of_bag(X, y) with the training table"
            )
        return self._out_of_bag

    def _begun(self, settings: dict[str, Any]) -> Model | None:
        """Return the forest that `fit` goes on with; None if it begins anew."""
        model: Model | None = self.__dict__.get("model_")
        if not getattr(self, "warm_start", False) or model is None:
            return None
        for name, value in settings.items():
            old = model.settings.get(name)
            if name not in _MAY_CHANGE and old != value:
                raise SettingError(
                    f"warm_start=True goes on with the forest that is there, which has "
                    f"{name}={old!r}, and now it is {value!r}; set it back, or "
                    "warm_start=False for a new forest"
                )
        if len(model.trees) > self.n_estimators:
            raise SettingError(
                f"warm_start=True adds trees, and n_estimators is {self.n_estimators} "
                f"where the forest has {len(model.trees)}; see drop_trees"
            )
        return model

    def _gone_on(self, begun: Model, columns: Columns, tell: Progress | None) -> Forest:
        """Return the forest with the trees that `n_estimators` now asks for."""
        n_more = self.n_estimators - len(begun.trees)
        model = with_more_trees(
            begun, columns, n_more, n_jobs=self.n_jobs, progress=tell
        )
        return forest_again(model, columns, asks=self.oob_score)

    def _with_model(self, model: Model, columns: Columns | None) -> Self:
        """Return a copy with other trees, and out-of-bag figures if they can be had."""
        parameters = {
            **self.get_params(deep=False),
            "n_estimators": len(model.trees),
        }
        changed = type(self)(**parameters)
        forest = Forest(model, model.settings.get(FEATURES_PER_NODE, 0), None, {})
        if columns is not None and model.settings.get(TREE_DRAWS, 1):
            forest = forest_again(model, columns, asks=self.oob_score)
        model = dataclasses.replace(model, notes=(*model.notes, *forest.notes()))
        changed._keep(model, forest, None if columns is None else Kept(columns))
        return changed

    def _measured(self, name: str) -> Measures:
        self._fitted()
        try:
            return self.measure()
        except SettingError as error:
            raise AttributeError(f"{name}: {error}") from None

    def _of_classes(self, name: str) -> Measures:
        if self._fitted().schema.target.kind != "classes":
            raise AttributeError(f"{name} is of classes, and this forest is of numbers")
        return self._measured(name)

    def _training_cells(self, out_of_bag: bool) -> ComparedRows:
        """Return the training rows, and which trees are asked about them."""
        way_out = "pass the rows: proximities(X)"
        if out_of_bag:
            way_out = "call ask_out_of_bag(X, y) first, with those of fit"
        grown = self._training_rows("proximities", way_out=way_out)
        asked = asked_out_of_bag(grown) if out_of_bag else None
        cells = grown.rows(self._fitted().schema).cells
        return ComparedRows(cells, asked, grown.columns.given_rows)


def _left_out(columns: Columns) -> tuple[str, ...]:
    """Return a note if fewer rows are learned from than were given."""
    if columns.given_rows is None:
        return ()
    n_left_out = columns.given_rows.n_rows - columns.n_rows
    return (
        f"{counted(n_left_out, 'row')} of weight 0 or without a target left out: "
        "out-of-bag answers, proximities and outliers have NaN there",
    )


def _plain(max_features: Any) -> Any:
    if isinstance(max_features, list | tuple | np.ndarray):
        # anything but numbers is refused later, by name
        return np.asarray(max_features).tolist()
    return max_features


def _no_rows(who: str, way_out: str = "") -> SettingError:
    way_out = way_out or "pass X=..., y=... and sample_weight=..., those of fit"
    return SettingError(
        f"{who} needs the training table, and this forest does not have it (it was "
        f"loaded, or merged with one of another table); {way_out}"
    )


def _one_or_all(figures: tuple[float, ...]) -> float | list[float]:
    return figures[0] if len(figures) == 1 else list(figures)
