"""Trees and models: flat arrays, the walk, files."""

from treewright.tree.condition import branch_text
from treewright.tree.model import Model
from treewright.tree.save import from_bytes, load, to_bytes
from treewright.tree.tree import REASONS, NodeKind, Reason, Tree
from treewright.tree.validate import validate_model, validate_tree

__all__ = [
    "REASONS",
    "Model",
    "NodeKind",
    "Reason",
    "Tree",
    "branch_text",
    "from_bytes",
    "load",
    "to_bytes",
    "validate_model",
    "validate_tree",
]
