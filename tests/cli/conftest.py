"""What the tests of the command line share: a runner and small files."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from treewright.cli.main import main

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _quiet_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work in an empty folder, at 80 columns, and leave the signals as they were."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def run() -> Run:
    """Call `treewright` with these words; stdout and stderr are kept apart."""

    def call(*words: object, **environment: str) -> Result:
        result = CliRunner().invoke(main, list(map(str, words)), env=environment)
        assert "Traceback" not in result.output
        return result

    return call


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file into the working folder."""

    def call(name: str, content: str | bytes) -> Path:
        data = content.encode() if isinstance(content, str) else content
        (tmp_path / name).write_bytes(data)
        return Path(name)

    return call


@pytest.fixture
def tennis_model(run: Run) -> Path:
    """Return the saved ID3 tree of the tennis table."""
    assert run("fit", "tennis", "-o", "tennis.tw").exit_code == 0
    return Path("tennis.tw")


@pytest.fixture
def price_model(run: Run, write: Callable[[str, str], Path]) -> Path:
    """Return a saved tree that predicts a number from a number and a category."""
    write("prices.csv", "size,colour,price\n1,red,10\n2,red,20\n3,blue,30\n4,blue,40\n")
    assert run("fit", "prices.csv", "--target", "price", "-o", "p.tw").exit_code == 0
    return Path("p.tw")
