"""A tree as text, in two styles: the lectures' and one drawn with box characters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from treewright.errors import SettingError
from treewright.render.listing.box import box_lines
from treewright.render.listing.lecture import lecture_lines
from treewright.render.listing.outline import ListingLook, focus_words, top_of
from treewright.tree.model import Model
from treewright.tree.structure.tree import Tree

Style = Literal["box", "lecture"]

_STYLES: dict[str, Callable[[Model, Tree, ListingLook], Iterator[str]]] = {
    "box": box_lines,
    "lecture": lecture_lines,
}


def to_text(
    model: Model,
    style: Style = "box",
    *,
    max_depth: int | None = None,
    width: int | None = 80,
    ascii: bool = False,
    tree: int = 0,
    min_share: float = 0.0,
    focus: int | None = None,
) -> str:
    """Return a tree of a model as text.

    - `style` ({"box", "lecture"}): "box" draws the tree, with class weights, rows and
      the reason why each leaf is a leaf, and a summary in the last line. "lecture" is
      the listing of textbooks and of C4.5: `Outlook Sunny: Yes (5/1)` for five rows,
      one of another class.
    - `max_depth`: deeper nodes are counted, not shown.
    - `width`: no line is longer; None for no limit.
    - `ascii`: whether to keep to ASCII: other characters are escaped.
    - `tree`: which tree, if there are several.
    - `min_share`: nodes below one with a smaller share of the training weight are
      counted, too.
    - `focus`: the node to begin with, by its number; the path to it is named.
    - Returns lines without a newline at the end.
    """
    lines = _STYLES.get(style)
    if lines is None:
        raise SettingError(f"style must be one of {', '.join(_STYLES)}, not {style!r}")
    the_tree = tree_at(model, tree)
    look = ListingLook(max_depth, width, ascii, min_share, focus)
    head = []
    if top := top_of(the_tree, focus):
        head = look.sentence(focus_words(model.schema, the_tree, top, look.relations))
    return "\n".join([*head, *lines(model, the_tree, look)])


def tree_at(model: Model, tree: int) -> Tree:
    """Return a tree of a model by its number."""
    if not 0 <= tree < len(model.trees):
        raise SettingError(f"tree must be 0 to {len(model.trees) - 1}, not {tree}")
    return model.trees[tree]
