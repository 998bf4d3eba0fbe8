"""The command as a process: pipes, signals, encodings, and what it loads."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from treewright.render import sign_of_life as progress

pytestmark = pytest.mark.slow

SCRIPT = [sys.executable, "-c", "from treewright.cli.start import main; main()"]


def treewright(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    env = {**os.environ, "COLUMNS": "80", **environment}
    return subprocess.run([*SCRIPT, *words], capture_output=True, env=env, check=False)


@pytest.fixture
def many_leaves(run, write) -> Path:
    """Return a saved tree whose listing does not fit into a pipe's buffer."""
    rows = "".join(f"{k},{k % 2}x\n" for k in range(3000))
    write("many.csv", f"x,y\n{rows}")
    assert run("fit", "many.csv", "--target", "y", "-o", "many.tw").exit_code == 0
    return Path("many.tw")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--version"], 0),
        (["--help"], 0),
        (["fit", "tennis"], 0),
        (["show", "nowhere.tw"], 1),
        (["fit", "tennis", "--set", "max_dept=3"], 2),
    ],
)
def test_exit_codes(words, code):
    result = treewright(*words)
    assert result.returncode == code
    assert b"Traceback" not in result.stderr


@pytest.mark.parametrize("form", ["text", "json", "dot"])
def test_pipe_that_closes_early_is_no_error(many_leaves, form):
    process = subprocess.Popen(
        [*SCRIPT, "show", str(many_leaves), "--format", form],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["fit", "tennis"], ["demo"]])
def test_full_disk_behind_stdout_is_said(words):
    with open("/dev/full", "wb") as full:
        result = subprocess.run(
            [*SCRIPT, *words], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert result.stderr == b"treewright: No space left on device\n"
    assert result.returncode == 1


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    "words",
    [
        ["show", "tennis.tw"],
        ["show", "tennis.tw", "--format", "json"],
        ["predict", "tennis.tw", "tennis"],
        ["fit", "tennis", "-o", "again.tw"],
        ["demo"],
        ["missing", "tennis"],
    ],
)
@pytest.mark.parametrize("stderr", ["open", "closed"])
def test_closed_stdout_is_said(tennis_model, words, stderr):
    closed = ">&-" if stderr == "open" else ">&- 2>&-"
    result = subprocess.run(
        ["/bin/sh", "-c", f'"$@" {closed}', "sh", *SCRIPT, *words],
        stderr=subprocess.PIPE,
        check=False,
    )
    said = b"treewright: stdout is closed; send the output to a file, or to /dev/null\n"
    assert result.stderr == (said if stderr == "open" else b"")
    assert result.returncode == 1
    assert not Path("again.tw").exists()


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
def test_closed_stderr_is_no_error():
    result = subprocess.run(
        ["/bin/sh", "-c", '"$@" 2>&-', "sh", *SCRIPT, "fit", "tennis"],
        stdout=subprocess.PIPE,
        check=False,
    )
    assert result.returncode == 0
    assert b"Outlook" in result.stdout


def test_stdout_without_unicode_gets_ascii():
    for words in (["demo"], ["fit", "watermelon"]):
        result = treewright(*words, PYTHONIOENCODING="ascii")
        assert result.returncode == 0
        assert result.stdout.isascii()


def test_data_is_utf8_on_every_terminal(run, write):
    write("瓜.csv", "x,好瓜\n1,是\n2,否\n")
    assert run("fit", "瓜.csv", "--target", "好瓜", "-o", "m.tw").exit_code == 0
    result = treewright("predict", "m.tw", "瓜.csv", PYTHONIOENCODING="ascii")
    assert result.stdout.decode("utf-8") == "predicted_好瓜\n是\n否\n"
    assert result.returncode == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize(
    ("signum", "code", "message"),
    [
        (signal.SIGINT, 130, b"treewright: interrupted; no file was changed\n"),
        (signal.SIGTERM, 143, b""),
    ],
)
def test_signal_while_reading_ends_cleanly(tmp_path, signum, code, message):
    pipe = tmp_path / "endless.csv"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [*SCRIPT, "fit", str(pipe), "--target", "y", "-o", "m.tw"],
        stderr=subprocess.PIPE,
    )
    with open(pipe, "wb"):  # waits until the command reads
        process.send_signal(signum)
        assert process.stderr is not None
        with process.stderr:
            assert process.stderr.read() == message
    assert process.wait() == code
    assert [path.name for path in tmp_path.iterdir()] == ["endless.csv"]


@pytest.mark.parametrize(
    "module", ["treewright.cli.main", "click", "treewright.cli.commands.fit", "numpy"]
)
def test_interrupt_while_loading_ends_cleanly(module):
    code = f"""
import signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
sys.argv = ["treewright", "fit", "tennis"]
from treewright.cli.start import main
main()
"""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False
    )
    assert result.stderr == b"treewright: interrupted; no file was changed\n"
    assert result.returncode == 130


@pytest.mark.parametrize(
    ("words", "unwanted"),
    [
        (["--help"], {"numpy", "polars", "rich", "sklearn", "narwhals"}),
        (["show", "tennis.tw"], {"polars", "rich", "sklearn", "narwhals", "pandas"}),
        (["fit", "tennis"], {"sklearn", "rich", "pandas", "scipy"}),
        (["predict", "tennis.tw", "tennis"], {"sklearn", "rich", "pandas", "scipy"}),
    ],
)
def test_commands_load_no_more_than_they_need(tennis_model, words, unwanted):
    code = (
        "import sys; from treewright.cli.main import main; "
        f"main({words!r}, standalone_mode=False); "
        f"sys.exit(str(sorted({unwanted!r} & set(sys.modules)) or ''))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert result.stderr.splitlines()[-1:] in ([], [""], ["wrote 14 rows to stdout"])


class Terminal:
    """A stderr that is a terminal and remembers what it was told."""

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


def test_long_work_shows_a_sign_of_life_and_erases_it(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(progress, "_EVERY", 0.001)
    with progress.busy("growing"):
        deadline = time.monotonic() + 5
        while "growing ... 0 s" not in terminal.text and time.monotonic() < deadline:
            time.sleep(0.001)
    assert "growing ... 0 s" in terminal.text
    assert terminal.text.endswith("\r\x1b[K")
    assert threading.active_count() == 1


def test_short_work_is_silent(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress.busy("growing"):
        pass
    assert terminal.text == ""


INTERRUPTED_LOADING = """
import importlib, os, signal, sys
from treewright.cli import start

load = importlib.import_module

def interrupted(name, *more):
    if name == "treewright.cli.commands.fit":
        os.kill(os.getpid(), signal.SIGINT)
    return load(name, *more)

importlib.import_module = interrupted
sys.argv = ["treewright", "fit", "tennis"]
start.main()
"""


def test_ctrl_c_while_a_command_is_loaded_loads_nothing_more():
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", INTERRUPTED_LOADING],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 130
    lines = done.stderr.splitlines()
    said = [line for line in lines if not line.startswith("import time:")]
    assert said == ["treewright: interrupted; no file was changed"]
    assert not any("numpy" in line for line in lines)
