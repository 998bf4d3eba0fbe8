"""One tree of a forest, as a model of its own."""

from __future__ import annotations

from dataclasses import replace

from treewright.errors import SettingError
from treewright.tree.compact_model import with_own_answers
from treewright.tree.model import Model
from treewright.tree.predict.voting import Voting
from treewright.tree.structure.part import on_its_own

_WHOSE = {
    False: "of a forest; a row that was drawn more than once weighs as much",
    True: "that were boosted; its rows weigh as much as they did in its round",
}


def one_tree(model: Model, number: int) -> Model:
    """Return the model of a single tree; the first one has the number 1."""
    n_trees = len(model.trees)
    if not 1 <= number <= n_trees:
        have = f"the forest has the trees 1 to {n_trees}"
        if n_trees == 1:
            have = "the model has one tree; leave the number out"
        raise SettingError(f"there is no tree {number}; {have}")
    is_boosted = model.voting.is_boosted
    alone = replace(
        model,
        trees=(on_its_own(model.trees[number - 1]),),
        learner=str(model.settings.get("dialect", model.learner)),
        voting=Voting(),
        measures=None,
        notes=(*model.notes, f"tree {number} of {n_trees} {_WHOSE[is_boosted]}"),
    )
    return with_own_answers(alone)
