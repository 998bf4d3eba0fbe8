"""What a model says after its first tree, its first two, and so on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from treewright.tree.model import Model
from treewright.tree.predict.place import ends_of
from treewright.tree.predict.vote import normal, probabilities
from treewright.tree.predict.voting import Voting
from treewright.tree.predict.walk import Cells

Floats = npt.NDArray[np.float64]


def staged_shares(model: Model, cells: Cells) -> Iterator[list[Floats]]:
    """Yield the shares of the classes after 1, 2, ... trees, an array per output."""
    target, voting = model.schema.target, model.voting
    sums = [np.zeros((len(cells), len(labels))) for labels in target.classes]
    alone = Voting(voting.kind)
    some_lack = voting.kind == "confidence"
    for number, tree in enumerate(model.trees):
        said = probabilities(
            target,
            (tree,),
            ends_of((tree,), cells),
            smoothing=model.smoothing,
            voting=alone,
            in_shares=False,
        )
        for output, shares in enumerate(said):
            sums[output] += shares * voting.weight(number)
        some_lack |= bool(tree.gives_no_class().any())
        counted = voting.first(number + 1).total(number + 1)
        means = [total / max(counted, np.finfo(float).tiny) for total in sums]
        yield [normal(mean) for mean in means] if some_lack else means
