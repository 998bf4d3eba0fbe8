"""What makes a rule set, besides the dialect of its trees."""

from __future__ import annotations

from dataclasses import dataclass

from treewright.data.columns import Columns
from treewright.errors import DataError, SettingError
from treewright.grow.dialect import Dialect
from treewright.settings.kinds import Flag, Real, Whole
from treewright.settings.row import Settings, row

MOST_TREES = 1000
# ways with missing values that give a branch to them, which no condition speaks of
_OWN_BRANCH = ("own_branch", "learned")


@dataclass(frozen=True)
class C45RulesSettings(Settings):
    """How rules are made of trees."""

    n_trees: int = row(
        Whole(
            1,
            MOST_TREES,
            f"more than {MOST_TREES:,} trees would give more rules than can be looked "
            "through",
        ),
        "How many unpruned trees give rules: the first is grown from all rows, others "
        "from as many rows drawn with replacement. Rates are counted on all rows.",
        default=1,
        takes="number of trees that give rules",
    )
    fisher: bool = row(
        Flag(),
        "Whether a condition must also pass Fisher's exact test at 5 %.",
        default=False,
    )
    redundancy: float = row(
        Real(1e-3),
        "What the bits to name a feature are divided by; above 1 where several "
        "features say much the same, which gives more rules.",
        default=1.0,
        takes="a number above 0",
    )
    random_state: int = row(
        Whole(0),
        "The seed of the draws: rows of further trees, and starts of the search among "
        "more than ten rules of a class; None: another one each time, which the model "
        "keeps.",
        default=0,
        doc="int, RandomState, Generator or None",
    )


def check_dialect(dialect: Dialect) -> None:
    """Refuse trees whose branches are no conditions on values."""
    if dialect.missing in _OWN_BRANCH:
        raise SettingError(
            f"missing is {dialect.missing!r}, which gives missing values a branch, and "
            "a missing value meets no condition of a rule; choose 'fractional' or "
            "'majority'"
        )


def check_target(columns: Columns) -> None:
    """Refuse what rules cannot be made for: numbers, several outputs, costs."""
    target = columns.schema.target
    if target.kind != "classes":
        raise DataError(
            "the target holds numbers, and C4.5rules is for classes; grow a tree, or "
            "declare the target nominal"
        )
    if target.n_outputs != 1:
        raise DataError(
            f"the target has {target.n_outputs} columns, and C4.5rules predicts one; "
            "fit one model for each"
        )
    if target.costs is not None:
        raise SettingError(
            "C4.5rules counts every mistake by the weight of its row and knows no "
            "costs of classes; leave them out, or weigh the rows"
        )
