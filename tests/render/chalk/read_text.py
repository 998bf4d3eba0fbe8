"""Reads a printed page of text, at any width, back into tables and formulas."""

from __future__ import annotations

import re

from printed import PrintedFormula, PrintedPart, PrintedRow, PrintedTable

_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]?\d+)?$")
_APART = re.compile(r" {2,}")


def read_text(page: str) -> list[PrintedPart]:
    blocks = re.split(r"\n(?=\S)", page)
    return [_part(block.split("\n")) for block in blocks if block.strip()]


def _part(lines: list[str]) -> PrintedPart:
    heading = lines[0]
    rest = 1
    while rest < len(lines) and re.match(r" {4}\S", lines[rest]):
        heading += "   " + lines[rest].strip()
        rest += 1
    part = PrintedPart(re.split(r" {3,}", heading))
    while rest < len(lines):
        rest = _block(lines, rest, part)
    return part


def _block(lines: list[str], start: int, part: PrintedPart) -> int:
    line = lines[start]
    if not line.strip():
        return start + 1
    end = start
    while end < len(lines) and lines[end].strip():
        end += 1
    if re.match(r" {4}(cut| *N  ) ?", line):
        part.tables.append(_folded(lines[start:end], part.sentences[-1]))
        return end
    if line.startswith("    "):
        part.tables.append(_table(lines[start:end]))
        return end
    return _line(lines, start, part)


def _line(lines: list[str], start: int, part: PrintedPart) -> int:
    """A formula with what goes on below, or a sentence."""
    about = ""
    line = lines[start]
    words = _APART.split(line.strip())
    if len(words) == 1 or not re.match(r"[-(\d]|log2", words[-1]):
        text = line.strip()
        start += 1
        while start < len(lines) and re.match(r" {4}\S", lines[start]):
            if lines[start].startswith("    cut "):
                break
            text += " " + lines[start].strip()
            start += 1
        part.sentences.append(text)
        return start
    while start < len(lines) and lines[start].strip():
        line = lines[start]
        words = _APART.split(line.strip())
        if len(words) == 1 and re.match(r"[-+=] ", words[0]):
            part.formulas[-1].text += " " + words[0]
        elif len(words) > 1 and re.match(r"[-(\d]|log2", words[-1]):
            if line[2] != " ":
                about = words[0] if len(words) == 3 else ""
            part.formulas.append(PrintedFormula(about, words[-2], words[-1]))
        else:
            break
        start += 1
    return start


def _folded(lines: list[str], about: str) -> PrintedTable:
    titles = _APART.split(re.split(r" +\| {2}", lines[0])[0].strip())
    rows = []
    for line in lines[1:]:
        for text in re.split(r" +\|  (?=  )", line):
            marked = text[2:4] == "> "
            cells = _APART.split(text[4:].strip())
            rows.append(PrintedRow([[cell] for cell in cells], marked))
    return PrintedTable(titles, rows, about)


def _table(lines: list[str]) -> PrintedTable:
    """Titles may have two lines, of which the second tells them apart."""
    first = 0 if re.match(r" {4} *(feature|node|branch|share)\b", lines[0]) else 1
    titles = _APART.split(lines[first].strip())
    n_figures = len(titles) - 2
    rows: list[PrintedRow] = []
    for line in lines[first + 1 :]:
        words = _APART.split(line.strip())
        if re.match(r" {6}\S", line) and len(words) == 1:
            rows[-1].remark = words[0]
        elif titles[0] == "share":
            first, *way, node, counts = words
            rows.append(PrintedRow([[first], way, [node], [counts]]))
        elif titles[0] == "branch":
            rows.append(PrintedRow([[word] for word in words]))
        elif re.match(r"( {4}| {2}> )\S", line):
            place = next(k for k in range(1, len(words)) if _NUMBER.match(words[k]))
            numbers = words[place : place + n_figures]
            cells = [
                [words[0].removeprefix("> ")],
                words[1:place],
                *([one] for one in numbers),
            ]
            remark = " ".join(words[place + n_figures :])
            rows.append(PrintedRow(cells, line[2] == ">", remark))
        else:
            pieces = rows[-1].cells[1]
            if pieces[-1].endswith("/"):
                pieces[-1] += words.pop(0)
            pieces += words
    return PrintedTable(titles, rows)
