"""`treewright tune`: the report, the model, and going on after an interruption."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import treewright as tw
from treewright.cli.options.algorithm import Recipe
from treewright.evaluation.tuning.spaces import usual_settings
from treewright.learners.registry import LEARNERS, names

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parents[1] / "golden"
# y follows x but for one row in five, z says nothing
TABLE = "x,z,who,y\n" + "".join(
    f"{row % 17},{row * 7 % 11},p{row // 4},"
    f"{'yes' if (row % 17 > 8) != (row % 5 == 0) else 'no'}\n"
    for row in range(60)
)
BASE = ("t.csv", "--target", "y", "--ignore", "who")
SPACE = ("--space", "max_depth=1,2,none; min_samples_leaf=1,5")
CART = (*BASE, "--algorithm", "cart", *SPACE)


@pytest.fixture(autouse=True)
def _table(write):
    write("t.csv", TABLE)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("classes", (*BASE, "--algorithm", "c45")),
        ("numbers", ("t.csv", "--target", "x", "--ignore", "who", "--folds", "3")),
        ("rules", (*BASE, "--algorithm", "c45rules", "--rule", "minimum")),
        ("groups", ("t.csv", "--target", "y", "--group", "who", *SPACE)),
    ],
)
def test_report_is_as_recorded(run, name, words):
    result = run("tune", *words)
    assert result.exit_code == 0, result.output
    assert result.stdout == (GOLDEN / f"tune_{name}.txt").read_text()
    assert all(len(line) <= 80 for line in result.stdout.splitlines())


def test_next_command_fits_what_was_tuned(run):
    result = run("tune", *CART)
    words = result.stdout.split("next: ")[1].replace("\\\n", " ")
    again = shlex.split(words)[1:]
    assert run(*again).exit_code == 0
    assert Path("t.tw").exists()
    found = json.loads(run("tune", *CART, "--format", "json").stdout)
    kept = tw.load("t.tw").model_.settings
    assert {name: kept[name] for name in found["settings"]} == found["settings"]


@pytest.mark.parametrize(
    "words", [CART, (*BASE, "--algorithm", "forest", "--set", "n_estimators=3")]
)
def test_saved_model_is_that_of_the_next_command(run, words):
    result = run("tune", *words)
    command = shlex.split(result.stdout.split("next: ")[1].replace("\\\n", " "))
    assert run(*command[1:]).exit_code == 0
    saved = run("tune", *words, "-o", "saved.tw")
    assert saved.exit_code == 0, saved.output
    assert "fitted with these settings to all rows" in saved.stdout
    assert Path("saved.tw").read_bytes() == Path("t.tw").read_bytes()
    as_json = run("tune", *words, "-o", "saved.tw", "--format", "json")
    assert json.loads(as_json.stdout)["chosen"] >= 0


def test_it_finds_what_python_finds(run):
    found = json.loads(run("tune", *CART, "--format", "json").stdout)
    frame = tw.read_table("t.csv")
    there = tw.tune(
        tw.CARTClassifier(),
        frame[["x", "z"]],
        frame["y"],
        space={"max_depth": [1, 2, None], "min_samples_leaf": [1, 5]},
    ).to_dict()
    for each in (found, there):
        del each["name"]
        del each["target"]
    assert found == there


def test_the_algorithm_is_chosen_if_nobody_says_it(run):
    result = run("tune", *BASE, *SPACE)
    assert "algorithm cart, because 2 features are numeric" in result.stdout
    assert "--algorithm cart" in result.stdout
    result = run("tune", "tennis", "--folds", "2", "--inner-folds", "2")
    assert "algorithm id3, because every feature is nominal" in result.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--space", "max_deph=2"), "did you mean 'max_depth'?"),
        (("--space", "max_depth=x"), "max_depth is 'x'"),
        (("--space", "max_depth=0,1"), "max_depth is 0"),
        (("--space", "max_depth"), "has no '='"),
        (("--space", "max_depth="), "no values for 'max_depth'"),
        (("--space", "max_depth=1", "--space", "max_depth=2"), "stands there twice"),
        (("--space", "max_depth=1,1"), "1 twice for 'max_depth'"),
        (("--space", ";"), "space is {}"),
        (("--space", "confidence=0.1"), "confidence is for pruning=error_based"),
        (("--space", "criterion=gini,squared_error"), "squared_error is for numbers"),
        (("--space", "max_depth=1", "--set", "max_depth=2"), "--set and in --space"),
        (("--folds", "61"), "61 folds cannot be made of 60 rows"),
        (("--inner-folds", "49"), "the 48 rows that are left without outer fold 1"),
        (("--group", "whom"), "did you mean 'who'?"),
        (("--state", "no/where"), "another place with --state"),
        (("--state", "t.csv"), "--state 't.csv' would overwrite the input"),
        (("--state", "m.tw", "-o", "m.tw"), "the same file"),
        (("--set", "pruning=reduced_error"), "give a space of your own"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(run, words, said):
    result = run("tune", *BASE, "--algorithm", "cart", *words)
    assert result.exit_code in {1, 2}
    assert said in result.stderr
    assert not result.stdout


def test_a_wrong_space_is_refused_before_the_table_is_read(run):
    result = run("tune", "no.csv", "--target", "y", "--space", "max_deph=2")
    assert "max_deph" in result.stderr


FOREST = (
    *(*BASE, "--algorithm", "forest", "--set", "n_estimators=400"),
    *("--space", "max_features=1,2; min_samples_leaf=1,4", "--jobs", "2"),
    *("--folds", "4", "--inner-folds", "3"),
)


# of 4 settings in 3 inner folds of each of 4 folds and of all rows; then of the chosen
# settings and of the usual ones in the 4 folds
ALL_FITS = 4 * 3 * (4 + 1) + 4 + 4


def killed(state, signum, after):
    """Start a search, send a signal after so many fits, return how it ended."""
    program = "from treewright.cli.start import main; main()"
    words = ["tune", *FOREST, "--state", state]
    with subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        for _ in range(3000):
            time.sleep(0.01)
            if n_kept(state) >= after or process.poll() is not None:
                break
        process.send_signal(signum)
        _, said = process.communicate(timeout=60)
    return process.returncode, said


def n_kept(state):
    if not Path(state).exists():
        return -1
    data = json.loads(Path(state).read_text())
    return len(data["tried"]) + len(data["answers"])


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_killed_in_the_middle_it_goes_on_to_the_same_end(run):
    whole = run("tune", *FOREST, "--jobs", "1").stdout
    code, said = killed("f.tune", signal.SIGINT, 5)
    assert code == 130
    assert "interrupted; the same command goes on from f.tune" in said
    first = n_kept("f.tune")
    assert 5 <= first < ALL_FITS - 10
    code, _ = killed("f.tune", signal.SIGKILL, first + 10)
    assert code == -signal.SIGKILL
    assert first + 10 <= n_kept("f.tune") < ALL_FITS
    result = run("tune", *FOREST, "--state", "f.tune")
    assert result.exit_code == 0, result.output
    assert result.stdout == whole
    assert n_kept("f.tune") == ALL_FITS
    # temporaries of the killed process are gone, too
    names = {path.name for path in Path().iterdir()}
    assert names == {"t.csv", "f.tune"}


def test_state_of_other_settings_is_refused(run):
    assert run("tune", *CART, "--state", "s").exit_code == 0
    result = run("tune", *CART, "--set", "criterion=entropy", "--state", "s")
    assert result.exit_code == 2
    assert re.search("state file 's' is of other settings; begin anew", result.stderr)
    Path("s").write_bytes(Path("s").read_bytes()[:-9])
    result = run("tune", *CART, "--state", "s")
    assert result.exit_code == 1
    assert "the state file 's' is torn" in result.stderr


@pytest.mark.parametrize("algorithm", names())
def test_every_algorithm_has_something_to_try(algorithm):
    tried = usual_settings(algorithm, (), lambda one: Recipe(algorithm, one))
    space = LEARNERS[algorithm].tries()
    assert len(tried) == math.prod(map(len, space.values()))


@pytest.mark.parametrize("algorithm", ["cal2", "cal3"])
def test_learners_row_by_row_are_tuned(run, algorithm):
    words = ("--folds", "3", "--inner-folds", "2")
    result = run("tune", "tennis", "--algorithm", algorithm, *words)
    assert result.exit_code == 0, result.output
    assert f"treewright fit tennis --algorithm {algorithm}" in result.stdout


@pytest.mark.parametrize(
    "words",
    [("--text-min-rows", "3"), ("--text-max-words", "4"), ("--text-weights", "share")],
    ids="".join,
)
def test_state_of_other_texts_is_refused(run, words):
    lines = [
        "body,y",
        *(
            f"{a} {b} both,{a}"
            for a in "xy xx yy".split()
            for b in "ab ba cc dd".split() * 3
        ),
    ]
    Path("t.csv").write_text("\n".join(lines), encoding="utf-8")
    how = ("tune", "t.csv", "--target", "y", "--text", "body", "--algorithm", "cart")
    few = ("--space", "max_depth=1,2", "--folds", "2", "--inner-folds", "2")
    kept = ("--state", "t.tune")
    assert run(*how, *few, *kept).exit_code == 0
    assert run(*how, *few, *kept).exit_code == 0
    result = run(*how, *few, *kept, *words)
    assert result.exit_code == 2
    assert "is of other" in result.stderr
