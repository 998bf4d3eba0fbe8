"""C4.5rules on Adult against growing its unpruned tree, from the encoded table.

Both run on one thread and are timed by the processor, since a climb or a tree that
waits for others' work says nothing. Needs the shared collection of data sets.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure import Goal, heading, table

sys.path.append(str(Path(__file__).resolve().parents[1]))
from conformance.datasets import DATA, load

MOST = 10.0


def processor_seconds(job: Callable[[], Any]) -> float:
    """Time of the processor in one call, of all threads."""
    start = time.process_time()
    job()
    return time.process_time() - start


def run(*, quick: bool, repeats: int) -> list[Goal]:
    """Compare rules with their tree."""
    heading("C4.5rules")
    if not DATA.exists():
        print("not measured: no ../shared/data")
        return []
    from treewright.data.encoding.encode import encode
    from treewright.learners.dialects.c45 import C45
    from treewright.learners.recipe import grow_tree
    from treewright.learners.rules.c45rules import grow_c45rules, unpruned

    name = "german-credit" if quick else "adult"
    data = load(name)
    columns = encode(data.inputs, data.target, task="classes")
    found = grow_c45rules(columns, C45)
    jobs = {
        "its unpruned tree": lambda: grow_tree(columns, unpruned(C45), n_jobs=1),
        "rules, with the tree": lambda: grow_c45rules(columns, C45, n_jobs=1),
    }
    times = {who: [] for who in jobs}
    for _ in range(2 * repeats + 1):
        for who, job in jobs.items():
            times[who].append(processor_seconds(job))
    middle = {who: statistics.median(each) for who, each in times.items()}
    table(
        (f"{name}: {columns.n_rows:,} rows", "seconds"),
        ((who, f"{middle[who]:.3f}") for who in jobs),
    )
    print(
        f"{len(found.induction.paths):,} leaves with rows, "
        f"{len(found.model.rule_set):,} rules"
    )
    tree, rules = middle.values()
    return [Goal(f"{name}: rules / tree", rules / tree, "<=", MOST, "x")]
