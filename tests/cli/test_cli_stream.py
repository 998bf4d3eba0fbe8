"""`treewright stream`: what it prints, keeps, and goes on from."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import treewright as tw
from treewright.learners.streams.checkpoint import load_checkpoint

FAST = ("--set", "grace_period=50", "--set", "delta=0.1")
HEADER = "age,colour,size,class"


def made(n_rows, seed=0):
    """Lines of a table whose class depends on colour and age."""
    random = np.random.default_rng(seed)
    lines = [HEADER]
    for _ in range(n_rows):
        age = int(random.integers(20, 80))
        colour = ["red", "green", "blue"][random.integers(3)]
        size = "" if random.random() < 0.1 else f"{random.normal():.3f}"
        label = "yes" if (colour == "red") != (age > 50) else "no"
        lines.append(f"{age},{colour},{size},{label}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def table(write):
    return write("rows.csv", made(3000))


def figures(text):
    """The numbers of the lines of figures, without the speed."""
    rows = [line.split() for line in text.splitlines()]
    return [row[:-1] for row in rows if len(row) == 7 and row[0][0].isdigit()]


def test_the_error_is_that_of_answers_before_learning(run, table):
    result = run("stream", table, "--target", "class", *FAST)
    assert result.exit_code == 0, result.output
    frame = tw.read_table(table)
    tree = tw.HoeffdingTreeClassifier(grace_period=50, delta=0.1)
    y = frame["class"].to_numpy()
    wrong = tree.prequential(frame.drop("class"), y) != y
    # the most common class so far; the first row has none
    usual = ["?"]
    for k in range(1, 3000):
        n_yes = (y[:k] == "yes").sum()
        first = y[0] if 2 * n_yes == k else ("yes" if 2 * n_yes > k else "no")
        usual.append(first)
    without = np.array(usual) != y
    last = figures(result.stdout)[-1]
    assert last == [
        "3,000",
        f"{100 * wrong.mean():.2f}",
        f"{100 * wrong[-1000:].mean():.2f}",
        f"{100 * without.mean():.2f}",
        f"{100 * without[-1000:].mean():.2f}",
        str(tree.get_n_leaves()),
    ]
    assert [row[0] for row in figures(result.stdout)] == ["1,000", "2,000", "3,000"]


def test_lines_fit_into_80_columns(run, table):
    result = run("stream", table, "--target", "class", "-o", "m.tw")
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "next: treewright show m.tw" in result.stdout
    assert run("show", "m.tw").exit_code == 0


def test_numbers_are_learned_by_the_regressor(run, write):
    random = np.random.default_rng(1)
    x = random.random(2000)
    lines = [
        f"{a:.4f},{3 * (a > 0.5) + b:.4f}"
        for a, b in zip(x, random.random(2000), strict=True)
    ]
    write("numbers.csv", "x,y\n" + "\n".join(lines) + "\n")
    result = run("stream", "numbers.csv", "--target", "y", "-o", "m.tw", *FAST)
    assert result.exit_code == 0, result.output
    assert "root of the mean squared error" in result.stdout
    so_far, _, without = map(float, figures(result.stdout)[-1][1:4])
    assert so_far < 0.5 < without
    assert tw.load("m.tw").predict({"x": [0.1, 0.9]}) == pytest.approx(
        [0.5, 3.5], abs=0.2
    )


def test_other_tables_are_streams_too(run):
    result = run("stream", "tennis", "-o", "m.tw")
    assert result.exit_code == 0, result.output
    assert figures(result.stdout)[-1][0] == "14"


@pytest.mark.slow
def test_gzip_and_standard_input_give_the_same_bytes(write, table, tmp_path):
    packed = write("rows.csv.gz", gzip.compress(Path(table).read_bytes()))
    command = [sys.executable, "-m", "treewright.cli.start"]
    names = []
    for number, (data, given) in enumerate(
        [
            (table, None),
            (packed, None),
            ("-", Path(table).read_bytes()),
            ("-", packed.read_bytes()),
        ]
    ):
        names.append(f"{number}.tw")
        words = ["stream", str(data), "--target", "class", "--checkpoint", names[-1]]
        program = "from treewright.cli.start import main; main()"
        done = subprocess.run(
            [command[0], "-c", program, *words],
            input=given,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert len({Path(name).read_bytes() for name in names}) == 1


def test_going_on_gives_the_same_bytes_as_never_stopping(run, write, table):
    whole = ("--target", "class", "--checkpoint", "whole.tw", *FAST)
    assert run("stream", table, *whole).exit_code == 0
    lines = Path(table).read_text().splitlines(keepends=True)
    write("part.csv", "".join(lines[:1235]))
    part = ("--target", "class", "--checkpoint", "part.tw")
    assert run("stream", "part.csv", *part, *FAST).exit_code == 0
    result = run("stream", table, *part, "--resume")
    assert result.exit_code == 0, result.output
    assert "from row 1,235 on" in result.stdout
    assert Path("whole.tw").read_bytes() == Path("part.tw").read_bytes()


def test_checkpoints_come_every_so_many_rows(run, table, monkeypatch):
    from treewright.cli.streaming.stream_run import StreamState

    saved = []
    keep = StreamState.save

    def noted(state, path):
        saved.append(state.n_read)
        keep(state, path)

    monkeypatch.setattr(StreamState, "save", noted)
    run("stream", table, "--target", "class", "--checkpoint", "c.tw", "--every", "700")
    assert saved == [700, 1400, 2100, 2800, 3000]


@pytest.mark.slow
def test_standard_input_goes_on_where_it_ended(run, table):
    lines = Path(table).read_text().splitlines(keepends=True)
    program = "from treewright.cli.start import main; main()"
    words = ["stream", "-", "--target", "class", "--checkpoint", "c.tw"]
    for given, more in (
        (lines[:1001], []),
        ([lines[0], *lines[1001:]], ["--resume"]),
    ):
        done = subprocess.run(
            [sys.executable, "-c", program, *words, *more],
            input="".join(given).encode(),
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert b"standard input is taken to have a header" in done.stderr
    assert run("stream", table, "--target", "class", "--checkpoint", "w.tw")
    assert Path("c.tw").read_bytes() == Path("w.tw").read_bytes()


BAD = {
    "ragged": ("50,red,1.0", "rows.csv, line 2502: 3 cells, but the header has 4"),
    "text": (
        "old,red,1.0,yes",
        "rows.csv, line 2502: column 'age' held numbers so far and holds 'old'; "
        "correct the cell or empty it, or start anew with --nominal 'age'",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", BAD)
def test_a_bad_row_is_named_and_what_was_learned_before_is_kept(run, write, fault):
    # small blocks, so that the bad row is not in the first
    line, message = BAD[fault]
    lines = made(3000).splitlines()
    lines.insert(2501, line)
    write("rows.csv", "\n".join(lines) + "\n")
    import treewright.data.readers.byte_blocks as blocks

    before = blocks.BLOCK_BYTES
    blocks.BLOCK_BYTES = 8_000
    try:
        result = run(
            "stream", "rows.csv", "--target", "class", "--checkpoint", "c.tw", *FAST
        )
    finally:
        blocks.BLOCK_BYTES = before
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert message in result.stderr
    assert "rows before it: c.tw)" in result.stderr
    n_rows = load_checkpoint("c.tw")[1].n_rows
    assert 2000 < n_rows <= 2500
    # with the row put right it goes on
    lines[2501] = "50,red,1.0,yes"
    write("rows.csv", "\n".join(lines) + "\n")
    assert run("stream", "rows.csv", "--checkpoint", "c.tw", "--resume").exit_code == 0
    assert load_checkpoint("c.tw")[1].n_rows == 3001


REFUSED = {
    ("--resume",): "--resume needs the file of --checkpoint FILE",
    ("--every", "10"): "--every needs the file of --checkpoint FILE",
    ("--set", "grace_perod=3"): "did you mean 'grace_period'?",
    ("--set", "delta=2"): "delta is 2; it must be a number between 0 and 1",
    ("--target", "klass"): "did you mean 'class'?",
    ("--checkpoint", "rows.csv"): "would overwrite the input",
    ("--checkpoint", "m.tw", "-o", "m.tw"): "name the same file",
}


@pytest.mark.parametrize("words", REFUSED)
def test_options_are_refused_in_one_line(run, table, words):
    target = () if "--target" in words else ("--target", "class")
    result = run("stream", table, *target, *words)
    assert result.exit_code in (1, 2)
    assert REFUSED[words] in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_checkpoint_is_not_overwritten_by_chance(run, table):
    words = ("stream", table, "--target", "class", "--checkpoint", "c.tw")
    assert run(*words).exit_code == 0
    again = run(*words)
    assert again.exit_code == 1
    assert "add --resume to go on from it" in again.stderr
    changed = run(*words, "--resume", "--set", "tau=0.1")
    assert "--set is as in the checkpoint" in changed.stderr
    other = run("stream", table, "--target", "age", "--checkpoint", "c.tw", "--resume")
    assert "the checkpoint is about 'class'" in other.stderr
    short = run("stream", "tennis", "--checkpoint", "c.tw", "--resume")
    assert "tennis has 14 rows, and the checkpoint has learned 3,000" in short.stderr


def test_resume_without_a_checkpoint_starts_with_the_first_row(run, table):
    result = run(
        "stream", table, "--target", "class", "--checkpoint", "c.tw", "--resume"
    )
    assert result.exit_code == 0
    assert "there is no checkpoint 'c.tw' yet" in result.stderr


def started(*words, **streams):
    program = "from treewright.cli.start import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", program, "stream", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **streams,
    )


def wait_for(path, seconds=30):
    end = time.monotonic() + seconds
    while not os.path.exists(path):
        assert time.monotonic() < end, f"no {path}"
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_with_a_checkpoint_of_all_rows(number):
    words = ("-", "--target", "class", "--checkpoint", "c.tw", "--every", "100")
    with started(*words, stdin=subprocess.PIPE) as process:
        process.stdin.write(made(250).encode())
        process.stdin.flush()
        wait_for("c.tw")
        time.sleep(1.5)  # it waits for more rows by now
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 128 + number, err
    assert b"interrupted after 250 rows" in out
    assert b"--checkpoint c.tw --resume" in out.replace(b"\\\n      ", b"")
    assert load_checkpoint("c.tw")[1].n_rows == 250


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_killed_at_any_moment_the_last_checkpoint_is_whole(run, write):
    write("rows.csv", made(20_000))
    words = ("rows.csv", "--target", "class", "--checkpoint", "c.tw", "--every", "50")
    random = np.random.default_rng(0)
    for _ in range(6):
        with started(*words, "--resume") as process:
            if not os.path.exists("c.tw"):
                wait_for("c.tw")
            time.sleep(float(random.uniform(0.0, 1.5)))
            process.kill()
        assert load_checkpoint("c.tw")[1].n_rows % 50 == 0
    assert run("stream", *words, "--resume").exit_code == 0
    assert (
        run(
            "stream", "rows.csv", "--target", "class", "--checkpoint", "whole.tw"
        ).exit_code
        == 0
    )
    assert Path("c.tw").read_bytes() == Path("whole.tw").read_bytes()


def test_rows_without_a_target_are_left_out_wherever_they_are(run, write):
    lines = made(3000).splitlines()
    for number in (6, 1001, 1002, 2500):
        lines[number] = lines[number].rpartition(",")[0] + ","
    write("gaps.csv", "\n".join(lines) + "\n")
    words = ("stream", "gaps.csv", "--target", "class", *FAST)
    result = run(*words, "--drop-missing-target")
    assert result.exit_code == 0, result.output
    assert "learned 2,996 rows" in result.stdout
    assert "--set grace_period=50" in " ".join(result.stdout.split("next:")[1].split())
    stopped = run(*words, "--checkpoint", "gaps.tw")
    assert stopped.exit_code == 1
    assert "line 7" in stopped.output


@pytest.mark.slow
def test_a_missing_target_can_be_left_out_on_the_way(run, write):
    lines = made(3000).splitlines()
    write("good.csv", "\n".join(lines[:2001]) + "\n")
    run("stream", "good.csv", "--target", "class", *FAST, "--checkpoint", "g.tw")
    lines[2500] = lines[2500].rpartition(",")[0] + ","
    write("good.csv", "\n".join(lines) + "\n")
    resumed = ("stream", "good.csv", "--checkpoint", "g.tw", "--resume")
    assert "line 2501" in run(*resumed).output
    result = run(*resumed, "--drop-missing-target")
    assert result.exit_code == 0, result.output


def test_saved_trees_say_how_they_answer(run, table):
    words = ("stream", str(table), "--target", "class", *FAST, "-o", "m.tw")
    assert "majority of its leaves" in run(*words).stdout
    more = ("--set", "leaf_prediction=majority")
    assert "majority of its leaves" not in run(*words, *more).stdout
