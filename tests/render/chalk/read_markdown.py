"""Reads a printed page of Markdown back into tables and formulas."""

from __future__ import annotations

import re

from printed import PrintedFormula, PrintedPart, PrintedRow, PrintedTable


def read_markdown(page: str) -> list[PrintedPart]:
    parts: list[PrintedPart] = []
    about, table = "", None
    for line in page.split("\n"):
        heading = re.match(r"#+ (.*)", line)
        if heading:
            parts.append(PrintedPart([_plain(one) for one in heading[1].split(" · ")]))
            about = ""
        elif line.startswith("| "):
            cells = [
                [_plain(piece) for piece in cell.strip().split(" · ")]
                for cell in re.split(r"(?<!\\)\|", line)[1:-1]
            ]
            if table is None:
                titles = [cell[0] for cell in cells]
                said = parts[-1].sentences
                table = PrintedTable(titles, [], said[-1] if said else "")
                parts[-1].tables.append(table)
            elif not cells[0][0].startswith("---"):
                table.rows.append(_row(cells, table.titles))
            continue
        elif formula := re.match(r"- (.*): `(.*)`$", line):
            label = _plain(formula[1])
            parts[-1].formulas.append(PrintedFormula(about, label, formula[2]))
        elif line.strip():
            text = _plain(line)
            about = text.removesuffix(":") if text.endswith(":") else ""
            parts[-1].sentences.append(text)
        elif table is not None or not about:
            about = ""
        table = None
    return parts


def _row(cells: list[list[str]], titles: list[str]) -> PrintedRow:
    marked = cells[0][0].startswith("**")
    cells[0] = [cells[0][0].strip("*")]
    remark = cells.pop()[0] if titles[-1] == "" else ""
    return PrintedRow(cells, marked, remark)


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
