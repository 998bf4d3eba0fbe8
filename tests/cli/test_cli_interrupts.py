"""Ctrl-C is answered soon, also where Python cannot: in other libraries' code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import treewright as tw
from answer_times import check_soon

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals"),
]

# a long call that answers no signal, as a sort in another library
PROGRAM = """
import hashlib, os, sys
from treewright.cli.commands import fit
from treewright.cli.start import main
from treewright.tree.file.atomic_write import write_atomically

def sort(*ignored):
    print("go", flush=True)
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)

def work(**ignored):
    {work}

fit.command.callback = work
sys.argv = ["treewright", "fit", "tennis"]
main()
"""
SORTING = PROGRAM.format(work="sort()")
SAVING = PROGRAM.format(work="os.fsync = sort; write_atomically('m.tw', b'model')")
SAVED = PROGRAM.format(
    work="""
    import treewright as tw
    from treewright.cli.model_file import keep
    keep(tw.ID3Classifier().fit(*tw.datasets.tennis()).model_, "days.tw")
    sort()
"""
)
ENDS = {
    signal.SIGINT: (130, b"treewright: interrupted; no file was changed\n"),
    signal.SIGTERM: (143, b""),
}


def seconds_to_end(program, signum=signal.SIGINT, words=None):
    """How long the command takes to end after a signal, as it should."""
    end = ENDS[signum] if words is None else (ENDS[signum][0], words)
    command = [sys.executable, "-c", program]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"go\n"
        sent = time.monotonic()
        process.send_signal(signum)
        _, said = process.communicate(timeout=30)
        took = time.monotonic() - sent
    assert (process.returncode, said) == end
    return took


@pytest.mark.parametrize("signum", ENDS)
def test_a_signal_in_a_long_call_is_answered_soon(signum):
    check_soon([seconds_to_end(SORTING, signum) for _ in range(3)])


def test_ctrl_c_in_saving_leaves_no_file():
    Path("m.tw").write_bytes(b"before")
    check_soon([seconds_to_end(SAVING) for _ in range(3)])
    assert [path.name for path in Path().iterdir()] == ["m.tw"]
    assert Path("m.tw").read_bytes() == b"before"


def test_ctrl_c_after_the_model_was_written_says_so():
    words = b"treewright: interrupted; days.tw was written before\n"
    check_soon([seconds_to_end(SAVED, words=words) for _ in range(3)])
    assert tw.load("days.tw").get_n_leaves() == 5


def test_ctrl_c_at_any_moment_of_growing_a_forest():
    rows = "".join(
        f"{k * 37 % 1009},{k * 61 % 997},{k % 7 % 2}x\n" for k in range(9999)
    )
    Path("rows.csv").write_text(f"a,b,y\n{rows}")
    words = ["fit", "rows.csv", "--target", "y", "--algorithm", "forest"]
    program = f"""
import sys
sys.argv = ["treewright", *{[*words, "--set", "n_estimators=5000"]!r}]
print("go", flush=True)
from treewright.cli.start import main
main()
"""
    took = []
    for delay in (0.0, 0.5, 1.0, 1.5, 2.0):
        with subprocess.Popen(
            [sys.executable, "-c", program],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"go\n"
            time.sleep(delay + 0.05)
            sent = time.monotonic()
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=30)
            took.append(time.monotonic() - sent)
        assert (process.returncode, said) == ENDS[signal.SIGINT]
    check_soon(took)
