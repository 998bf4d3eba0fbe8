"""What forests and boosted trees share: their trees, one by one and in figures."""

from __future__ import annotations

import dataclasses
import numbers
from typing import Any

from treewright.errors import SettingError
from treewright.estimators.parts.loading import estimator_of
from treewright.estimators.parts.model_estimator import ModelEstimator
from treewright.render.listing.forest_text import forest_lines
from treewright.tree.one_tree import one_tree
from treewright.tree.structure.tree import Tree


class ManyTrees(ModelEstimator):
    """The base of models with more than one tree."""

    @property
    def trees_(self) -> tuple[Tree, ...]:
        """The trees, each as arrays with an entry per node."""
        return self._fitted().trees

    def tree(self, number: int) -> Any:
        """Return one of the trees as an estimator of its own.

        Parameters
        ----------
        number : int
            Its place in `trees_`, from 0; negative ones count from the end.

        Returns
        -------
        estimator
            Fitted: it predicts as this tree does, and can be listed, drawn, explored
            and saved. It does not have the rows that it was grown from.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> model = tw.AdaBoostClassifier(10).fit(X, y)
        >>> model.tree(0).get_n_leaves()
        2
        """
        model = self._fitted()
        [place] = places([number], len(model.trees))
        alone = one_tree(model, place + 1)
        # which is of the whole, and of a single tree means something else
        settings = {n: v for n, v in alone.settings.items() if n != "random_state"}
        return estimator_of(dataclasses.replace(alone, settings=settings))

    def to_text(self, *, ascii: bool = False) -> str:
        """Return the trees in figures, and which features count.

        `tree(0).to_text()` lists the first tree.

        Parameters
        ----------
        ascii : bool
            Whether to use plain signs only.
        """
        return "\n".join(forest_lines(self._fitted(), ascii=ascii))


def places(wanted: Any, n_trees: int) -> list[int]:
    """Return numbers of trees that are there, each once."""
    if isinstance(wanted, numbers.Integral):
        wanted = [wanted]
    found = []
    for one in wanted:
        is_whole = isinstance(one, numbers.Integral) and not isinstance(one, bool)
        if not is_whole or not -n_trees <= one < n_trees:
            raise SettingError(
                f"there is no tree {one!r}; the forest has the trees 0 to {n_trees - 1}"
            )
        found.append(int(one) % n_trees)
    if len(set(found)) < len(found):
        raise SettingError("a tree is named twice; name each once")
    return found
