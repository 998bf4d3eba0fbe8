"""A tree of a model as a picture, in one call."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from treewright.render.picture.colours import GROUND
from treewright.render.picture.fold import View
from treewright.render.picture.matplotlib_axes import plot, png_bytes
from treewright.render.picture.scene import Way, scene_of
from treewright.render.picture.shapes import Scene
from treewright.render.picture.svg import escaped, svg_text
from treewright.tree.file.atomic_write import write_atomically
from treewright.tree.model import Model

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# of a page: nothing to fetch, no script
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def to_svg(
    model: Model, view: View | None = None, *, direction: Way = "auto", tree: int = 0
) -> str:
    """Return a tree of a model as SVG text.

    `view`: what part of the tree to show; by default the heaviest 150 nodes.
    `direction` ({"auto", "down", "right"}): where the branches go. `tree`: which tree,
    if there are several.
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


def page_text(scene: Scene) -> str:
    """Return a scene as the text of an HTML file."""
    light, dark = GROUND["ground"]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escaped(scene.name)}</title>\n<style>\n"
        f"body{{margin:0;background:{light};overflow:auto}}\n"
        # at its own size: a large picture is scrolled, not shrunk until nobody reads it
        "body>.treewright{display:block;margin:0 auto}\n"
        f"@media (prefers-color-scheme:dark){{body{{background:{dark}}}}}\n"
        f"</style>\n</head>\n<body>\n{svg_text(scene)}</body>\n</html>\n"
    )
