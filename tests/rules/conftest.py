"""The models built by hand are in tests/tree, hostile names in tests/render."""

import sys
from pathlib import Path

for folder in ("tree", "render"):
    sys.path.insert(0, str(Path(__file__).parents[1] / folder))
