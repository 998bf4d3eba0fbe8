"""`distil`: a fitted forest gives the one small tree that agrees best with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright.errors import SettingError
from treewright.estimators.forest_handling import ForestHandling
from treewright.evaluation.errors.distilled import (
    DistilErrors,
    distilled_errors,
    distilled_lines,
)
from treewright.learners.distil import SMALL, Distilled, DistilSettings, distil
from treewright.learners.handling import recipe_of


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


class Distillable(ForestHandling):
    """What a forest needs to be made a tree."""

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
        errors = None
        if folds:
            dialect, forest = recipe_of(model)
            errors = distilled_errors(
                columns, dialect, forest, settings, n_folds=folds, n_jobs=self.n_jobs
            )
        return _distillation(found, len(model.trees), errors)


def _distillation(
    found: Distilled, n_trees: int, errors: DistilErrors | None
) -> Distillation:
    # here, because loading knows the forests, which are made of this
    from treewright.estimators.loading import estimator_of  # noqa: PLC0415

    return Distillation(
        estimator_of(found.model),
        found.agreement,
        None if errors is None else errors.tree.value,
        None if errors is None else errors.forest.value,
        "\n".join(distilled_lines(found, n_trees, errors)),
    )
