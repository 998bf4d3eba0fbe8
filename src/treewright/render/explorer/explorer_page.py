"""The page: template, style and script in one file, with the model's data as JSON.

The scripts in this folder are ES modules, which `scripts.py` makes one of.

Nothing in the page can act that came with the data: it stands in a JSON element, in
which `<` is written as an escape, and the scripts put it into the page as text. The
content policy forbids every request.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from treewright.render.explorer.payload import PageParts, payload_of
from treewright.render.explorer.scripts import joined
from treewright.tree.model import Model

STYLES = ("colours.css", "frame.css", "panels.css")
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"


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
