"""Laws of prefix codes, and the best code by brute force."""

from __future__ import annotations

import math
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusals import refused
from treewright.errors import DataError, SettingError
from treewright.grow.prefix_code import prefix_code

counts = st.lists(st.integers(1, 50), min_size=2, max_size=12)


def shortest_mean_length(shares: list[float]) -> float:
    """Try all word lengths that a prefix code can have (Kraft's inequality)."""
    longest = len(shares) - 1
    return min(
        sum(share * length for share, length in zip(shares, lengths, strict=True))
        for lengths in product(range(1, longest + 1), repeat=len(shares))
        if sum(2.0**-length for length in lengths) <= 1
    )


@given(counts)
def test_no_word_begins_another(numbers):
    words = prefix_code(counts=numbers).code.values()
    assert not any(b.startswith(a) for a, b in permutations(words, 2))


@given(counts)
def test_no_word_could_be_added(numbers):
    words = prefix_code(counts=numbers).code.values()
    assert sum(2.0 ** -len(word) for word in words) == 1  # Kraft's equality


@given(counts)
def test_mean_length_is_within_a_bit_of_the_entropy(numbers):
    code = prefix_code(counts=numbers)
    assert code.entropy - 1e-9 <= code.mean_length < code.entropy + 1
    assert code.mean_length <= code.fixed_length + 1e-9


@given(st.lists(st.integers(1, 50), min_size=2, max_size=5))
def test_no_code_is_shorter(numbers):
    code = prefix_code(counts=numbers)
    best = shortest_mean_length(list(code.probabilities.values()))
    assert code.mean_length == pytest.approx(best)


@given(counts)
def test_likelier_symbols_have_no_longer_words(numbers):
    words = prefix_code(counts=numbers).code.values()
    ranked = sorted(zip(numbers, (-len(word) for word in words), strict=True))
    assert [length for _, length in ranked] == sorted(length for _, length in ranked)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([1, 1], ["0", "1"]),
        ([1, 1, 1], ["0", "10", "11"]),
        ([1, 1, 1, 1], ["00", "01", "10", "11"]),
        ([1, 2, 4, 1], ["110", "10", "0", "111"]),
        # after 1 + 1 there are four 2s: single symbols first keeps the words short
        ([2, 2, 2, 1, 1], ["00", "01", "10", "110", "111"]),
    ],
)
def test_ties_are_decided_by_rule(numbers, words):
    assert list(prefix_code(counts=numbers).code.values()) == words


def test_single_symbol_needs_no_bit():
    code = prefix_code({"always": 1})
    assert code.code == {"always": ""}
    assert code.mean_length == code.entropy == code.fixed_length == 0


def test_impossible_symbol_has_a_word_too():
    code = prefix_code([0.5, 0.5, 0])
    assert code.code == {0: "0", 1: "10", 2: "11"}
    assert code.mean_length == 1.5


def test_code_prints_as_a_table():
    code = prefix_code({"often": 2 / 3, "now and then": 1 / 3})
    assert str(code).splitlines() == [
        "symbol        probability  word",
        "often              0.6667  0",
        "now and then       0.3333  1",
        "mean length 1 bits, entropy 0.9183 bits, fixed length 1 bits",
    ]


@pytest.mark.parametrize(
    ("given_probabilities", "names"),
    [
        ([], ("probabilities", "no")),
        ([0.5, 0.6], ("probabilities", 1.1, "counts=")),
        ([1.5, -0.5], ("probabilities", "negative", "row 1")),
        ([math.nan, 1], ("probabilities", "infinite", "row 0")),
    ],
)
def test_bad_probabilities_are_refused(given_probabilities, names):
    with refused(DataError, *names):
        prefix_code(given_probabilities)


def test_one_kind_of_input_is_needed():
    with refused(SettingError, "probabilities", "counts="):
        prefix_code()
    with refused(SettingError, "probabilities", "counts="):
        prefix_code([1], counts=[1])
