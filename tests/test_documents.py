"""Pages of the documentation: code runs, links and named files are there."""

from __future__ import annotations

import fnmatch
import re
from pathlib import Path

import pytest

from documents import FILLED_IN, commands_of, printed_by, python_of, run
from treewright import datasets
from treewright.learners.registry import names

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
FIRST = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")]
PAGES = [*FIRST, *sorted(DOCS.rglob("*.md"))]
INSIDE = [FIRST[1], *sorted((DOCS / "decisions").glob("*.md"))]
COMMAND_LINE = (DOCS / "command-line.md").read_text(encoding="utf-8")

# Where a file that a page names may stand.
HOMES = (ROOT, ROOT / "src" / "treewright", ROOT / "core", ROOT / "tests")
NAMES = {
    path.name
    for folder in "src core bindings tests benchmarks conformance breiman".split()
    for path in (ROOT / folder).rglob("*.*")
}


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def links_of(text):
    """The files of this folder that a page links to, pictures too."""
    links = re.findall(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", text)
    return [link for link in links if "://" not in link]


def mentions_of(text):
    """The files of code that a page names: with their folder, or between backticks."""
    endings = "(?:py|pyi|hpp|cpp|js|toml)"
    return re.findall(
        rf"[\w*-]+(?:/[\w*-]+)+\.{endings}\b|(?<=`)[\w*-]+\.{endings}(?=`)", text
    )


def is_there(mention):
    """Whether a file that is named exists; a bare name may stand in any folder."""
    if "/" not in mention:
        return bool(fnmatch.filter(NAMES, mention)) or (ROOT / mention).is_file()
    return any([*home.glob(mention)] for home in HOMES)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_linked_files_are_there(page):
    links = links_of(page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", INSIDE, ids=name_of)
def test_named_files_are_there(page):
    mentions = mentions_of(page.read_text(encoding="utf-8"))
    assert [mention for mention in mentions if not is_there(mention)] == []


def test_a_wrong_link_and_a_wrong_name_are_found():
    assert links_of("[a](b.md#c), [d](https://e.org)") == ["b.md"]
    assert mentions_of("`grow/no_such.py` and `core/x_*.cpp`") == [
        "grow/no_such.py",
        "core/x_*.cpp",
    ]
    assert not is_there("grow/no_such.py")
    assert not is_there("no_such.py")


def test_every_page_can_be_reached_from_the_index():
    linked = links_of((DOCS / "README.md").read_text(encoding="utf-8"))
    pages = {path.name for path in DOCS.glob("*.md")} - {"README.md"}
    assert pages - {*linked} == set()


def test_every_decision_can_be_reached_from_its_index():
    folder = DOCS / "decisions"
    linked = links_of((folder / "README.md").read_text(encoding="utf-8"))
    pages = {path.name for path in folder.glob("*.md")} - {"README.md"}
    assert pages - {*linked} == set()


@pytest.mark.parametrize("name", ["python", "trees", "chalk", "explorer"])
def test_python_of_a_page_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    printed = printed_by("\n".join(python_of(page)))
    shown = re.findall(r"```\n\n((?:    .*\n)+)", page)
    for line in "".join(shown).splitlines():
        assert line.strip() in [one.strip() for one in printed]


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "days.csv").write_bytes(datasets.path("tennis").read_bytes())


def test_commands_are_listed_in_their_order():
    assert [words[0] for words in commands_of(COMMAND_LINE)] == [
        "check",
        "fit",
        "evaluate",
        "compare",
        "report",
        "tune",
        "stream",
        "show",
        "explore",
        "rules",
        "predict",
        "chalk",
        "differ",
        "missing",
        "distil",
        "compact",
        "demo",
    ]


@pytest.mark.usefixtures("in_folder")
def test_commands_run_one_after_the_other():
    for command in commands_of(COMMAND_LINE):
        result = run([FILLED_IN.get(word, word) for word in command])
        assert result.exit_code == 0, result.output
    assert Path("OUT.csv").read_text().splitlines()[:2] == [
        "predicted_PlayTennis",
        "No",
    ]


@pytest.mark.parametrize("name", datasets.names())
def test_built_in_tables_are_listed(name):
    assert f"`{name}`" in COMMAND_LINE


def test_every_algorithm_is_named():
    assert f"`--algorithm {'|'.join(names())}` chooses" in COMMAND_LINE
