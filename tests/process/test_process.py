"""Signals, forks, threads and environments: what a process may do to a fit."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from answer_times import check_soon
from treewright import CARTClassifier, CARTRegressor
from treewright.data.machine import thread_count

pytestmark = pytest.mark.slow

# Each program works until it is interrupted, as often as there are DELAYS, and shows
# each time that it can go on.
INTERRUPTED = """
import numpy as np, time
import treewright as tw
rng = np.random.default_rng(0)
{prepare}
for _ in range({times}):
    try:
        print("go", flush=True)
        while True:
            {work}
    except KeyboardInterrupt:
        print("interrupted", time.monotonic(), flush=True)
    {afterwards}
    print("usable", flush=True)
"""

FIT = {
    "prepare": """
X = rng.standard_normal((300_000, 20))
y = rng.integers(0, 2, 300_000)
small = tw.CARTClassifier(n_jobs=2).fit(X[:200], y[:200])
before = small.fingerprint()
""",
    "work": "small.fit(X, y)",
    "afterwards": "tw.CARTRegressor(n_jobs=2).fit(X[:200], y[:200])",
}
FOREST = {
    "prepare": """
X = np.array([f"v{k}" for k in range(3000)])[rng.integers(0, 3000, (20_000, 6))]
y = rng.integers(0, 100, 20_000)
small = tw.RandomForestClassifier(4, n_jobs=2, random_state=0).fit(X[:200], y[:200])
before = small.fingerprint()
""",
    "work": "small.fit(X, y)",
    "afterwards": "assert small.fingerprint() == before; small.fit(X[:200], y[:200])",
}
VOTE = {
    "prepare": """
X = rng.standard_normal((100_000, 20))
y = rng.integers(0, 2, 100_000)
forest = tw.RandomForestClassifier(100, max_samples=5000, n_jobs=2, random_state=0)
forest.fit(X, y).predict(X[:1])
""",
    "work": "forest.predict_proba(X)",
    "afterwards": "forest.predict(X[:10])",
}
# growing, then the out-of-bag rows, again and again
OUT_OF_BAG = FOREST | {
    "prepare": FOREST["prepare"]
    .replace("n_jobs=2", "oob_score=True")
    .replace("(20_000, 6)", "(20_000, 1)"),
}
DELAYS = (0.05, 0.3, 0.9)


@pytest.mark.parametrize(
    "program",
    [FIT, FOREST, VOTE, OUT_OF_BAG],
    ids=["fit", "forest", "vote", "out-of-bag"],
)
def test_ctrl_c_during_a_fit_is_answered_and_the_process_stays_usable(program):
    check_soon(_seconds_to_answer(INTERRUPTED.format(times=len(DELAYS), **program)))


def _seconds_to_answer(program):
    """How long Ctrl-C takes, each of DELAYS after the work began."""
    command = [sys.executable, "-c", program]
    seconds = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for delay in DELAYS:
            assert process.stdout.readline() == "go\n"
            time.sleep(delay)
            sent = time.monotonic()
            process.send_signal(signal.SIGINT)
            word, when = process.stdout.readline().split()
            assert word == "interrupted"
            assert process.stdout.readline() == "usable\n"
            seconds.append(float(when) - sent)
        assert process.wait(timeout=20) == 0
    return seconds


def _table(n_rows=3000, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n_rows, 5)), rng.integers(0, 3, n_rows)


def _fit_in_child(queue):
    table, target = _table()
    queue.put(CARTClassifier(n_jobs=2).fit(table, target).fingerprint())


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_child_process_fits_after_its_parent_did(method):
    table, target = _table()
    here = CARTClassifier(n_jobs=2).fit(table, target).fingerprint()
    context = multiprocessing.get_context(method)
    for _ in range(3 if method == "fork" else 1):
        queue = context.SimpleQueue()
        child = context.Process(target=_fit_in_child, args=(queue,))
        child.start()
        child.join(timeout=60)
        assert child.exitcode == 0
        assert queue.get() == here
    assert CARTClassifier(n_jobs=2).fit(table, target).fingerprint() == here


def test_threads_share_one_model():
    table, target = _table()
    model = CARTClassifier().fit(table, target)
    wanted = model.predict(table)
    right = []

    def ask():
        right.extend(np.array_equal(model.predict(table), wanted) for _ in range(50))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(right) == 400 and all(right)


def test_two_fits_of_one_estimator_at_the_same_time_leave_one_of_both():
    tables = [_table(seed=seed) for seed in (1, 2)]
    wanted = {CARTClassifier().fit(*table).fingerprint() for table in tables}
    shared = CARTClassifier()
    threads = [threading.Thread(target=shared.fit, args=table) for table in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shared.fingerprint() in wanted


# without scikit-learn, which -OO would compile anew
SAVED_BYTES = """
import hashlib
from treewright.data.datasets import watermelon
from treewright.data.encoding.encode import encode
from treewright.learners.dialects.cart import CART
from treewright.learners.recipe import grow_tree
from treewright.render import to_json, to_text
from treewright.tree import to_bytes
X, y = watermelon()
model = grow_tree(encode(X.drop("编号"), y, task="classes"), CART)
data = to_bytes(model) + to_text(model).encode() + to_json(model).encode()
print(hashlib.sha256(data).hexdigest())
"""


def test_bytes_do_not_depend_on_hash_seed_locale_zone_or_optimisation():
    digests = set()
    for flags, environment in [
        ([], {"PYTHONHASHSEED": "0"}),
        ([], {"PYTHONHASHSEED": "123", "TZ": "Asia/Kathmandu"}),
        (["-OO"], {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}),
    ]:
        run = subprocess.run(
            [sys.executable, *flags, "-c", SAVED_BYTES],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(run.stdout)
    assert len(digests) == 1


def test_threads_keep_to_the_limit_of_the_caller(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert thread_count(None) == 1
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert 1 <= thread_count(None) <= (os.cpu_count() or 1)


def test_fits_in_joblib_workers_agree_with_a_fit_here(tmp_path: Path):
    from joblib import Parallel, delayed

    table, target = _table(500)
    fit = delayed(lambda: CARTRegressor().fit(table, target).fingerprint())
    assert len(set(Parallel(n_jobs=2)(fit() for _ in range(3)))) == 1
