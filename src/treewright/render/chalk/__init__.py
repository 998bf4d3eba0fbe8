"""Chalk: the working behind a tree as pages of text, Markdown, LaTeX, HTML, JSON."""

from treewright.render.chalk.chalk import Chalk, ChalkStep

__all__ = ["Chalk", "ChalkStep"]
