"""Estimators of one tree: grown, pruned, listed, drawn, as rules, chalked, explored.

`TreeMethods` is what can be asked of a tree however it came about, of a Hoeffding tree,
too; `TreeEstimator` what is grown from a table besides. The named estimators are in
`trees.py`, `c45.py`, `id3.py`, `cal.py` and `incremental.py`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from sklearn import get_config
from sklearn.base import clone
from sklearn.utils import Bunch

from treewright.errors import SettingError
from treewright.estimators.parts.explain import encoded_row, explain_row
from treewright.estimators.parts.inputs import are_passed, rows_to_count
from treewright.estimators.parts.kept import Kept, kept, with_parameters
from treewright.estimators.parts.model_estimator import ModelEstimator
from treewright.estimators.parts.settings import checked_dialect
from treewright.learners.chalked import watch_again
from treewright.learners.explored import page_parts
from treewright.prune.cost_complexity.nested_trees import pruning_path
from treewright.prune.fitted import OWN_SWITCHES, prune_model
from treewright.prune.labelled_rows import Validation
from treewright.render import to_dot, to_json, to_text
from treewright.render.chalk import Chalk
from treewright.render.explorer import PageParts, explorer_page
from treewright.render.explorer.explorer_page import ExplorerPage
from treewright.render.explorer.row_data import check_embedded
from treewright.render.picture import (
    MANY_NODES,
    View,
    plot_tree,
    to_html,
    to_png,
    to_svg,
)
from treewright.render.picture.scene import Way
from treewright.render.rules.rule_listing import RuleListing, tree_rules
from treewright.tree.file.atomic_write import write_atomically
from treewright.tree.importance import gained_shares
from treewright.tree.model import Model
from treewright.tree.pruning_table import PruningTable
from treewright.tree.structure.tree import Tree
from treewright.tree.way import way_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class TreeMethods(ModelEstimator):
    """What can be asked of a tree, however it came about; it only reads the model."""

    def decision_path(self, X: Any) -> Any:
        """Return a sparse matrix that has 1 for each row and each node on its way."""
        model = self._model_for(X)
        indptr, indices = model.decision_path(X)
        shape = (len(indptr) - 1, model.trees[0].node_count)
        return csr_matrix((np.ones(len(indices), np.int64), indices, indptr), shape)

    def explain(self, row: Any) -> str:
        """Return the questions that one row is asked on its way, and the answer.

        Parameters
        ----------
        row : mapping, series, sequence of cells, or table of one row
            For example `X.iloc[0]`, `X[0]` or `{"Outlook": "Sunny", ...}`.
        """
        return explain_row(self._fitted(), row)

    def get_depth(self) -> int:
        """Return the length of the longest path; 0 for a single leaf."""
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        return self.tree_.n_leaves

    @property
    def tree_(self) -> Tree:
        """The tree, as arrays with an entry per node."""
        return self._fitted().trees[0]

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Share of each feature in what the splits gain; 0 for all in a single leaf."""
        return gained_shares(self.tree_, self.n_features_in_)

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

    def to_text(
        self,
        style: Literal["box", "lecture"] = "box",
        *,
        max_depth: int | None = None,
        width: int | None = 80,
        ascii: bool = False,
        min_share: float = 0.0,
        focus: int | None = None,
    ) -> str:
        """Return the tree as text; `treewright.render.to_text` has the details.

        Parameters
        ----------
        style : {"box", "lecture"}
            Drawn with lines, counts and reasons; or the listing of textbooks.
        max_depth : int, optional
            Deeper nodes are counted, not shown.
        width : int or None
            No line is longer; None for no limit.
        ascii : bool
            Whether to keep to ASCII characters.
        min_share : float
            Nodes below one with a smaller share of the training weight are counted.
        focus : int, optional
            The node to begin with, by its number.
        """
        return to_text(
            self._fitted(),
            style,
            max_depth=max_depth,
            width=width,
            ascii=ascii,
            min_share=min_share,
            focus=focus,
        )

    def to_json(self) -> str:
        """Return the tree as JSON text, in names and values."""
        return to_json(self._fitted())

    def to_dot(
        self,
        *,
        max_depth: int | None = None,
        min_share: float = 0.0,
        focus: int | None = None,
    ) -> str:
        """Return the tree in Graphviz' DOT language; parameters as for `to_text`."""
        return to_dot(
            self._fitted(), max_depth=max_depth, min_share=min_share, focus=focus
        )

    def to_svg(
        self,
        *,
        max_depth: int | None = None,
        min_share: float | None = None,
        focus: int | None = None,
        max_nodes: int | None = MANY_NODES,
        direction: Way = "auto",
    ) -> str:
        """Return a picture of the tree as SVG text.

        What is not drawn is counted in the picture.

        Parameters
        ----------
        max_depth : int, optional
            Deeper nodes are folded; counted from the top of the picture.
        min_share : float, optional
            Branches with a smaller share of the training weight are folded. If not
            given, none are as long as all nodes can be drawn, else those below 0.01.
        focus : int, optional
            The node at the top of the picture, by its number.
        max_nodes : int or None
            The most nodes to draw, the heaviest first; None for all.
        direction : {"auto", "down", "right"}
            Where the branches go.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> tw.ID3Classifier().fit(X, y).to_svg()[:4]
        '<svg'
        """
        view = View(max_depth, min_share, focus, max_nodes)
        return to_svg(self._fitted(), view, direction=direction)

    def to_html(
        self,
        *,
        max_depth: int | None = None,
        min_share: float | None = None,
        focus: int | None = None,
        max_nodes: int | None = MANY_NODES,
        direction: Way = "auto",
    ) -> str:
        """Return a picture of the tree as an HTML page; parameters as for `to_svg`."""
        view = View(max_depth, min_share, focus, max_nodes)
        return to_html(self._fitted(), view, direction=direction)

    def to_png(
        self,
        path: str | os.PathLike[str],
        *,
        max_depth: int | None = None,
        min_share: float | None = None,
        focus: int | None = None,
        max_nodes: int | None = MANY_NODES,
        direction: Way = "auto",
        scale: float = 2.0,
    ) -> None:
        """Write a picture of the tree to a PNG file; this needs matplotlib.

        Parameters
        ----------
        path : str or path
            The file.
        max_depth, min_share, focus, max_nodes, direction
            As for `to_svg`.
        scale : float
            Dots of the file per pixel of the SVG picture.
        """
        view = View(max_depth, min_share, focus, max_nodes)
        to_png(self._fitted(), path, view, direction=direction, scale=scale)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        max_depth: int | None = None,
        min_share: float | None = None,
        focus: int | None = None,
        max_nodes: int | None = MANY_NODES,
        direction: Way = "auto",
    ) -> Axes:
        """Draw the tree with matplotlib and return the axes.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; new axes of the size of the picture if not given.
        max_depth, min_share, focus, max_nodes, direction
            As for `to_svg`.
        """
        view = View(max_depth, min_share, focus, max_nodes)
        return plot_tree(self._fitted(), view, ax=ax, direction=direction)

    def _repr_html_inner(self) -> str:
        """What a notebook shows: the tree, or before the fit scikit-learn's diagram."""
        if "model_" not in self.__dict__:
            return str(super()._repr_html_inner())
        # at its own size: a large picture is scrolled
        return f'<div style="overflow:auto">{self.to_svg()}</div>'

    def _repr_svg_(self) -> str | None:
        """The picture of a fitted tree, for who shows no HTML."""
        return self.to_svg() if "model_" in self.__dict__ else None

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        """All that a notebook may choose from."""
        bundle = {"text/plain": repr(self)}
        if get_config()["display"] == "diagram":
            bundle["text/html"] = self._repr_html_inner()
            if picture := self._repr_svg_():
                bundle["image/svg+xml"] = picture
        return bundle


class TreeEstimator(TreeMethods):
    """The base of the tree estimators; not to be used on its own."""

    _kept: Kept | None

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        validation: Validation = None,
        folds: Any = None,
    ) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : data frame, array, dict of columns, list of rows or sparse matrix
            The features, a row for each case: pandas, polars, Arrow, NumPy, SciPy.
        y : series, array or list
            The target, one value per row; several outputs as columns.
        sample_weight : array-like, optional
            A weight per row. A row of weight 0 is as if it were not there.
        validation : (X, y) or (X, y, sample_weight), optional
            Rows to prune by that the tree is not grown from, for
            `pruning="reduced_error"`. `class_weight` does not change their weights.
        folds : array-like of int, optional
            The fold of each row, for `alpha_choice="cross_validation"`; if not given,
            `n_folds` are made, with the classes in proportion.

        Returns
        -------
        self
            The fitted estimator.
        """
        dialect = checked_dialect(self)
        columns = self._columns_of(X, y, sample_weight, dialect)
        more = {"validation": validation, "folds": folds}
        given = {name: value for name, value in more.items() if value is not None}
        model = self._plan(dialect).fit(columns, n_jobs=self.n_jobs, **given).model
        self.model_ = with_parameters(self, model)
        self._kept = kept(columns, validation, folds)
        return self

    def prune(
        self,
        pruning: str,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        **switches: Any,
    ) -> Self:
        """Return a copy of this estimator with a smaller tree; nothing is grown anew.

        Parameters
        ----------
        pruning : str
            As the switch of that name: "pessimistic", "reduced_error",
            "minimum_gain", "chi_square", "error_based", "cost_complexity".
        X, y : table and its answers, optional
            For "reduced_error", and `alpha_choice="validation"` of "cost_complexity",
            rows that the tree was not grown from; for "error_based"
            those that it was grown from, unless `subtree_raising=False`. The others
            need no rows.
        sample_weight : array-like, optional
            A weight for each of these rows.
        **switches
            Switches of the pruning, for example `prune_gain=0.01`.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> tree = tw.ID3Classifier().fit(X, y)
        >>> tree.prune("chi_square", prune_level=0.01).get_n_leaves()
        1
        """
        check_prune_call(pruning, switches)
        model = self._fitted() if X is None else self._model_for(X)
        model = prune_model(
            model, pruning, X, y, sample_weight=sample_weight, **switches
        )
        parameters = self.get_params(deep=False)
        for name in {*OWN_SWITCHES, *switches} & parameters.keys():
            parameters[name] = model.settings[name]
        smaller = type(self)(**parameters)
        smaller.model_ = model
        return smaller

    def cost_complexity_pruning_path(
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> Any:
        """Return the pruning path of the unpruned tree of a table, as scikit-learn.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`. This estimator stays as it is.

        Returns
        -------
        Bunch
            `ccp_alphas`, ascending, and the `impurities` and `n_leaves` of the trees
            that they give; equal alphas stand once, with the smallest tree. With
            `complexity_by="misclassification"` the impurity is the share of wrong rows.
        """
        whole = {
            "pruning": None,
            "ccp_alpha": 0.0,
            "cp": 0.0 if getattr(self, "dialect", None) == "rpart" else None,
            "alpha_choice": "fixed",
            "alpha_rule": "minimum",
            "validation_share": None,
        }
        grown = clone(self)
        known = self.get_params(deep=False)
        grown.set_params(**{name: whole[name] for name in whole if name in known})
        model = grown.fit(X, y, sample_weight=sample_weight)._fitted()
        target, by = model.schema.target, model.settings["complexity_by"]
        path = pruning_path(model.trees[0], target, by=by)
        return Bunch(
            ccp_alphas=path.alphas, impurities=path.risks, n_leaves=path.n_leaves
        )

    @property
    def complexity_table_(self) -> npt.NDArray[np.float64]:
        """The trees of cost-complexity pruning as rpart lists them, the smallest first.

        A row has CP (alpha as a share of the root's risk), the number of splits and the
        error as a share of the root's; if alpha was chosen by held-out rows also their
        error and its standard error.
        """
        return complexity_table(self._fitted())

    @property
    def pruning_path_(self) -> PruningTable:
        """The trees that pruning went through: leaves, errors, and which was chosen.

        There are such trees after pruning="cost_complexity" (or ccp_alpha above 0), and
        after pruning="reduced_error" with pruning_order="best_first".
        """
        model = self._fitted()
        if model.pruning_table is not None:
            return model.pruning_table
        settings = model.settings
        if settings.get("pruning") == "cost_complexity" or settings.get("ccp_alpha"):
            raise AttributeError(
                "a model file does not keep the sequence that the tree was chosen "
                "from; fit again, or call cost_complexity_pruning_path(X, y)"
            )
        raise AttributeError(
            "this tree was not chosen from a sequence; pruning='cost_complexity' (or "
            "ccp_alpha above 0) makes one, and pruning='reduced_error' with "
            "pruning_order='best_first'; cost_complexity_pruning_path(X, y) has the "
            "sequence without pruning"
        )

    def chalk(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        validation: Validation = None,
        folds: Any = None,
        depth: int | None = None,
        node: int | None = None,
        row: Any = None,
    ) -> Chalk:
        """Return every calculation behind the tree, node by node.

        Parameters
        ----------
        X, y, sample_weight, validation, folds : optional
            What the tree was fitted with. Not needed after `fit`, which keeps a table
            of up to 200 000 cells in memory for this; needed for a loaded model.
        depth : int, optional
            Show the nodes down to this depth only; for large trees.
        node : int, optional
            Show this node only; nodes are numbered as they are grown.
        row : mapping, series, sequence of cells or table of one row, optional
            A row whose way through the tree is shown, too.

        Returns
        -------
        Chalk
            A sequence of steps; printed, it is the working as text. `to_markdown`,
            `to_latex`, `to_html` and `to_json` give other forms.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> chalk = tw.ID3Classifier().fit(X, y).chalk()
        >>> chalk[0].formula("Humidity")
        '0.9403 - 7/14*0.9852 - 7/14*0.5917 = 0.1518'
        """
        model = self._fitted()
        known = self._known(X, y, sample_weight, validation, folds)
        ways = () if row is None else (way_of(model, encoded_row(model, row)),)
        watching = watch_again(
            model,
            known.columns,
            depth=depth,
            node=node,
            n_jobs=self.n_jobs,
            validation=known.validation,
            folds=known.folds,
        )
        is_part = depth is not None or node is not None
        return Chalk(watching.record(), model, watching.pruning, ways, is_part)

    def _known(
        self, X: Any, y: Any, sample_weight: Any, validation: Validation, folds: Any
    ) -> Kept:
        """Return what the tree was grown from, as given or as kept."""
        if are_passed(X, y):
            return Kept(self._columns_of(X, y, sample_weight), validation, folds)
        known: Kept | None = self.__dict__.get("_kept")
        if known is None:
            raise SettingError(
                "chalk needs the training rows, and this estimator does not have them "
                "(it was loaded, pruned, or fitted to a very large table, or it is one "
                "tree of a forest); pass them: model.chalk(X, y), or for tree k of a "
                "forest: forest.chalk(k)"
            )
        return known

    def explore(
        self,
        path: str | os.PathLike[str] | None = None,
        X: Any = None,
        y: Any = None,
        *,
        rows: int = 0,
        chalk: dict[str, Any] | None = None,
    ) -> ExplorerPage:
        """Make a page of the tree: one HTML file that opens from disk.

        Parameters
        ----------
        path : str or path, optional
            Where to write it; if not given, the page is only returned. The last
            expression of a notebook's cell is shown there.
        X, y : table and its answers, optional
            Rows to count: the training rows, or others. They add distributions, errors
            and confusion; the training rows also the cross-validated error of each
            pruning step.
        rows : int
            How many of these rows the page itself has, to see them flow; else it has
            counts only.
        chalk : dict, optional
            The calculation of each node as JSON data, for the cards and the lesson.

        Returns
        -------
        ExplorerPage
            With the page as `html`.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> page = tw.ID3Classifier().fit(X, y).explore(X=X, y=y)
        >>> page.html.startswith("<!doctype html>")
        True
        """
        model = self._fitted()
        has_rows = are_passed(X, y)
        embedded = check_embedded(rows)
        if embedded and not has_rows:
            raise SettingError("rows are put into the page from X and y; pass these")
        parts = PageParts(chalk=chalk)
        if has_rows:
            parts = page_parts(model, X, y, embedded=embedded, chalk=chalk)
        page = ExplorerPage(explorer_page(model, parts), path)
        if path is not None:
            write_atomically(path, page.html.encode())
        return page


def complexity_table(model: Model) -> npt.NDArray[np.float64]:
    """Return rpart's table: a row for each tree of the path, the smallest first.

    The columns are CP, number of splits and relative error; after a cross-validation
    or validation also its relative error and standard error.
    """
    table = model.pruning_table
    if table is None or table.alpha is None:
        raise AttributeError(
            "this tree was not pruned by cost complexity; set "
            "pruning='cost_complexity', or dialect='rpart'"
        )
    root = float(table.training_error[-1]) or 1.0
    by_impurity = model.settings.get("complexity_by") == "impurity"
    worth = float(model.trees[0].impurity[0]) if by_impurity else root
    columns = [table.alpha / (worth or 1.0), table.n_leaves - 1.0]
    errors = (table.training_error, table.validation_error, table.standard_error)
    columns += [error / root for error in errors if error is not None]
    return np.column_stack(columns)[::-1]


def check_prune_call(pruning: Any, switches: Mapping[str, Any]) -> None:
    """Refuse rows in the place of the pruning, and rows under another name."""
    if pruning is not None and not isinstance(pruning, str):
        raise SettingError(
            f"pruning is of type {type(pruning).__name__}; the first argument of prune "
            "names the kind of pruning, rows come after it: "
            "prune('reduced_error', X, y)"
        )
    if "validation" in switches:
        raise SettingError(
            "prune takes the rows to prune by as its second and third argument: "
            f"prune({pruning!r}, X, y); validation=(X, y) is for fit"
        )
