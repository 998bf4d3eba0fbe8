"""A page as an object: written to a file, and shown in a notebook."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass

HEIGHT = 620  # of a notebook's frame, in pixels


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
