"""Reads a printed page of HTML back into tables and formulas."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from printed import PrintedFormula, PrintedPart, PrintedRow, PrintedTable


def read_html(page: str) -> list[PrintedPart]:
    reader = _Reader()
    reader.feed(page)
    return reader.parts


class _Reader(HTMLParser):
    """Collects the text of each element when it ends."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[PrintedPart] = []
        self.text = ""
        self.pieces: list[str] = []
        self.row: list[list[str]] = []
        self.is_formula = self.marked = False
        self.about = ""

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag in ("h1", "h2", "h3"):
            self.pieces = []
        if tag == "table":
            self.is_formula = attributes.get("class") == "formulas"
            self.about = ""
            if not self.is_formula:
                said = self.parts[-1].sentences
                table = PrintedTable([], [], said[-1] if said else "")
                self.parts[-1].tables.append(table)
        if tag == "tr":
            self.row, self.marked = [], attributes.get("class") == "best"
        if tag in ("td", "th"):
            self.pieces = []
        if tag == "sup":
            self.text += "^"
        if tag not in ("b", "sub", "sup", "details", "summary"):
            self.text = ""

    def handle_data(self, data):
        self.text += data

    def handle_endtag(self, tag):
        text = _plain(self.text)
        if tag in ("h1", "h2", "h3"):
            self.parts.append(PrintedPart(self.pieces or [text]))
        elif tag == "span":
            self.pieces.append(text)
        elif tag == "div" and text:
            self.parts[-1].sentences.append(text)
        elif tag == "caption":
            self.about = text
        elif tag in ("td", "th"):
            self.row.append(self.pieces or [text])
        elif tag == "tr":
            self._end_row()
        if tag not in ("b", "sub", "sup", "details", "summary"):
            self.text = ""

    def _end_row(self):
        part = self.parts[-1]
        if self.is_formula:
            (label,), (formula,) = self.row
            part.formulas.append(PrintedFormula(self.about, label, formula))
            return
        table = part.tables[-1]
        if not table.titles:
            table.titles = [cell[0] for cell in self.row]
            return
        remark = self.row.pop()[0] if table.titles[-1] == "" else ""
        table.rows.append(PrintedRow(self.row, self.marked, remark))


def _plain(text: str) -> str:
    text = text.replace("−", "-").replace("·", "*").replace("←", "<-")
    return re.sub(r"[\s\u2002\u00a0]+", " ", text).strip()
