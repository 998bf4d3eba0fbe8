"""More trees, fewer, those of another forest: a fitted forest as a new one."""

from __future__ import annotations

import dataclasses
import numbers
from collections.abc import Iterable
from typing import Any, Self

from treewright.data.columns import Columns
from treewright.errors import DataError, SettingError
from treewright.estimators.chalking import Kept
from treewright.estimators.many_trees import places
from treewright.estimators.progress import told
from treewright.estimators.training_rows import TrainingRows
from treewright.learners.forest import Forest, Progress
from treewright.learners.handling import (
    forest_again,
    merged,
    with_more_trees,
    with_trees,
)
from treewright.learners.tree_draws import TREE_DRAWS
from treewright.learners.watched_tree import watch_tree
from treewright.render.chalk import Chalk
from treewright.tree.model import FEATURES_PER_NODE, Model

# settings that may change between fits that go on with the same forest
_MAY_CHANGE = ("n_estimators", "oob_score", TREE_DRAWS, FEATURES_PER_NODE)


class ForestHandling(TrainingRows):
    """What is done to a forest that is grown."""

    n_estimators: int
    oob_score: bool

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

    def merge(self, other: ForestHandling) -> Self:
        """Return a copy of this forest that has the trees of another one, too.

        Parameters
        ----------
        other : forest
            Fitted to a table with the same columns, categories and classes; anything
            else is refused. Its rows and its parameters may be others.
        """
        if not isinstance(other, ForestHandling):
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
