"""Trees and models.

`model.py` holds the trees, their schema and how they vote. Below it: `structure/` (the
arrays), `predict/` (from rows to answers), `file/` (saved and loaded, with distrust).
Beside it: models made of models (`join.py`, `one_tree.py`, `compact_model.py`,
`asked_words.py`) and what is known of them (`importance.py`, `measured_forest.py`,
`fingerprint.py`); answers told step by step are `way.py` and `staged.py`.
"""

from treewright.tree.file.save import from_bytes, load, to_bytes
from treewright.tree.file.validate import validate_model, validate_tree
from treewright.tree.model import Model
from treewright.tree.structure.branch_words import branch_text
from treewright.tree.structure.tree import REASONS, NodeKind, Reason, Tree

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
