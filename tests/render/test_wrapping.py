"""Paragraphs are wrapped by the columns that their characters take."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.render.fitting.safe_text import display_width
from treewright.render.fitting.wrapping import wrapped

WORDS = st.lists(st.text("abcdefg", min_size=1, max_size=9), min_size=1, max_size=20)


@given(WORDS, st.integers(13, 40), st.integers(0, 4))
def test_plain_words_are_wrapped_as_by_textwrap(words, width, indent):
    text = " ".join(words)
    expected = textwrap.wrap(text, width, subsequent_indent=" " * indent)
    assert list(wrapped(text, width, indent=indent)) == expected


@given(st.text("瓜a b", min_size=1, max_size=60), st.integers(8, 30))
def test_wide_characters_fit_and_none_is_lost(text, width):
    lines = list(wrapped(text, width, indent=2))
    assert max(map(display_width, lines)) <= max(width, len(text) - len(text.lstrip()))
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("text", ["", "  start of a line", "  New  York"])
def test_blanks_are_kept(text):
    assert next(wrapped(text, 40)) == text


def test_blanks_are_dropped_where_a_line_breaks():
    assert list(wrapped("in New   York", 6, indent=2)) == ["in New", "  York"]
    assert list(wrapped("two\n lines", 20)) == ["two  lines"]
