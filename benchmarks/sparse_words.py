"""Documents as bags of words: a tree of a sparse matrix, and scikit-learn's beside it.

20 000 documents x 50 000 words, about 100 cells of a row not zero, two and twenty
topics (`treewright.data.datasets.made_news`). Each fit runs in a process of its own
(`python sparse_words.py WHO TOPICS FOLDER`), which prints seconds and the peak above
what it held before. Reads /proc, so it needs Linux.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from measure import Goal, heading, table
from memory import FORGET_PEAK, status_bytes
from treewright.data.datasets.made_news import make_news

N_DOCUMENTS, N_WORDS = 20_000, 50_000
N_DOCUMENTS_QUICK, N_WORDS_QUICK = 2_000, 5_000
MOST_SECONDS, MOST_MEGABYTES = 60.0, 1000.0
WHO = ("treewright", "treewright forest of 10", "scikit-learn")


def documents(n_documents: int, n_words: int, n_topics: int) -> tuple[Any, Any]:
    """Counts of words, and the topics."""
    news = make_news(n_documents, n_words, n_topics, length=130)
    cells = np.ones(len(news.row)), (news.row, news.word)
    matrix = sparse.csr_matrix(cells, shape=(n_documents, n_words))
    matrix.sum_duplicates()
    return matrix, news.topic


def estimator_of(who: str) -> Any:
    """What is fitted."""
    if who == "scikit-learn":
        from sklearn.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(random_state=0)
    from treewright import CARTClassifier, RandomForestClassifier

    if who == "treewright":
        return CARTClassifier()
    return RandomForestClassifier(n_estimators=10, random_state=0)


def measured(who: str, n_topics: int, folder: Path) -> tuple[float, int]:
    """Seconds of a fit; bytes at the peak of it and of predicting the same rows."""
    matrix = sparse.load_npz(folder / f"{n_topics}.npz")
    topic = np.load(folder / f"{n_topics}.npy")
    estimator = estimator_of(who)
    estimator.fit(matrix[:200], topic[:200])
    Path("/proc/self/clear_refs").write_text(FORGET_PEAK)
    before, start = status_bytes("VmRSS"), time.perf_counter()
    estimator.fit(matrix, topic)
    seconds = time.perf_counter() - start
    estimator.predict(matrix)
    return seconds, status_bytes("VmHWM") - before


def run(*, quick: bool, repeats: int) -> list[Goal]:
    """Measure everybody once; a fit takes seconds."""
    del repeats
    n_documents = N_DOCUMENTS_QUICK if quick else N_DOCUMENTS
    n_words = N_WORDS_QUICK if quick else N_WORDS
    heading(f"a tree of {n_documents:,} documents x {n_words:,} words, sparse")
    rows, goals = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for n_topics in (2, 20):
            matrix, topic = documents(n_documents, n_words, n_topics)
            sparse.save_npz(folder / f"{n_topics}.npz", matrix)
            np.save(folder / f"{n_topics}.npy", topic)
            for who in WHO:
                command = [sys.executable, __file__, who, str(n_topics), name]
                child = subprocess.run(
                    command, check=True, stdout=subprocess.PIPE, text=True
                )
                seconds, n_bytes = map(float, child.stdout.split())
                per_row = matrix.nnz / n_documents
                figures = f"{per_row:.0f}", f"{seconds:.1f}", f"{n_bytes / 1e6:.0f}"
                rows.append((who, str(n_topics), *figures))
                if who == "treewright":
                    what = f"sparse words, {n_topics} topics"
                    goals.append(Goal(what, seconds, "<=", MOST_SECONDS, " s"))
                    megabytes = n_bytes / 1e6
                    goals.append(Goal(what, megabytes, "<=", MOST_MEGABYTES, " MB"))
    table(("who", "topics", "words a row", "seconds", "MB"), rows)
    return goals


if __name__ == "__main__":
    print(*measured(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])))
