"""Trees for readers: text, JSON, DOT."""

from treewright.render.dot import to_dot
from treewright.render.json_text import to_json
from treewright.render.text import to_text

__all__ = ["to_dot", "to_json", "to_text"]
