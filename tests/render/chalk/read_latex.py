"""Reads a printed page of LaTeX back into tables and formulas."""

from __future__ import annotations

import re

from printed import PrintedFormula, PrintedPart, PrintedRow, PrintedTable

_MACROS = {
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\textbackslash{}": "\\",
    r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~",
    r"\textquotedbl{}": '"',
    r"\textquotesingle{}": "'",
}


def read_latex(page: str) -> list[PrintedPart]:
    body = page.partition("\\begin{document}")[2]
    chunks = re.split(r"\\(?:big|small)skip\\noindent\\begin\{step\}", body)[1:]
    return [_part(chunk) for chunk in chunks]


def _part(chunk: str) -> PrintedPart:
    heading, _, rest = chunk.partition("\\end{step}")
    part = PrintedPart([_plain(one) for one in heading.split(r"\quad ")])
    for found in re.finditer(
        r"\\begin\{tabular\}(.*?)\\end\{tabular\}"
        r"|(?:\\noindent ([^\n]*):\\nopagebreak\n)?\\begin\{align\*\}\n(.*?)\n\\end"
        r"|\\noindent (.*?)\\par",
        rest,
        re.DOTALL,
    ):
        table, about, formulas, sentence = found.groups()
        if table is not None:
            said = part.sentences
            part.tables.append(_table(table, said[-1] if said else ""))
        elif formulas is not None:
            part.formulas += _formulas(formulas, _plain(about or ""))
        else:
            part.sentences.append(_plain(sentence))
    return part


def _table(text: str, about: str) -> PrintedTable:
    head, _, body = text.partition(r"\midrule")
    titles = [_plain(one) for one in head.partition(r"\toprule ")[2].split(" & ")]
    rows = []
    for line in body.partition(r"\bottomrule")[0].strip().split("\n"):
        cells = line.removesuffix(r" \\").split(" & ")
        marked = cells[0].startswith(r"\textbf")
        pieces = [[_plain(one) for one in cell.split(r"\quad ")] for cell in cells]
        remark = pieces.pop()[0]
        rows.append(PrintedRow(pieces, marked, remark))
    return PrintedTable(titles[:-1], rows, about)


def _formulas(text: str, about: str) -> list[PrintedFormula]:
    found: list[PrintedFormula] = []
    for line in text.split(" \\\\\n"):
        label, _, formula = line.partition("& ")
        if label:
            label = _plain(re.fullmatch(r"\\text\{(.*)\}\\quad ", label)[1])
            found.append(PrintedFormula(about, label, formula))
        else:
            found[-1].text += " " + formula.removeprefix(r"\qquad ")
    for one in found:
        one.text = spelled(one.text)
    return found


def spelled(formula: str) -> str:
    """A formula of LaTeX in ASCII."""
    formula = re.sub(r"([\d.]+)\\cdot 10\^\{(-?\d+)\}", r"\1e\2", formula)
    formula = formula.replace(r"\bigl", "").replace(r"\bigr", "")
    while r"frac{" in formula:  # the innermost first
        formula = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", formula)
        formula = re.sub(r"\\tfrac\{([^{}]*)\}\{([^{}]*)\}", r"(\1/\2)", formula)
    formula = re.sub(r"\\log_2 ", "log2", formula).replace(r"\log_2(", "log2(")
    return formula.replace(r"\cdot ", "*")


def _plain(text: str) -> str:
    for macro, sign in _MACROS.items():
        text = text.replace(macro, sign)
    text = re.sub(r"\\(?:mbox|textbf|text)\{((?:\\[{}]|[^{}])*)\}", r"\1", text)
    text = re.sub(r"\\(?:mbox|textbf|text)\{((?:\\[{}]|[^{}])*)\}", r"\1", text)
    text = re.sub(r"\\([{}$&#%_])", r"\1", text)
    return re.sub(r"\$(.*?)\$", r"\1", text).strip()
