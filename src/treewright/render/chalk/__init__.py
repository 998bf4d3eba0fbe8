"""Chalk: the working behind a tree as pages of text, Markdown, LaTeX, HTML, JSON.

`chalk.py` is what users get, `cal_chalk.py` for CAL2 and CAL3; both make a page
(`chalk_page.py`, `expression.py`) of their records, block by block (`blocks/`), in a
language of `words.toml` (`languages.py`). By `written_chalk.py` it comes in any form;
`writers/` spell it. Others use `Chalk`, `CALChalk` and `side_by_side.py`.
"""

from treewright.render.chalk.chalk import Chalk, ChalkStep

__all__ = ["Chalk", "ChalkStep"]
