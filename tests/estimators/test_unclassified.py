"""Branches without training rows that give no class: what every door answers."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import ModelFileError, SettingError
from treewright.learners.dialects.cart import CART_NUMBERS
from treewright.tree.file.save import from_bytes, to_bytes

# "c" is declared and never occurs
SKY = pl.Enum(["a", "b", "c"])
X = pl.DataFrame({"sky": ["a", "a", "b", "b", "b"]}, schema={"sky": SKY})
ASKED = pl.DataFrame({"sky": ["a", "c", "b"]}, schema={"sky": SKY})
TEXT = ["no", "no", "yes", "yes", "yes"]


def tree(y=TEXT, **switches):
    return tw.ID3Classifier(empty_branch="unclassified", **switches).fit(X, y)


def test_text_labels_have_none():
    assert tree().predict(ASKED).tolist() == ["no", None, "yes"]


@pytest.mark.parametrize(
    ("y", "dtype", "wanted"),
    [
        ([0, 0, 1, 1, 1], float, [0.0, np.nan, 1.0]),
        ([0.5, 0.5, 2.0, 2.0, 2.0], float, [0.5, np.nan, 2.0]),
        ([2**60] * 2 + [2**60 + 1] * 3, object, [2**60, None, 2**60 + 1]),
        ([False] * 2 + [True] * 3, object, [False, None, True]),
    ],
)
def test_labels_of_other_types_have_what_says_nothing(y, dtype, wanted):
    answers = tree(y).predict(ASKED)
    assert answers.dtype == dtype
    assert str(answers.tolist()) == str(wanted)


def test_dates_have_nat():
    days = np.array(["2026-01-01"] * 2 + ["2026-01-02"] * 3, "datetime64[D]")
    answers = tree(days).predict(ASKED)
    assert np.isnat(answers).tolist() == [False, True, False]


def test_labels_keep_their_type_if_every_row_has_a_class():
    assert tree([0, 0, 1, 1, 1]).predict(X).dtype == np.int64


@pytest.mark.parametrize("probabilities", ["raw", "laplace", "m_estimate"])
def test_shares_are_zero(probabilities):
    shares = tree(probabilities=probabilities).predict_proba(ASKED)
    assert shares[1].tolist() == [0.0, 0.0]
    assert shares[[0, 2]].sum(axis=1).tolist() == pytest.approx([1.0, 1.0])


def test_several_outputs_are_all_unclassified():
    y = pl.DataFrame({"p": TEXT, "q": ["u", "u", "v", "v", "v"]})
    found = tree(y)
    assert found.predict(ASKED).tolist()[1] == [None, None]
    assert [shares[1].tolist() for shares in found.predict_proba(ASKED)] == [[0, 0]] * 2


def test_score_counts_it_as_wrong_even_beside_an_unseen_class():
    assert tree().score(ASKED, ["no", "yes", "yes"]) == pytest.approx(2 / 3)
    assert tree().score(ASKED, ["no", "never seen", "yes"]) == pytest.approx(2 / 3)


def test_listings_say_so():
    found = tree()
    assert "sky c: unclassified (0)" in found.to_text("lecture")
    [line] = [line for line in found.to_text().splitlines() if "c →" in line]
    assert line.split()[1:] == "c → unclassified 0 0 0 no training rows".split()
    assert found.explain({"sky": "c"}).splitlines()[-1] == (
        "→ target unclassified (no training rows)"
    )
    assert 'label="unclassified\\n0 rows\\nno training rows"];' in found.to_dot()
    leaf = json.loads(found.to_json())["trees"][0]["nodes"][3]
    assert leaf["prediction"] == [None]
    assert leaf["reason"] == "no training rows"


def test_files_keep_it(tmp_path):
    found = tree()
    found.save(tmp_path / "t.tw")
    again = tw.load(tmp_path / "t.tw")
    assert again.predict(ASKED).tolist() == ["no", None, "yes"]
    assert again.fingerprint() == found.fingerprint()
    assert again.fingerprint() != tw.ID3Classifier().fit(X, TEXT).fingerprint()


def test_fingerprint_tells_no_class_from_the_last_one():
    found = tree().model_
    given = from_bytes(to_bytes(found))
    given.trees[0].label[3] = 1
    assert given.fingerprint() != found.fingerprint()


@pytest.mark.parametrize("node", [0, 1])
def test_file_in_which_a_node_with_rows_gives_no_class_is_refused(node):
    model = from_bytes(to_bytes(tree().model_))
    model.trees[0].label[node] = -1
    with refused(ModelFileError, f"node {node}", [-1]):
        from_bytes(to_bytes(model))


def test_pruning_keeps_it_and_held_out_rows_find_it_wrong():
    grown = tw.TreeClassifier(
        nominal_splits="multiway", criterion="entropy", empty_branch="unclassified"
    )
    held_out = ASKED, ["no", "yes", "yes"]
    kept = grown.set_params(pruning="reduced_error").fit(X, TEXT, validation=held_out)
    # 1 of 3 is wrong at the unclassified leaf, and 1 of 3 if all are "yes"
    assert kept.get_n_leaves() == 1
    kept.fit(X, TEXT, validation=(ASKED[[0, 0, 2]], ["no", "no", "yes"]))
    assert kept.predict(ASKED).tolist() == ["no", None, "yes"]
    unseen = (ASKED[[0, 0, 1, 2]], ["no", "no", "never seen", "yes"])
    assert kept.fit(X, TEXT, validation=unseen).get_n_leaves() == 3


def test_rows_that_are_given_back_give_it_a_class():
    found = tw.TreeClassifier(
        nominal_splits="multiway",
        empty_branch="unclassified",
        pruning="reduced_error",
        give_back=True,
    ).fit(X, TEXT, validation=(ASKED[[0, 0, 1]], ["no", "no", "no"]))
    assert found.predict(ASKED).tolist() == ["no", "no", "yes"]


def test_error_based_pruning_keeps_it():
    found = tw.C45Classifier(
        empty_branch="unclassified", min_samples_leaf=1, collapse=None, confidence=0.9
    ).fit(X, TEXT)
    assert found.predict(ASKED).tolist() == ["no", None, "yes"]


def test_numbers_cannot_be_unclassified():
    with refused(
        SettingError,
        "empty_branch='unclassified'",
        "empty_branch='parent_distribution'",
    ):
        CART_NUMBERS.change(empty_branch="unclassified")
