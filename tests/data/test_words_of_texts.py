"""Texts become words as scikit-learn's vectoriser makes them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline

from refusals import refused
from treewright import CARTClassifier
from treewright.data.datasets.made_news import make_news
from treewright.data.encoding.encode import encode
from treewright.data.sparse.bag_of_words import (
    WordSettings,
    kept_words,
    with_words,
    words_of,
)
from treewright.data.sparse.sparse_table import SparseTable
from treewright.data.tables.frames import read_frame
from treewright.errors import DataError
from treewright.evaluation.table_part import part_of
from treewright.learners.dialects.cart import CART
from treewright.learners.recipe import grow_tree
from treewright.tree.asked_words import only_asked_words
from treewright.tree.file.save import load, save

TEXTS = ["The goal, the match!", "a vote", None, "Vote for the budget: 12 votes"]
ANSWERS = ["sport", "news", "none", "news"]


def columns_of(texts, answers, weights="counts", others=None):
    table = with_words(read_frame(others or {}), {"body": texts}, weights)
    return encode(table, answers, task="classes")


@pytest.mark.slow
@given(st.text())
def test_words_are_those_of_the_vectoriser(text):
    assert words_of(text) == CountVectorizer().build_analyzer()(text)


@pytest.mark.parametrize("weights", ["counts", "presence", "share"])
def test_columns_are_those_of_the_vectoriser(weights):
    news = make_news(40, 300, 2, length=20)
    table = with_words(read_frame({}), {"body": news.texts()}, weights)
    vectoriser = CountVectorizer(binary=weights == "presence")
    expected = vectoriser.fit_transform(news.texts()).toarray().astype(float)
    if weights == "share":
        expected /= expected.sum(axis=1, keepdims=True)
    assert isinstance(table, SparseTable)
    assert np.allclose(np.asarray(table.cells()), expected, rtol=0, atol=1e-15)
    words = vectoriser.get_feature_names_out()
    assert table.names == tuple(f'body: "{word}"' for word in words)


@pytest.mark.slow
def test_a_tree_of_words_is_that_of_a_pipeline():
    news = make_news(200, 1000, 3)
    pipeline = make_pipeline(CountVectorizer(min_df=5), CARTClassifier())
    pipeline.fit(news.texts(), news.topic)
    columns = kept_words(columns_of(news.texts(), news.topic), WordSettings(min_rows=5))
    model = grow_tree(columns, CART)
    tree, other = model.trees[0], pipeline[-1].model_.trees[0]
    assert tree.node_count == other.node_count
    assert (tree.threshold[tree.kind > 0] == other.threshold[other.kind > 0]).all()
    new = make_news(100, 1000, 3, random_state=8).texts()
    said = model.predict({"body": new})
    assert (said == pipeline.predict(new)).all()


def test_words_are_counted_in_the_rows_that_are_learned_from():
    columns = columns_of(TEXTS, ANSWERS)
    kept = kept_words(columns, WordSettings(min_rows=2))
    asked = [
        f.name
        for f, c in zip(kept.schema.features, kept.features, strict=True)
        if c.n_codes > 1
    ]
    assert asked == ['body: "the"', 'body: "vote"']
    kept = kept_words(columns, WordSettings(min_rows=1, max_words=1))
    assert sum(column.n_codes > 1 for column in kept.features) == 1
    with refused(DataError, "'body'", "5 texts", "--text-min-rows"):
        kept_words(columns, WordSettings(min_rows=5))


@pytest.mark.slow
def test_a_part_of_the_rows_learns_its_words_from_them_alone():
    news = make_news(200, 1000, 3)
    columns, rows = columns_of(news.texts(), news.topic), np.arange(0, 200, 2)
    part = kept_words(part_of(columns, rows), WordSettings(min_rows=4))
    texts = [news.texts()[row] for row in rows]
    pipeline = make_pipeline(CountVectorizer(min_df=4), CARTClassifier())
    pipeline.fit(texts, news.topic[rows])
    tree, other = grow_tree(part, CART).trees[0], pipeline[-1].model_.trees[0]
    assert tree.gain.tolist() == other.gain.tolist()
    assert tree.n_rows.tolist() == other.n_rows.tolist()


@pytest.mark.parametrize("texts", [["", None], ["a b", "! ?"], [None, None]])
def test_texts_without_any_words_are_refused(texts):
    with refused(DataError, "'body'", "words", "letters"):
        columns_of(texts, ["x", "y"])


def test_a_file_has_the_words_that_are_asked_about(tmp_path):
    others = {"length": [20.0, 6.0, np.nan, 29.0], "day": ["mo", "tu", "mo", "tu"]}
    columns = columns_of(TEXTS, ANSWERS, others=others)
    model = grow_tree(columns, CART)
    rows = {"body": TEXTS, **others}
    path = tmp_path / "news.tw"
    save(only_asked_words(model), path)
    small = load(path)
    assert len(small.schema.features) < len(model.schema.features)
    assert small.predict(rows).tolist() == model.predict(rows).tolist() == ANSWERS
    with refused(DataError, "lacks", "'body'"):
        small.predict(others)
    with refused(DataError, "'body'", "texts", "numbers"):
        small.predict({**others, "body": [1, 2, 3, 4]})
    nothing = {**others, "body": [None] * 4}
    assert len(small.predict(nothing)) == 4


def test_columns_of_counts_are_taken_as_such():
    columns = columns_of(TEXTS, ANSWERS)
    model = grow_tree(columns, CART)
    counts = {name: np.zeros(2) for name in model.schema.names}
    assert len(model.predict(counts)) == 2


def test_made_news_have_their_topics():
    news = make_news(300, 2000, 3, random_state=4)
    texts, topics = news.texts(), news.topics()
    assert len(texts) == len(topics) == 300
    assert set(topics) == {"topic 1", "topic 2", "topic 3"}
    assert texts == make_news(300, 2000, 3, random_state=4).texts()
    most = np.bincount(news.word).max() / len(news.word)
    assert 0.05 < most < 0.2  # Zipf: 1 / (1 + 1/2 + ... + 1/2000) = 0.12
