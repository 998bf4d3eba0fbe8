"""CAL2: one row after the other, again and again, until nothing changes.

    start with the tree *                                  (nothing is known)
    for each row v of class k, what does the tree say?
        *           -> replace this * by k
        k           -> nothing to do
        another one -> replace it by a question about the next feature that the path
                       does not ask about yet: k in the branch of v, * in the others
    and from the first row again, until a whole pass changes nothing
    (or a question is needed and no feature is left, or the passes are used up)

The walk through the rows is `cal_walk.py`; the tree is `cal_tree.py`. Features have few
values, one branch each, and classes do not overlap: then the tree makes no error on its
rows. CAL3, for classes that overlap, is `cal3.py`.

References
----------
Unger, S. and Wysotzki, F. (1981). Lernfähige Klassifizierungssysteme. Akademie-Verlag.
"""

from __future__ import annotations

from treewright.grow.chalk.cal_record import CALChange
from treewright.learners.cal.cal_settings import CALSettings
from treewright.learners.cal.cal_walk import WalkedTree
from treewright.tree.structure.tree import NO_CLASS

CAL2 = CALSettings(name="cal2")


class CAL2Learner:
    """Learns from one row at a time.

    `tree`: what is learned. `exhausted`: leaves that should be questions, where no
    feature is left.
    """

    def __init__(self, tree: WalkedTree) -> None:
        self.tree = tree
        self.exhausted: set[int] = set()

    def learn(self, row: int, leaf: int, k: int) -> CALChange | None:
        """Take a row of class `k` that fell on a leaf; return what became of it."""
        said = self.tree.label[leaf]
        if said == NO_CLASS:
            self.tree.label[leaf] = k
            return CALChange.NAMED
        if said == k:
            return None
        if not self.tree.can_split(leaf):
            self.exhausted.add(leaf)
            return CALChange.EXHAUSTED
        branch = self.tree.split(leaf, row)
        self.tree.label[branch] = k
        return CALChange.SPLIT

    def is_settled(self, leaf: int) -> bool:
        """Tell whether no row can change a leaf any more."""
        return False

    def all_closed(self) -> bool:
        """Tell whether all leaves are closed for good; CAL2 closes none."""
        return False

    def counts_at(self, leaf: int) -> tuple[tuple[int, int], ...]:
        """Return the classes that a leaf has counted; CAL2 counts none."""
        return ()

    def answer(self, leaf: int) -> int:
        """Return the class of a leaf, or NO_CLASS."""
        return self.tree.label[leaf]
