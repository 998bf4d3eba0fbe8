"""Data: rows at prediction that are not like those of training."""

from __future__ import annotations

import inspect
import json
import sys

import handmade
import numpy as np
import polars as pl
import pytest

from refusals import lacking, refused
from treewright import CARTClassifier, CARTRegressor, ID3Classifier, load
from treewright.errors import DataError
from treewright.render import to_dot, to_json, to_text
from treewright.tree.file.save import save

WEATHER = {"Outlook": ["Sunny", "Rain", "Rain", "Overcast"]}
NUMBERS = {"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]}
Y = ["a", "a", "b", "b"]
SPACES = "('Sunny ' is 'Sunny' but for spaces around it)"
SEEN = "'Overcast', 'Rain', 'Sunny'"

REFUSED = {
    "row04-missing": (
        CARTClassifier(missing="error"),
        NUMBERS,
        {"a": [1, None], "b": [1, 2]},
        *("feature 'a'", "1 missing value", "row 1", "missing='error'"),
    ),
    "row17-unseen": (
        CARTClassifier(unseen="error"),
        WEATHER,
        {"Outlook": ["Snow"]},
        *("feature 'Outlook'", "'Snow'", "row 0", SEEN, "unseen='missing'"),
    ),
    "row18-spaces": (
        CARTClassifier(unseen="error"),
        WEATHER,
        {"Outlook": ["Sunny "]},
        *("feature 'Outlook'", "'Sunny '", "row 0", SEEN, "spaces", "unseen='missing'"),
    ),
    "row20-column-is-missing": (
        CARTClassifier(),
        NUMBERS,
        {"c": [1]},
        *("2 columns", "'a', 'b'"),
    ),
    "row20-array-too-wide": (
        CARTClassifier(),
        NUMBERS,
        np.zeros((1, 3)),
        *("X", "3 features", "CARTClassifier", "2 features"),
    ),
    "row21-text": (
        CARTClassifier(),
        NUMBERS,
        {"a": ["1", "x"], "b": [1, 2]},
        *("feature 'a'", "numeric", "row 1", "'x'"),
    ),
    "row21-text-in-a-frame": (
        CARTClassifier(),
        NUMBERS,
        pl.DataFrame({"a": ["1", "x"], "b": [1, 2]}),
        *("feature 'a'", "numeric", "row 1", "'x'"),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    estimator, training, rows, *names = REFUSED[case]
    estimator.fit(training, Y)
    with refused(DataError, *names):
        estimator.predict(rows)


@pytest.mark.parametrize("estimator", [CARTClassifier, ID3Classifier])
@pytest.mark.parametrize("unseen", ["stop", "missing"])
def test_row17_unseen_categories_are_counted(estimator, unseen):
    tree = estimator(unseen=unseen).fit(WEATHER, Y)
    rows = {"Outlook": ["Snow", "Hail", "Snow"]}
    assert tree.predict(rows).tolist() == ["a"] * 3
    assert tree.notes_on(rows) == (
        "feature 'Outlook': 3 rows have values not seen in training: 'Hail', 'Snow'",
    )


def test_row17_default_is_the_dialects():
    assert {CARTClassifier().unseen, ID3Classifier().unseen} == {"stop"}


def test_row18_spaces_are_pointed_out():
    [note] = CARTClassifier().fit(WEATHER, Y).notes_on({"Outlook": ["Sunny "]})
    assert note == (
        "feature 'Outlook': 1 row has a value not seen in training: 'Sunny ' " + SPACES
    )


def test_row19_columns_are_matched_by_name():
    tree = CARTClassifier().fit(NUMBERS, Y)
    turned = dict(reversed(NUMBERS.items()))
    assert tree.predict(turned).tolist() == Y
    assert tree.predict(pl.DataFrame(turned)).tolist() == Y


def test_row20_extra_columns_are_ignored_with_one_warning():
    tree = CARTClassifier().fit(NUMBERS, Y)
    with pytest.warns(UserWarning) as caught:
        assert tree.predict({**NUMBERS, "c": [0] * 4, "d": [0] * 4}).tolist() == Y
    [told] = caught
    assert lacking(str(told.message), ("2 columns", "'c', 'd'")) == []


NAMES = {
    "row22-quotes": ("q\"'", "q\"'", "q\\\"'"),
    "row22-newline": ("new\nline", "new\\nline", "new\\\\nline"),
    "row22-emoji": ("🌲", "🌲", "🌲"),
    "row22-script": ("</script>", "</script>", "</script>"),
    "row22-long": ("n" * 10_000, "n" * 40, "n" * 40),
    "row22-empty": ("", '""', '\\"\\"'),
}


@pytest.mark.parametrize("case", NAMES)
def test_hostile_name_is_harmless(case, tmp_path):
    name, in_text, in_dot = NAMES[case]
    CARTClassifier().fit({name: [1, 2, 3, 4]}, Y).save(tmp_path / "t.tw")
    tree = load(tmp_path / "t.tw")
    assert tree.predict({name: [1, 4]}).tolist() == ["a", "b"]
    assert f"\n{in_text}" in tree.to_text()
    assert f'label="{in_dot}' in tree.to_dot()
    assert json.loads(tree.to_json())["features"][0]["name"] == name
    assert tree.explain({name: 1}).startswith(f"{in_text}")


@pytest.mark.slow
def test_row31_chain_is_walked_and_kept(tmp_path):
    n_levels = 100_000
    model = handmade.chain(n_levels)
    save(model, tmp_path / "deep.tw")
    tree = load(tmp_path / "deep.tw")
    assert tree.get_depth() == n_levels
    assert tree.predict([[0.5], [n_levels * 2.0]]).tolist() == ["b", "b"]
    assert tree.fingerprint() == model.fingerprint()


def test_row31_doubling_targets_make_a_chain():
    rows = np.arange(40)[:, None]
    tree = CARTRegressor().fit(rows, 2.0 ** rows[:, 0])
    # all but the last levels part the two largest numbers from the rest
    assert tree.get_depth() == 22
    assert tree.predict(rows).tolist() == (2.0 ** rows[:, 0]).tolist()


def with_little_recursion(action):
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 150)
    try:
        return action()
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.slow
@pytest.mark.parametrize("show", [to_text, to_json, to_dot])
def test_row31_chain_is_shown_without_recursion(show):
    model = handmade.chain(20_000)
    show(handmade.chain(2))  # what is loaded on first use is loaded now
    assert len(with_little_recursion(lambda: show(model))) > 20_000


@pytest.mark.slow
def test_row31_chain_is_read_as_rules_without_recursion(tmp_path):
    n_levels = 20_000
    save(handmade.chain(n_levels), tmp_path / "deep.tw")
    tree = load(tmp_path / "deep.tw")
    str(load_small(tmp_path).rules())  # what is loaded on first use is loaded now
    rules = with_little_recursion(tree.rules)
    assert len(rules) == n_levels + 1
    # node k asks "x <= k.5" and its other branch goes on: every rule is an interval
    assert {len(rule) for rule in rules} == {1}
    rows = [[0.0], [777.0], [n_levels * 2.0]]
    answers = with_little_recursion(lambda: rules.predict(np.array(rows)))
    assert answers.tolist() == tree.predict(rows).tolist()
    written = with_little_recursion(lambda: (str(rules), rules.to_markdown()))
    assert min(text.count("\n") for text in written) > n_levels
    assert len(json.loads(with_little_recursion(rules.to_json))["rules"]) == len(rules)


def load_small(folder):
    save(handmade.chain(2), folder / "small.tw")
    return load(folder / "small.tw")
