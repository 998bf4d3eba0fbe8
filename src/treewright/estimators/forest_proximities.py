"""What a fitted forest takes for alike: proximities, outliers, prototypes."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.machine import thread_count
from treewright.errors import SettingError
from treewright.estimators.forest_measures import ForestMeasures
from treewright.learners.outliers import outlier_measures
from treewright.learners.prototypes import Prototypes, class_prototypes
from treewright.learners.proximity import (
    Neighbours,
    Rows,
    asked_out_of_bag,
    nearest_rows,
    proximity_matrix,
)

Floats = npt.NDArray[np.float64]


class ForestProximities(ForestMeasures):
    """What a forest says of rows that end together in its trees."""

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
            rows = Rows(self._model_for(X).encode(X)[0])
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
        n_threads = thread_count(self.n_jobs)
        measures = outlier_measures(self._fitted(), grown, n_threads=n_threads)
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
        n_threads = thread_count(self.n_jobs)
        return class_prototypes(self._fitted(), grown, neighbours, n_threads=n_threads)

    def _training_cells(self, out_of_bag: bool) -> Rows:
        """Return the training rows, and which trees are asked about them."""
        way_out = "pass the rows: proximities(X)"
        if out_of_bag:
            way_out = "call ask_out_of_bag(X, y) first, with those of fit"
        grown = self._training_rows("proximities", way_out=way_out)
        asked = asked_out_of_bag(grown) if out_of_bag else None
        cells = grown.rows(self._fitted().schema).cells
        return Rows(cells, asked, grown.columns.given_rows)
