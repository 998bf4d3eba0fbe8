"""Noise in the rows that are learned from, and in no others."""

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.data.encoding.encode import encode
from treewright.data.sparse.bag_of_words import with_words
from treewright.data.tables.frames import read_frame
from treewright.errors import SettingError
from treewright.evaluation.noisy import Noise
from treewright.evaluation.table_part import part_of
from treewright.learners.dialects.cart import CART
from treewright.learners.recipe import grow_tree


def table():
    rng = np.random.default_rng(3)
    cells = {"x": rng.random(200), "k": rng.choice(["a", "b", "c"], 200)}
    return cells, np.where((cells["x"] > 0.5) != (cells["k"] == "a"), "yes", "no")


@pytest.mark.parametrize("rates", [{"cells": 0.3}, {"answers": 0.2}, {}])
def test_encoded_rows_get_the_noise_of_tables(rates):
    X, y = table()
    noisy = tw.with_noise(X, y, random_state=5, **rates)
    expected = grow_tree(encode(*noisy, task="classes"), CART)
    rows = Noise(**rates).drawn(encode(X, y, task="classes"), 5)
    assert grow_tree(rows, CART).fingerprint() == expected.fingerprint()


def test_the_table_is_left_as_it_is():
    X, y = table()
    columns = encode(X, y, task="classes")
    codes, target = columns.features[0].codes.copy(), columns.target.copy()
    Noise(0.9, 0.9).into(columns)
    assert (columns.features[0].codes == codes).all()
    assert (columns.target == target).all()


def test_no_noise_in_the_cells_of_texts():
    words = with_words(read_frame({}), {"body": ["one two", "two six"]}, "counts")
    columns = encode(words, ["x", "y"], task="classes")
    assert Noise(answers=1.0).into(columns).n_rows == 2
    with refused(SettingError, "texts", "--noise-in answers"):
        Noise(cells=0.1).into(columns)


def replaced(columns, noise):
    return np.flatnonzero(noise.into(columns).target[:, 0] != columns.target[:, 0])


def test_folds_and_seeds_have_noise_of_their_own():
    X, y = table()
    columns = encode(X, y, task="classes")
    one, two = (part_of(columns, np.arange(k, 200, 2)) for k in (0, 1))
    noise = Noise(answers=0.3)
    assert (replaced(one, noise) == replaced(one, noise)).all()
    assert replaced(one, noise).tolist() != replaced(two, noise).tolist()
    other = Noise(answers=0.3, seed=1)
    assert replaced(one, noise).tolist() != replaced(one, other).tolist()
    more = Noise(answers=0.5)  # the same and others
    assert {*replaced(one, noise)} <= {*replaced(one, more)}
