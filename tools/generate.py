"""Write what is made of the rows of settings and is checked in: `make generated`.

These are the constructors of the estimators, which editors and readers see, and the
page docs/switches.md. `tests/settings/test_generated.py` finds out if they are stale.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import treewright
from treewright.estimators.parts.parameters import signature_source
from treewright.learners.setting_words import page

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "switches.md"
_CONSTRUCTOR = r"    @keeps_arguments\n    def __init__\(.*?\n    \) -> None: \.\.\.\n"


def generated() -> dict[Path, str]:
    """Return the files, and what is to stand in them."""
    texts = {PAGE: page()}
    for name in treewright.__all__:
        owner = getattr(treewright, name)
        if not hasattr(owner, "family"):
            continue
        path = Path(inspect.getfile(owner))
        before = texts.get(path, path.read_text(encoding="utf-8"))
        head, own = before.split(f"\nclass {name}(", 1)
        own = re.sub(
            _CONSTRUCTOR,
            lambda _, o=owner: signature_source(o),
            own,
            count=1,
            flags=re.S,
        )
        texts[path] = f"{head}\nclass {name}({own}"
    return texts


def main() -> int:
    """Write the files that are stale, and name them."""
    for path, text in generated().items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
