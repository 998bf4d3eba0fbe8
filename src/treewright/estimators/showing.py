"""How a fitted estimator is shown: as text, as a picture, and by a notebook."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

from sklearn import get_config

from treewright.estimators.model_estimator import ModelEstimator
from treewright.render import to_dot, to_json, to_text
from treewright.render.picture import (
    MANY_NODES,
    View,
    plot_tree,
    to_html,
    to_png,
    to_svg,
)
from treewright.render.picture.scene import Way

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class ShowMethods(ModelEstimator):
    """The methods that list and draw; they only read the fitted model."""

    def to_text(
        self,
        style: Literal["box", "lecture"] = "box",
        *,
        max_depth: int | None = None,
        width: int | None = 80,
        ascii: bool = False,
        min_share: float = 0.0,
        focus: int | None = None,
    ) -> str:
        """Return the tree as text; `treewright.render.to_text` has the details.

        Parameters
        ----------
        style : {"box", "lecture"}
            Drawn with lines, counts and reasons; or the listing of textbooks.
        max_depth : int, optional
            Deeper nodes are counted, not shown.
        width : int or None
            No line is longer; None for no limit.
        ascii : bool
            Whether to keep to ASCII characters.
        min_share : float
            Nodes below one with a smaller share of the training weight are counted.
        focus : int, optional
            The node to begin with, by its number.
        """
        return to_text(
            self._fitted(),
            style,
            max_depth=max_depth,
            width=width,
            ascii=ascii,
            min_share=min_share,
            focus=focus,
        )

    def to_json(self) -> str:
        """Return the tree as JSON text, in names and values."""
        return to_json(self._fitted())

    def to_dot(
        self,
        *,
        max_depth: int | None = None,
        min_share: float = 0.0,
        focus: int | None = None,
    ) -> str:
        """Return the tree in Graphviz' DOT language; parameters as for `to_text`."""
        return to_dot(
            self._fitted(), max_depth=max_depth, min_share=min_share, focus=focus
        )

    def to_svg(
        self,
        *,
        max_depth: int | None = None,
        min_share: float | None = None,
        focus: int | None = None,
        max_nodes: int | None = MANY_NODES,
        direction: Way = "auto",
    ) -> str:
        """Return a picture of the tree as SVG text.

        What is not drawn is counted in the picture.

        Parameters
        ----------
        max_depth : int, optional
            Deeper nodes are folded; counted from the top of the picture.
        min_share : float, optional
            Branches with a smaller share of the training weight are folded. If not
            given, none are as long as all nodes can be drawn, else those below 0.01.
        focus : int, optional
            The node at the top of the picture, by its number.
        max_nodes : int or None
            The most nodes to draw, the heaviest first; None for all.
        direction : {"auto", "down", "right"}
            Where the branches go.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> tw.ID3Classifier().fit(X, y).to_svg()[:4]
        '<svg'
        """
        view = View(max_depth, min_share, focus, max_nodes)
        return to_svg(self._fitted(), view, direction=direction)

    def to_html(
        self,
        *,
        max_depth: int | None = None,
        min_share: float | None = None,
        focus: int | None = None,
        max_nodes: int | None = MANY_NODES,
        direction: Way = "auto",
    ) -> str:
        """Return a picture of the tree as an HTML page; parameters as for `to_svg`."""
        view = View(max_depth, min_share, focus, max_nodes)
        return to_html(self._fitted(), view, direction=direction)

    def to_png(
        self,
        path: str | os.PathLike[str],
        *,
        max_depth: int | None = None,
        min_share: float | None = None,
        focus: int | None = None,
        max_nodes: int | None = MANY_NODES,
        direction: Way = "auto",
        scale: float = 2.0,
    ) -> None:
        """Write a picture of the tree to a PNG file; this needs matplotlib.

        Parameters
        ----------
        path : str or path
            The file.
        max_depth, min_share, focus, max_nodes, direction
            As for `to_svg`.
        scale : float
            Dots of the file per pixel of the SVG picture.
        """
        view = View(max_depth, min_share, focus, max_nodes)
        to_png(self._fitted(), path, view, direction=direction, scale=scale)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        max_depth: int | None = None,
        min_share: float | None = None,
        focus: int | None = None,
        max_nodes: int | None = MANY_NODES,
        direction: Way = "auto",
    ) -> Axes:
        """Draw the tree with matplotlib and return the axes.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; new axes of the size of the picture if not given.
        max_depth, min_share, focus, max_nodes, direction
            As for `to_svg`.
        """
        view = View(max_depth, min_share, focus, max_nodes)
        return plot_tree(self._fitted(), view, ax=ax, direction=direction)

    def _repr_html_inner(self) -> str:
        """What a notebook shows: the tree, or before the fit scikit-learn's diagram."""
        if "model_" not in self.__dict__:
            return str(super()._repr_html_inner())
        # at its own size: a large picture is scrolled
        return f'<div style="overflow:auto">{self.to_svg()}</div>'

    def _repr_svg_(self) -> str | None:
        """The picture of a fitted tree, for who shows no HTML."""
        return self.to_svg() if "model_" in self.__dict__ else None

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        """All that a notebook may choose from."""
        bundle = {"text/plain": repr(self)}
        if get_config()["display"] == "diagram":
            bundle["text/html"] = self._repr_html_inner()
            if picture := self._repr_svg_():
                bundle["image/svg+xml"] = picture
        return bundle
