"""CAL3: as CAL2, but a leaf counts rows before it is decided, for classes that overlap.

    start with the tree *                                  (nothing is known)
    for each row v of class k, at the leaf where it falls:
        closed              -> nothing to do
        * or counts /.../   -> count k there
    and once the leaf has counted s1 rows
        one class has a share of s2 or more  -> the leaf gets this class, for good
        all classes are below s2             -> a question about the next feature that
                       the path does not ask about yet: /k1/ in the branch of v, * in
                       the others
    and from the first row again, until every leaf is closed or a whole pass changes
    nothing (or a question is needed and no feature is left, or the passes are used up)

A row that is counted changes the tree, so a pass changes nothing only if all rows fall
on closed leaves. Each leaf counts s1 rows at most and a path is as long as there are
features, so that this comes about within s1 * (features + 1) + 1 passes.

The walk through the rows is `cal_walk.py`; the tree is `cal_tree.py`.

References
----------
Unger, S. and Wysotzki, F. (1981). Lernfähige Klassifizierungssysteme. Akademie-Verlag.
"""

from __future__ import annotations

from treewright.grow.chalk.cal_record import CALChange
from treewright.learners.cal.cal_settings import CAL3Settings
from treewright.learners.cal.cal_walk import WalkedTree
from treewright.tree.structure.tree import NO_CLASS

CAL3 = CAL3Settings(name="cal3")


class CAL3Learner:
    """Learns from one row at a time.

    - `tree`: what is learned; leaves with a class are closed.
    - `counts`: what each node has counted: class to number.
    - `left`: how many rows each node still counts; 0: it is settled; -1: it is a
      question.
    - `exhausted`: leaves that should be questions, where no feature is left; they count
      no more.
    """

    def __init__(self, tree: WalkedTree, *, s1: int, s2: float) -> None:
        self.tree = tree
        self.s1, self.s2 = s1, s2
        self.counts: list[dict[int, int]] = [{}]
        self.left = [s1]
        self.exhausted: set[int] = set()
        self.n_open = 1

    def learn(self, row: int, leaf: int, k: int) -> CALChange | None:
        """Take a row of class `k` that fell on a leaf; return what became of it."""
        left = self.left[leaf]
        if not left:
            return None
        counts = self.counts[leaf]
        counts[k] = counts.get(k, 0) + 1
        self.left[leaf] = left - 1
        return CALChange.COUNTED if left > 1 else self._decide(row, leaf, k)

    def _decide(self, row: int, leaf: int, k: int) -> CALChange:
        """Close a leaf that has counted s1 rows, or make it a question."""
        counts = self.counts[leaf]
        most = max(counts, key=counts.__getitem__)
        if counts[most] / self.s1 >= self.s2:  # above one half, so there is no other
            self.tree.label[leaf] = most
            self.n_open -= 1
            return CALChange.CLOSED
        if not self.tree.can_split(leaf):
            self.exhausted.add(leaf)
            return CALChange.EXHAUSTED
        branch = self.tree.split(leaf, row)
        n_new = len(self.tree.feature) - len(self.counts)
        self.counts += [{} for _ in range(n_new)]
        self.left += [self.s1] * n_new
        self.left[leaf] = -1
        self.counts[branch][k] = 1
        self.left[branch] -= 1
        self.n_open += n_new - 1
        return CALChange.SPLIT

    def is_settled(self, leaf: int) -> bool:
        """Tell whether no row can change a leaf any more."""
        return self.left[leaf] == 0

    def all_closed(self) -> bool:
        """Tell whether all leaves are closed for good."""
        return self.n_open == 0

    def counts_at(self, leaf: int) -> tuple[tuple[int, int], ...]:
        """Return the classes that a leaf has counted, in the order they came."""
        return tuple(self.counts[leaf].items())

    def answer(self, leaf: int) -> int:
        """Return the class of a leaf; of an open one, that which it counted most.

        Of equally frequent ones the first in class order; NO_CLASS if it has none.
        """
        label, counts = self.tree.label[leaf], self.counts[leaf]
        if label != NO_CLASS or not counts:
            return label
        return min(counts, key=lambda k: (-counts[k], k))
