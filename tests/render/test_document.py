"""A page in no format, as HTML and as Markdown: nothing in it acts."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.render.charts.bar_chart import Bar, bars_svg
from treewright.render.document.blocks import (
    BulletList,
    Cell,
    Code,
    Command,
    Document,
    DocumentColumn,
    DocumentTable,
    Paragraph,
    Picture,
    Section,
    Strong,
    named,
)
from treewright.render.document.html_text import to_html
from treewright.render.document.markdown_text import to_markdown

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="10"/>'


def document(text: str) -> Document:
    line = ("before ", named(text), text, Strong(text), Code(text))
    table = DocumentTable(
        line,
        (DocumentColumn(line, right=False), DocumentColumn((text,))),
        ((line, Cell((text,), "good2")), ((text,), (named(text),))),
        strong=(1,),
    )
    blocks = (Paragraph(line), BulletList((line,)), table, Command(line, text))
    picture = Picture("one", SVG, line, line)
    return Document(line, (line,), (Section("key", text, (*blocks, picture)),), line)


@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_html_has_the_same_elements_whatever_the_words_are(text):
    shape = re.findall(r"</?[a-z][a-z0-9]*", to_html(document("x")))
    page = to_html(document(text))
    page.encode()
    assert re.findall(r"</?[a-z][a-z0-9]*", page) == shape
    body = page[page.index("<body>") :].replace("</html>\n", "")
    ET.fromstring(body)  # well formed, so nothing can be left open


@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_markdown_has_the_same_lines_whatever_the_words_are(text):
    names = {"one": "report-one.svg"}
    # backticks lengthen the fence around code; all else must leave the lines alone
    shape = to_markdown(document("x"), names).count("\n")
    n_more = text.count("\n")  # the command has as many lines as it was given
    page = to_markdown(document(text), names)
    page.encode()
    assert page.count("\n") == shape + n_more
    table = re.findall(r"^\|.*\|$", page, re.MULTILINE)
    bars = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in table[:4]}
    assert len(bars) == 1


@pytest.mark.parametrize("text", ["<b>", "a & b", '"', "]( http://x)", "![x](y)"])
def test_markdown_has_no_html_and_no_links(text):
    page = to_markdown(document(text), {"one": "f.svg"})
    without_code = re.sub(r"(`+).*?\1", "", page, flags=re.DOTALL)
    assert not re.search(r"(?<!\\)<(?!f\.svg>)", without_code)
    assert without_code.count("](<") == 1


def test_bars_are_well_formed_and_as_long_as_their_values():
    bars = [
        Bar("a & b", 4.0, "4 <", 3.0, 5.0),
        Bar("c" * 500, 2.0, "2"),
        Bar("", -1.0, ""),
    ]
    root = ET.fromstring(bars_svg("what <counts>", bars))
    lengths = [
        float(one.get("width")) for one in root.iter() if one.get("class") == "bar"
    ]
    assert lengths[0] == pytest.approx(2 * lengths[1], abs=0.1)
    assert lengths[0] == pytest.approx(4 * lengths[2], abs=0.1)
    ET.fromstring(bars_svg("none", []))
    ET.fromstring(bars_svg("zero", [Bar("a", 0.0, "0")]))
