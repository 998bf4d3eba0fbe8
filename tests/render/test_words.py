"""Text that is escaped, measured and cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.render.fitting.cuts import cut_all_apart
from treewright.render.fitting.safe_text import (
    clip,
    display_width,
    short_number,
    visible,
    weight_text,
)
from treewright.render.listing.phrase import Phrase

FAMILY = "👩‍👩‍👧"
FLAG = "🇩🇪"


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("abc", 3),
        ("纹理", 4),
        ("e\u0301", 1),
        (FAMILY, 2),
        (FLAG, 2),
        ("├─ ≤", 4),
        ("", 0),
        ("❤️", 2),
        ("👍🏽", 2),
    ],
)
def test_display_width(text, width):
    assert display_width(text) == width


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb", "a\\nb"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\u202eb", "a\\u202eb"),
        ("\ud800", "\\ud800"),
        ("\u2028", "\\u2028"),
        (FAMILY, FAMILY),
        ("纹理", "纹理"),
    ],
)
def test_what_does_not_print_is_escaped(text, shown):
    assert visible(text) == shown


def test_ascii_escapes_the_rest():
    assert visible("纹 ü", ascii=True) == "\\u7eb9 \\xfc"


@pytest.mark.parametrize(
    ("text", "width", "cut"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 4, "abc…"),
        ("纹理纹理", 4, "纹…"),
        (FAMILY * 3, 4, FAMILY + "…"),
        (FLAG * 3, 5, FLAG * 2 + "…"),
        ("e\u0301" * 4, 3, "e\u0301" * 2 + "…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
        ("a\\u7eb9b", 5, "a…"),
    ],
)
def test_clip_never_cuts_inside_a_character(text, width, cut):
    assert clip(text, width) == cut


@given(text=st.text(max_size=60), width=st.integers(0, 40), ascii=st.booleans())
def test_clipped_text_fits(text, width, ascii):
    shown = visible(text, ascii=ascii)
    assert display_width(clip(shown, width, ascii=ascii)) <= width


@given(parts=st.tuples(*[st.text("abc纹 ", max_size=30)] * 3), width=st.integers(0, 50))
def test_clipped_phrase_fits(parts, width):
    assert display_width(Phrase(*parts).clip(width)) <= width


def test_phrase_keeps_its_tail():
    phrase = Phrase("| ", "a very long head of a line", ": Yes (4)")
    assert phrase.clip(24) == "| a very long…: Yes (4)"


@pytest.mark.parametrize(
    ("weight", "text"),
    [(4.0, "4"), (2.5, "2.50"), (1 / 3, "0.33"), (1e300, "1e+300"), (0.0, "0")],
)
def test_weight_text(weight, text):
    assert weight_text(weight) == text


@pytest.mark.parametrize(
    ("texts", "width", "cut"),
    [
        (["tested_negative", "tested_positive"], 15, None),
        (["tested_negative", "tested_positive"], 9, ["…negative", "…positive"]),
        (["tested_negative", "tested_positive"], 6, ["…nega…", "…posi…"]),
        (["Iris-versicolor", "Iris-virginica"], 11, ["…versicolor", "…virginica"]),
        (["an answer", "some other"], 6, ["an an…", "some…"]),
        (["abcdefgh1", "abcdefgh2", "xyzxyzxyz"], 5, ["…1", "…2", "xyzx…"]),
        (["same", "same"], 3, ["sa…", "sa…"]),
    ],
)
def test_texts_are_cut_so_that_they_differ(texts, width, cut):
    assert cut_all_apart(texts, width) == (cut or texts)


@given(
    texts=st.lists(st.text("ab纹 e\u0301\\", max_size=30), max_size=5),
    width=st.integers(0, 20),
    ascii=st.booleans(),
)
def test_texts_cut_apart_fit(texts, width, ascii):
    shown = [visible(text, ascii=ascii) for text in texts]
    for text in cut_all_apart(shown, width, ascii=ascii):
        assert display_width(text) <= width


def test_phrase_keeps_a_short_condition_and_cuts_the_answer():
    phrase = Phrase("│  ├─ ", "in (2.3, 2.6]", " → Iris-versicolor")
    assert phrase.clip(30) == "│  ├─ in (2.3, 2.6] → Iris-ve…"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (220625.0, "220625"),
        (220624.75, "220625"),
        (123456789.0, "123456789"),
        (-120000.0, "-120000"),
        (1234567891.0, "1.23457e+09"),
        (53.71234, "53.712"),
        (99999.4, "99999"),
        (0.000012345678, "1.2346e-05"),
        (0.0, "0"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_numbers_for_people_have_no_powers_below_a_billion(number, text):
    assert short_number(number) == text


ENDINGS = (" … 40 nodes below (#12)", " … 40 below (#12)", " … (#12)")


@pytest.mark.parametrize("width", range(12, 70))
def test_the_number_of_a_folded_node_is_not_cut(width):
    phrase = Phrase("│  ├─ ", "≤ 10", ": a feature with a name", endings=ENDINGS)
    line = phrase.clip(width)
    assert display_width(line) <= width
    assert line.endswith("(#12)")
    assert "… …" not in line
    if width >= display_width(str(phrase)):
        assert line == str(phrase)
