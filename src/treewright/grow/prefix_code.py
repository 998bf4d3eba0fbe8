"""A Huffman code: how short messages can be, beside the entropy that bounds them.

Entropy is the smallest mean number of yes-or-no questions that tell an outcome. A
prefix code is such a list of questions, and Huffman's is the best there is.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from treewright.errors import SettingError
from treewright.grow.impurity import entropy
from treewright.grow.outcomes import read_outcomes


@dataclass(frozen=True)
class PrefixCode:
    """A code in which no word is the beginning of another."""

    # the word of each symbol, a text of the bits 0 and 1, in the order of the input
    code: dict[Hashable, str]
    probabilities: dict[Hashable, float]  # the probability of each symbol
    mean_length: float  # expected number of bits per symbol
    # entropy of the probabilities in bits; no prefix code has a smaller mean length
    entropy: float
    fixed_length: int  # bits per symbol of a code whose words are all equally long

    def __str__(self) -> str:
        """Return a table of the words, and the mean length below it."""
        head = ("symbol", "probability", "word")
        lines = [
            (str(symbol), f"{self.probabilities[symbol]:.4g}", word)
            for symbol, word in self.code.items()
        ]
        first, second = (max(len(line[k]) for line in [head, *lines]) for k in (0, 1))
        table = [f"{a:<{first}}  {b:>{second}}  {c}" for a, b, c in [head, *lines]]
        return "\n".join(
            [
                *table,
                f"mean length {self.mean_length:.4g} bits, entropy {self.entropy:.4g} "
                f"bits, fixed length {self.fixed_length} bits",
            ]
        )


def prefix_code(
    probabilities: Iterable[float] | Mapping[Hashable, float] | None = None,
    *,
    counts: Iterable[float] | Mapping[Hashable, float] | None = None,
) -> PrefixCode:
    """Return Huffman's code, which has the smallest mean length of all prefix codes.

    Parameters
    ----------
    probabilities : iterable of numbers, or mapping from symbols to numbers, optional
        They must sum to 1. The symbols of a plain list are 0, 1, 2, ...
    counts : iterable of numbers, or mapping from symbols to numbers, optional
        Instead of probabilities: how often each symbol occurs.

    Returns
    -------
    PrefixCode
        Words, mean length and entropy. `print` shows them as a table.

    Notes
    -----
    The two lightest groups of symbols are joined until one is left; each time a symbol
    is joined its word grows by a bit (Huffman 1952). Equal weights: single symbols
    before groups, later symbols before earlier ones. The words are then handed out in
    ascending order, short ones first, in the order of the input. A symbol of
    probability 0 gets a word too. A single symbol needs no question: its word is empty
    and has length 0.

    Examples
    --------
    >>> from treewright.grow.prefix_code import prefix_code
    >>> print(prefix_code({"a": 1 / 2, "b": 1 / 4, "c": 1 / 8, "d": 1 / 8}))
    symbol  probability  word
    a               0.5  0
    b              0.25  10
    c             0.125  110
    d             0.125  111
    mean length 1.75 bits, entropy 1.75 bits, fixed length 2 bits
    """
    if (probabilities is None) == (counts is None):
        raise SettingError("give either probabilities, or counts=")
    given = counts if probabilities is None else probabilities
    outcomes = read_outcomes(
        None, counts=counts, probabilities=probabilities, weights=None
    )
    symbols = list(given) if isinstance(given, Mapping) else range(len(outcomes))
    shares = (outcomes / outcomes.sum()).tolist()
    words = _canonical_words(_word_lengths(shares))
    return PrefixCode(
        code=dict(zip(symbols, words, strict=True)),
        probabilities=dict(zip(symbols, shares, strict=True)),
        mean_length=sum(p * len(word) for p, word in zip(shares, words, strict=True)),
        entropy=entropy(probabilities=shares),
        fixed_length=(len(shares) - 1).bit_length(),
    )


def _word_lengths(shares: list[float]) -> list[int]:
    """Return how often Huffman's joins meet each symbol."""
    lengths = [0] * len(shares)
    n = len(shares)
    # (weight, rank, members): the rank decides ties, so members are never compared
    heap = [(share, n - symbol, [symbol]) for symbol, share in enumerate(shares)]
    heapq.heapify(heap)
    for rank in range(n + 1, 2 * n):
        weight, _, members = heapq.heappop(heap)
        other_weight, _, other_members = heapq.heappop(heap)
        joined = members + other_members
        for symbol in joined:
            lengths[symbol] += 1
        heapq.heappush(heap, (weight + other_weight, rank, joined))
    return lengths


def _canonical_words(lengths: list[int]) -> list[str]:
    """Return words of the given lengths that ascend as numbers, short ones first.

    After a word comes the next number, with zeros appended up to the new length; so no
    word begins another (Schwartz and Kallick 1964).
    """
    words = [""] * len(lengths)
    number, previous = 0, 0
    for symbol in sorted(range(len(lengths)), key=lambda symbol: lengths[symbol]):
        length = lengths[symbol]
        number <<= length - previous
        words[symbol] = f"{number:0{length}b}" if length else ""
        number, previous = number + 1, length
    return words
