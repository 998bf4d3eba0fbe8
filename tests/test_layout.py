"""What holds the package together: layers, public names, what an import loads.

The layers themselves are in pyproject.toml, where the import linter reads them.
"""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import treewright
from refusals import refused

PACKAGE = Path(treewright.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(
        ".__init__"
    ): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
}

PUBLIC_NAMES = {
    "AdaBoostClassifier",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "C45Classifier",
    "C45RulesClassifier",
    "CAL2Classifier",
    "CAL3Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "HoeffdingTreeClassifier",
    "HoeffdingTreeRegressor",
    "ID3Classifier",
    "IncrementalTreeClassifier",
    "TreeClassifier",
    "TreeRegressor",
    "check",
    "classification_error",
    "compare",
    "conditional_entropy",
    "datasets",
    "entropy",
    "evaluate",
    "gain_ratio",
    "gini",
    "information_gain",
    "intrinsic_value",
    "load",
    "prefix_code",
    "read_table",
    "report",
    "tune",
    "with_noise",
}

# Slow to import, and not needed by someone who only reads a model.
HEAVY = {"click", "narwhals", "pandas", "polars", "pyarrow", "rich", "scipy", "sklearn"}


def imported_by(tree: ast.Module) -> Iterator[tuple[str, str | None]]:
    """Module and name of every import that runs, those inside functions too."""
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            nodes += node.orelse
            continue
        nodes += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module, alias.name) for alias in node.names)


def modules_imported_by(tree: ast.Module) -> set[str]:
    found = set()
    for module, name in imported_by(tree):
        submodule = f"{module}.{name}"
        found.add(submodule if submodule in MODULES else module)
    return found & MODULES.keys()


def test_no_module_imports_itself_in_a_circle():
    graph = {
        module: modules_imported_by(tree) - {module} for module, tree in MODULES.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_no_module_is_named_like_a_standard_one():
    parts = {part for module in MODULES for part in module.split(".")}
    assert parts & sys.stdlib_module_names == set()


def test_nothing_inside_imports_the_public_face():
    """Inside, names come from the module that has them.

    The import linter cannot see this: it takes the compiled `treewright._core` for
    `treewright` itself, so that an import of either looks the same to it.
    """
    found = {
        (module, name)
        for module, tree in MODULES.items()
        if not module.startswith("treewright.cli")
        for imported, name in imported_by(tree)
        if imported == "treewright" and name != "_core"
    }
    assert found == set()


def test_public_names_are_the_listed_ones():
    public = {name for name in treewright.__all__ if not name.startswith("_")}
    assert public == PUBLIC_NAMES


def test_public_names_are_there_and_documented():
    assert [n for n in PUBLIC_NAMES if not inspect.getdoc(getattr(treewright, n))] == []


def test_unknown_name_is_an_attribute_error():
    with refused(AttributeError, "no_such_name"):
        treewright.no_such_name  # noqa: B018


def test_import_loads_nothing_heavy():
    program = "import sys, treewright; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert HEAVY & set(done.stdout.split()) == set()


def test_types_are_announced():
    assert (PACKAGE / "py.typed").is_file()
