"""Made-up news: documents of topics, to try text columns on without any download.

How often words occur follows Zipf's law, as in any language: the k-th most frequent
word has a share in proportion to 1 / k. A topic has some words of its own, again by
Zipf's law; most words of a document are of the language, the rest are of its topic.
Words are made of syllables, so that trees and rules can be read aloud.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]


@dataclass(frozen=True)
class News:
    """Documents and their topics.

    `row` and `word` say, word after word, in which document it stands and which it is;
    `topic` is that of each document.
    """

    row: Ints
    word: Ints
    topic: Ints

    def texts(self) -> list[str]:
        """Return the documents as texts."""
        names = [name_of(word) for word in range(int(self.word.max()) + 1)]
        borders = np.flatnonzero(np.diff(self.row)) + 1
        return [
            " ".join(names[word] for word in part.tolist())
            for part in np.split(self.word, borders)
        ]

    def topics(self) -> list[str]:
        """Return the topics as names."""
        return [f"topic {number + 1}" for number in self.topic.tolist()]


def make_news(
    n_documents: int = 2000,
    n_words: int = 10_000,
    n_topics: int = 4,
    *,
    length: int = 120,
    own_share: float = 0.1,
    n_own_words: int = 500,
    random_state: int = 0,
) -> News:
    """Make documents.

    - `n_documents`, `n_words`, `n_topics`: how many documents, different words of the
      language, and topics.
    - `length`: words of a document, on average; at least 1 each.
    - `own_share`: the share of a document's words that are of its topic, on average.
    - `n_own_words`: how many words a topic has of its own; topics may share some.
    - `random_state`: where the draws start.
    """
    rng = np.random.default_rng(random_state)
    own = np.stack([rng.permutation(n_words)[:n_own_words] for _ in range(n_topics)])
    topic = rng.integers(0, n_topics, n_documents)
    lengths = np.maximum(rng.poisson(length, n_documents), 1)
    row = np.repeat(np.arange(n_documents), lengths)
    word = _zipf(rng, n_words, len(row))
    # how much a document speaks of its topic differs from one to the next
    shares = rng.beta(2.0, 2.0 * (1.0 - own_share) / own_share, n_documents)
    is_own = rng.random(len(row)) < shares[row]
    chosen = _zipf(rng, own.shape[1], int(is_own.sum()))
    word[is_own] = own[topic[row[is_own]], chosen]
    return News(row, word, topic)


def name_of(word: int) -> str:
    """Return a word as text; different words have different ones."""
    name = ""
    word += len(_SYLLABLES)  # two syllables at least
    while word:
        word, syllable = divmod(word, len(_SYLLABLES))
        name += _SYLLABLES[syllable]
    return name


def _zipf(rng: np.random.Generator, n_words: int, size: int) -> Ints:
    """Draw numbers below n_words, k with a share in proportion to 1 / (k + 1)."""
    upto = np.cumsum(1.0 / np.arange(1, n_words + 1))
    drawn: Ints = np.searchsorted(upto, rng.random(size) * upto[-1])
    return drawn
