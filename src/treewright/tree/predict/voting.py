"""Voting: how the answers of several trees become one."""

from __future__ import annotations

from dataclasses import dataclass

VOTINGS = ("mean", "votes", "confidence")


@dataclass(frozen=True)
class Voting:
    """What each tree contributes, and how much it counts."""

    # {"mean", "votes", "confidence"}: the mean of the trees' shares, or numbers; or
    # each tree votes for its own class alone, and the answer is the class with the most
    # votes; or it does so with the confidence (w + 1) / (n + 2) of a leaf of weight n
    # in which its class has w
    kind: str = "mean"
    # how much each tree counts; None: all the same
    weights: tuple[float, ...] | None = None

    @property
    def is_by_class(self) -> bool:
        """Whether each tree speaks for its own class alone."""
        return self.kind != "mean"

    @property
    def is_boosted(self) -> bool:
        """Whether the trees were grown one after the other, and correct each other."""
        return self.kind == "confidence" or self.weights is not None

    def weight(self, tree: int) -> float:
        """Return how much a tree counts."""
        return 1.0 if self.weights is None else self.weights[tree]

    def total(self, n_trees: int) -> float:
        """Return how much all trees count together."""
        return float(n_trees if self.weights is None else sum(self.weights))

    def first(self, n_trees: int) -> Voting:
        """Return the voting of the first trees alone."""
        if self.weights is None:
            return self
        return Voting(self.kind, self.weights[:n_trees])
