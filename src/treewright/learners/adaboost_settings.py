"""What makes a boosted model, besides the dialect of its trees."""

from __future__ import annotations

from dataclasses import dataclass

from treewright.data.columns import Columns
from treewright.errors import DataError, SettingError
from treewright.learners.forest_settings import TREES
from treewright.settings.kinds import OneOf, Real, Whole
from treewright.settings.row import Clash, Need, Settings, row


@dataclass(frozen=True)
class AdaBoostSettings(Settings):
    """How many rounds, and what happens in each."""

    n_estimators: int = row(
        TREES,
        "Most trees; boosting may end before.",
        default=50,
        takes="most trees",
    )
    boosting: str = row(
        OneOf("samme", "m1", "c50"),
        "SAMME (Zhu et al. 2009), which goes on as long as a tree is better than "
        "guessing among all classes; AdaBoost.M1 (Freund and Schapire 1996), which "
        "needs less than half of the weight wrong; the same for two classes. Or C5.0's "
        "way.",
        default="samme",
        takes="samme, m1, c50 (C5.0's way)",
        clashes=(
            Clash(
                lambda s: s.boosting == "c50" and s.by != "weights",
                "by is 'resampling', and boosting='c50' knows 'weights' alone; leave "
                "it out",
            ),
            Clash(
                lambda s: s.boosting == "c50" and s.learning_rate != 1.0,
                "learning_rate is set, and boosting='c50' knows 1.0 alone; leave it "
                "out",
            ),
        ),
    )
    by: str = row(
        OneOf("weights", "resampling"),
        "Whether a tree is grown from all rows, by their weights, or from as many rows "
        "drawn with replacement, the heavier the more often.",
        default="weights",
    )
    # beyond, votes would not be finite and above 0
    learning_rate: float = row(
        Real(1e-6, 1e6),
        "Each vote is multiplied by it, and so is the power by which rows gain weight; "
        "smaller needs more trees.",
        default=1.0,
        takes="a number above 0, by which votes are multiplied",
        tries={"adaboost": (0.3, 1)},
    )
    random_state: int = row(
        Whole(0),
        'The seed of the draws, with by="resampling"; None: another one each time, '
        "which the model keeps.",
        default=0,
        takes="as above, with by=resampling",
        doc="int, RandomState, Generator or None",
        usually="another one each time",
        needs=Need(lambda s: s.by == "resampling", "by=resampling"),
    )


def check_target(columns: Columns) -> None:
    """Refuse what cannot be boosted: numbers, several outputs, costs."""
    target = columns.schema.target
    if target.kind != "classes":
        raise DataError(
            "the target holds numbers, and AdaBoost is for classes; grow a forest, or "
            "declare the target nominal"
        )
    if target.n_outputs != 1:
        raise DataError(
            f"the target has {target.n_outputs} columns, and AdaBoost predicts one; "
            "fit one model for each"
        )
    if target.costs is not None:
        raise SettingError(
            "AdaBoost counts every mistake by the weight of its row and knows no costs "
            "of classes; leave them out, or weigh the rows"
        )
