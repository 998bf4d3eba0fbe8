"""The page: template, style and script in one file, with the model's data as JSON.

The scripts in this folder are ES modules, which cannot import each other inside one
file. Each becomes a function that is called once and returns its exports; its imports
read what the functions before it have returned. `main.js` comes last.

Nothing in the page can act that came with the data: it stands in a JSON element, in
which `<` is written as an escape, and the scripts put it into the page as text. The
content policy forbids every request.
"""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from treewright.render.explorer.payload import PageParts, payload_of
from treewright.tree.model import Model

STYLES = ("colours.css", "frame.css", "panels.css")
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"

HEIGHT = 620  # of a notebook's frame, in pixels
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:const|function\*?|class) (\w+)", re.MULTILINE)


@dataclass(frozen=True, repr=False)
class ExplorerPage:
    """A page that was made, and where it was written."""

    html: str  # the whole page
    # the file that it was written to, if any
    path: str | os.PathLike[str] | None = None

    def __repr__(self) -> str:
        where = "" if self.path is None else f" in {os.fspath(self.path)!r}"
        return f"<explorer page{where}, {len(self.html) // 1000} KB>"

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, which cannot touch the notebook."""
        return (
            f'<iframe sandbox="allow-scripts allow-downloads" width="100%" '
            f'height="{HEIGHT}" style="border:1px solid #ccc" '
            f'title="treewright explorer" srcdoc="{html.escape(self.html)}"></iframe>'
        )


def explorer_page(model: Model, parts: PageParts | None = None) -> str:
    """Return a model as an HTML page.

    `model`: what is shown. `parts`: what else the page has: rows, chalk, error curves.
    """
    payload = payload_of(model, parts or PageParts())
    template = _text("page.html")
    for mark, content in (
        ("/*STYLE*/", "".join(map(_text, STYLES))),
        ("/*SCRIPT*/", joined("main", script_text)),
        ("POLICY", POLICY),
        ("{}", script_json(payload)),  # last: names may hold anything
    ):
        before, _, behind = template.partition(mark)
        template = before + content + behind
    return template


def script_json(data: Any) -> str:
    """Return JSON that nothing can break out of, wherever it stands in a page.

    Unpaired surrogates, which UTF-8 cannot write, stay escapes.
    """
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def script_text(name: str) -> str:
    """Return the text of one of the page's modules."""
    return _text(f"{name}.js")


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def joined(main: str, read: Callable[[str], str]) -> str:
    """Return a module and all that it needs as one script.

    `main`: name of the module, without ".js". `read`: returns the text of a module.
    """
    texts: dict[str, str] = {}
    for name in in_order(main, read):
        texts[name] = _as_function(name, read(name))
    return "".join(texts.values())


def in_order(main: str, read: Callable[[str], str]) -> list[str]:
    """Return the names of all modules, each behind those that it imports."""
    done: list[str] = []
    waiting = [main]
    while waiting:
        name = waiting[-1]
        needed = [found[2] for found in _IMPORT.finditer(read(name))]
        first = [other for other in needed if other not in done]
        circle = [other for other in first if other in waiting]
        if circle:
            raise ValueError(f"{name}.js and {circle[0]}.js import each other")
        if first:
            waiting.append(first[0])
        else:
            done.append(waiting.pop())
    return done


def exports(text: str) -> list[str]:
    """Return the names that a module exports."""
    return _EXPORT.findall(text)


def _as_function(name: str, text: str) -> str:
    names = ", ".join(exports(text))
    body = _IMPORT.sub(r"const {\1} = \2_module;\n", text)
    body = re.sub(r"^export ", "", body, flags=re.MULTILINE)
    return f"const {name}_module = (() => {{\n{body}return {{ {names} }};\n}})();\n"
