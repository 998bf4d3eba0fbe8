"""Words: a column of texts becomes a bag of words, a sparse column for each word.

Texts are taken apart as scikit-learn's `CountVectorizer` does by itself: in small
letters, every run of two or more letters, digits or underscores is a word. Nothing else
is learned from a table of texts here, so folds may share it; which words are frequent
enough is found in each fold's own rows (`kept_words`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.schema import Feature, Schema, Word
from treewright.data.sparse.sparse_columns import SparseColumn
from treewright.data.sparse.sparse_table import SparseTable
from treewright.data.tables.raw import Table
from treewright.errors import DataError

_WORD = re.compile(r"(?u)\b\w\w+\b")


@dataclass(frozen=True)
class WordSettings:
    """How texts become columns."""

    # {"counts", "presence", "share"}: how often the word is in the text, whether it is
    # (1 or 0), or how often of all the words of the text
    weights: str = "counts"
    min_rows: int = 2  # a word must be in as many texts
    # only so many words of each column, those that are in most texts
    max_words: int | None = None


def words_of(text: str) -> list[str]:
    """Return the words of a text."""
    return _WORD.findall(text.lower())


def word_name(column: str, text: str) -> str:
    """Return what the feature of a word is called."""
    return f'{column}: "{text}"'


def word_feature(column: str, text: str, weights: str) -> Feature:
    """Return the feature of a word of a column."""
    word = Word(column, text, weights)
    return Feature(word_name(column, text), "numeric", word=word)


def with_words(
    others: Table, texts: Mapping[str, Sequence[str | None]], weights: str
) -> SparseTable:
    """Return a table with the words of some columns behind its others."""
    features: list[Feature] = []
    parts = []
    for name, column in texts.items():
        counts = [Counter(words_of(text or "")) for text in column]
        words = sorted(set().union(*counts))
        if not words:
            raise DataError(
                f"the texts of column {name!r} have no words (of two letters or more); "
                "leave the column out"
            )
        _refuse_same_name(others.names, name, words)
        number = {word: len(features) + k for k, word in enumerate(words)}
        features += [word_feature(name, word, weights) for word in words]
        parts.append(_entries(counts, number, weights))
    row, place, value = (np.concatenate(part) for part in zip(*parts, strict=True))
    n_rows = len(next(iter(texts.values())))
    if not others.names:
        others = Table((), (), n_rows, named=True)
    return SparseTable(others, tuple(features), row, place, value, n_rows)


def _refuse_same_name(names: Collection[str], column: str, words: list[str]) -> None:
    """Raise if a column is called as the feature of a word is."""
    known = {*names}
    for word in words:
        if (name := word_name(column, word)) in known:
            raise DataError(
                f"the table has a column {name!r}, and so is the word {word!r} of "
                f"{column!r} called; rename the column, or leave it out"
            )


def rows_with_words(table: Table, schema: Schema) -> SparseTable:
    """Return the rows of a table of texts with the words that a model knows."""
    own = [feature for feature in schema.features if feature.word is not None]
    number: dict[str, dict[str, int]] = {}
    for k, feature in enumerate(own):
        assert feature.word is not None
        number.setdefault(feature.word.column, {})[feature.word.text] = k
    parts = []
    for name, known in number.items():
        if name not in table.names:
            raise DataError(
                f"the table lacks the column {name!r}, whose texts the model was "
                "trained on; add it, with empty cells if there are no texts"
            )
        column = table.columns[table.names.index(name)]
        counts = [Counter(words_of(text)) for text in _texts(name, column)]
        first = own[next(iter(known.values()))].word
        assert first is not None
        parts.append(_entries(counts, known, first.weights))
    row, place, value = (np.concatenate(part) for part in zip(*parts, strict=True))
    left = [k for k, name in enumerate(table.names) if name not in number]
    others = Table(
        tuple(table.names[k] for k in left),
        tuple(table.columns[k] for k in left),
        table.n_rows,
        table.named,
    )
    return SparseTable(others, tuple(own), row, place, value, table.n_rows)


def _texts(name: str, column: Any) -> Iterable[str]:
    """The texts of a raw column; a missing one is empty."""
    labels = getattr(column, "labels", None)
    if labels is None and not column.is_missing().all():
        raise DataError(
            f"column {name!r} held texts in training and holds numbers here; pass texts"
        )
    if labels is None:
        return [""] * len(column)
    texts = [*map(str, labels), ""]  # the code of missing is -1
    return [texts[code] for code in column.codes.tolist()]


def _entries(
    counts: Sequence[Counter[str]], number: dict[str, int], weights: str
) -> tuple[Any, Any, Any]:
    """Row, column and value of each word that has a number."""
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    for row, own in enumerate(counts):
        whole = own.total() if weights == "share" else 1
        for word, count in own.items():
            place = number.get(word)
            if place is None:
                continue
            rows.append(row)
            columns.append(place)
            values.append(1.0 if weights == "presence" else count / whole)
    return np.array(rows, np.int64), np.array(columns, np.int64), np.array(values)


def kept_words(columns: Columns, settings: WordSettings) -> Columns:
    """Return a table without the words that are too rare in its rows.

    A table of other rows has more words then: `Columns.only` takes those of a model.
    """
    features = columns.schema.features
    words = [(k, f.word) for k, f in enumerate(features) if f.word is not None]
    sparse = [columns.features[k] for k, _ in words]
    blocks = [column.block for column in sparse if isinstance(column, SparseColumn)]
    if not blocks:
        return columns
    # the words of a table are the columns of one block, in the same order
    block = blocks[0]
    keeps = are_kept(np.diff(block.starts), [word for _, word in words], settings)
    if keeps.all():
        return columns
    fewer = iter(block.only(np.flatnonzero(keeps)).columns())
    kept = np.ones(len(features), bool)
    kept[[k for k, _ in words]] = keeps
    of_word = {k for k, _ in words}
    return replace(
        columns,
        schema=replace(
            columns.schema,
            features=tuple(f for f, keep in zip(features, kept, strict=True) if keep),
        ),
        features=tuple(
            next(fewer) if k in of_word else columns.features[k]
            for k in np.flatnonzero(kept).tolist()
        ),
    )


def are_kept(
    n_texts: npt.NDArray[np.int64], words: Sequence[Word], settings: WordSettings
) -> npt.NDArray[np.bool_]:
    """Return which words are frequent enough, by the number of texts that have each."""
    keeps = n_texts >= settings.min_rows
    columns = np.array([word.column for word in words])
    for name in dict.fromkeys(word.column for word in words):
        here = columns == name
        if settings.max_words is not None:
            order = np.flatnonzero(here & keeps)
            order = order[np.argsort(-n_texts[order], kind="stable")]
            keeps[order[settings.max_words :]] = False
        if not (keeps & here).any():
            raise DataError(
                f"no word of column {name!r} is in {counted(settings.min_rows, 'text')}"
                " or more; lower --text-min-rows, or leave the column out"
            )
    return keeps
