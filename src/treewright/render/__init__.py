"""Models for readers; nothing here grows or decides anything.

`listing/` trees as text, `picture/` as drawings, `explorer/` as a page to click in,
`chalk/` with the working behind them, `rules/` as rules; `dot.py` and `json_text.py`
for programs. `document/` is a page in no format, `charts/` are SVG, `fitting/` is text
that fits and is safe. The names below are the usual ones.
"""

from treewright.render.dot import to_dot
from treewright.render.json_text import to_json
from treewright.render.listing.tree_text import to_text

__all__ = ["to_dot", "to_json", "to_text"]
