"""How the house is built, in numbers: `python benchmarks/house.py`.

What a reader has to hold in mind, counted so that a change inside can be compared with
what was before:

- imports between packages: pairs (module, module imported) whose folders right under
  `treewright` differ; a module that stands there by itself is a package of its own, and
  imports for type checkers alone do not count. An import of the compiled core counts
  as one of the package `treewright` itself, which has no other Python code to offer;
- cycles of modules: those that import each other, on some way, late imports (inside a
  function) included;
- the walk of `C45Classifier().fit` on the tennis table, after a first fit that loads
  what is loaded on first use: the files of treewright in which a function is entered,
  and the hops, which are calls by a function in one file of treewright of a function in
  another. A call that comes through another library, or the compiled core, is no hop;
- lines of Python, files per folder, and what `RandomForestClassifier` inherits from.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import treewright
from measure import heading, table

PACKAGE = Path(treewright.__file__).parent
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Graph = dict[str, set[str]]


@dataclass
class Imports:
    """What a module of treewright imports of others, at once and late."""

    early: set[str] = field(default_factory=set)
    late: set[str] = field(default_factory=set)


def modules() -> dict[str, Path]:
    """All modules of treewright by their names."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


def statements(node: ast.AST, *, late: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """All import statements, and whether a function has to be called for them."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, late
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            for other in child.orelse:
                yield from statements(other, late=late)
        else:
            yield from statements(child, late=late or isinstance(child, Function))


def imported(statement: ast.AST, known: dict[str, Path]) -> set[str]:
    """The modules of treewright that a statement names."""
    if isinstance(statement, ast.Import):
        return {alias.name for alias in statement.names} & set(known)
    assert isinstance(statement, ast.ImportFrom)
    home = statement.module or ""
    full = {f"{home}.{alias.name}" for alias in statement.names}
    inside = full & set(known)
    return inside | ({home} & set(known) if len(inside) < len(full) else set())


def imports(known: dict[str, Path]) -> dict[str, Imports]:
    """What each module imports."""
    all_of_them = {}
    for module, path in known.items():
        mine = Imports()
        for statement, late in statements(ast.parse(path.read_text("utf-8"))):
            (mine.late if late else mine.early).update(imported(statement, known))
        mine.early.discard(module)
        mine.late.discard(module)
        all_of_them[module] = mine
    return all_of_them


def reached(graph: Graph, start: str) -> set[str]:
    """All modules that one leads to."""
    seen: set[str] = set()
    todo = [start]
    while todo:
        new = graph[todo.pop()] - seen
        seen |= new
        todo += new
    return seen


def cycles(graph: Graph) -> list[list[str]]:
    """Groups of modules that lead to each other."""
    ways = {module: reached(graph, module) for module in graph}
    groups = {
        tuple(sorted(other for other in ways[module] if module in ways[other]))
        for module in graph
        if module in ways[module]
    }
    return [list(group) for group in sorted(groups)]


def package(module: str) -> str:
    """The folder right under treewright, or the module that stands there."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


def show_imports(all_of_them: dict[str, Imports]) -> None:
    """Print imports between packages, and cycles."""
    pairs = Counter(
        (package(module), package(other))
        for module, mine in all_of_them.items()
        for other in mine.early | mine.late
        if package(module) != package(other)
    )
    heading("Imports between packages")
    n_late = sum(len(mine.late) for mine in all_of_them.values())
    print(
        f"{pairs.total()} imports in {len(pairs)} pairs; {n_late} late imports in all"
    )
    ordered = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))
    table(
        ("from -> to", "imports"),
        ((f"{one} -> {other}", str(n)) for (one, other), n in ordered),
    )
    heading("Cycles of modules")
    for what, graph in (
        ("early imports", {name: mine.early for name, mine in all_of_them.items()}),
        (
            "late imports included",
            {name: mine.early | mine.late for name, mine in all_of_them.items()},
        ),
    ):
        groups = cycles(graph)
        print(f"{what}: {len(groups)} cycles of {sum(map(len, groups))} modules")
        for group in groups:
            print(f"  {len(group)}: {', '.join(group)}")


def walk() -> tuple[Counter[str], int]:
    """Calls per file of treewright in a fit of tennis, and hops between files."""
    rows, plays = treewright.datasets.tennis()
    treewright.C45Classifier().fit(rows, plays)
    model = treewright.C45Classifier()
    calls: Counter[str] = Counter()
    hops = 0
    ours = f"{PACKAGE}/"

    def look(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal hops
        file = frame.f_code.co_filename
        if event != "call" or not file.startswith(ours):
            return
        calls[file] += 1
        caller = frame.f_back.f_code.co_filename if frame.f_back else ""
        hops += caller.startswith(ours) and caller != file

    sys.setprofile(look)
    try:
        model.fit(rows, plays)
    finally:
        sys.setprofile(None)
    return calls, hops


def show_walk() -> None:
    """Print the way of a fit through the files."""
    calls, hops = walk()
    heading("The walk of C45Classifier().fit on tennis")
    print(f"{len(calls)} files, {hops} hops between files, {calls.total()} calls")
    table(
        ("file", "calls"),
        (
            (Path(file).relative_to(PACKAGE).as_posix(), str(n))
            for file, n in sorted(calls.items(), key=lambda item: (-item[1], item[0]))
        ),
    )


def ancestry(kind: type[Any]) -> list[str]:
    """Names on the longest way up through classes of treewright."""
    ways = [ancestry(base) for base in kind.__bases__ if is_ours(base)]
    return [kind.__name__, *max(ways, key=len, default=[])]


def is_ours(kind: type[Any]) -> bool:
    """Whether a class is written here."""
    return kind.__module__.split(".")[0] == "treewright"


def show_sizes(known: dict[str, Path]) -> None:
    """Print lines, files per folder, and what a class inherits from."""
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in known.values()}
    heading("Sizes")
    print(f"{sum(lines.values()):,} lines of Python in {len(lines)} files")
    folders: Counter[Path] = Counter(path.parent for path in lines)
    table(
        ("folder", "files", "lines"),
        (
            (
                folder.relative_to(PACKAGE.parent).as_posix(),
                str(n),
                f"{sum(lines[path] for path in lines if path.parent == folder):,}",
            )
            for folder, n in sorted(folders.items(), key=lambda item: -item[1])
        ),
    )
    forest = treewright.RandomForestClassifier
    above = [kind.__name__ for kind in forest.__mro__[1:] if is_ours(kind)]
    heading("Classes of treewright above RandomForestClassifier")
    print(f"{len(above)} in its MRO: {', '.join(above)}")
    longest = ancestry(forest)
    print(f"longest way up: {len(longest) - 1}: {' < '.join(longest)}")


def main() -> None:
    """Print all of it."""
    known = modules()
    show_imports(imports(known))
    show_walk()
    show_sizes(known)


if __name__ == "__main__":
    main()
