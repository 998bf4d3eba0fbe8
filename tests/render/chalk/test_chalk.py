"""Chalk as a sequence of steps, and its options."""

from __future__ import annotations

import pytest
from chalks import chalk_of_example

from refusals import refused
from treewright.errors import SettingError
from treewright.learners.dialects.id3 import ID3


@pytest.fixture(scope="module")
def tennis():
    return chalk_of_example("tennis", ID3)


def test_a_sequence_of_steps(tennis):
    assert len(tennis) == 8
    assert [one.step.node for one in tennis] == list(range(8))
    assert tennis[-1].step.is_leaf
    assert [one.step.number for one in tennis[:2]] == [1, 2]


def test_formula_has_the_numbers_put_in(tennis):
    formula = "0.9403 - 4/14*0 - 5/14*0.9710 - 5/14*0.9710 = 0.2467"
    assert tennis[0].formula("Outlook") == formula
    short = "0.94 - 7/14*0.99 - 7/14*0.59 = 0.15"
    assert tennis[0].formula("Humidity", digits=2) == short
    with refused(KeyError, "'Rain'", "Outlook", "Temperature"):
        tennis[0].formula("Rain")


def test_print_gives_the_text(tennis):
    assert str(tennis) == tennis.to_text()
    assert str(tennis[0]) in str(tennis)


@pytest.mark.parametrize("digits", [0, 16, 2.5, True, "4"])
def test_digits_out_of_range(tennis, digits):
    with refused(SettingError, "digits", "1 to 15", repr(digits)):
        tennis.to_text(digits=digits)


def test_unknown_language_lists_what_there_is(tennis):
    with refused(SettingError, "language", "'fr'", "en (English)", "de (Deutsch)"):
        tennis.to_text(language="fr")
