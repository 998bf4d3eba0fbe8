"""With texts, too, a fold's model is the one that its training rows alone give."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from treewright.cli.options.algorithm import Recipe
from treewright.cli.options.learning import learning_from
from treewright.cli.options.roles import Wishes
from treewright.cli.options.training import Again, read_training
from treewright.data.datasets.made_news import make_news
from treewright.estimators.judged.others import asking_named
from treewright.evaluation.errors.held_out_answers import Split, asking
from treewright.learners.registry import names

pytestmark = pytest.mark.slow

ROWS = np.arange(90)
SPLIT = Split(ROWS[ROWS % 3 > 0], ROWS[ROWS % 3 == 0])
NUMBERS_REFUSED = ("id3", "aima", "cal2", "cal3")  # words are counted
SETTINGS = {
    "plain": {},
    "few words": {"text_max_words": 30, "text_weights": "share"},
    "also the rare ones": {"text_min_rows": 1},
}


@pytest.fixture
def files() -> tuple[str, str, str]:
    """Write a table, its training rows and the others; only these have many words."""
    news = make_news(90, 300, 2, length=25)
    rows = [
        [text + (f" only{row} never{row} seen" if row % 3 == 0 else ""), len(text)]
        for row, text in enumerate(news.texts())
    ]
    names = ("whole.csv", "train.csv", "test.csv")
    for name, own in zip(names, (ROWS, SPLIT.train, SPLIT.test), strict=True):
        with Path(name).open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["body", "length", "topic"])
            writer.writerows([*rows[row], news.topics()[row]] for row in own)
    return names


def learning(file, algorithm, **words):
    few = {"n_estimators": 4} if algorithm in ("forest", "extra-trees") else {}
    recipe = Recipe(algorithm, few)
    wishes = Wishes(target=("topic",), text=("body",), **words)
    training = read_training(Again(file, wishes), recipe)
    return training, learning_from(training, seed=5)


@pytest.mark.parametrize("words", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize(
    "algorithm", [one for one in names() if one not in NUMBERS_REFUSED]
)
def test_a_fold_is_the_model_of_its_training_rows(files, algorithm, words):
    whole, train, test = files
    training, learner = learning(whole, algorithm, **words)
    columns = training.columns
    answer = asking(columns, learner.with_threads(1))(SPLIT)
    alone, again = learning(train, algorithm, **words)
    model = again.learn(alone.columns, 1)
    if answer.model is not None:
        assert answer.model.fingerprint() == model.fingerprint()
    with Path(test).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    table = {
        "body": [row["body"] for row in rows],
        "length": [float(row["length"]) for row in rows],
    }
    classes = columns.schema.target.classes[0]
    said = [None if code < 0 else classes[code] for code in answer.predicted.tolist()]
    assert said == list(model.predict(table))


@pytest.mark.parametrize(
    "name",
    [
        "sklearn.ensemble:ExtraTreesClassifier",
        "sklearn.ensemble:RandomForestClassifier",
        "treewright:RandomForestClassifier",
    ],
)
def test_other_learners_get_the_words_of_the_training_rows(files, name):
    whole, train, _ = files
    training, _ = learning(whole, "cart")
    ask = asking_named(name, training.columns, seed=3, words=training.words)
    alone, _ = learning(train, "cart")
    rows = np.arange(alone.columns.n_rows)
    asks = asking_named(name, alone.columns, seed=3, words=alone.words)
    # what is said of the training rows themselves
    fold = ask(Split(SPLIT.train, SPLIT.train))
    assert fold.shares == pytest.approx(asks(Split(rows, rows)).shares, abs=0)
