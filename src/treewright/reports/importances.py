"""Which features count: by what the splits gain, or by what is lost without them.

One tree and AdaBoost: the share of each feature in what the splits gain. Forests:
permutation importance, from out-of-bag rows. Rule sets: in how many of the rules a
feature is asked about.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted
from treewright.render.fitting.safe_text import short_number
from treewright.render.listing.forest_text import gained_shares
from treewright.rules.rule_model import RuleModel
from treewright.tree.model import Model

Floats = npt.NDArray[np.float64]
_GAINED = (
    "Each question divides the rows into purer groups; the bars show which share of "
    "that gain is due to which feature. A feature with a bar of zero is never asked "
    "about, perhaps because another one says the same."
)
_PERMUTED = (
    "The values of one feature are shuffled among rows that a tree has not seen; the "
    "bars show how much worse the answers become. The fine lines are 95 % intervals "
    "over the trees. Of two features that say the same, each looks less important than "
    "they are together."
)
_ASKED = "The bars show in how many of the rules a feature is asked about."


@dataclass(frozen=True, eq=False)
class Importances:
    """How much each feature counts, and in which measure."""

    values: Floats  # float64, shape (n_features,): the larger, the more it counts
    texts: list[str]  # the same as they are written
    # what is measured, in a few words and in sentences
    measure: str
    words: str
    # the ends of intervals
    low: Floats | None = None
    high: Floats | None = None

    @property
    def order(self) -> list[int]:
        """The features, the most important first."""
        return [int(k) for k in np.argsort(-self.values, kind="stable")]

    @property
    def n_used(self) -> int:
        """How many features count at all."""
        return int(np.count_nonzero(self.values > 0))


def importances_of(model: Model | RuleModel) -> Importances:
    """Return how much each feature counts in a model."""
    if isinstance(model, RuleModel):
        return _of_rules(model)
    measures = model.measures
    if measures is None or np.isnan(measures.importances).any():
        shares = gained_shares(model)
        texts = [f"{100 * share:.1f} %" for share in shares.tolist()]
        return Importances(shares, texts, "share of the gain", _GAINED)
    values = measures.importances
    if model.schema.target.kind == "classes":
        texts = [f"{100 * one:z.1f} points" for one in values.tolist()]
        measure = "right answers lost, in points of 100"
    else:
        texts = [short_number(float(f"{one:.3g}")) for one in values.tolist()]
        measure = "rise of the squared error"
    low, high = measures.low, measures.high
    if np.isnan(low).any():
        return Importances(values, texts, measure, _PERMUTED)
    return Importances(values, texts, measure, _PERMUTED, low, high)


def _of_rules(model: RuleModel) -> Importances:
    asked = np.zeros(len(model.schema.features))
    for rule in model.rule_set.rules:
        features = set()
        for condition in rule.conditions:
            features |= {number for number, _ in condition.terms} or {condition.feature}
        for feature in features:
            asked[feature] += 1
    texts = [counted(int(number), "rule") for number in asked]
    return Importances(asked, texts, "rules that ask about it", _ASKED)
