"""Growing one tree: the comparison that grow_classes.py and grow_numbers.py share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import peers
from measure import Goal, heading, interleaved, table
from peers import Array, Peer, Task

N_ROWS = 200_000
N_ROWS_QUICK = 20_000
N_WARM_UP = 1_000


def score(y: Array, answer: Array, task: Task) -> float:
    """Share of rows predicted right, or share of variance explained."""
    if task == "classes":
        return float(np.mean(y == answer))
    return float(1 - np.mean((y - answer) ** 2) / np.var(y))


@dataclass(frozen=True)
class Run:
    """What one peer did."""

    peer: str
    seconds: float
    n_nodes: int
    score: float


def run_peers(task: Task, data: tuple[Array, Array], repeats: int) -> list[Run]:
    """Fit every peer on the same table, in turns."""
    at_hand = peers.installed()
    inputs = {peer.name: peer.prepare(*data) for peer in at_hand}
    for peer in at_hand:  # imports and first calls are not timed
        peer.fit(peer.prepare(data[0][:N_WARM_UP], data[1][:N_WARM_UP]), task)
    models: dict[str, Any] = {}

    def fit(peer: Peer) -> None:
        models[peer.name] = peer.fit(inputs[peer.name], task)

    times = interleaved(
        {peer.name: partial(fit, peer) for peer in at_hand},
        repeats=repeats,
        models=models,
    )
    return [
        Run(
            peer.name,
            times[peer.name],
            peer.n_nodes(models[peer.name]),
            score(
                data[1],
                peer.predict(models[peer.name], inputs[peer.name], task),
                task,
            ),
        )
        for peer in at_hand
    ]


def compare(
    task: Task, data: tuple[Array, Array], *, goals: dict[str, float], repeats: int
) -> list[Goal]:
    """Time the peers; print times, sizes and scores; return what is to be reached."""
    runs = run_peers(task, data, repeats)
    table(
        ("", "seconds", "nodes", "score on its own rows"),
        (
            (run.peer, f"{run.seconds:.2f}", f"{run.n_nodes:,}", f"{run.score:.4f}")
            for run in runs
        ),
    )
    times = {run.peer: run.seconds for run in runs}
    ours = times.get(peers.TREEWRIGHT.name)
    return [
        Goal(f"{task}: times faster than {name}", times[name] / ours, ">=", bound, "x")
        for name, bound in goals.items()
        if ours is not None and name in times
    ]


def title(text: str, n_rows: int, n_columns: int, repeats: int) -> None:
    """Print what is grown from what."""
    heading(f"{text}: {n_rows:,} rows x {n_columns}, median of {repeats}")
