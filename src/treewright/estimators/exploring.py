"""`explore`: a fitted estimator as a page for the browser."""

from __future__ import annotations

import os
from typing import Any

from treewright.errors import SettingError
from treewright.estimators.inputs import are_passed
from treewright.estimators.model_estimator import ModelEstimator
from treewright.learners.explored import page_parts
from treewright.render.explorer import PageParts, explorer_page
from treewright.render.explorer.notebook import ExplorerPage
from treewright.render.explorer.row_data import check_embedded
from treewright.tree.file.atomic_write import write_atomically


class Explorable(ModelEstimator):
    """What an estimator needs to be explored."""

    def explore(
        self,
        path: str | os.PathLike[str] | None = None,
        X: Any = None,
        y: Any = None,
        *,
        rows: int = 0,
        chalk: dict[str, Any] | None = None,
    ) -> ExplorerPage:
        """Make a page of the tree: one HTML file that opens from disk.

        Parameters
        ----------
        path : str or path, optional
            Where to write it; if not given, the page is only returned. The last
            expression of a notebook's cell is shown there.
        X, y : table and its answers, optional
            Rows to count: the training rows, or others. They add distributions, errors
            and confusion; the training rows also the cross-validated error of each
            pruning step.
        rows : int
            How many of these rows the page itself has, to see them flow; else it has
            counts only.
        chalk : dict, optional
            The calculation of each node as JSON data, for the cards and the lesson.

        Returns
        -------
        ExplorerPage
            With the page as `html`.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> page = tw.ID3Classifier().fit(X, y).explore(X=X, y=y)
        >>> page.html.startswith("<!doctype html>")
        True
        """
        model = self._fitted()
        has_rows = are_passed(X, y)
        embedded = check_embedded(rows)
        if embedded and not has_rows:
            raise SettingError("rows are put into the page from X and y; pass these")
        parts = PageParts(chalk=chalk)
        if has_rows:
            parts = page_parts(model, X, y, embedded=embedded, chalk=chalk)
        page = ExplorerPage(explorer_page(model, parts), path)
        if path is not None:
            write_atomically(path, page.html.encode())
        return page
