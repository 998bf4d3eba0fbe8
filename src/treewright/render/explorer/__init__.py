"""The explorer: a model as one HTML page that opens from disk."""

from treewright.render.explorer.bound_rows import BoundRows
from treewright.render.explorer.explorer_page import explorer_page
from treewright.render.explorer.payload import PageParts

__all__ = ["BoundRows", "PageParts", "explorer_page"]
