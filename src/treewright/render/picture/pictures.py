"""A tree of a model as a picture, in one call."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from treewright.render.picture.fold import View
from treewright.render.picture.matplotlib_axes import plot, png_bytes
from treewright.render.picture.page import page_text
from treewright.render.picture.scene import Way, scene_of
from treewright.render.picture.svg import svg_text
from treewright.tree.file.atomic_write import write_atomically
from treewright.tree.model import Model

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def to_svg(
    model: Model, view: View | None = None, *, direction: Way = "auto", tree: int = 0
) -> str:
    """Return a tree of a model as SVG text.

    Parameters
    ----------
    model : Model
        The model.
    view : View, optional
        What part of the tree to show; by default the heaviest 150 nodes.
    direction : {"auto", "down", "right"}
        Where the branches go.
    tree : int
        Which tree, if there are several.
    """
    return svg_text(scene_of(model, view=view, direction=direction, tree=tree))


def to_html(
    model: Model, view: View | None = None, *, direction: Way = "auto", tree: int = 0
) -> str:
    """Return a tree of a model as an HTML page of its own; see `to_svg`."""
    return page_text(scene_of(model, view=view, direction=direction, tree=tree))


def to_png(
    model: Model,
    path: str | os.PathLike[str],
    view: View | None = None,
    *,
    direction: Way = "auto",
    tree: int = 0,
    scale: float = 2.0,
) -> None:
    """Write a tree of a model to a PNG file, `scale` dots to the pixel.

    It needs matplotlib; see `to_svg` for the parameters.
    """
    scene = scene_of(model, view=view, direction=direction, tree=tree)
    write_atomically(path, png_bytes(scene, scale=scale))


def plot_tree(
    model: Model,
    view: View | None = None,
    *,
    ax: Axes | None = None,
    direction: Way = "auto",
    tree: int = 0,
) -> Axes:
    """Draw a tree of a model with matplotlib, on axes of yours or on new ones."""
    return plot(scene_of(model, view=view, direction=direction, tree=tree), ax)
