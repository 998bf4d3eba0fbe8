"""The project's own rules: sizes, names, and what importing may load."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import treewright

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "treewright"
MODULES = sorted(PACKAGE.rglob("*.py"))
CODE = [
    path
    for folder in (ROOT / "src", ROOT / "core", ROOT / "bindings")
    for path in sorted(folder.rglob("*"))
    if path.suffix in {".py", ".pyi", ".cpp", ".hpp"}
]

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60

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

Function = ast.FunctionDef | ast.AsyncFunctionDef


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[Function]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, Function):
            yield node


def n_lines(function: Function) -> int:
    """Lines from the def to the end, docstring left out."""
    lines = function.end_lineno - function.lineno + 1
    if ast.unparse(function.body[-1]) == "...":
        return 1  # a list of parameters, which other code reads
    if ast.get_docstring(function, clean=False) is None:
        return lines
    docstring = function.body[0]
    return lines - (docstring.end_lineno - docstring.lineno + 1)


def test_code_is_found():
    assert MODULES
    assert {path.suffix for path in CODE} >= {".py", ".cpp", ".hpp"}


@pytest.mark.parametrize("path", CODE, ids=name_of)
def test_file_is_not_too_long(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_FILE_LINES


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_functions_are_not_too_long(path):
    lengths = {function.name: n_lines(function) for function in functions(path)}
    assert {name: n for name, n in lengths.items() if n > MAX_FUNCTION_LINES} == {}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_is_not_named_like_a_standard_one(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    assert set(parts) & sys.stdlib_module_names == set()


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if path.relative_to(PACKAGE).parts[0] != "cli"],
    ids=name_of,
)
def test_nothing_inside_imports_the_public_face(path):
    """Inside, names come from the module that has them.

    The import linter cannot see this: it takes the compiled `treewright._core` for
    `treewright` itself, so that an import of either looks the same to it.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    plain = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "treewright"
    ]
    named = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "treewright"
        for alias in node.names
        if alias.name != "_core"
    ]
    assert plain + named == []


def test_public_names_are_the_listed_ones():
    public = {name for name in treewright.__all__ if not name.startswith("_")}
    assert public == PUBLIC_NAMES


@pytest.mark.parametrize("name", sorted(PUBLIC_NAMES))
def test_public_name_is_there_and_documented(name):
    assert inspect.getdoc(getattr(treewright, name))


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_name"):
        treewright.no_such_name  # noqa: B018


def test_import_loads_nothing_heavy():
    program = "import sys, treewright; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert HEAVY & set(done.stdout.split()) == set()


def test_types_are_announced():
    assert (PACKAGE / "py.typed").is_file()
