"""Any text in LaTeX, and the document around it, for any engine."""

from __future__ import annotations

import re
import unicodedata

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "…": r"\dots{}",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "°": r"$^\circ$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\neq$",
    "→": r"$\to$",
    "€": r"\texteuro{}",
    "£": r"\textsterling{}",
    "µ": r"$\mu$",
}
_CJK = re.compile("[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uffef]")
_HANGUL = re.compile("[\uac00-\ud7a3]")

_HEAD = r"""\documentclass[10pt]{article}
\usepackage[a4paper,margin=1.6cm]{geometry}
\usepackage{iftex}
\usepackage{amsmath,array,booktabs,graphicx}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
  \usepackage{textcomp}
\fi
% a character that pdfTeX has no glyph of is shown by its number
\ifPDFTeX\newcommand{\uni}[2]{\texttt{[#1]}}\else\newcommand{\uni}[2]{#2}\fi
\newcommand{\blank}[1]{\underline{\makebox[2.6em]{\scriptsize\strut\textsf{#1}}}}
\newenvironment{step}{\begin{minipage}[t]{\linewidth}\raggedright}{\end{minipage}\par}
\allowdisplaybreaks
% a table stays with the line above it
\makeatletter\@beginparpenalty=10000\makeatother
\raggedbottom
"""
_CJK_HEAD = r"""\ifPDFTeX
  \IfFileExists{CJKutf8.sty}{\usepackage{CJKutf8}}
    {\errmessage{Chinese or Korean characters: compile this page with XeLaTeX}}
\else\ifXeTeX
  \usepackage{xeCJK}
  \IfFontExistsTF{FONT}{\setCJKmainfont{FONT}\setCJKmonofont{FONT}}
    {\setCJKmainfont{FandolSong-Regular.otf}\setCJKmonofont{FandolSong-Regular.otf}}
\else
  \usepackage{luatexja-fontspec}
\fi\fi
"""


def escaped(text: str) -> str:
    """Return a text in which nothing acts."""
    return "".join(map(_sign, text))


def document(body: str, language: str) -> str:
    """Return a body as a document, ready for the characters that it has."""
    if not _CJK.search(body):
        return f"{_HEAD}\\begin{{document}}\n{body}\n\\end{{document}}\n"
    korean = language == "ko" or (language != "zh" and _HANGUL.search(body))
    font = "Noto Serif CJK KR" if korean else "Noto Serif CJK SC"
    head = _HEAD + _CJK_HEAD.replace("FONT", font)
    encoding = "mj" if korean else "gbsn"
    begin = rf"\ifPDFTeX\begin{{CJK*}}{{UTF8}}{{{encoding}}}\fi"
    end = r"\ifPDFTeX\end{CJK*}\fi"
    return f"{head}\\begin{{document}}\n{begin}\n{body}\n{end}\n\\end{{document}}\n"


def _sign(sign: str) -> str:
    if sign in _SPECIAL:
        return _SPECIAL[sign]
    if " " <= sign <= "~" or _CJK.match(sign):
        return sign
    is_letter = unicodedata.category(sign).startswith("L")
    if is_letter and "\u00c0" <= sign <= "\u017f":
        return sign
    return rf"\uni{{{ord(sign):04X}}}{{{sign}}}"
