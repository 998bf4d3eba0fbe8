"""Learners side by side on several tables: ranks, Friedman, Wilcoxon, Nemenyi.

On each table the learners are ranked by their error, the best first; equal errors share
the mean of their ranks. Two learners differ if their mean ranks are farther apart than
the critical difference.

References
----------
Demsar, J. (2006). Statistical comparisons of classifiers over multiple data sets.
Journal of Machine Learning Research 7, 1-30.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from treewright.errors import DataError
from treewright.evaluation.comparing.comparison import Comparison, holm
from treewright.evaluation.errors.evaluation_data import plain_dict
from treewright.evaluation.errors.held_out_answers import Floats
from treewright.render.charts.rank_chart import Ranked, rank_svg


@dataclass(frozen=True)
class Pair:
    """Two learners over all tables."""

    # their names
    first: str
    second: str
    # on how many tables the first has the smaller, and the larger, error
    wins: int
    losses: int
    # wilcoxon's signed ranks of the differences; adjusted for all pairs (Holm)
    p: float
    adjusted_p: float


@dataclass(frozen=True, eq=False)
class Ranks:
    """Learners on several tables; `print` shows them, the best first."""

    comparisons: tuple[Comparison, ...]  # one for each table, with the same learners
    level: float = 0.95  # the confidence of the tests

    def __post_init__(self) -> None:
        if len(self.comparisons) < 2:
            raise DataError("ranks need at least 2 tables")

    @property
    def names(self) -> list[str]:
        """The learners."""
        return self.comparisons[0].names

    @property
    def tables(self) -> list[str]:
        """The tables."""
        return [one.table for one in self.comparisons]

    @cached_property
    def errors(self) -> Floats:
        """The errors, a row for each table and a column for each learner."""
        return np.array(
            [
                [learner.error.value for learner in one.evaluations]
                for one in self.comparisons
            ]
        )

    @cached_property
    def ranks(self) -> Floats:
        """The ranks, as `errors`; 1 is the best."""
        from scipy.stats import rankdata  # noqa: PLC0415 - slow to import

        return np.asarray(rankdata(np.round(self.errors, 12), axis=1), np.float64)

    @cached_property
    def mean_ranks(self) -> Floats:
        """The mean rank of each learner."""
        return np.asarray(self.ranks.mean(axis=0))

    @property
    def best(self) -> str:
        """The learner with the least mean rank."""
        return self.names[int(self.mean_ranks.argmin())]

    @cached_property
    def friedman_p(self) -> float:
        """How often chance alone makes ranks so different (Iman and Davenport).

        Friedman's statistic is divided by the spread of the ranks as they are, which
        is smaller where learners share a rank.
        """
        from scipy.stats import f  # noqa: PLC0415 - slow to import

        n_tables, n_learners = self.ranks.shape
        middle = (n_learners + 1) / 2
        spread = float(((self.ranks - middle) ** 2).sum())
        if spread == 0:  # all alike on every table
            return 1.0
        between = n_tables**2 * float(((self.mean_ranks - middle) ** 2).sum())
        chi = (n_learners - 1) * between / spread
        left = n_tables * (n_learners - 1) - chi
        if left <= 1e-9:
            # the same order on every table: all tables but the first meet it by chance
            _, equal = np.unique(self.ranks[0], return_counts=True)
            n_orders = math.factorial(n_learners) / math.prod(
                math.factorial(count) for count in equal.tolist()
            )
            return float(n_orders ** (1 - n_tables))
        ratio = (n_tables - 1) * chi / left
        degrees = (n_learners - 1, (n_learners - 1) * (n_tables - 1))
        return float(f.sf(ratio, *degrees))

    @cached_property
    def critical_difference(self) -> float:
        """How far apart mean ranks must be (Nemenyi)."""
        n_tables, n_learners = self.ranks.shape
        step = math.sqrt(n_learners * (n_learners + 1) / (6 * n_tables))
        return nemenyi_quantile(n_learners, self.level) * step

    @cached_property
    def groups(self) -> list[tuple[int, ...]]:
        """Learners, by number, that the critical difference does not tell apart."""
        order = np.argsort(self.mean_ranks, kind="stable").tolist()
        found: list[tuple[int, ...]] = []
        for start, first in enumerate(order):
            limit = self.mean_ranks[first] + self.critical_difference
            group = tuple(n for n in order[start:] if self.mean_ranks[n] <= limit)
            if len(group) > 1 and not any(set(group) <= set(one) for one in found):
                found.append(group)
        return found

    @cached_property
    def pairs(self) -> list[Pair]:
        """All pairs of learners."""
        found = []
        for one, other in combinations(range(len(self.names)), 2):
            apart = np.round(self.errors[:, one] - self.errors[:, other], 12)
            wins, losses = int((apart < 0).sum()), int((apart > 0).sum())
            found.append((one, other, wins, losses, _wilcoxon(apart)))
        adjusted = holm([p for *_, p in found])
        return [
            Pair(self.names[one], self.names[other], wins, losses, p, adjusted[number])
            for number, (one, other, wins, losses, p) in enumerate(found)
        ]

    def to_svg(self) -> str:
        """Return the critical-difference diagram as the text of an SVG file."""
        learners = [
            Ranked(name, float(rank))
            for name, rank in zip(self.names, self.mean_ranks, strict=True)
        ]
        return rank_svg(learners, self.groups, self.critical_difference)

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as plain dicts, lists, texts and numbers."""
        return plain_dict(
            {
                "learners": self.names,
                "tables": self.tables,
                "errors": self.errors,
                "ranks": self.ranks,
                "mean_ranks": self.mean_ranks,
                "friedman_p": self.friedman_p,
                "critical_difference": self.critical_difference,
                "groups": [[self.names[n] for n in group] for group in self.groups],
                "pairs": self.pairs,
                "comparisons": [one.to_dict() for one in self.comparisons],
            }
        )

    def to_text(self, *, width: int = 80, ascii: bool = False) -> str:
        """Return the tables for people."""
        from treewright.evaluation.comparing.comparison_text import rank_lines  # noqa: PLC0415

        return "\n".join(rank_lines(self, width=width, ascii=ascii))

    def __str__(self) -> str:
        return self.to_text()


def nemenyi_quantile(n_learners: int, level: float = 0.95) -> float:
    """Return the studentized range over the root of 2, for many rows."""
    from scipy.stats import studentized_range  # noqa: PLC0415 - slow to import

    return float(studentized_range.ppf(level, n_learners, np.inf) / math.sqrt(2))


def _wilcoxon(apart: Floats) -> float:
    """Return the p value of signed ranks; 1 where nothing differs."""
    from scipy.stats import wilcoxon  # noqa: PLC0415 - slow to import

    if not apart.any():
        return 1.0
    return float(wilcoxon(apart).pvalue)


def ranks_of(comparisons: Sequence[Comparison], level: float = 0.95) -> Ranks:
    """Return the ranks over several tables."""
    return Ranks(tuple(comparisons), level)
