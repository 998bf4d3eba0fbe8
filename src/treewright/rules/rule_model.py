"""A rule set as a model: it predicts, gives shares of classes, is kept in a file.

It is to a rule set what `tree/model.py` is to trees, and answers the same questions.
Where a row meets no rule, the default answers, with the shares of the training rows
that met none. How it becomes a file is in `rule_file.py`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Feature, Schema
from treewright.rules.condition import Asks, Condition
from treewright.rules.figures import Figures
from treewright.rules.ruleset import RuleSet
from treewright.tree.fingerprint import cut_words, line_of, schema_lines
from treewright.tree.predict.vote import Smoothing, labels_of
from treewright.tree.predict.walk import Cells
from treewright.tree.values import canonical_label

Floats = npt.NDArray[np.float64]
Fired = npt.NDArray[np.int64]


INDUCED, EDITED = MADE_BY = ("c45rules", "rules")  # as model files say


@dataclass(frozen=True, eq=False)
class RuleModel:
    """Rules with everything that is needed to use and to read them."""

    rule_set: RuleSet  # the rules in their order, and the default
    # float64, shape (n_rules + 1, n_classes): the weight of each class in the training
    # rows that each rule covers; the last row is that of the default: of the rows that
    # no rule covers, or of all, if every row is covered
    class_weights: Floats
    # int64, shape (n_rules + 1,): how many rows these are
    n_rows: npt.NDArray[np.int64]
    # float64, shape (n_classes,): the weight of each class in all training rows
    totals: Floats
    rates: Floats  # float64, shape (n_rules,): the pessimistic error rate of each rule
    # whether the rules, and the rows of their figures, come from a workbench
    is_edited: bool = False
    settings: dict[str, Any] = field(default_factory=dict)  # every switch and its value
    notes: tuple[str, ...] = ()  # what a reader should know

    @property
    def learner(self) -> str:
        """Who made the rules; no learner made those that were edited."""
        return EDITED if self.is_edited else INDUCED

    @property
    def schema(self) -> Schema:
        """Names, kinds and categories of the training table."""
        return self.rule_set.schema

    @property
    def unseen(self) -> str:
        """What a category that training never saw does at prediction."""
        return self.rule_set.unseen

    @property
    def missing(self) -> str:
        """The missing rule used in growing."""
        return self.rule_set.missing

    def encode(self, table: Any) -> tuple[Cells, tuple[str, ...]]:
        """Return the rows of any table as cells, and what a reader should know."""
        return self.rule_set.encode(table)

    def predict(self, table: Any) -> npt.NDArray[Any]:
        """Return the class label of each row."""
        return self.predict_at(self.ends(self.encode(table)[0]))

    def predict_codes(self, table: Any) -> npt.NDArray[np.integer[Any]]:
        """Return the code of the class of each row, in one column."""
        return self.codes_at(self.ends(self.encode(table)[0]))

    def predict_proba(self, table: Any) -> Floats:
        """Return the share of each class for each row."""
        return self.proba_at(self.ends(self.encode(table)[0]))

    def apply(self, table: Any) -> Fired:
        """Return the position of the rule that answers for each row; -1: none."""
        return self.ends(self.encode(table)[0])

    def ends(self, cells: Cells) -> Fired:
        """Return the position of the rule that answers for encoded rows; -1: none."""
        return self.rule_set.fires(cells)

    def predict_at(self, fired: Fired) -> npt.NDArray[Any]:
        """Return the class labels for rows that these rules answer for."""
        return labels_of(self.schema.target, self.codes_at(fired))

    def codes_at(self, fired: Fired) -> npt.NDArray[np.integer[Any]]:
        """Return the class codes for rows that these rules answer for."""
        return np.asarray(self.rule_set.answers_of(fired)[:, None])

    def proba_at(self, fired: Fired) -> Floats:
        """Return Laplace's shares, (n_c + 1) / (n + classes), for such rows.

        A rule that no training row meets has those of the default.
        """
        default = self.class_weights[-1]
        has_rows = self.class_weights.any(axis=1, keepdims=True)
        weights = np.where(has_rows, self.class_weights, default)
        shares = Smoothing("laplace").of(weights, default)
        return np.asarray(shares[fired])  # -1 is the last one, the default's

    def answers(self, cells: Cells) -> npt.NDArray[np.integer[Any]]:
        """Return class codes for encoded rows, in one column."""
        return self.codes_at(self.ends(cells))

    def shares(self, cells: Cells) -> Floats:
        """Return the probability of each class for encoded rows."""
        return self.proba_at(self.ends(cells))

    def figures(self) -> Figures:
        """Return what the rules did on the training rows that they cover."""
        n_rules = len(self.rule_set)
        weights, nothing = self.class_weights[:-1], np.full(n_rules, np.nan)
        return Figures(
            self.rule_set.answers_of(np.arange(n_rules)),
            self.n_rows[:-1],
            weights.sum(axis=1),
            weights,
            nothing,
            nothing,
            self.totals,
            float(self.totals.sum()),
        )

    def fingerprint(self) -> str:
        """Return a hash of what the rules ask and answer, in names and values.

        Equal for any order of columns and codes of categories, and for any order of the
        conditions of a rule; settings and notes do not count.
        """
        digest = hashlib.sha256(b"rules\n")
        for line in schema_lines(self.schema):
            digest.update(line)
        classes = self.schema.target.classes[0]
        texts = [canonical_label(label) for label in classes]
        order = sorted(range(len(texts)), key=texts.__getitem__)
        answers = [*(rule.answer for rule in self.rule_set), self.rule_set.default]
        weights = np.ascontiguousarray(self.class_weights[:, order] + 0.0, "<f8")
        for position, answer in enumerate(answers):
            words = [texts[int(answer)]]
            if position < len(self.rule_set):
                rule = self.rule_set.rules[position]
                words += sorted(self._words(one) for one in rule.conditions)
            digest.update(line_of(words))
            digest.update(weights[position].tobytes())
        return digest.hexdigest()

    def _words(self, condition: Condition) -> str:
        """A condition in names and values."""
        feature = self.schema.features[condition.feature]
        words = [feature.name, condition.asks.name]
        if condition.asks == Asks.CODES:
            labels = [feature.categories[code] for code in condition.codes]
            words += sorted(map(canonical_label, labels))
        elif condition.asks == Asks.INTERVAL:
            words += [_end(feature, condition.low), _end(feature, condition.high)]
        return line_of(words).decode("utf-8", "surrogatepass")


def _end(feature: Feature, end: float) -> str:
    """An end of an interval by value."""
    if feature.kind == "ordinal":
        inside = 0 <= end < len(feature.categories)
        return canonical_label(feature.categories[int(end)]) if inside else "open"
    return cut_words(feature, end) if np.isfinite(end) else "open"
