"""Trees as pictures: SVG, HTML, PNG, and matplotlib's axes.

Data moves one way: `fold.py` (what is drawn) -> `picture_subject.py` (what is told of
it) -> `cards.py` (a node's box) -> `layout.py` (where it goes) -> `scene.py` (plain
shapes) -> `svg.py`, `pictures.py`, `matplotlib_axes.py` (the writers).
"""

from treewright.render.picture.fold import MANY_NODES, View
from treewright.render.picture.pictures import plot_tree, to_html, to_png, to_svg
from treewright.render.picture.scene import scene_of

__all__ = [
    "MANY_NODES",
    "View",
    "plot_tree",
    "scene_of",
    "to_html",
    "to_png",
    "to_svg",
]
