"""Open nodes: a batch of those that wait to be split, and what was chosen for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.grow.choose import Choice
from treewright.sources.source import Chosen, Keys

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class OpenNodes:
    """Nodes waiting to be split: their numbers in the tree and in the source."""

    nodes: Ints
    handles: Ints
    allowed: npt.NDArray[np.uint8]  # (n, n_features), or (n, 0): every feature
    keys: Keys  # (n,): what random draws depend on; (0,) without them
    # (n, words): bits of the features that draws found to have one value; (n, 0)
    constant: Keys

    def __len__(self) -> int:
        return len(self.nodes)

    def take(self, which: slice | npt.NDArray[np.intp]) -> OpenNodes:
        """Some of the nodes, in the given order."""
        keys = self.keys[which] if len(self.keys) else self.keys
        return OpenNodes(
            self.nodes[which],
            self.handles[which],
            self.allowed[which],
            keys,
            self.constant[which],
        )

    def parted(self, flags: npt.NDArray[np.bool_]) -> tuple[OpenNodes, OpenNodes]:
        """The nodes with a flag, and the others; copied only where both are."""
        n_flags = np.count_nonzero(flags)
        if n_flags == 0:
            return self.take(slice(0, 0)), self
        if n_flags == len(self):
            return self, self.take(slice(0, 0))
        return self.take(flags.nonzero()[0]), self.take((~flags).nonzero()[0])

    @classmethod
    def join(cls, parts: Sequence[OpenNodes]) -> OpenNodes:
        """Return the nodes of several rows of them as one."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            np.concatenate([part.nodes for part in parts]),
            np.concatenate([part.handles for part in parts]),
            np.concatenate([part.allowed for part in parts]),
            np.concatenate([part.keys for part in parts]),
            np.concatenate([part.constant for part in parts]),
        )


def chosen_of(batch: OpenNodes, choice: Choice, which: npt.NDArray[np.intp]) -> Chosen:
    """Return the splits of the nodes `which` of a batch."""
    return Chosen(
        batch.handles[which],
        choice.feature[which],
        choice.position[which],
        choice.tolerances[which],
    )


def one_of(choice: Choice, index: int) -> Choice:
    """Return the choice of one node of a batch."""
    one = slice(index, index + 1)
    return Choice(**{name: array[one] for name, array in vars(choice).items()})
