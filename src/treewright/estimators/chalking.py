"""`chalk`: a fitted estimator shows every calculation that its tree rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright.data.columns import Columns
from treewright.errors import SettingError
from treewright.estimators.explain import encoded_row
from treewright.estimators.inputs import are_passed
from treewright.estimators.model_estimator import ModelEstimator
from treewright.learners.chalked import watch_again
from treewright.prune.labelled_rows import Validation
from treewright.render.chalk import Chalk
from treewright.tree.way import way_of

MOST_KEPT = 200_000  # cells of a training table that an estimator keeps for chalk


@dataclass(frozen=True, eq=False)
class Kept:
    """What a tree was grown from."""

    columns: Columns
    validation: Validation = None
    folds: Any = None


def kept(columns: Columns, validation: Validation, folds: Any) -> Kept | None:
    """Return the training rows, unless there are too many to be kept."""
    n_cells = columns.n_rows * len(columns.features)
    return Kept(columns, validation, folds) if n_cells <= MOST_KEPT else None


class Chalkable(ModelEstimator):
    """What an estimator needs to show its working."""

    _kept: Kept | None

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
