"""Risk: what a node costs as a leaf, in units of row weight.

    impurity           weight times the criterion's value: what scikit-learn prunes by
    misclassification  weight of the rows whose class the leaf would get wrong: Breiman
                       et al. and rpart, whatever criterion chose the splits

For numbers the impurity of squared error is the mean square around the mean, so the
risk is the sum of squares, as in rpart.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Target
from treewright.tree.structure.tree import Tree

Floats = npt.NDArray[np.float64]


def node_risks(tree: Tree, target: Target, *, by: str) -> Floats:
    """The risk of each node as a leaf.

    Parameters
    ----------
    tree : Tree
        A grown tree.
    target : Target
        What it predicts; several outputs count by their mean.
    by : {"impurity", "misclassification"}
        Numbers have no classes, and count by impurity in any case.
    """
    if by == "impurity" or target.kind == "numbers":
        return tree.impurity * tree.weight
    weights = tree.class_weights()
    wrong = [
        weights[:, slot].sum(axis=1) - weights[:, slot].max(axis=1)
        for slot in target.slots
    ]
    return np.asarray(np.mean(wrong, axis=0))
